/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source: Slurm, slurm.conf(5), NODE CONFIGURATION and PARTITION CONFIGURATION. */
#include "format/slurm/slurm_machine.h"

#include "core/array.h"
#include "core/error.h"
#include "core/name_index.h"
#include "format/slurm/slurm_nodes.h"
#include "format/slurm_time.h"
#include "format/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NO_GROUP SIZE_MAX

struct node {
	char *name;
	double cpus;
	size_t group;		/* NO_GROUP: of no partition yet */
};

struct reader {
	struct slurm_machine *machine;
	const struct slurm_conf *slurm;
	struct node *node;
	size_t node_count, node_room;
	struct name_index index;	/* of nodes by name */
	size_t group_room;
	struct fathom_error *error;
};

static int wrong(struct reader *reader, const struct slurm_pair *pair, const char *right)
{
	return fathom_error_set(reader->error, EINVAL, "%s:%u: %s is '%s', %s", pair->file,
				pair->line, pair->key, pair->value, right);
}

/* Reads a number of a line; *number stays if the key is not given. UNLIMITED: 0. */
static int read_number(struct reader *reader, size_t line, const char *key, double *number)
{
	const struct slurm_pair *pair = slurm_line_pair(reader->slurm, line, key);
	uint64_t value;

	if (!pair)
		return 0;
	*number = 0;
	if (!strcasecmp(pair->value, "UNLIMITED") || !strcasecmp(pair->value, "INFINITE"))
		return 0;
	if (parse_whole((struct piece){ pair->value, strlen(pair->value) }, UINT32_MAX, &value))
		return wrong(reader, pair, "must be a whole number");
	*number = (double)value;
	return 0;
}

/* ---- nodes ------------------------------------------------------------------------------- */

/* CPUs, or what boards, sockets, cores and threads make. */
static int read_cpus(struct reader *reader, size_t line, double *cpus)
{
	double boards = 1, sockets = 1, per_board = 0, cores = 1, threads = 1;

	*cpus = 0;
	if (read_number(reader, line, "Procs", cpus) || read_number(reader, line, "CPUs", cpus) ||
	    read_number(reader, line, "Boards", &boards) ||
	    read_number(reader, line, "Sockets", &sockets) ||
	    read_number(reader, line, "SocketsPerBoard", &per_board) ||
	    read_number(reader, line, "CoresPerSocket", &cores) ||
	    read_number(reader, line, "ThreadsPerCore", &threads))
		return -1;
	if (per_board > 0)
		sockets = boards * per_board;
	if (!(*cpus > 0))
		*cpus = sockets * cores * threads;
	if (*cpus >= 1 && *cpus <= UINT32_MAX)
		return 0;
	return wrong(reader, &reader->slurm->pair[line], "and has no CPUs, must have 1 or more");
}

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

static int add_node(struct reader *reader, const struct slurm_pair *pair, char *name, double cpus)
{
	struct node *grown = array_grow(reader->node, &reader->node_room, reader->node_count + 1,
					sizeof(*grown));
	struct piece piece = { name, strlen(name) };

	if (!grown)
		return fathom_error_no_memory(reader->error);
	reader->node = grown;
	if (name_index_get(&reader->index, piece) != NAME_INDEX_NONE)
		return fathom_error_set(reader->error, EINVAL, "%s:%u: NodeName: %s has a line "
					"already, must have one", pair->file, pair->line, name);
	grown[reader->node_count] = (struct node){ strdup(name), cpus, NO_GROUP };
	if (!grown[reader->node_count].name)
		return fathom_error_no_memory(reader->error);
	piece.at = grown[reader->node_count].name;
	return name_index_put(&reader->index, piece, reader->node_count++, reader->error);
}

static int add_nodes(struct reader *reader, size_t line)
{
	const struct slurm_pair *pair = &reader->slurm->pair[line];
	struct host_list names = { NULL };
	struct fathom_error inner;
	double cpus;
	int status = read_cpus(reader, line, &cpus);

	if (!status && host_list_add_all(&names, pair->value, &inner))
		status = wrong(reader, pair, inner.text);
	if (!runs_jobs(reader->slurm, line))
		cpus = 0;
	for (size_t i = 0; !status && i < names.count; i++)
		status = add_node(reader, pair, names.name[i], cpus);
	host_list_clear(&names);
	return status;
}

static int read_nodes(struct reader *reader)
{
	size_t line = SLURM_CONF_NONE;

	while ((line = slurm_conf_next_line(reader->slurm, "NodeName", line)) != SLURM_CONF_NONE)
		if (!slurm_line_is_default(&reader->slurm->pair[line]) && add_nodes(reader, line))
			return -1;
	return 0;
}

