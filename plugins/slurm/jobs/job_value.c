/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's facts become terms and a priority by one of four rules: the weighted sum, flux's sum, a
 * formula, or the least priority for users without shares. Before that the partition may change the
 * fair-share factor (apply_partition): by its scope, by the job's place, or by its class.
 *
 *	weights: age 100, fair share 1000; factors: age 0.5, fair share 0.2
 *	terms, which sprio shows: 50 and 200; priority by the weighted sum: 250
 */
#include "jobs/job_value.h"

#include "base/log.h"
#include "priority/job_comment.h"

#include <math.h>
#include <string.h>

#define MOST_SITE (INT32_MAX - 2)	/* the most that a site factor may be, as slurmctld has it
					 * for nice values */

/* A job with one of its pairs of partition and QOS. */
struct candidate {
	const struct priority_basis *basis;
	struct job_facts *facts;
	const struct fathom_queue *queue;	/* the pair's partition and QOS */
	const struct fathom_factors *factors;	/* the terms, once they have been computed */
	/* the association's figures in the partition's scope, or those of the partition itself if
	 * it is charged; NULL: the association's figures outside scopes count */
	const struct fairshare_figures *scope_figures;
	struct fairshare_figures newcomer;	/* what `scope_figures` points to for a newcomer */
	const struct fairshare_shares *shares;	/* belong to `scope_figures`; only with a Formula */
	const char *wrong_group;	/* why the job is held for the group that it names; NULL: it
					 * is not */
	bool is_one_of_several;		/* see job_value() */
};

/* ---- rules -------------------------------------------------------------------------- */

/* Returns the terms that sprio shows; tres_terms: as in job_value(). Flux's sum has no terms of
 * TRES, and without shares all terms are 0. */
static struct fathom_factors terms_by(enum priority_rule rule, const struct priority_basis *basis,
				      const struct fathom_job *job,
				      const struct fathom_queue *queue, double *tres_terms)
{
	struct fathom_flux_job of_flux;

	if (rule == BY_WEIGHTS || rule == BY_FORMULA)
		return fathom_job_factors(&basis->config, job, queue, tres_terms);
	if (tres_terms)
		memset(tres_terms, 0, basis->config.tres_count * sizeof(*tres_terms));
	if (rule == WITHOUT_SHARES)
		return (struct fathom_factors){ 0 };
	of_flux = fathom_flux_job(job, queue);
	return fathom_flux_factors(&basis->flux, &of_flux);
}

/* Returns flux-accounting's priority, at least 1: 0 would hold the job, and is for urgency 0 alone.
 * It has a limit of its own, within 32 bits. The priority of an expedited job is the number that
 * slurmctld calls INFINITE; slurmctld gives it no meaning in a job that has been submitted. */
static uint32_t priority_by_flux(const struct candidate *candidate)
{
	struct fathom_flux_job of_flux = fathom_flux_job(&candidate->facts->job, candidate->queue);
	uint32_t priority = fathom_flux_priority(&candidate->basis->flux, &of_flux);

	return MAX(priority, 1);
}

/* Returns the priority by Formula; in a scope, by the figures that the association has there. A
 * value that is cut is counted in the tally. */
static uint32_t priority_by_formula(const struct candidate *candidate)
{
	struct job_facts *facts = candidate->facts;
	const struct fairshare_shares *shares = candidate->scope_figures ? candidate->shares
								  : facts->shares;
	struct fathom_formula_job *job = &facts->in_formula;

	job->config = &candidate->basis->config;
	job->job = &facts->job;
	job->queue = candidate->queue;
	job->norm_shares = shares->norm_shares;
	job->effective_usage = shares->effective_usage;
	return formula_priority(candidate->basis->settings->formula, job, &facts->tally);
}

/* Returns the priority, 1 or more: 0 would hold the job. Sets *exceeded, which is false before, if
 * it was cut to 32 bits. The sum of the terms is rounded as slurmctld does in the array of several
 * pairs. */
static uint32_t priority_by(enum priority_rule rule, const struct candidate *candidate,
			    bool *exceeded)
{
	if (rule == WITHOUT_SHARES)
		return 1;
	if (rule == BY_FLUX)
		return priority_by_flux(candidate);
	if (rule == BY_FORMULA)
		return priority_by_formula(candidate);
	if (candidate->is_one_of_several)
		return fathom_priority_sum_of_pair(candidate->factors, exceeded);
	return fathom_priority_sum(candidate->factors, exceeded);
}

