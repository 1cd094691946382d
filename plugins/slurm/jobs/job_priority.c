/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes the priority of a job and writes it with its terms into the record. A job that asks for
 * several partitions or several QOS has one priority for each pair of a partition and a QOS in
 * which it may run (struct job_pair), in an array beside the priority of its present pair.
 */
#include "jobs/job_priority.h"

#include "base/slurm_locks.h"
#include "base/log.h"
#include "jobs/job_hold.h"
#include "settings/formula.h"
#include "walk/sliced_walk.h"

#include <string.h>

/* A job whose priority is being computed. */
struct job_update {
	const struct priority_basis *basis;
	job_record_t *job;
	struct association_figures figures;	/* see find_figures() */
	struct fairshare_figures own_figures;	/* figures.in_force points here for a newcomer, or
						 * if they are renewed from the record */
	bool only_up;		/* PriorityFlags=INCR_ONLY: priorities may rise, but not sink */
	bool was_held;		/* it is noted that fathom holds the job */
	struct fathom_formula_tally *tally;	/* counts values of all jobs of a pass; NULL between
						 * passes */
	/* results of compute_priority() */
	struct job_findings findings;
	bool pairs_changed;	/* the priority of at least one pair has changed */
	const char *hold;	/* why fathom must hold the job; NULL: some pair lets it start */
};

/* ---- write into the record --------------------------------------------------------- */

/* Returns the record's array for the term of each TRES, and brings the array of weights beside it
 * up to date; without PriorityWeightTRES frees both and returns NULL. The arrays stay from one pass
 * to the next, as long as the number of TRES is the same. */
static inline double *tres_terms_of(const struct priority_basis *basis, compat_factors *factors)
{
	size_t count = basis->config.tres_weight ? basis->config.tres_count : 0;

	if (factors->priority_tres && factors->tres_cnt != count) {
		xfree(factors->priority_tres);
		xfree(factors->tres_weights);
		factors->tres_cnt = 0;
	}
	if (!count)
		return NULL;
	if (!factors->priority_tres) {
		factors->priority_tres = xcalloc(count, sizeof(double));
		factors->tres_weights = xcalloc(count, sizeof(double));
		factors->tres_cnt = (uint32_t)count;
	}
	/* only if they differ, as in write_factor() */
	if (memcmp(factors->tres_weights, basis->config.tres_weight, count * sizeof(double)))
		memcpy(factors->tres_weights, basis->config.tres_weight, count * sizeof(double));
	return factors->priority_tres;
}

/* Writes a term only if it has changed: a cache line that was only read costs less. */
static void write_factor(double *to, double factor)
{
	if (*to != factor)
		*to = factor;
}

/* Writes a nice value or site factor, which records hold with an offset, only if it has changed. */
static void write_integer(uint32_t *to, int64_t value)
{
	uint32_t stored = job_value_with_offset(value);

	if (*to != stored)
		*to = stored;
}

/* Writes the terms of a priority into the record, but for those of TRES. */
static inline void write_factors(compat_factors *to, const struct fathom_factors *factors)
{
	write_factor(&to->priority_age, factors->age);
	write_factor(&to->priority_assoc, factors->assoc);
	write_factor(&to->priority_fs, factors->fairshare);
	write_factor(&to->priority_js, factors->job_size);
	write_factor(&to->priority_part, factors->partition);
	write_factor(&to->priority_qos, factors->qos);
	write_integer(&to->priority_site, factors->site);
	write_integer(&to->nice, factors->nice);
}

/* Logs that a priority of the job has been cut to 32 bits. */
static void report_excess(const job_record_t *job)
{
	error(LOG_PREFIX "%pJ has a priority beyond 32 bits, it is cut to %u", job, UINT32_MAX);
}

/* Logs the priority of a job with a pair. The QOS is told only of a job that asks for several. */
static void log_pair(const job_record_t *job, const struct job_pair *pair, uint32_t priority)
{
	bool of_several = compat_qos_list(job) && pair->qos;

	info(LOG_PREFIX "%pJ in partition %s%s%s: %u", job,
	     pair->partition ? pair->partition->name : "none", of_several ? " with QOS " : "",
	     of_several ? pair->qos->name : "", priority);
}

