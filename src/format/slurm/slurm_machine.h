/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that slurm.conf describes: nodes with their CPUs, and partitions, which may have
 * nodes in common. The nodes that are in the same partitions form a group:
 *
 *	NodeName=n[1-4] CPUs=8
 *	PartitionName=a Nodes=n[1-3]		groups 0 (n[1-2]) and 2 (n3)
 *	PartitionName=b Nodes=n[3-4]		groups 1 (n4) and 2
 *
 * Groups are in the order in which jobs take CPUs: those of the fewest partitions first, so that
 * other partitions keep theirs; one that is not up starts no jobs, and does not count. A caller may
 * divide nodes into classes, such as one for each scope; then each group has nodes of only one
 * class. Nodes that do not run jobs (State=DOWN, DRAIN, FAIL or FUTURE) do not belong to the
 * machine, nor do nodes that are in no partition, unless slurm.conf has no partitions.
 */
#pragma once

#include "format/slurm/slurm_partitions.h"
#include "format/trace/trace.h"

struct slurm_partition {
	struct trace_partition limits;
	double job_factor, tier;	/* PriorityJobFactor, PriorityTier */
	double max_cpus_per_node;	/* 0: unlimited, or not given */
	bool is_default;		/* Default=YES */
	uint32_t *group;		/* indices of its groups, ascending */
	size_t group_count;
	/* the lowest class above 0 of its nodes, also of those that run no jobs; 0: all its nodes
	 * are of class 0 */
	size_t first_class;
};

struct slurm_group {
	double cpus, nodes;		/* sums of its nodes */
	size_t partitions;		/* the number of partitions that are up and have it */
	size_t node_class;		/* of its nodes */
};

struct slurm_machine {
	struct slurm_partitions described;	/* the partitions as slurm.conf has them */
	struct slurm_partition *partition;	/* the same ones, in the same order */
	size_t partition_count;
	struct slurm_group *group;
	size_t group_count;		/* 0: slurm.conf has no nodes */
	double cpus, nodes;		/* sums of all groups */
};

/* The classes into which nodes are divided. */
struct slurm_node_classes {
	size_t count;
	/* Returns the class of a node: 0 or more, below `count`. */
	size_t (*class_of)(const void *context, const char *node);
	const void *context;
};

/* Returns the machine, which points into slurm.conf. If slurm.conf has no nodes, only the keys of
 * partitions are set. classes: NULL: all nodes are of class 0. Fails, see wrong_at(), if slurm.conf
 * is wrong, or if it has nodes but none that runs jobs is in a partition. */
struct slurm_machine slurm_machine_of(const struct slurm_conf *slurm,
				      const struct slurm_node_classes *classes);