/* Returns whether WithoutShares=hold. */
static bool holds_without_shares(const struct priority_basis *basis)
{
	return basis->settings->conf.value[CONF_WITHOUT_SHARES] == JOBS_ARE_HELD;
}

/* Returns why the job must be held, or NULL. The urgency of flux is FATHOM_FLUX_URGENCY minus the
 * nice value; urgency 0 holds a job. */
static const char *hold_reason(enum priority_rule rule, const struct candidate *candidate)
{
	if (rule == BY_FLUX && candidate->facts->job.nice >= FATHOM_FLUX_URGENCY)
		return HELD_BY_URGENCY;
	if (rule != WITHOUT_SHARES || !holds_without_shares(candidate->basis))
		return NULL;
	return candidate->wrong_group ? candidate->wrong_group : HELD_WITHOUT_SHARES;
}

/* ---- the basis -------------------------------------------------------------------- */

/* Finds out once for all jobs what their priorities depend on, so that no more is read of each. */
struct priority_basis priority_basis(const struct evaluation *evaluation, struct places *places,
				     const struct settings *settings, time_t now)
{
	const struct scheme *in_force = settings->scheme;
	bool is_flux = fathom_policy_priority_rule(in_force->policy) == FATHOM_FLUX_PRIORITY;
	bool has_scopes = settings->queue_count || settings->has_hosts || settings->charges_queues;
	struct priority_basis basis = {
		.evaluation = evaluation,
		.places = places,
		.settings = settings,
		.config = settings_priority(settings),
		.rule = settings->formula ? BY_FORMULA : is_flux ? BY_FLUX : BY_WEIGHTS,
		.now = now,
	};

	basis.by_partition = has_scopes || places;
	basis.uses_association = basis.config.weight.assoc || settings->formula;
	basis.uses_size = basis.config.weight.job_size || settings->formula;
	basis.uses_tres = basis.config.tres_weight || settings->formula;
	basis.reads_comment = basis.rule == BY_FLUX;
	basis.is_plain = basis.rule == BY_WEIGHTS && !has_scopes &&
			 !basis.uses_tres && !log_priority_detail();
	if (is_flux)
		basis.flux = fathom_flux_weights(&in_force->settings);
	return basis;
}

/* ---- facts about a job ------------------------------------------------------------ */

/* Returns the nice value or site factor that a job record holds with NICE_OFFSET added. */
static int64_t without_offset(uint32_t value)
{
	return (int64_t)value - NICE_OFFSET;
}

/* Returns the job's age in seconds; -1: the job is not eligible yet. */
static double age_seconds(const job_record_t *job, time_t now)
{
	time_t accrue = job->details->accrue_time;

	if (!accrue)
		return -1;
	return now > accrue ? (double)(now - accrue) : 0;
}

/* Returns the job's CPUs. Those of a pending job are not known: the most that it accepts count. */
static uint32_t counted_cpus(const job_record_t *job)
{
	if (job->total_cpus)
		return job->total_cpus;
	return job->details->max_cpus != NO_VAL ? job->details->max_cpus : job->details->min_cpus;
}

/* Returns the job's time limit in minutes; for a job without one, MaxTime of its partition. Either
 * may be INFINITE, a large number. Not 0 for a job without a partition, as its size is divided by
 * the result. */
static double limit_minutes(const job_record_t *job)
{
	if (job->time_limit != NO_VAL)
		return job->time_limit;
	return job->part_ptr ? job->part_ptr->max_time : 1;
}

/* Writes how much of the first `count` TRES a job that has started holds, or a pending one
 * requests, into tres[]. */
static void count_tres(const job_record_t *job, uint64_t *tres, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (job->tres_alloc_cnt && job->tres_alloc_cnt[i] != NO_CONSUME_VAL64)
			tres[i] = job->tres_alloc_cnt[i];
		else
			tres[i] = job->tres_req_cnt ? job->tres_req_cnt[i] : 0;
	}
}

/* Returns the priority of the job's account: that of its BankPriority line, else of the account's
 * record. The account's name is read only if there are such lines, as that is a cache miss for each
 * job. */
static double account_priority(const struct priority_basis *basis, const job_record_t *job,
			       const struct fairshare_figures *figures)
{
	const struct conf_banks *banks = &basis->settings->conf.banks;

	if (!banks->count)
		return figures->account_priority;
	return conf_banks_priority(banks, job->assoc_ptr->acct, figures->account_priority);
}