/* Sets a priority of a record, unless it would sink and may only rise (only_up). Returns whether it
 * has changed. */
static bool write_priority(uint32_t *priority, uint32_t value, bool only_up)
{
	if (value == *priority || (only_up && value < *priority))
		return false;
	*priority = value;
	return true;
}

/* Writes the array of priorities of a job with several pairs, and returns whether one has changed.
 * Clears update->hold if the job may start with one of the pairs. */
static bool write_pairs(struct job_update *update, struct job_facts *facts)
{
	job_record_t *job = update->job;
	size_t count = job_pair_count(job);
	uint32_t *priority = compat_priority_array(job, count);
	struct job_pair pair[count + 1];
	bool changed = false;

	job_pairs(job, pair);
	for (size_t i = 0; i < count; i++) {
		const bool is_one_of_several = true;
		struct job_value value = job_value(facts, update->basis, &pair[i],
						   is_one_of_several, NULL);

		if (value.exceeded)
			report_excess(job);
		if (!value.hold)
			update->hold = NULL;
		changed |= write_priority(&priority[i], value.priority, update->only_up);
		if (log_priority_detail())
			log_pair(job, &pair[i], priority[i]);
	}
	return changed;
}

/* Gives all pairs of a job, if it has several, the job's priority, which was set by hand, and
 * returns whether one has changed. slurmctld itself gives it to no more pairs than there are
 * partitions. */
static bool copy_priority_to_pairs(job_record_t *job)
{
	const bool only_up = false;
	size_t count = job_has_pairs(job) ? job_pair_count(job) : 0;
	uint32_t *priority = count ? compat_priority_array(job, count) : NULL;
	bool changed = false;

	for (size_t i = 0; i < count; i++)
		changed |= write_priority(&priority[i], job->priority, only_up);
	return changed;
}

/* Logs the terms and the priority of a job. */
static void log_value(const job_record_t *job, const struct job_value *value)
{
	const struct fathom_factors *factors = &value->factors;

	info(LOG_PREFIX "%pJ: age %.2f + assoc %.2f + fairshare %.2f + job size %.2f + "
			"partition %.2f + QOS %.2f + TRES %.2f + site %"PRId64" - nice %"PRId64
			" = %u",
	     job, factors->age, factors->assoc, factors->fairshare, factors->job_size,
	     factors->partition, factors->qos, factors->tres_sum, factors->site, factors->nice,
	     value->priority);
}

/* ---- prefetch a record ------------------------------------------------------------- */

/* Prefetches the fields of a record from which a priority is computed. Add a field here when the
 * priority begins to read it: without that a pass is slower, not wrong. prefetch_fields()
 * prefetches all fields between two. */
static inline void fetch_record(const struct priority_basis *basis, const job_record_t *job)
{
	prefetch_fields(job, assoc_id, assoc_ptr);
	prefetch_fields(job, details, direct_set_prio);
	prefetch(&job->job_state);
	if (basis->places)
		prefetch(&job->job_id);
	prefetch_fields(job, part_ptr_list, qos_ptr);
	prefetch(&job->site_factor);
	if (basis->reads_comment)
		prefetch(&job->comment);
	if (basis->uses_size)
		prefetch_fields(job, time_limit, total_cpus);
	if (basis->uses_tres)
		prefetch_fields(job, tres_req_cnt, tres_alloc_cnt);
}

/* Prefetches what the record points to. */
static inline void follow_record(const struct priority_basis *basis, const job_record_t *job)
{
	prefetch(&job->details->accrue_time);
	prefetch_fields(job->details, min_cpus, nice);
	if (basis->uses_size && !job->total_cpus)
		prefetch(&job->details->max_cpus);
	if (job->prio_factors)
		prefetch_fields(job->prio_factors, priority_age, nice);
	prefetch_list(job->part_ptr_list);
}

