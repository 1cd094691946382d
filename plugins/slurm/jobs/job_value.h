/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a job record, one of its pairs of partition and QOS, and the figures of
 * the last evaluation to a priority and to the terms that sprio shows: by the
 * weighted sum, flux-accounting's, or fathom.conf's Formula.
 */
#ifndef SLURM_JOB_VALUE_H
#define SLURM_JOB_VALUE_H

#include "base/compat.h"
#include "fairshare/fairshare.h"
#include "jobs/job_formula.h"
#include "jobs/job_pairs.h"
#include "partitions/partition_order.h"
#include "settings/settings.h"

struct rule;

/* What all jobs of one stretch of work have in common. */
struct job_scope {
	struct fairshare *fairshare;
	struct partition_order *partition_order;
	const struct settings *settings;
	struct fathom_priority_config config;
	const struct rule *rule;
	struct fathom_flux_weights flux;	/* of flux-accounting's sum alone */
	time_t now;
	/* of the next job's association, looked up in a pass; NULL: not yet */
	const struct fairshare_inputs *inputs;
	const struct fairshare_details *details;	/* likewise, with a formula */
	struct fathom_formula_tally *tally;	/* of a pass; or NULL */
};

struct job_scope job_scope(struct fairshare *fairshare, struct partition_order *order,
			   const struct settings *settings, time_t now);
/* Which fields of a job and its association count. */
bool job_scope_wants_association(const struct job_scope *scope);
bool job_scope_wants_size(const struct job_scope *scope);
bool job_scope_wants_tres(const struct job_scope *scope);

/* A job, whatever its partition and QOS. */
struct job_described {
	struct fathom_job job;		/* fairshare: of the pair that is looked at */
	double factor;			/* of all usage, whatever the pair */
	const struct rule *rule;
	uint32_t association;	/* 0: it has none */
	struct job_in_formula *in_formula;	/* NULL: no formula */
	/* the association was in the last evaluation; that of scopes is asked for
	 * with each pair */
	bool known;
};

/* Memory of the caller's, written where it is wanted. */
#define JOB_TRES_COUNT(scope) ((scope)->config.tres_count + 1)
#define JOB_EXTRA_COUNT(scope) (job_formula_extra_count((scope)->settings->formula) + 1)
void job_describe(struct job_described *described, const struct job_scope *scope,
		  const job_record_t *job, uint64_t tres[], double extra[],
		  struct job_in_formula *in_formula);

/* factors: its terms, which add up to the priority, written; weighted: of each
 * TRES, written, or NULL; exceeded: it is cut to 32 bits. */
uint32_t job_value(struct job_described *described, const struct job_scope *scope,
		   const struct job_pair *pair, bool is_one_of_several,
		   struct fathom_factors *factors, double *weighted, bool *exceeded);

/* Of what sprio has of the job, `shown`, all that is another for this pair,
 * of which `priority` is known, or 0. */
void job_value_show_pair(const struct job_scope *scope, const job_record_t *job,
			 const struct job_pair *pair, uint32_t priority, compat_factors *shown);

/* An integer as job records have it. */
uint32_t job_value_with_offset(int64_t value);

#endif
