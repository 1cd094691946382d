/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places pending jobs in LSF's order of dispatch, and by slot pools; charges nothing. */
#pragma once

#include "placing/pending.h"
#include "results/results.h"
#include "schemes/schemes.h"

/* What jobs are placed by. */
struct placing_basis {
	struct schemes *schemes;	/* their trees, with what runs now */
	const struct associations *associations;	/* in whose tree jobs have their users */
	const struct evaluation *evaluation;	/* the last one; or NULL */
	const struct partition_order *order;	/* the last one, with its pools; or NULL */
};

/* Returns whether a policy of these settings places jobs, or there are slot pools. */
bool place_jobs_any(const struct settings *settings);
/* Returns places of the jobs that pending_list() has listed, as a reference that the caller
 * releases or publishes, and moves the names of partitions out of `pending`. NULL: *problem says
 * why. */
struct places *place_jobs(const struct placing_basis *basis, struct pending *pending,
			  struct fathom_error *problem);
/* Logs, once for the same settings, if other weights of slurm.conf change the order, or if
 * PriorityWeightFairshare is too small for the number of jobs. before: the last places, or NULL.
 * *weight_told: whether the second has been logged for these settings; the caller keeps it. */
void place_jobs_warn(const struct places *places, const struct places *before, bool *weight_told);