/* ---- one job ----------------------------------------------------------------------- */

/* Sets the figures for an association that is newer than the evaluation: those that the evaluation
 * gives to newcomers of the nearest account above it that it knows. If it knows none, leaves
 * in_force NULL. The caller holds assoc read. */
static void use_newcomer_figures(struct job_update *update, const slurmdb_assoc_rec_t *association)
{
	const struct priority_basis *basis = update->basis;
	const slurmdb_assoc_rec_t *account = association->usage->parent_assoc_ptr, *known = account;
	struct fairshare_figures *figures = &update->own_figures;
	const struct fairshare_figures *model = NULL;	/* whose figures a newcomer gets */

	while (known && !(model = evaluation_receive(basis->evaluation, basis->settings, 0,
						     known->id, figures)))
		known = known->usage->parent_assoc_ptr;
	if (!model)
		return;
	figures->assoc_norm = association->usage->priority_norm;
	figures->assoc_priority = association->priority;
	figures->account_priority = account->priority;
	update->figures = (struct association_figures){
		.in_force = figures, .newcomer_account = known->id,
		.shares = evaluation_shares(basis->evaluation, 0, model),
		.columns = evaluation_columns(basis->evaluation, basis->settings, model) };
}

/* Sets update->figures. in_force: what the evaluation has of the job's association, or NULL. The
 * caller holds assoc read. */
static void find_figures(struct job_update *update, const struct fairshare_figures *in_force)
{
	const struct priority_basis *basis = update->basis;

	update->figures = (struct association_figures){ .in_force = in_force };
	if (in_force && basis->settings->formula) {
		update->figures.shares = evaluation_shares(basis->evaluation, 0, in_force);
		update->figures.columns = evaluation_columns(basis->evaluation, basis->settings,
							     in_force);
		if (!update->figures.columns)	/* the Formula is newer than the evaluation */
			update->figures.in_force = NULL;
	}
	if (!update->figures.in_force && update->job->assoc_ptr)
		use_newcomer_figures(update, update->job->assoc_ptr);
}

/* Returns whether all figures are known by which fathom decides to hold the job. Otherwise the
 * reason for a hold may still be there. */
static bool knows_all_figures(const struct job_update *update)
{
	const struct priority_basis *basis = update->basis;

	if (update->job->assoc_ptr)
		return update->figures.in_force && update->findings.is_known;
	/* the job has no figures, unless slurmctld has not found its association yet */
	return !job_hold_is_in_doubt(update->job) &&
	       (basis->evaluation || !basis->settings->with_database);
}

/* Holds a pending job if update->hold says so. Else lifts a hold of fathom's, but only once it is
 * known that the reason for it is gone. priority: what the job gets if it is not held. Returns the
 * priority that it gets: 0 if it is held. */
static uint32_t hold_or_lift(const struct job_update *update, uint32_t priority)
{
	job_record_t *job = update->job;

	if ((job->priority && !update->hold) || !IS_JOB_PENDING(job))
		return priority;
	if (!update->hold && !knows_all_figures(update) &&
	    (update->was_held || job_hold_is_marked(job)))
		return 0;
	job_hold_set(job, update->hold);
	return update->hold ? 0 : priority;
}

/* Computes and writes all values of a job that has details, and sets the results in *update.
 * Returns the priority of its present pair, which is 1 or more, also of a job to hold. */
static uint32_t write_values(struct job_update *update)
{
	const struct priority_basis *basis = update->basis;
	job_record_t *job = update->job;
	uint64_t tres[JOB_TRES_COUNT(basis)];
	double extra[JOB_EXTRA_COUNT(basis)];
	const struct job_pair present = { job->part_ptr, job->qos_ptr };
	const bool is_one_of_several = false;
	compat_factors *terms = compat_factors_of(job);
	struct job_facts facts;
	struct job_value value;

	job_facts_read(&facts, basis, &update->figures, job, tres, extra);
	value = job_value(&facts, basis, &present, is_one_of_several, tres_terms_of(basis, terms));
	write_factors(terms, &value.factors);
	if (value.exceeded)
		report_excess(job);
	if (log_priority_detail())
		log_value(job, &value);
	update->hold = value.hold;
	if (job_has_pairs(job))
		update->pairs_changed = write_pairs(update, &facts);
	else
		compat_forget_priority_array(job);
	if (update->tally && basis->settings->formula)
		formula_count_job(update->tally, &facts.tally);
	update->findings = (struct job_findings){ .is_known = facts.is_known,
						  .is_placed = facts.is_placed };
	return value.priority;
}

