/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source: Slurm, slurm.conf(5), NODE CONFIGURATION and PARTITION CONFIGURATION. */
#include "format/slurm/slurm_machine.h"

#include "core/array.h"
#include "core/error.h"
#include "format/slurm/slurm_nodes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NO_GROUP SIZE_MAX

struct reader {
	struct slurm_machine *machine;
	const struct slurm_conf *slurm;
	struct slurm_nodes nodes;
	const struct slurm_node_classes *classes;
	size_t *group;			/* of each node; NO_GROUP: of no partition yet */
	size_t *node_class;		/* the same */
	size_t group_room;		/* of the machine's groups */
	struct fathom_error *error;
};

/* ---- nodes ------------------------------------------------------------------------------- */

/* Several states are separated by '+'. */
static bool runs_jobs(const struct slurm_conf *slurm, size_t line)
{
	static const char *const idle[] = { "DOWN", "DRAIN", "FAIL", "FAILING", "FUTURE" };
	const struct slurm_pair *state = slurm_line_pair(slurm, line, "State");

	for (size_t i = 0; state && i < sizeof(idle) / sizeof(*idle); i++)
		if (!strncasecmp(state->value, idle[i], strlen(idle[i])))
			return false;
	return true;
}

/* Nodes that run no jobs have no CPUs for them. */
static void stop_nodes(struct slurm_nodes *nodes)
{
	bool runs = true;

	for (size_t i = 0; i < nodes->count; i++) {
		if (!i || nodes->node[i].line != nodes->node[i - 1].line)
			runs = runs_jobs(nodes->slurm, nodes->node[i].line);
		if (!runs)
			nodes->node[i].cpus = 0;
	}
}

static int read_nodes(struct reader *reader)
{
	struct slurm_nodes *nodes = &reader->nodes;

	if (slurm_nodes_read(nodes, reader->slurm, reader->error))
		return -1;
	stop_nodes(nodes);
	reader->group = calloc(nodes->count + 1, sizeof(*reader->group));
	reader->node_class = calloc(nodes->count + 1, sizeof(*reader->node_class));
	if (!reader->group || !reader->node_class)
		return fathom_error_no_memory(reader->error);
	for (size_t i = 0; i < nodes->count; i++) {
		reader->group[i] = NO_GROUP;
		reader->node_class[i] = reader->classes->class_of(reader->classes->context,
								  nodes->node[i].name);
	}
	return 0;
}

/* ---- groups -------------------------------------------------------------------------------- */

static int add_group(struct reader *reader, size_t node_class, size_t *group)
{
	struct slurm_machine *machine = reader->machine;
	struct slurm_group *grown = array_grow(machine->group, &reader->group_room,
					       machine->group_count + 1, sizeof(*grown));

	if (!grown)
		return fathom_error_no_memory(reader->error);
	machine->group = grown;
	*group = machine->group_count++;
	grown[*group] = (struct slurm_group){ .node_class = node_class };
	return 0;
}

/* Moves a node from its group to the one of its group's nodes that the partition has. split: the
 * new group + 1, 0: none yet; for nodes that have no group by their class, behind these by old
 * group. */
static int move_node(struct reader *reader, size_t node, size_t *split)
{
	size_t old = reader->group[node], node_class = reader->node_class[node];
	size_t *new = &split[old == NO_GROUP ? node_class : reader->classes->count + old];
	size_t partitions = old == NO_GROUP ? 0 : reader->machine->group[old].partitions;

	if (!*new) {
		if (add_group(reader, node_class, new))
			return -1;
		reader->machine->group[*new].partitions = partitions + 1;
		++*new;
	}
	reader->group[node] = *new - 1;
	return 0;
}

static int split_by_partition(struct reader *reader, size_t line)
{
	size_t *node, count;
	int status = slurm_nodes_of_partition(&reader->nodes, line, &node, &count, reader->error);
	size_t *split = calloc(reader->classes->count + reader->machine->group_count,
			       sizeof(*split));

	if (!status && !split)
		status = fathom_error_no_memory(reader->error);
	for (size_t i = 0; !status && i < count; i++)
		status = move_node(reader, node[i], split);
	free(split);
	free(node);
	return status;
}

/* ---- the order of groups ------------------------------------------------------------------- */

struct rank {
	size_t partitions, group;
};

static int compare(const void *a, const void *b)
{
	const struct rank *left = a, *right = b;

	if (left->partitions != right->partitions)
		return left->partitions < right->partitions ? -1 : 1;
	return (left->group > right->group) - (left->group < right->group);
}

static void count_nodes(struct reader *reader)
{
	for (size_t i = 0; i < reader->nodes.count; i++) {
		double cpus = reader->nodes.node[i].cpus;

		if (reader->group[i] == NO_GROUP || !(cpus > 0))
			continue;
		reader->machine->group[reader->group[i]].cpus += cpus;
		reader->machine->group[reader->group[i]].nodes++;
	}
}

/* Drops groups without CPUs, and numbers the others in the order in which jobs take them. */
static int order_groups(struct reader *reader)
{
	struct slurm_machine *machine = reader->machine;
	struct slurm_group *ordered = calloc(machine->group_count + 1, sizeof(*ordered));
	size_t *number = calloc(machine->group_count + 1, sizeof(*number)), count = 0;
	struct rank *rank = calloc(machine->group_count + 1, sizeof(*rank));
	int status = ordered && number && rank ? 0 : fathom_error_no_memory(reader->error);

	for (size_t i = 0; !status && i < machine->group_count; i++) {
		number[i] = NO_GROUP;
		if (machine->group[i].cpus > 0)
			rank[count++] = (struct rank){ machine->group[i].partitions, i };
	}
	if (!status)
		qsort(rank, count, sizeof(*rank), compare);
	for (size_t i = 0; !status && i < count; i++) {
		ordered[i] = machine->group[rank[i].group];
		number[rank[i].group] = i;
	}
	for (size_t i = 0; !status && i < reader->nodes.count; i++)
		if (reader->group[i] != NO_GROUP)
			reader->group[i] = number[reader->group[i]];
	free(rank);
	free(number);
	if (status) {
		free(ordered);
		return status;
	}
	free(machine->group);
	machine->group = ordered;
	machine->group_count = count;
	return 0;
}