/* ---- keys of partitions -------------------------------------------------------------------- */

static int read_time(struct reader *reader, size_t line, const char *key, double *seconds)
{
	const struct slurm_pair *pair = slurm_line_pair(reader->slurm, line, key);
	struct fathom_error inner;

	*seconds = 0;
	if (!pair || !strcasecmp(pair->value, "UNLIMITED") || !strcasecmp(pair->value, "INFINITE"))
		return 0;
	return slurm_time_parse_strictly(pair->value, seconds, &inner)
		       ? wrong(reader, pair, inner.text) : 0;
}

static bool says(const struct reader *reader, size_t line, const char *key, const char *value)
{
	const struct slurm_pair *pair = slurm_line_pair(reader->slurm, line, key);

	return pair && !strcasecmp(pair->value, value);
}

/* Priority sets PriorityJobFactor and PriorityTier. */
static int read_keys(struct reader *reader, size_t line, struct slurm_partition *partition)
{
	*partition = (struct slurm_partition){
		.name = reader->slurm->pair[line].value, .job_factor = 1,
		.is_default = says(reader, line, "Default", "YES"),
		.is_up = !slurm_line_pair(reader->slurm, line, "State") ||
			 says(reader, line, "State", "UP"),
	};
	return read_number(reader, line, "Priority", &partition->job_factor) ||
			       read_number(reader, line, "PriorityJobFactor",
					   &partition->job_factor) ||
			       read_number(reader, line, "MaxNodes", &partition->max_nodes) ||
			       read_time(reader, line, "MaxTime", &partition->max_time) ||
			       read_time(reader, line, "DefaultTime", &partition->default_time)
		       ? -1 : 0;
}

/* ---- groups -------------------------------------------------------------------------------- */

static int add_group(struct reader *reader, size_t *group)
{
	struct slurm_machine *machine = reader->machine;
	struct slurm_group *grown = array_grow(machine->group, &reader->group_room,
					       machine->group_count + 1, sizeof(*grown));

	if (!grown)
		return fathom_error_no_memory(reader->error);
	machine->group = grown;
	*group = machine->group_count++;
	grown[*group] = (struct slurm_group){ 0 };
	return 0;
}

/* Moves a node from its group to the one of its group's nodes that the partition has.
 * split: by old group, and for nodes of none at [0]: the new one + 1, 0: none yet. */
static int move_node(struct reader *reader, struct node *node, size_t *split)
{
	size_t *new = &split[node->group == NO_GROUP ? 0 : node->group + 1];
	size_t partitions = node->group == NO_GROUP
				    ? 0 : reader->machine->group[node->group].partitions;

	if (!*new) {
		if (add_group(reader, new))
			return -1;
		reader->machine->group[*new].partitions = partitions + 1;
		++*new;
	}
	node->group = *new - 1;
	return 0;
}

static int split_groups(struct reader *reader, const struct slurm_pair *pair,
			const struct host_list *names)
{
	size_t *split = calloc(reader->machine->group_count + 1, sizeof(*split));
	int status = split ? 0 : fathom_error_no_memory(reader->error);

	for (size_t i = 0; !status && i < names->count; i++) {
		struct piece name = { names->name[i], strlen(names->name[i]) };
		size_t found = name_index_get(&reader->index, name);

		if (found == NAME_INDEX_NONE)
			status = fathom_error_set(reader->error, EINVAL, "%s:%u: Nodes: '%s' is no "
						  "node of a NodeName or NodeSet line", pair->file,
						  pair->line, names->name[i]);
		else
			status = move_node(reader, &reader->node[found], split);
	}
	free(split);
	return status;
}

static int list_nodes(struct reader *reader, size_t line, struct host_list *names)
{
	const struct slurm_pair *pair = slurm_line_pair(reader->slurm, line, "Nodes");

	*names = (struct host_list){ NULL };
	if (!pair)
		return 0;
	if (slurm_list_nodes(reader->slurm, line, names))
		return wrong(reader, pair, "must be names of nodes, such as n[1-4], node sets or "
					   "ALL");
	host_list_sort(names);
	return 0;
}