/*
 * Returns the job's priority and writes its terms, and the priorities of several pairs, into the
 * record. The priority itself is left to the caller, who has set update->figures, and does not call
 * for a job that others hold. A priority that was set by hand is returned as it is, and all pairs
 * get it; the terms become 0. 0: fathom holds the job, or the record has no details. The caller
 * holds job write, assoc read and QOS read.
 */
static uint32_t compute_priority(struct job_update *update)
{
	job_record_t *job = update->job;
	/* priority 0 is a hold, and fathom may lift its own */
	bool is_set_by_hand = job->direct_set_prio && job->priority;

	update->findings = (struct job_findings){ .is_known = true, .is_placed = true };
	update->pairs_changed = false;
	update->hold = NULL;
	if (is_set_by_hand) {
		if (job->prio_factors) {
			xfree(job->prio_factors->priority_tres);
			xfree(job->prio_factors->tres_weights);
			memset(job->prio_factors, 0, sizeof(*job->prio_factors));
		}
		update->pairs_changed = copy_priority_to_pairs(job);
		return job->priority;
	}
	if (!job->details) {
		error(LOG_PREFIX "%pJ has no details, it gets no priority", job);
		return 0;
	}
	return hold_or_lift(update, write_values(update));
}

/* Takes the association's own priority (sacctmgr's Priority) from its record, if priorities depend
 * on it: it may have changed since the evaluation. The caller holds assoc read. */
static void refresh_association_priority(struct job_update *update)
{
	const slurmdb_assoc_rec_t *association = update->job->assoc_ptr;

	if (!update->figures.in_force || !association || !update->basis->uses_association)
		return;
	update->own_figures = *update->figures.in_force;
	update->own_figures.assoc_norm = association->usage->priority_norm;
	update->own_figures.assoc_priority = association->priority;
	update->figures.in_force = &update->own_figures;
}

struct job_findings job_priority_between_passes(const struct priority_basis *basis,
						job_record_t *job, uint32_t *priority)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK };
	/* only passes keep priorities from sinking (only_up): here slurmctld takes any priority */
	struct job_update update = { .basis = basis, .job = job };
	const struct fairshare_figures *figures;

	/* Taking a lock waits for all loads before it, so prefetch everything first. */
	fetch_record(basis, job);
	figures = evaluation_figures(basis->evaluation, basis->settings, 0, job->assoc_id);
	if (job->details)
		follow_record(basis, job);
	if (job->assoc_ptr)
		prefetch_fields(job->assoc_ptr, priority, usage);
	locks_take(NULL, &locks);
	find_figures(&update, figures);
	refresh_association_priority(&update);
	*priority = compute_priority(&update);
	locks_release(NULL, &locks);
	return update.findings;
}

/* ---- all jobs ---------------------------------------------------------------------- */

/* A pass over all jobs that is under way. */
struct priority_pass {
	struct priority_basis basis;		/* computed anew for each slice */
	struct evaluation *evaluation;		/* a reference; or NULL */
	struct places *places;			/* a reference; or NULL */
	const struct settings *settings;
	time_t now;				/* the time of the pass */
	struct fathom_formula_tally tally;	/* counts the Formula's values of all jobs */
	struct id_index *provisional;		/* jobs that are provisional, or held by fathom,
						 * from this pass on; guarded by job write */
	struct id_index were_provisional;	/* those before this pass */
	bool has_begun;				/* the first slice has begun */
	/* Some jobs are provisional that were not before: the caller requests another pass. A job
	 * that was before does not set it, since the next pass may not know its association
	 * either. */
	bool newly_provisional;
	bool changed;				/* some priority has changed in this slice */
	/* what follow_far() has found for work_job(), by index % LIST_WALK_BLOCK; NULL: nothing */
	const struct fairshare_figures *figures[LIST_WALK_BLOCK];
};

