/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes a priority, and the terms that sprio shows, of a job with one of its pairs of partition
 * and QOS: by the weighted sum, by flux-accounting's sum, or by fathom.conf's Formula.
 */
#ifndef SLURM_JOB_VALUE_H
#define SLURM_JOB_VALUE_H

#include "base/compat.h"
#include "fairshare/evaluation.h"
#include "fairshare/places.h"
#include "jobs/job_formula.h"
#include "jobs/job_pairs.h"
#include "settings/settings.h"

struct rule;

/* What all jobs of one slice have in common. */
struct job_scope {
	const struct evaluation *evaluation;	/* NULL: there has been none */
	const struct places *places;	/* NULL: no policy places jobs */
	const struct settings *settings;
	struct fathom_priority_config config;
	const struct rule *rule;
	struct fathom_flux_weights flux;	/* only for flux-accounting's sum */
	time_t now;
	/* of the next job: its association's, NULL where nothing is known of that; */
	const struct fairshare_inputs *inputs;
	const struct fairshare_details *details;	/* likewise, with a formula */
	struct fairshare_inputs own;	/* room for them */
	/* whose newcomers' these are, where the evaluation does not know it, else 0; */
	uint32_t account;
	bool only_up;			/* a priority that is lower does not count */
	struct fathom_formula_tally *tally;	/* of a pass; or NULL */
};

/* Evaluation and places stay the caller's, who keeps the references meanwhile. */
struct job_scope job_scope(const struct evaluation *evaluation, const struct places *places,
			   const struct settings *settings, time_t now);
/* Whether priorities depend on these fields of a job and its association. */
bool job_scope_wants_association(const struct job_scope *scope);
bool job_scope_wants_size(const struct job_scope *scope);
bool job_scope_wants_tres(const struct job_scope *scope);

/* A job without regard to its partition and QOS. */
struct job_described {
	struct fathom_job job;		/* job.fairshare: for the present pair */
	double factor;			/* fair-share factor by all usage, outside scopes */
	const struct rule *rule;
	uint32_t association;	/* 0: it has none */
	uint32_t id;
	bool is_pending, can_start;
	bool is_placed;		/* in each pair so far, where its policy places jobs */
	struct job_in_formula *in_formula;	/* NULL: no formula */
	/* the association was in the last evaluation, or does not matter; each pair asks this of
	 * its scope too */
	bool known;
};

/* `tres`, `extra` and `in_formula` are memory of the caller's, written where they are needed. */
#define JOB_TRES_COUNT(scope) ((scope)->config.tres_count + 1)
#define JOB_EXTRA_COUNT(scope) (job_formula_extra_count((scope)->settings->formula) + 1)
void job_describe(struct job_described *described, const struct job_scope *scope,
		  const job_record_t *job, uint64_t tres[], double extra[],
		  struct job_in_formula *in_formula);

/* The job's priority with this pair. Writes to `factors` the terms that add up to it, to
 * `weighted`, unless NULL, the term of each TRES, and to `exceeded` whether the priority was cut
 * to 32 bits. */
uint32_t job_value(struct job_described *described, const struct job_scope *scope,
		   const struct job_pair *pair, bool is_one_of_several,
		   struct fathom_factors *factors, double *weighted, bool *exceeded);

/* Changes in `shown`, which sprio gets for the job, what differs for this pair. priority: that
 * of the pair; 0: not known. */
void job_value_show_pair(const struct job_scope *scope, const job_record_t *job,
			 const struct job_pair *pair, uint32_t priority, compat_factors *shown);

/* A nice value or site factor as job records hold it. */
uint32_t job_value_with_offset(int64_t value);

#endif
