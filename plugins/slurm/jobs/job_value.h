/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the priority of a job, and the terms of it that sprio shows: by the weighted sum, by
 * flux-accounting's sum, or by fathom.conf's Formula. Nothing is written into the job record.
 *
 *	basis = priority_basis(evaluation, places, settings, now);		once for many jobs
 *	job_facts_read(&facts, &basis, &figures, job, ...);		once for each job
 *	value = job_value(&facts, &basis, &pair, ...);			for each pair of the job
 */
#pragma once

#include "base/compat.h"
#include "results/evaluation.h"
#include "results/places.h"
#include "priority/own_hold.h"
#include "settings/formula.h"
#include "settings/settings.h"

/* ---- pairs ----------------------------------------------------------------------------- */

/* A pair of partition and QOS that a job may run with. Most jobs have one pair. A job that was
 * submitted to partitions a and b with QOS x and y has the pairs ax, ay, bx, by; slurmctld keeps an
 * array with a priority for each pair, in this order. */
struct job_pair {
	part_record_t *partition;	/* NULL: the job has none */
	slurmdb_qos_rec_t *qos;		/* NULL: the job has none */
};

/* Returns whether the job has lists of partitions or QOS, and so an array of priorities. */
static inline bool job_has_pairs(const job_record_t *job)
{
	return job->part_ptr_list || compat_qos_list(job);
}

/* Returns the number of the job's pairs, at least 1 unless a list is empty. */
static inline size_t job_pair_count(const job_record_t *job)
{
	size_t partitions = job->part_ptr_list ? (size_t)list_count(job->part_ptr_list) : 1;
	compat_list qos = compat_qos_list(job);

	return partitions * (qos ? (size_t)list_count(qos) : 1);
}

/* Writes an item where **context points, and moves that behind it; for list_for_each(). */
static int job_add_item(void *item, void *context)
{
	void ***to = context;

	*(*to)++ = item;
	return 0;
}

/* Writes the items of a list into item[]; only `one` if the list is NULL. */
static inline void job_items(compat_list list, void *one, void **item)
{
	if (list)
		list_for_each(list, job_add_item, &item);
	else
		*item = one;
}

/* Writes the job's pairs into pair[], an array of job_pair_count(). The QOS change first, as in
 * slurmctld's array of priorities. */
static inline void job_pairs(const job_record_t *job, struct job_pair *pair)
{
	size_t count = job_pair_count(job);
	compat_list all_qos = compat_qos_list(job);
	size_t qos_count = all_qos ? (size_t)list_count(all_qos) : 1;
	void *partition[count + 1], *qos[qos_count + 1];

	job_items(job->part_ptr_list, job->part_ptr, partition);
	job_items(all_qos, job->qos_ptr, qos);
	for (size_t i = 0; i < count; i++)
		pair[i] = (struct job_pair){ partition[i / qos_count], qos[i % qos_count] };
}

/* ---- values ---------------------------------------------------------------------------- */

/* How a job gets its priority. */
enum priority_rule {
	BY_WEIGHTS,	/* the weighted sum of its terms */
	BY_FLUX,	/* flux-accounting's sum */
	BY_FORMULA,	/* Formula of fathom.conf, which replaces the rule of the policy */
	WITHOUT_SHARES,	/* the policy starts no jobs of the user: the least priority, or a hold */
};

/* What priorities are computed from, the same for all jobs. */
struct priority_basis {
	const struct evaluation *evaluation;	/* the last one; NULL: there has been none */
	struct places *places;	/* NULL: no policy places jobs */
	const struct settings *settings;
	struct fathom_priority_config config;	/* with the size that the cluster has now */
	enum priority_rule rule;	/* for jobs of users with shares */
	struct fathom_flux_weights flux;	/* weights of flux-accounting's sum; set only under
						 * policy flux */
	bool by_partition;	/* the factor depends on the partition: scopes, classes, places */
	/* whether priorities depend on the association's own priority (sacctmgr's Priority), on the
	 * job's size, on its TRES */
	bool uses_association, uses_size, uses_tres;
	bool reads_comment;	/* policy flux: the comment of each job may tell its urgency */
	bool is_plain;		/* jobs may be plain, see job_is_plain(): the rule is the weighted
				 * sum without scopes and TRES, and single jobs are not logged */
	time_t now;
};

/* Returns the basis for jobs at the time `now`. The caller keeps its references to the evaluation,
 * the places and the settings while it is used. */
struct priority_basis priority_basis(const struct evaluation *evaluation, struct places *places,
				     const struct settings *settings, time_t now);

/* The figures that the evaluation has for a job's association. For an association that is newer
 * than the evaluation they are those that the nearest known account above gives to newcomers. */
