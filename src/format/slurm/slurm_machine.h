/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that slurm.conf describes: nodes with their CPUs, and partitions, which may have
 * nodes in common. Nodes of the same partitions are a group:
 *
 *	NodeName=n[1-4] CPUs=8
 *	PartitionName=a Nodes=n[1-3]		groups 0 (n[1-2]) and 2 (n3)
 *	PartitionName=b Nodes=n[3-4]		groups 1 (n4) and 2
 *
 * Groups are in the order in which jobs take CPUs: those of the fewest partitions first, so that
 * other partitions keep theirs. A caller may divide nodes into classes, such as those of scopes; a
 * group then has nodes of one class alone. Nodes that no partition has are no part of the machine,
 * and neither are those that do not run jobs (State=DOWN, DRAIN, FAIL or FUTURE).
 */
#pragma once

#include "format/slurm/slurm_partitions.h"

struct slurm_partition {
	const char *name;
	double job_factor;		/* PriorityJobFactor */
	double max_time, default_time;	/* seconds; 0: none */
	double max_nodes, max_cpus_per_node;	/* 0: none */
	bool is_default, is_up;
	size_t *group;			/* ascending */
	size_t group_count;
	double cpus, nodes;
	/* the first class above 0 of its nodes, also of those that run no jobs; 0: none */
	size_t first_class;
};

struct slurm_group {
	double cpus, nodes;
	size_t partitions;		/* that have it */
	size_t node_class;
};

struct slurm_machine {
	struct slurm_partitions described;
	struct slurm_partition *partition;	/* of these, in their order */
	size_t partition_count;
	struct slurm_group *group;	/* none: slurm.conf has no nodes */
	size_t group_count;
	double cpus, nodes;
};

/* Into which classes nodes are divided. */
struct slurm_node_classes {
	size_t count;
	/* Returns the class of a node, from 0 and below `count`. */
	size_t (*class_of)(const void *context, const char *node);
	const void *context;
};

/* Finds the machine; slurm.conf must live as long. Without nodes, only the keys of partitions
 * count. classes: NULL: all nodes are of class 0. */
struct slurm_machine slurm_machine_of(const struct slurm_conf *slurm,
				      const struct slurm_node_classes *classes);