/* ---- groups of partitions ------------------------------------------------------------------ */

static int take_groups(struct reader *reader, struct slurm_partition *partition, const bool *has)
{
	const struct slurm_machine *machine = reader->machine;

	partition->group = calloc(machine->group_count + 1, sizeof(*partition->group));
	if (!partition->group)
		return fathom_error_no_memory(reader->error);
	for (size_t i = 0; i < machine->group_count; i++) {
		if (!has[i])
			continue;
		partition->group[partition->group_count++] = i;
		partition->cpus += machine->group[i].cpus;
		partition->nodes += machine->group[i].nodes;
	}
	return 0;
}

static int find_groups(struct reader *reader, size_t line, struct slurm_partition *partition)
{
	size_t *node, count;
	int status = slurm_nodes_of_partition(&reader->nodes, line, &node, &count, reader->error);
	bool *has = calloc(reader->machine->group_count + 1, sizeof(*has));

	if (!status && !has)
		status = fathom_error_no_memory(reader->error);
	for (size_t i = 0; !status && i < count; i++) {
		size_t node_class = reader->node_class[node[i]];

		if (reader->group[node[i]] != NO_GROUP)
			has[reader->group[node[i]]] = true;
		if (node_class && (!partition->first_class || node_class < partition->first_class))
			partition->first_class = node_class;
	}
	if (!status)
		status = take_groups(reader, partition, has);
	free(has);
	free(node);
	return status;
}

/* ---- partitions ---------------------------------------------------------------------------- */

static double known(double value, double standard)
{
	return isnan(value) ? standard : value;
}

/* Adds partitions without their groups. */
static int add_partitions(struct reader *reader)
{
	struct slurm_machine *machine = reader->machine;
	struct slurm_partitions *described = &machine->described;

	if (slurm_partitions_read(described, reader->slurm, reader->error))
		return -1;
	machine->partition = calloc(described->count + 1, sizeof(*machine->partition));
	if (!machine->partition)
		return fathom_error_no_memory(reader->error);
	for (size_t i = 0; i < described->count; i++) {
		const struct described_partition *of = &described->at[i];

		machine->partition[machine->partition_count++] = (struct slurm_partition){
			.name = of->name, .job_factor = known(of->job_factor, 1),
			.max_time = known(of->max_time, 0),
			.default_time = known(of->default_time, 0),
			.max_nodes = known(of->max_nodes, 0),
			.max_cpus_per_node = known(of->max_cpus_per_node, 0),
			.is_default = of->is_default, .is_up = of->is_up,
		};
		if (split_by_partition(reader, of->nodes_line))
			return -1;
	}
	return 0;
}

static int find_all_groups(struct reader *reader)
{
	struct slurm_machine *machine = reader->machine;

	count_nodes(reader);
	if (order_groups(reader))
		return -1;
	for (size_t i = 0; i < machine->partition_count; i++)
		if (find_groups(reader, machine->described.at[i].nodes_line,
				&machine->partition[i]))
			return -1;
	for (size_t i = 0; i < machine->group_count; i++) {
		machine->cpus += machine->group[i].cpus;
		machine->nodes += machine->group[i].nodes;
	}
	return 0;
}

/* Without partitions, all nodes of a class are one group. */
static int group_by_class(struct reader *reader)
{
	size_t *split;
	int status = 0;

	if (reader->machine->partition_count || !reader->nodes.count)
		return 0;
	split = calloc(reader->classes->count, sizeof(*split));
	if (!split)
		return fathom_error_no_memory(reader->error);
	for (size_t i = 0; !status && i < reader->nodes.count; i++)
		status = move_node(reader, i, split);
	free(split);
	return status;
}

static size_t same_class(const void *context, const char *node)
{
	(void)context, (void)node;
	return 0;
}

int slurm_machine_read(struct slurm_machine *machine, const struct slurm_conf *slurm,
		       const struct slurm_node_classes *classes, struct fathom_error *error)
{
	static const struct slurm_node_classes one = { 1, same_class, NULL };
	struct reader reader = { .machine = machine, .slurm = slurm, .error = error,
				 .classes = classes ? classes : &one };
	int status = read_nodes(&reader) || add_partitions(&reader) || group_by_class(&reader) ||
				     (reader.nodes.count && find_all_groups(&reader))
			     ? -1 : 0;

	if (!status && reader.nodes.count && !machine->group_count)
		status = fathom_error_set(error, EINVAL, "%s: no partition has a node that runs "
					  "jobs", slurm->file[0]);
	slurm_nodes_clear(&reader.nodes);
	free(reader.group);
	free(reader.node_class);
	return status;
}

void slurm_machine_clear(struct slurm_machine *machine)
{
	for (size_t i = 0; i < machine->partition_count; i++)
		free(machine->partition[i].group);
	free(machine->partition);
	free(machine->group);
	slurm_partitions_clear(&machine->described);
	*machine = (struct slurm_machine){ NULL };
}
