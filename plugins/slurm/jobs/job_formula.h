/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a job and its association a formula is evaluated on. */
#ifndef SLURM_JOB_FORMULA_H
#define SLURM_JOB_FORMULA_H

#include "base/compat.h"
#include "fairshare/fairshare.h"
#include "settings/formula.h"

/* What a formula knows of a job beside its factors. */
struct job_in_formula {
	struct fathom_formula_job job;	/* its pair's part is filled in with each pair */
	double norm_shares, effective_usage;	/* by all usage, whatever the pair */
	struct fathom_formula_tally tally;	/* of its values */
};

/* How many values of `extra` job_in_formula() writes; of no formula: 0. */
size_t job_formula_extra_count(const struct formula *formula);
/* details: of its association; NULL: not known, which counts as 0. tres: `tres_count` counts.
 * The result refers to `extra`; its job.job and job.queue are left to the caller. */
struct job_in_formula job_in_formula(const struct formula *formula, const job_record_t *job,
				     const struct fairshare_details *details, const uint64_t *tres,
				     size_t tres_count, double *extra);

#endif