struct association_figures {
	const struct fairshare_figures *in_force;	/* by the policy in force; NULL: the
							 * evaluation has nothing */
	/* only with a Formula; NULL: the evaluation has nothing */
	const struct fairshare_shares *shares;
	const double *columns;
	uint32_t newcomer_account;	/* id of that account; 0: the association is known */
};

/* What is known of a job, the same for all its pairs unless said otherwise. */
struct job_facts {
	struct fathom_job job;		/* job.fairshare changes with the pair */
	double factor;			/* fair-share factor outside scopes, 0 to 1, or NAN */
	enum priority_rule rule;	/* the rule for the priority, outside scopes */
	uint32_t association;		/* id; 0: the job has none */
	const job_record_t *record;	/* the job's */
	uint32_t newcomer_account;	/* as in struct association_figures */
	/* The next three have a meaning only with a Formula, which is evaluated on `in_formula`.
	 * Its members config, job, queue, norm_shares and effective_usage are set for each pair. */
	struct fathom_formula_job in_formula;
	const struct fairshare_shares *shares;	/* of the association, outside scopes */
	struct fathom_formula_tally tally;	/* counts the job's values, over all its pairs */
	/* All figures are those of the job's own association. job_value() sets this to false, too,
	 * if a partition's scope does not know the association. If it is false, the value is
	 * provisional. */
	bool is_known;
	/* The job has a place with each pair so far whose policy places jobs. job_value() sets this
	 * to false. If it is false, the value is provisional. */
	bool is_placed;
};

/* The lengths of the arrays `tres` and `extra` of job_facts_read(). Neither is 0, as callers have
 * them on the stack. */
#define JOB_TRES_COUNT(basis) ((basis)->config.tres_count + 1)
#define JOB_EXTRA_COUNT(basis) (FATHOM_MAX_COLUMNS + (basis)->settings->priority.tres_count)
/* Sets *facts to what is known of a job, whatever the pair. figures: what the evaluation has for
 * its association. Fills tres[], and extra[] with the policy's columns and the TRES that Formula
 * may name, as far as they are used; *facts points to them. The caller holds job read and assoc
 * read. The job's record has details. */
void job_facts_read(struct job_facts *facts, const struct priority_basis *basis,
		    const struct association_figures *figures, const job_record_t *job,
		    uint64_t tres[], double extra[]);

/* What is computed for a job with a pair. */
struct job_value {
	uint32_t priority;		/* 1 or more, also of a job to hold */
	const char *hold;		/* why the job must be held, a constant text; NULL: it must
					 * not */
	bool exceeded;			/* the priority was cut to 32 bits */
	/* The terms that add up to the priority. If the user has no shares in the partition, they
	 * are 0; but of a job with several pairs they are those that count with the others. */
	struct fathom_factors factors;
};

/* Returns the value of a job with one of its pairs. Changes the facts that depend on the pair.
 * is_one_of_several: the value is for the array of priorities of a job with several pairs, and not
 * for its priority itself. tres_terms: an array that gets the term of each TRES; or NULL. The
 * caller holds QOS read. */
struct job_value job_value(struct job_facts *facts, const struct priority_basis *basis,
			   const struct job_pair *pair, bool is_one_of_several, double *tres_terms);

/* Returns whether a job is plain: job_value_plain() may be used for it, as for nearly all jobs of
 * nearly all sites. It has one pair, a known association with shares, and no priority set by hand.
 * figures: what the evaluation has of the association by the policy in force, or NULL. */
static inline bool job_is_plain(const struct priority_basis *basis, const job_record_t *job,
				const struct fairshare_figures *figures)
{
	return basis->is_plain && figures && figures->may_run && !job->direct_set_prio &&
	       job->details && job->assoc_ptr && !job_has_pairs(job);
}

/* Returns what job_value() would return for a plain job with its only pair, without the steps that
 * other jobs need. */
struct job_value job_value_plain(const struct priority_basis *basis, const job_record_t *job,
				 const struct fairshare_figures *figures);

/* Sets in *shown, a copy of the job's factors for sprio, the terms that are different for this
 * pair. priority: that of the pair; 0: unknown. The caller holds job, node, part and QOS read. */
void job_value_show_pair(const struct priority_basis *basis, const job_record_t *job,
			 const struct job_pair *pair, uint32_t priority, compat_factors *shown);

/* Returns a nice value or site factor as job records hold it: NICE_OFFSET added, within 32 bits. */
static inline uint32_t job_value_with_offset(int64_t value)
{
	value += NICE_OFFSET;
	if (value < 0)
		return 0;
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}
