/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes that partitions have. Nodes of the same partitions are a group, whose CPUs are as good
 * as each other. Partitions may have groups in common; those with the same groups share a node set:
 *
 *	PartitionName=a Nodes=n[1-4]		groups: n[1-2] n[3-4] n5
 *	PartitionName=b Nodes=n[3-5]		node set 0: n[1-2] n[3-4]
 *	PartitionName=c Nodes=n[1-4]		node set 1: n[3-4] n5
 *
 * Node sets with a group in common are of one component, as are those that others link.
 */
#pragma once

#include "replay/replay_rules.h"

struct node_set {
	const uint32_t *group;	/* in the order of the first of its partitions */
	size_t count;
	uint64_t cpus;
	uint32_t component;	/* its number, less than that of groups */
};

/* Start with all members 0. */
struct node_sets {
	struct node_set *at;
	size_t count;
	uint32_t *of_partition;	/* by partition: its node set */
	size_t partitions;
	uint64_t *group_cpus;
	size_t groups;
	uint32_t only;		/* the group of a machine without partitions: 0 */
};

/* Makes the node sets of a machine; without groups it has one, without partitions one node set. */
void node_sets_create(struct node_sets *sets, const struct replay_rules *rules);

/* Returns the node set of a partition. */
static inline const struct node_set *node_set_of(const struct node_sets *sets, size_t partition)
{
	return &sets->at[sets->of_partition[partition]];
}

/* Takes CPUs from the groups of a set, the first one first. available: by group; there must be
 * enough. taken: by group, `groups` of them. */
void node_set_take(const struct node_set *set, uint32_t cpus, const int64_t *available,
		   uint32_t *taken, size_t groups);
