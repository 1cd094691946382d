/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathers the values of a job and its association that fathom.conf's Formula may name. */
#pragma once

#include "base/compat.h"
#include "results/evaluation.h"
#include "settings/formula.h"

/* A job as Formula sees it. */
struct job_in_formula {
	/* What Formula is evaluated on. Its members config, job, queue, norm_shares and
	 * effective_usage are set for each pair of partition and QOS, by job_value(). */
	struct fathom_formula_job job;
	double norm_shares, effective_usage;	/* figures of the association, outside scopes */
	struct fathom_formula_tally tally;	/* counts the job's values, over all its pairs */
};

/* Returns the values of a job that do not depend on partition and QOS. details: figures of the
 * job's association; NULL: unknown, and each counts as 0. tres: amounts of the first `tres_count`
 * TRES. extra: an array of JOB_EXTRA_COUNT (jobs/job_value.h), which gets the policy's columns and
 * the TRES; the result points to it. The job's record has details. */
struct job_in_formula job_in_formula(const struct formula *formula, const job_record_t *job,
				     const struct fairshare_details *details, const uint64_t *tres,
				     size_t tres_count, double *extra);
