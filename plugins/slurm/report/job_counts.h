/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the jobs of each partition and state, for MetricsFile. */
#pragma once

#include "base/compat.h"
#include "core/numbered_names.h"

/* The states in which jobs are counted; COUNT_STATES: how many there are. */
enum counted_state { COUNT_PENDING, COUNT_RUNNING, COUNT_SUSPENDED, COUNT_STATES };
/* The names of the states, such as "pending"; then NULL. */
extern const char *const job_count_states[];

/* Counts of jobs. Start with all members 0. */
struct job_counts {
	struct numbered_names partitions;
	struct partition_jobs {
		size_t in_state[COUNT_STATES];
	} *in_partition;	/* by the partition's number in `partitions` */
	size_t room;		/* elements that in_partition has room for */
	size_t jobs;		/* all jobs that slurmctld knows, also ended ones */
	size_t in_state[COUNT_STATES];	/* each job once, however many partitions it names */
	bool failed;		/* out of memory */
};

/* Counts all jobs anew. A pending job counts in each partition that it names; each task of a job
 * array counts as a job. Takes job and part read in slices. Returns -1 if out of memory. */
int job_counts_read(struct job_counts *counts);
/* Frees the counts, and sets all members to 0. */
void job_counts_clear(struct job_counts *counts);