/* Sets the figures of the job's association in *to. Returns false if the priority is provisional:
 * it depends on figures of the association that the evaluation does not have. */
static bool use_association_figures(struct fathom_job *to, const struct priority_basis *basis,
				    const struct association_figures *figures,
				    const job_record_t *job)
{
	const struct fathom_weights *weight = &basis->config.weight;
	const struct fairshare_figures *in_force = figures->in_force;
	/* whether the priority depends on figures that the evaluation has computed */
	bool uses_figures = basis->rule != BY_WEIGHTS || weight->fairshare;
	bool is_newcomer = figures->newcomer_account;

	if (!job->assoc_ptr) {
		debug2(LOG_PREFIX "%pJ has no association, its fair-share factor is 0", job);
		return true;
	}
	if (in_force) {
		to->fairshare = in_force->factor;
		to->assoc_norm = in_force->assoc_norm;
		to->assoc_priority = in_force->assoc_priority;
		to->account_priority = account_priority(basis, job, in_force);
		return !is_newcomer || !uses_figures;
	}
	if (weight->assoc) {
		to->assoc_norm = job->assoc_ptr->usage->priority_norm;
		to->assoc_priority = job->assoc_ptr->priority;
	}
	return !uses_figures;
}

/* Returns the rule for a job outside scopes. figures: of its association; NULL: not known, so the
 * job may run. */
static enum priority_rule rule_outside_scopes(const struct priority_basis *basis,
					      const struct fairshare_figures *figures)
{
	return !figures || figures->may_run ? basis->rule : WITHOUT_SHARES;
}

/* Returns what is known of a job, except the figures of its association. tres: an array that the
 * caller fills with its TRES; or NULL. */
static inline struct fathom_job read_job(const struct priority_basis *basis,
					 const job_record_t *job, const uint64_t *tres)
{
	return (struct fathom_job){
		.fairshare = NAN,
		.age = age_seconds(job, basis->now),
		.nodes = job->details->min_nodes,
		.cpus = basis->uses_size ? counted_cpus(job) : 0,
		.minutes = basis->uses_size ? limit_minutes(job) : 0,
		.tres = tres,
		.site = without_offset(job->site_factor),
		.nice = without_offset(job->details->nice),
	};
}

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

/* Sets the members of *facts that have a meaning only with a Formula; record, job.tres are set.
 * Fills extra[] in the order of struct formula_extras. TRES that have no amount here count as 0. */
static void read_formula_job(struct job_facts *facts, const struct priority_basis *basis,
			     const struct association_figures *figures, double extra[])
{
	static const struct fairshare_shares none;
	const struct formula_extras extras = formula_extras(basis->settings->formula);
	const job_record_t *job = facts->record;
	double *of_tres = extra + extras.column_count;

	facts->shares = figures->columns ? figures->shares : &none;
	facts->tally = (struct fathom_formula_tally){ 0 };
	for (size_t i = 0; i < extras.column_count; i++)
		extra[i] = figures->columns ? figures->columns[i] : 0;
	for (size_t i = 0; i < extras.tres_count; i++)
		of_tres[i] = i < basis->config.tres_count ? (double)facts->job.tres[i] : 0;
	facts->in_formula = (struct fathom_formula_job){
		.accrue_type = accrue_type_of(job),
		/* MB to KB; it is the memory of the whole job, also for --mem-per-cpu */
		.memory = requested(job, TRES_ARRAY_MEM) * 1024,
		.gpus = extras.gpu < extras.tres_count ? requested(job, extras.gpu) : 0,
		.extra = extra,
	};
}

void job_facts_read(struct job_facts *facts, const struct priority_basis *basis,
		    const struct association_figures *figures, const job_record_t *job,
		    uint64_t tres[], double extra[])
{
	const struct settings *settings = basis->settings;
	struct fathom_job *to = &facts->job;

	*to = read_job(basis, job, tres);
	if (basis->reads_comment && job->comment)
		to->nice = job_comment_nice(job->comment, to->nice, basis->flux.may_raise, NULL);
	facts->rule = rule_outside_scopes(basis, figures->in_force);
	if (facts->rule == WITHOUT_SHARES)
		debug(LOG_PREFIX "%pJ: policy %s starts no jobs of a user without shares", job,
		      fathom_policy_name(settings->scheme->policy));
	facts->association = job->assoc_ptr ? job->assoc_id : 0;
	facts->record = job;
	facts->is_placed = true;
	facts->newcomer_account = figures->newcomer_account;
	facts->is_known = use_association_figures(to, basis, figures, job);
	facts->factor = to->fairshare;
	if (basis->uses_tres)
		count_tres(job, tres, basis->config.tres_count);
	if (settings->formula)
		read_formula_job(facts, basis, figures, extra);
}

