/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes that partitions have. All nodes that are in the same partitions are a group; a job may
 * use any CPUs of a group. Partitions may have groups in common; those with the same groups have
 * the same node set:
 *
 *	PartitionName=a Nodes=n[1-4]		groups: n[1-2] n[3-4] n5
 *	PartitionName=b Nodes=n[3-5]		node set 0: n[1-2] n[3-4]
 *	PartitionName=c Nodes=n[1-4]		node set 1: n[3-4] n5
 *
 * Node sets with a group in common are of one component, and so are node sets that are linked by
 * others in between. No job of another component can take their CPUs.
 */
#pragma once

#include "replay/replay_rules.h"

struct node_set {
	const uint32_t *group;	/* its groups, in the order that its first partition gives */
	size_t count;
	uint64_t cpus;		/* of all its groups */
	uint32_t component;	/* number of its component, below the number of groups */
};

/* Start with all members 0. */
struct node_sets {
	struct node_set *at;
	size_t count;
	uint32_t *of_partition;	/* by partition: index of its node set */
	size_t partitions;	/* 1 for a machine without partitions */
	uint64_t *group_cpus;	/* by group */
	size_t groups;		/* 1 for a machine without groups */
	uint32_t only;		/* the group of a machine without partitions: 0 */
};

/* Makes the node sets of the rules' partitions, which must live as long. */
void node_sets_create(struct node_sets *sets, const struct replay_rules *rules);

/* Returns the node set of a partition. */
static inline const struct node_set *node_set_of(const struct node_sets *sets, size_t partition)
{
	return &sets->at[sets->of_partition[partition]];
}

/* Shares out `cpus` among the groups of a set, all that are available of the first group before any
 * of the second. available: by group; there must be enough, and none below 0. Fills `taken`, by
 * group; groups: how many there are. */
void node_set_take(const struct node_set *set, uint32_t cpus, const int64_t *available,
		   uint32_t *taken, size_t groups);