/* Returns whether a job may get another priority; reads nothing of it but its state. */
static bool may_be_recomputed(const void *item, const void *context)
{
	const job_record_t *job = item;
	const struct priority_pass *pass = context;

	if (IS_JOB_POWER_UP_NODE(job))
		return false;
	if (IS_JOB_PENDING(job))
		return true;
	return (pass->settings->flags & PRIORITY_FLAGS_CALCULATE_RUNNING) &&
	       !IS_JOB_FINISHED(job) && !IS_JOB_COMPLETING(job);
}

/* Returns the priority of a plain job (job_is_plain()), and writes its terms into the record. */
static uint32_t compute_plain(const struct priority_basis *basis, job_record_t *job,
			      const struct fairshare_figures *figures)
{
	struct job_value value = job_value_plain(basis, job, figures);
	compat_factors *terms = compat_factors_of(job);

	tres_terms_of(basis, terms);	/* frees the arrays of an earlier PriorityWeightTRES */
	write_factors(terms, &value.factors);
	if (value.exceeded)
		report_excess(job);
	compat_forget_priority_array(job);
	return value.priority;
}

/* Returns whether the job was provisional, or held by fathom, before this pass. If so, sets
 * *was_held: 1 if fathom held it, else 0. */
static bool was_provisional(const struct priority_pass *pass, const job_record_t *job,
			    uint32_t *was_held)
{
	return pass->were_provisional.count &&
	       id_index_find(&pass->were_provisional, job->job_id, was_held);
}

/* Returns whether the priority of a job with priority 0 is fathom's to compute: fathom alone holds
 * the job. If that is in doubt, notes the job, as the next pass may know. */
static bool is_own_hold(struct priority_pass *pass, job_record_t *job, bool was_held)
{
	if (job_hold_is_own(job, was_held))
		return true;
	if (job_hold_keep_in_doubt(job, was_held))
		id_index_put(pass->provisional, job->job_id, true);
	return false;
}

/* Does renew_priority() for a job that is not plain. only_up, was_held: as in struct job_update. */
static bool renew_fully(struct priority_pass *pass, job_record_t *job,
			const struct fairshare_figures *figures, bool only_up, uint32_t was_held)
{
	struct job_update update;	/* the other members are set below */
	uint32_t priority;
	bool changed, is_held;

	update.basis = &pass->basis;
	update.job = job;
	update.only_up = only_up;
	update.was_held = was_held;
	update.tally = &pass->tally;
	find_figures(&update, figures);
	priority = compute_priority(&update);
	is_held = !priority;
	/* a hold counts also where priorities only rise */
	changed = write_priority(&job->priority, priority, only_up && !is_held);
	if (!update.findings.is_known)
		pass->newly_provisional |= !was_provisional(pass, job, &was_held);
	if (!update.findings.is_known || is_held)
		id_index_put(pass->provisional, job->job_id, is_held);
	return changed || update.pairs_changed;
}

/* Computes the priorities of a job anew and writes them, unless another than fathom holds it.
 * Returns whether one has changed. figures: what the evaluation has of its association, or NULL. */
static bool renew_priority(struct priority_pass *pass, job_record_t *job,
			   const struct fairshare_figures *figures)
{
	bool only_up = pass->settings->flags & PRIORITY_FLAGS_INCR_ONLY;
	bool is_held = !job->priority;
	uint32_t was_held = false;

	/* most jobs need no search; a hold that has its mark needs none either */
	if ((only_up || (is_held && !job_hold_is_marked(job))) &&
	    was_provisional(pass, job, &was_held))
		only_up = false;
	if (is_held && !is_own_hold(pass, job, was_held))
		return false;
	if (is_held)	/* is_own_hold() may have found the association just now */
		figures = evaluation_figures(pass->evaluation, pass->settings, 0, job->assoc_id);
	else if (job_is_plain(&pass->basis, job, figures))
		return write_priority(&job->priority, compute_plain(&pass->basis, job, figures),
				      only_up);
	return renew_fully(pass, job, figures, only_up, was_held);
}