/* Returns what the priority depends on of the pair's partition and QOS; 0 without them. */
static inline struct fathom_queue queue_of(const struct job_pair *pair)
{
	const part_record_t *partition = pair->partition;
	const slurmdb_qos_rec_t *qos = pair->qos;
	struct fathom_queue queue = { 0 };

	if (partition) {
		queue.partition_tres = partition->tres_cnt;
		queue.partition_factor = partition->priority_job_factor;
		queue.partition_norm = queue.partition_factor ? partition->norm_priority : 0;
	}
	if (qos && qos->priority) {
		queue.qos_norm = qos->usage->norm_priority;
		queue.qos_priority = qos->priority;
	}
	return queue;
}

/* ---- the partition's scope and class ---------------------------------------------- */

/* Returns the figures of the job's association in a scope; of a newcomer, those that its account
 * gives to newcomers there. NULL: the evaluation has none. */
static const struct fairshare_figures *find_scope_figures(struct candidate *candidate,
							  size_t scheme)
{
	const struct priority_basis *basis = candidate->basis;
	const struct job_facts *facts = candidate->facts;
	const struct fairshare_figures *scope_figures =
		evaluation_figures(basis->evaluation, basis->settings, scheme, facts->association);
	const struct fairshare_figures *listed = scope_figures;	/* the evaluation's, for shares */

	if (!scope_figures && facts->newcomer_account) {
		listed = evaluation_receive(basis->evaluation, basis->settings, scheme,
					    facts->newcomer_account, &candidate->newcomer);
		scope_figures = listed ? &candidate->newcomer : NULL;
	}
	candidate->shares = listed ? evaluation_shares(basis->evaluation, scheme, listed) : NULL;
	return scope_figures;
}

/* Returns the factor of the job's association in a scope; -1: it has no shares there, or is not
 * known. */
static double factor_in_scope(struct candidate *candidate, size_t scheme)
{
	const struct fairshare_figures *scope_figures = find_scope_figures(candidate, scheme);

	return scope_figures && scope_figures->may_run ? scope_figures->factor : -1;
}

/* Sets the job's factor: to that of its partition, if the scheme charges partitions; else to that
 * of its association, in the scheme's scope or outside scopes. Returns the rule for the priority.
 * scheme: index in the settings; 0: the job is in no scope. partition: the name; or NULL. */
static enum priority_rule apply_scope(struct candidate *candidate, size_t scheme,
				      const char *partition)
{
	const struct priority_basis *basis = candidate->basis;
	struct job_facts *facts = candidate->facts;
	bool is_in_force = scheme == 0;		/* the job is in no scope */
	bool charges_queues = basis->settings->scheme[scheme].charges_queues;

	facts->job.fairshare = facts->factor;
	if (!facts->association)
		return facts->rule;
	if (is_in_force && basis->settings->scheme->is_first_come) {
		facts->job.fairshare = 1;
		return basis->rule;
	}
	if (is_in_force && !charges_queues)
		return facts->rule;
	candidate->scope_figures = charges_queues
					   ? evaluation_queue(basis->evaluation, basis->settings,
							      scheme, partition, &candidate->shares)
					   : find_scope_figures(candidate, scheme);
	if (!candidate->scope_figures) {
		facts->is_known = false;
		return facts->rule;
	}
	facts->job.fairshare = candidate->scope_figures->factor;
	return candidate->scope_figures->may_run ? basis->rule : WITHOUT_SHARES;
}

/* Sets *factor to that of the job's place in the order of dispatch, if its policy in the partition
 * places jobs, or if the partition has a seat in a slot pool. Returns how the job came to its
 * place; PLACE_NONE: it has none, and *factor is unchanged. order: of partitions, or NULL. */
