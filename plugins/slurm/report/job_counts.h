/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the jobs of each partition. */
#pragma once

#include "base/compat.h"
#include "core/numbered_names.h"

enum counted_state { COUNT_PENDING, COUNT_RUNNING, COUNT_SUSPENDED, COUNT_STATES };
/* Their names; then NULL. */
extern const char *const job_count_states[];

/* Start with all members 0. */
struct job_counts {
	struct numbered_names partitions;
	struct partition_jobs {
		size_t in_state[COUNT_STATES];
	} *of;			/* by partition */
	size_t room;		/* of `of` */
	size_t jobs;		/* in any state */
	bool failed;		/* out of memory */
};

/* Counts anew. A pending job counts in each partition that it names; a task of a job array counts
 * as a job. Takes job and part read in slices. -1: out of memory. */
int job_counts_read(struct job_counts *counts);
void job_counts_clear(struct job_counts *counts);
