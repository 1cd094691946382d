/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds groups of nodes by splitting: at first nodes are in no group; then each partition splits
 * each group of which it has some nodes, but not all:
 *
 *	PartitionName=a Nodes=n[1-3]	0: n1 n2 n3
 *	PartitionName=b Nodes=n[3-4]	0: n1 n2	1: n3	2: n4
 *
 * Source: Slurm, slurm.conf(5), NODE CONFIGURATION and PARTITION CONFIGURATION.
 */
#include "format/slurm/slurm_machine.h"

#include "document/document.h"
#include "format/slurm/slurm_nodes.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NO_GROUP SIZE_MAX

struct machine_reader {
	struct slurm_machine machine;
	struct slurm_nodes nodes;
	size_t classes;			/* number of classes of nodes */
	size_t *group;			/* by node; NO_GROUP: in no partition yet */
	size_t *node_class;		/* by node */
};

/* ---- nodes ------------------------------------------------------------------------------- */

/* Returns whether the nodes of a line run jobs, by the beginning of State: flags may follow it, as
 * in DOWN+DRAIN or DOWN*. */
static bool runs_jobs(const struct slurm_conf *slurm, size_t line)
{
	static const char *const idle[] = { "DOWN", "DRAIN", "FAIL", "FAILING", "FUTURE" };
	const struct slurm_pair *state = slurm_line_pair(slurm, line, "State");

	for (size_t i = 0; state && i < sizeof(idle) / sizeof(*idle); i++)
		if (!strncasecmp(state->value, idle[i], strlen(idle[i])))
			return false;
	return true;
}

/* Sets the CPUs of the nodes of DownNodes lines to 0, whose State is DOWN by default. */
static void stop_down_nodes(struct slurm_nodes *nodes)
{
	const struct slurm_conf *slurm = nodes->slurm;
	size_t line = SLURM_CONF_NONE;

	while ((line = slurm_next_described(slurm, "DownNodes", line)) != SLURM_CONF_NONE) {
		struct host_list names = slurm_pair_names(&slurm->pair[line]);
		bool runs = slurm_line_pair(slurm, line, "State") && runs_jobs(slurm, line);

		for (size_t i = 0; i < names.count && !runs; i++) {
			size_t node = name_index_get(nodes->by_name, piece_of(names.name[i]));

			if (node != NAME_INDEX_NONE)	/* slurmctld ignores others, too */
				nodes->node[node].cpus = 0;
		}
		host_list_clear(&names);
	}
}

/* Sets the CPUs of nodes that do not run jobs to 0. */
static void stop_nodes(struct slurm_nodes *nodes)
{
	bool runs = true;

	for (size_t i = 0; i < nodes->count; i++) {
		/* nodes of a line are neighbours, so look once for each line */
		if (!i || nodes->node[i].line != nodes->node[i - 1].line)
			runs = runs_jobs(nodes->slurm, nodes->node[i].line);
		if (!runs)
			nodes->node[i].cpus = 0;
	}
	stop_down_nodes(nodes);
}

/* Finds the class of each node, and begins without groups. classes: NULL: all are of class 0. */
static void read_nodes(struct machine_reader *reader, const struct slurm_node_classes *classes)
{
	struct slurm_nodes *nodes = &reader->nodes;

	stop_nodes(nodes);
	reader->classes = classes ? classes->count : 1;
	reader->group = need_zeros(nodes->count, sizeof(*reader->group));
	reader->node_class = need_zeros(nodes->count, sizeof(*reader->node_class));
	for (size_t i = 0; i < nodes->count; i++) {
		reader->group[i] = NO_GROUP;
		if (classes)
			reader->node_class[i] = classes->class_of(classes->context,
								  nodes->node[i].name);
	}
}

/* ---- groups -------------------------------------------------------------------------------- */

/* Moves a node of a partition from its group to a new one, with all other nodes of the old group
 * that the partition has. split: index + 1 of the new group, 0: not made yet; first one for each
 * class, for nodes without a group; behind these one for each old group. is_up: the partition's. */
static void move_node(struct machine_reader *reader, size_t node, size_t *split, bool is_up)
{
	struct slurm_machine *machine = &reader->machine;
	size_t old = reader->group[node], node_class = reader->node_class[node];
	size_t *new = &split[old == NO_GROUP ? node_class : reader->classes + old];

	if (!*new) {
		size_t partitions = old == NO_GROUP ? 0 : machine->group[old].partitions;

		NEED_ADD(machine->group, machine->group_count, (struct slurm_group){
			.node_class = node_class, .partitions = partitions + is_up });
		*new = machine->group_count;
	}
	reader->group[node] = *new - 1;
}

/* Splits groups by the nodes of a partition. A group whose nodes all move stays behind without
 * nodes; order_groups() drops it. */
static void split_by_partition(struct machine_reader *reader,
			       const struct described_partition *partition)
{
	size_t count, *node = slurm_nodes_of_partition(&reader->nodes, partition->nodes_line,
						       &count);
	size_t *split = need_zeros(reader->classes + reader->machine.group_count,
				   sizeof(*split));

	for (size_t i = 0; i < count; i++)
		move_node(reader, node[i], split, partition->is_up);
	need_free(split);
	need_free(node);
}

/* ---- the order of groups ------------------------------------------------------------------- */

/* A group, and the number of partitions that are up and have it. */
struct group_rank {
	size_t partitions, group;
};