/* ---- in slices --------------------------------------------------------------------- */

/* The next four functions are the stages of the walk, see struct list_walk_stages. */
static void fetch_job(void *item, size_t at, void *context)
{
	const struct priority_pass *pass = context;

	fetch_record(&pass->basis, item);
}

static void follow_job(void *item, size_t at, void *context)
{
	const struct priority_pass *pass = context;
	const job_record_t *job = item;

	follow_record(&pass->basis, job);
	evaluation_prefetch(pass->evaluation, job->assoc_id);
}

/* Finds the figures of the job's association, for work_job(), and prefetches them. */
static void follow_far(void *item, size_t at, void *context)
{
	struct priority_pass *pass = context;
	const job_record_t *job = item;
	const struct fairshare_figures *figures =
		evaluation_figures(pass->evaluation, pass->settings, 0, job->assoc_id);

	pass->figures[at % LIST_WALK_BLOCK] = figures;
	prefetch_all(figures, sizeof(*figures));
	if (figures && pass->basis.by_partition)
		evaluation_prefetch_scopes(pass->evaluation, figures);
	if (!pass->basis.uses_tres)
		return;
	prefetch(job->tres_req_cnt);
	if (job->prio_factors) {
		prefetch(job->prio_factors->priority_tres);
		prefetch(job->prio_factors->tres_weights);
	}
}

static void work_job(void *item, size_t at, void *context)
{
	struct priority_pass *pass = context;

	pass->changed |= renew_priority(pass, item, pass->figures[at % LIST_WALK_BLOCK]);
}

/* Renews the basis, as weights and partitions may change between slices. In the first slice, moves
 * pass->provisional to were_provisional, and leaves it empty: that needs job write. */
static void begin_slice(void *context)
{
	struct priority_pass *pass = context;

	pass->basis = priority_basis(pass->evaluation, pass->places, pass->settings, pass->now);
	pass->changed = false;
	if (pass->has_begun)
		return;
	pass->were_provisional = *pass->provisional;
	*pass->provisional = (struct id_index){ 0 };
	/* room for as many; without it, id_index_put() makes room */
	id_index_reserve(pass->provisional, pass->were_provisional.count);
	pass->has_begun = true;
}

/* Tells slurmctld that jobs have changed, but only if a priority has: backfill then starts over. */
static void end_slice(void *context)
{
	const struct priority_pass *pass = context;

	if (pass->changed)
		last_job_update = time(NULL);
}

bool job_priority_update_all(struct results *results, const struct settings *settings, time_t now,
			     struct id_index *provisional, struct list_trail *trail)
{
	const struct sliced_walk walk = {
		.list = &job_list,
		.locks = WALK_LOCKS(.job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK),
		.assoc_locks = WALK_ASSOC_LOCKS(.assoc = READ_LOCK, .qos = READ_LOCK),
		.begin_slice = begin_slice, .end_slice = end_slice,
		.is_wanted = may_be_recomputed, .trail = trail,
	};
	static const struct list_walk_stages stages = {
		.fetch = fetch_job, .follow = follow_job, .follow_far = follow_far,
		.work = work_job, .touch = offsetof(job_record_t, job_state),
	};
	struct priority_pass pass = {
		.evaluation = published_get(&results->evaluation),
		.places = published_get(&results->places),
		.settings = settings, .now = now,
		.provisional = provisional,
	};

	sliced_walk(&walk, stages, &pass);
	shared_release(pass.evaluation);
	shared_release(pass.places);
	id_index_clear(&pass.were_provisional);
	if (settings->formula)
		formula_report(settings->formula, &pass.tally);
	return pass.newly_provisional;
}
