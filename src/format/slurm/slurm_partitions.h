/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The partitions of slurm.conf. A line may name several, and a partition may have several lines, of
 * which a later one goes before an earlier one:
 *
 *	PartitionName=DEFAULT MaxTime=60
 *	PartitionName=day,night Nodes=n[1-4]	both: an hour
 *	PartitionName=night MaxTime=12:00:00	night: 12 hours, on the same nodes
 *
 * Source: Slurm, slurm.conf(5), PARTITION CONFIGURATION.
 */
#pragma once

#include "format/slurm_conf.h"

/* Numbers are NAN if no line gives them. */
struct described_partition {
	const char *name;
	size_t nodes_line;		/* the first one with Nodes, else the first one */
	double job_factor, tier;	/* PriorityJobFactor, PriorityTier */
	double max_time, default_time;	/* seconds; 0: none */
	double max_nodes, max_cpus_per_node;	/* 0: none */
	bool is_default, is_up;
	/* as written; NULL: not given */
	const char *state, *nodes, *accounts, *groups, *preempt_mode;
};

struct slurm_partitions {
	struct described_partition *at;	/* in the order of their first lines */
	size_t count;
};

/* Reads all partitions; lines are indices of pairs, see slurm_nodes.h. */
struct slurm_partitions slurm_partitions_of(const struct slurm_conf *slurm);