/* Compares two groups: fewer partitions first, then the one that was made first. */
static int compare_groups(const void *x, const void *y)
{
	const struct group_rank *a = x, *b = y;

	if (a->partitions != b->partitions)
		return a->partitions < b->partitions ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

/* Adds up the nodes of each group that run jobs, and their CPUs. */
static void count_nodes(struct machine_reader *reader)
{
	for (size_t i = 0; i < reader->nodes.count; i++) {
		double cpus = reader->nodes.node[i].cpus;

		if (reader->group[i] == NO_GROUP || !(cpus > 0))
			continue;
		reader->machine.group[reader->group[i]].cpus += cpus;
		reader->machine.group[reader->group[i]].nodes++;
	}
}

/* Drops groups without CPUs, and numbers the others in the order in which jobs take them. */
static void order_groups(struct machine_reader *reader)
{
	struct slurm_machine *machine = &reader->machine;
	struct slurm_group *ordered = need_zeros(machine->group_count, sizeof(*ordered));
	/* by old number: the new number, or NO_GROUP */
	size_t *number = need_zeros(machine->group_count, sizeof(*number)), count = 0;
	struct group_rank *rank = need_zeros(machine->group_count, sizeof(*rank));

	for (size_t i = 0; i < machine->group_count; i++) {
		number[i] = NO_GROUP;
		if (machine->group[i].cpus > 0)
			rank[count++] = (struct group_rank){ machine->group[i].partitions, i };
	}
	qsort(rank, count, sizeof(*rank), compare_groups);
	for (size_t i = 0; i < count; i++) {
		ordered[i] = machine->group[rank[i].group];
		number[rank[i].group] = i;
	}
	for (size_t i = 0; i < reader->nodes.count; i++)
		if (reader->group[i] != NO_GROUP)
			reader->group[i] = number[reader->group[i]];
	machine->group = ordered;
	machine->group_count = count;
}

/* ---- groups of partitions ------------------------------------------------------------------ */

/* Gives a partition the groups for which has[] is true, in their order, and adds them up. */
static void take_groups(const struct slurm_machine *machine, struct slurm_partition *partition,
			const bool *has)
{
	partition->group = need_zeros(machine->group_count, sizeof(*partition->group));
	for (size_t i = 0; i < machine->group_count; i++) {
		if (!has[i])
			continue;
		partition->group[partition->group_count++] = (uint32_t)i;
		partition->limits.cpus += machine->group[i].cpus;
	}
}

/* Finds the groups of a partition, and the first class of its nodes. line: of slurm.conf, with its
 * Nodes. */
static void find_groups(struct machine_reader *reader, size_t line,
			struct slurm_partition *partition)
{
	size_t count, *node = slurm_nodes_of_partition(&reader->nodes, line, &count);
	bool *has = need_zeros(reader->machine.group_count, sizeof(*has));

	for (size_t i = 0; i < count; i++) {
		size_t node_class = reader->node_class[node[i]];

		if (reader->group[node[i]] != NO_GROUP)
			has[reader->group[node[i]]] = true;
		if (node_class && (!partition->first_class || node_class < partition->first_class))
			partition->first_class = node_class;
	}
	take_groups(&reader->machine, partition, has);
	need_free(has);
	need_free(node);
}

/* ---- partitions ---------------------------------------------------------------------------- */

/* Returns the value, or `standard` if it is not known. */
static double known(double value, double standard)
{
	return isnan(value) ? standard : value;
}

/* Adds the partitions without their groups, and splits the groups of nodes by them. */
static void add_partitions(struct machine_reader *reader)
{
	struct slurm_machine *machine = &reader->machine;
	const struct slurm_partitions *described = &machine->described;

	machine->partition = need_zeros(described->count, sizeof(*machine->partition));
	for (size_t i = 0; i < described->count; i++) {
		const struct described_partition *keys = &described->at[i];

		machine->partition[machine->partition_count++] = (struct slurm_partition){
			.limits = { .name = keys->name, .max_time = known(keys->max_time, 0),
				    .default_time = known(keys->default_time, 0),
				    .max_nodes = known(keys->max_nodes, 0), .is_up = keys->is_up },
			.job_factor = known(keys->job_factor, 1), .tier = known(keys->tier, 1),
			.max_cpus_per_node = known(keys->max_cpus_per_node, 0),
			.is_default = keys->is_default,
		};
		split_by_partition(reader, keys);
	}
}

/* Finds the groups of all partitions, and adds up the machine. */
static void find_all_groups(struct machine_reader *reader)
{
	struct slurm_machine *machine = &reader->machine;

	count_nodes(reader);
	order_groups(reader);
	for (size_t i = 0; i < machine->partition_count; i++)
		find_groups(reader, machine->described.at[i].nodes_line, &machine->partition[i]);
	for (size_t i = 0; i < machine->group_count; i++) {
		machine->cpus += machine->group[i].cpus;
		machine->nodes += machine->group[i].nodes;
	}
}

struct slurm_machine slurm_machine_of(const struct slurm_conf *slurm,
				      const struct slurm_node_classes *classes)
{
	struct machine_reader reader = { .nodes = slurm_nodes_of(slurm) };
	size_t *split;

	reader.machine.described = slurm_partitions_of(slurm);
	read_nodes(&reader, classes);
	add_partitions(&reader);
	if (!reader.nodes.count)
		return reader.machine;
	split = need_zeros(reader.classes, sizeof(*split));
	/* without partitions, all nodes of a class are one group */
	for (size_t i = 0; !reader.machine.partition_count && i < reader.nodes.count; i++)
		move_node(&reader, i, split, true);
	find_all_groups(&reader);
	if (!reader.machine.group_count)
		wrong_at(NULL, 0, "%s: no partition has a node that runs jobs", slurm->file[0]);
	return reader.machine;
}
