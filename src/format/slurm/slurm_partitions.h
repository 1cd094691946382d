/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The partitions of slurm.conf. A line may describe several partitions, and a partition may have
 * several lines, of which a later one goes before an earlier one:
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
	size_t nodes_line;		/* its first line that has Nodes, else its first line */
	double job_factor, tier;	/* PriorityJobFactor, PriorityTier */
	double max_time, default_time;	/* seconds; 0: unlimited */
	double min_nodes, max_nodes, max_cpus_per_node;	/* of a job; 0: unlimited */
	bool is_default, is_up;		/* Default=YES, State=UP */
	/* the values of these keys as written; NULL: not given */
	const char *state, *nodes, *accounts, *groups, *preempt_mode;
	uint32_t barriers;	/* bits of the keys that keep some users out, such as RootOnly */
};

struct slurm_partitions {
	struct described_partition *at;	/* in the order of their first lines */
	size_t count;
};

/* Returns all partitions, which point into slurm.conf; lines as in slurm_nodes.h. Fails, see
 * wrong_at(), if a value is wrong. */
struct slurm_partitions slurm_partitions_of(const struct slurm_conf *slurm);