static enum place_kind apply_place(const struct priority_basis *basis, const job_record_t *job,
				   size_t scheme, const char *partition,
				   const struct partition_order *order, double *factor)
{
	const struct place_wanted wanted = { .job = job, .partition = partition, .scheme = scheme,
					     .is_pooled = partition_is_pooled(order, partition),
					     .now = basis->now };

	return places_factor(basis->places, basis->settings, &wanted, factor);
}

/* Sets candidate->wrong_group if the job is held for the group that its comment names. */
static void check_group(struct candidate *candidate, size_t scheme, const char *partition)
{
	const struct priority_basis *basis = candidate->basis;
	const struct scheme *chosen = &basis->settings->scheme[scheme];

	if (holds_without_shares(basis) && chosen->scope->user_shares &&
	    scheme_places_jobs(chosen))
		candidate->wrong_group = group_fault_text(
			places_group_fault(basis->places, partition, candidate->facts->record));
}

/* Returns the scheme that HostRule chooses for the job, of all by which it may go in the partition.
 * first: the first of these. required: what partition_required_scheme() returns for the job. */
static size_t choose_scheme(struct candidate *candidate, const struct partition_order *order,
			    const char *partition, size_t required, size_t first)
{
	size_t next = partition_next_scheme(order, partition, required, first), chosen = first;
	double factor = next ? factor_in_scope(candidate, first) : 0;

	for (; next; next = partition_next_scheme(order, partition, required, next)) {
		double other = factor_in_scope(candidate, next);

		if (!host_rule_prefers(candidate->basis->settings->host_rule, other, factor))
			continue;
		chosen = next;
		factor = other;
	}
	return chosen;
}

/* Returns the scheme by which the job goes in a partition. queue: what scopes_queue() returns for
 * the partition. */
static size_t scheme_in_partition(struct candidate *candidate, const struct partition_order *order,
				  const char *partition, const struct queue *queue)
{
	const struct settings *settings = candidate->basis->settings;
	size_t required = partition_required_scheme(settings, candidate->facts->record);
	size_t first = partition_scheme(order, settings, partition, queue, required);

	return choose_scheme(candidate, order, partition, required, first);
}

/* Sets the job's factor to the one that it has in the pair's partition. Returns the rule for the
 * priority. */
static enum priority_rule apply_partition(struct candidate *candidate, const struct job_pair *pair)
{
	const struct priority_basis *basis = candidate->basis;
	struct job_facts *facts = candidate->facts;
	const char *name = pair->partition ? pair->partition->name : NULL;
	enum priority_rule rule;
	const struct partition_order *order;
	const struct queue *queue;
	enum place_kind place;
	size_t scheme;

	if (!basis->by_partition)
		return facts->rule;
	queue = scopes_queue(basis->settings, name);
	order = evaluation_order(basis->evaluation, basis->settings);
	scheme = scheme_in_partition(candidate, order, name, queue);
	rule = apply_scope(candidate, scheme, name);
	place = apply_place(basis, facts->record, scheme, name, order, &facts->job.fairshare);
	facts->is_placed &= place != PLACE_PROVISIONAL;
	if (queue && place == PLACE_NONE)	/* a place includes the order of partitions */
		facts->job.fairshare = partition_factor(order, queue, facts->job.fairshare);
	check_group(candidate, scheme, name);
	return candidate->wrong_group ? WITHOUT_SHARES : rule;
}

/* ---- the value of a job with a pair ----------------------------------------------- */

/* Returns whether the terms do not add up to the priority by themselves; balance() makes up for the
 * difference. */
static bool needs_balance(enum priority_rule rule)
{
	return rule == BY_FLUX || rule == BY_FORMULA;
}

/* Makes the terms add up to the priority in the way in which sprio adds them up, which cuts off the
 * fraction. What is missing goes into the site's term, and what that cannot hold into the term of
 * age. */
static void balance(struct fathom_factors *factors, uint32_t priority)
{
	double sum = factors->age + factors->assoc + factors->fairshare + factors->job_size +
		     factors->partition + factors->qos + factors->tres_sum +
		     (double)(factors->site - factors->nice);
	double missing = (double)priority - floor(sum);
	double site = fmin(fmax((double)factors->site + missing, -MOST_SITE), MOST_SITE);

	factors->age += missing - (site - (double)factors->site);
	factors->site = (int64_t)site;
}

