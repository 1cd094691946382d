/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/job_formula.h"

/* Returns the job's accrue_type, by the numbers of OpenPBS. */
static double accrue_type_of(const job_record_t *job)
{
	enum { NOT_ELIGIBLE = 1, ELIGIBLE, RUNNING, EXITING };

	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job))
		return EXITING;
	if (!IS_JOB_PENDING(job))
		return RUNNING;
	return job->details->accrue_time ? ELIGIBLE : NOT_ELIGIBLE;
}

/* Returns how much of a TRES the job requests. tres: slurmctld's index. */
static double requested(const job_record_t *job, size_t tres)
{
	return job->tres_req_cnt ? (double)job->tres_req_cnt[tres] : 0;
}

/* Fills extra[] in the order of struct formula_extras: columns of the policy, then TRES. Amounts of
 * TRES that are not among the first `tres_count` count as 0. */
static void fill_extra(double *extra, const struct formula_extras *extras,
		       const struct fairshare_details *details, const uint64_t *tres,
		       size_t tres_count)
{
	double *of_tres = extra + extras->column_count;

	for (size_t i = 0; i < extras->column_count; i++)
		extra[i] = details->column[i];
	for (size_t i = 0; i < extras->tres_count; i++)
		of_tres[i] = i < tres_count ? (double)tres[i] : 0;
}

struct job_in_formula job_in_formula(const struct formula *formula, const job_record_t *job,
				     const struct fairshare_details *details, const uint64_t *tres,
				     size_t tres_count, double *extra)
{
	static const struct fairshare_details none;
	struct formula_extras extras = formula_extras(formula);

	if (!details)
		details = &none;
	fill_extra(extra, &extras, details, tres, tres_count);
	return (struct job_in_formula){
		.job = {
			.accrue_type = accrue_type_of(job),
			/* MB to KB; it is the memory of the whole job, also for --mem-per-cpu */
			.memory = requested(job, TRES_ARRAY_MEM) * 1024,
			.gpus = extras.gpu < extras.tres_count ? requested(job, extras.gpu) : 0,
			.extra = extra,
		},
		.norm_shares = details->norm_shares,
		.effective_usage = details->effective_usage,
	};
}