static int split_by_partition(struct reader *reader, size_t line)
{
	struct host_list names;
	int status = list_nodes(reader, line, &names);

	if (!status)
		status = split_groups(reader, slurm_line_pair(reader->slurm, line, "Nodes"),
				      &names);
	host_list_clear(&names);
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
	for (size_t i = 0; i < reader->node_count; i++) {
		const struct node *node = &reader->node[i];

		if (node->group == NO_GROUP || !(node->cpus > 0))
			continue;
		reader->machine->group[node->group].cpus += node->cpus;
		reader->machine->group[node->group].nodes++;
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
	for (size_t i = 0; !status && i < reader->node_count; i++)
		if (reader->node[i].group != NO_GROUP)
			reader->node[i].group = number[reader->node[i].group];
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
	bool *has = calloc(reader->machine->group_count + 1, sizeof(*has));
	struct host_list names;
	int status = has ? list_nodes(reader, line, &names)
			 : fathom_error_no_memory(reader->error);

	for (size_t i = 0; !status && i < names.count; i++) {
		struct piece name = { names.name[i], strlen(names.name[i]) };
		size_t group = reader->node[name_index_get(&reader->index, name)].group;

		if (group != NO_GROUP)
			has[group] = true;
	}
	if (!status)
		status = take_groups(reader, partition, has);
	if (has)
		host_list_clear(&names);
	free(has);
	return status;
}

/* ---- partitions ---------------------------------------------------------------------------- */

static size_t next_partition(const struct slurm_conf *slurm, size_t line)
{
	do {
		line = slurm_conf_next_line(slurm, "PartitionName", line);
	} while (line != SLURM_CONF_NONE && slurm_line_is_default(&slurm->pair[line]));
	return line;
}

/* Adds partitions without their groups. One that has several lines is as each adds to it; slurmctld
 * refuses that, and so do we. */
static int add_partitions(struct reader *reader)
{
	struct slurm_machine *machine = reader->machine;
	size_t line = SLURM_CONF_NONE, room = 0;

	while ((line = next_partition(reader->slurm, line)) != SLURM_CONF_NONE) {
		struct slurm_partition *grown = array_grow(machine->partition, &room,
							   machine->partition_count + 1,
							   sizeof(*grown));

		if (!grown)
			return fathom_error_no_memory(reader->error);
		machine->partition = grown;
		for (size_t i = 0; i < machine->partition_count; i++)
			if (!strcmp(grown[i].name, reader->slurm->pair[line].value))
				return wrong(reader, &reader->slurm->pair[line],
					     "which has a line already, must have one");
		if (read_keys(reader, line, &grown[machine->partition_count]))
			return -1;
		machine->partition_count++;
		if (reader->node_count && split_by_partition(reader, line))
			return -1;
	}
	return 0;
}

static int find_all_groups(struct reader *reader)
{
	struct slurm_machine *machine = reader->machine;
	size_t line = SLURM_CONF_NONE;

	count_nodes(reader);
	if (order_groups(reader))
		return -1;
	for (size_t i = 0; i < machine->partition_count; i++) {
		line = next_partition(reader->slurm, line);
		if (find_groups(reader, line, &machine->partition[i]))
			return -1;
	}
	for (size_t i = 0; i < machine->group_count; i++) {
		machine->cpus += machine->group[i].cpus;
		machine->nodes += machine->group[i].nodes;
	}
	return 0;
}

/* Without partitions, all nodes are one group. */
static int make_one_group(struct reader *reader)
{
	size_t group;

	if (reader->machine->partition_count || !reader->node_count)
		return 0;
	if (add_group(reader, &group))
		return -1;
	for (size_t i = 0; i < reader->node_count; i++)
		reader->node[i].group = group;
	return 0;
}

int slurm_machine_read(struct slurm_machine *machine, const struct slurm_conf *slurm,
		       struct fathom_error *error)
{
	struct reader reader = { .machine = machine, .slurm = slurm, .error = error };
	int status = read_nodes(&reader) || add_partitions(&reader) || make_one_group(&reader) ||
				     (reader.node_count && find_all_groups(&reader))
			     ? -1 : 0;

	if (!status && reader.node_count && !machine->group_count)
		status = fathom_error_set(error, EINVAL, "%s: no partition has a node that runs "
					  "jobs", slurm->file[0]);
	name_index_clear(&reader.index);
	for (size_t i = 0; i < reader.node_count; i++)
		free(reader.node[i].name);
	free(reader.node);
	return status;
}

void slurm_machine_clear(struct slurm_machine *machine)
{
	for (size_t i = 0; i < machine->partition_count; i++)
		free(machine->partition[i].group);
	free(machine->partition);
	free(machine->group);
	*machine = (struct slurm_machine){ NULL };
}