/* The partition comes first, as it may change the job's factor, and with it a term. */
struct job_value job_value(struct job_facts *facts, const struct priority_basis *basis,
			   const struct job_pair *pair, bool is_one_of_several, double *tres_terms)
{
	struct job_value value = { .exceeded = false };
	struct fathom_queue queue = queue_of(pair);
	struct candidate candidate = { .basis = basis, .facts = facts, .queue = &queue,
				       .factors = &value.factors,
				       .is_one_of_several = is_one_of_several };
	enum priority_rule rule = apply_partition(&candidate, pair), terms_rule = rule;

	/* the record keeps the terms that count with the other pairs, for sprio and for places */
	if (rule == WITHOUT_SHARES && job_has_pairs(facts->record))
		terms_rule = basis->rule;
	value.factors = terms_by(terms_rule, basis, &facts->job, &queue, tres_terms);
	value.priority = priority_by(rule, &candidate, &value.exceeded);
	value.hold = hold_reason(rule, &candidate);
	if (needs_balance(rule))
		balance(&value.factors, value.priority);
	return value;
}

struct job_value job_value_plain(const struct priority_basis *basis, const job_record_t *job,
				 const struct fairshare_figures *figures)
{
	const struct job_pair pair = { job->part_ptr, job->qos_ptr };
	struct fathom_queue queue = queue_of(&pair);
	struct fathom_job facts = read_job(basis, job, NULL);
	struct job_value value = { .hold = NULL };

	facts.fairshare = figures->factor;
	/* scheme 0, and no order of partitions: the job is in no scope and no pool */
	if (basis->places)
		apply_place(basis, job, 0, pair.partition ? pair.partition->name : NULL, NULL,
			    &facts.fairshare);
	facts.assoc_norm = figures->assoc_norm;
	facts.assoc_priority = figures->assoc_priority;
	value.factors = fathom_job_factors(&basis->config, &facts, &queue, NULL);
	value.priority = fathom_priority_sum(&value.factors, &value.exceeded);
	return value;
}

/* ---- for sprio -------------------------------------------------------------------- */


/* Balances the terms that sprio shows for a pair. factors: has those that depend on the pair; age,
 * nice and the others are taken from *shown. */
static void balance_shown(struct fathom_factors factors, compat_factors *shown, uint32_t priority)
{
	factors.age = shown->priority_age;
	factors.assoc = shown->priority_assoc;
	factors.fairshare = shown->priority_fs;
	factors.job_size = shown->priority_js;
	factors.nice = without_offset(shown->nice);
	factors.site = without_offset(shown->priority_site);
	balance(&factors, priority);
	shown->priority_site = job_value_with_offset(factors.site);
	shown->priority_age = factors.age;
}

void job_value_show_pair(const struct priority_basis *basis, const job_record_t *job,
			 const struct job_pair *pair, uint32_t priority, compat_factors *shown)
{
	uint64_t tres[JOB_TRES_COUNT(basis)];
	const struct fairshare_figures *figures =
		evaluation_figures(basis->evaluation, basis->settings, 0, job->assoc_id);
	double factor = figures ? figures->factor : 0;
	struct job_facts facts = {	/* only those that the terms of a pair depend on */
		.job = { .tres = tres, .fairshare = factor },
		.factor = factor,
		.rule = rule_outside_scopes(basis, figures),
		.association = job->assoc_ptr ? job->assoc_id : 0,
		.record = job,
	};
	struct fathom_queue queue = queue_of(pair);
	struct candidate candidate = { .basis = basis, .facts = &facts, .queue = &queue };
	enum priority_rule rule = apply_partition(&candidate, pair);
	/* the copy may be of a time when there were other TRES */
	double *tres_terms = shown->tres_cnt == basis->config.tres_count ? shown->priority_tres
									 : NULL;
	struct fathom_factors factors;

	if (basis->config.tres_weight)
		count_tres(job, tres, basis->config.tres_count);
	factors = terms_by(rule, basis, &facts.job, &queue, tres_terms);
	/* without scopes, classes and places the fair-share term is the same for each pair */
	if (basis->by_partition && figures)
		shown->priority_fs = factors.fairshare;
	shown->priority_part = factors.partition;
	shown->priority_qos = factors.qos;
	if (rule == WITHOUT_SHARES) {	/* also the terms that are the same for all pairs */
		shown->priority_age = shown->priority_assoc = 0;
		shown->priority_fs = shown->priority_js = 0;
		shown->nice = shown->priority_site = NICE_OFFSET;
	}
	if (needs_balance(rule) && priority)
		balance_shown(factors, shown, priority);
}
