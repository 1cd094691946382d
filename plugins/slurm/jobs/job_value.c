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
	/* figures in the partition's scope, or of the partition itself if it is charged; NULL:
	 * those outside scopes count */
	const struct fairshare_scoped *scoped;
	struct fairshare_scoped newcomer;	/* what `scoped` points to for a newcomer */
	const char *wrong_group;	/* why the job is held for the group that it names; NULL: it
					 * is not */
	bool is_one_of_several;		/* see job_value() */
};

/* How a job gets its priority. */
struct priority_rule {
	/* Returns the terms that sprio shows; tres_terms: as in job_value(). */
	struct fathom_factors (*factors)(const struct priority_basis *basis,
					 const struct fathom_job *job,
					 const struct fathom_queue *queue, double *tres_terms);
	/* Returns the priority, 1 or more. Sets *exceeded, which is false before, if it was cut to
	 * 32 bits. */
	uint32_t (*priority)(const struct candidate *candidate, bool *exceeded);
	/* The terms do not add up to the priority by themselves; balance() makes up for the
	 * difference. */
	bool is_balanced;
	/* Returns why the job must be held, or NULL. The function may be NULL. */
	const char *(*hold)(const struct candidate *candidate);
};

/* ---- by the weighted sum ------------------------------------------------------ */

/* The functions of the four rules: ..._factors() are for `factors` of struct priority_rule; those
 * with a candidate and `exceeded` are for `priority`, those with a candidate alone for `hold`. */
static struct fathom_factors weighted_factors(const struct priority_basis *basis,
					      const struct fathom_job *job,
					      const struct fathom_queue *queue, double *tres_terms)
{
	return fathom_job_factors(&basis->config, job, queue, tres_terms);
}

/* Returns the sum of the terms; for the array of several pairs rounded as slurmctld does there. */
static uint32_t weighted_sum(const struct candidate *candidate, bool *exceeded)
{
	if (candidate->is_one_of_several)
		return fathom_priority_sum_of_pair(candidate->factors, exceeded);
	return fathom_priority_sum(candidate->factors, exceeded);
}

/* ---- by flux-accounting's sum --------------------------------------------------- */

/* Sets the terms of TRES to 0. tres_terms: or NULL. */
static void clear_tres_terms(const struct priority_basis *basis, double *tres_terms)
{
	if (tres_terms)
		memset(tres_terms, 0, basis->config.tres_count * sizeof(*tres_terms));
}

/* Returns flux-accounting's terms, of which none is of TRES. */
static struct fathom_factors flux_factors(const struct priority_basis *basis,
					  const struct fathom_job *job,
					  const struct fathom_queue *queue, double *tres_terms)
{
	struct fathom_flux_job of_flux = fathom_flux_job(job, queue);

	clear_tres_terms(basis, tres_terms);
	return fathom_flux_factors(&basis->flux, &of_flux);
}

/* Returns at least 1: a priority of 0 would hold the job, and is for urgency 0 alone. The priority
 * of an expedited job is the number that slurmctld calls INFINITE; slurmctld gives it no meaning in
 * a job that has been submitted. */
static uint32_t flux_priority(const struct candidate *candidate, bool *exceeded)
{
	struct fathom_flux_job of_flux = fathom_flux_job(&candidate->facts->job, candidate->queue);
	uint32_t priority = fathom_flux_priority(&candidate->basis->flux, &of_flux);

	(void)exceeded;	/* flux-accounting has a limit of its own, within 32 bits */
	return priority ? priority : 1;
}

/* The urgency is FATHOM_FLUX_URGENCY minus the nice value; urgency 0 holds a job. */
static const char *hold_by_urgency(const struct candidate *candidate)
{
	return candidate->facts->job.nice >= FATHOM_FLUX_URGENCY ? HELD_BY_URGENCY : NULL;
}

/* ---- by a formula ----------------------------------------------------------------- */

/* Returns the priority by Formula; in a scope, by the figures that the association has there. Sets
 * the members of in_formula->job that depend on the pair. */
static uint32_t formula_value(const struct candidate *candidate, bool *exceeded)
{
	struct job_in_formula *in_formula = &candidate->facts->in_formula;

	(void)exceeded;	/* a value that was cut is counted in the tally */
	in_formula->job.config = &candidate->basis->config;
	in_formula->job.job = &candidate->facts->job;
	in_formula->job.queue = candidate->queue;
	in_formula->job.norm_shares = in_formula->norm_shares;
	in_formula->job.effective_usage = in_formula->effective_usage;
	if (candidate->scoped) {
		in_formula->job.norm_shares = candidate->scoped->norm_shares;
		in_formula->job.effective_usage = candidate->scoped->effective_usage;
	}
	return formula_priority(candidate->basis->settings->formula, &in_formula->job,
				&in_formula->tally);
}

/* ---- no shares: the policy starts no jobs of the user ----------------------------- */

/* Returns terms that are all 0. */
static struct fathom_factors no_factors(const struct priority_basis *basis,
					const struct fathom_job *job,
					const struct fathom_queue *queue, double *tres_terms)
{
	clear_tres_terms(basis, tres_terms);
	return (struct fathom_factors){ 0 };
}

/* Returns 1, as 0 would hold the job. */
static uint32_t least_priority(const struct candidate *candidate, bool *exceeded)
{
	return 1;
}

/* Returns whether WithoutShares=hold. */
static bool holds_without_shares(const struct priority_basis *basis)
{
	return basis->settings->conf.value[CONF_WITHOUT_SHARES] == JOBS_ARE_HELD;
}

/* With WithoutShares=hold a job to which no_shares_rule applies is held. */
static const char *hold_without_shares(const struct candidate *candidate)
{
	if (!holds_without_shares(candidate->basis))
		return NULL;
	return candidate->wrong_group ? candidate->wrong_group : HELD_WITHOUT_SHARES;
}

/* Rules by enum fathom_priority_rule. A Formula replaces the rule of the policy. */
static const struct priority_rule rules[] = {
	[FATHOM_WEIGHTED_SUM] = { .factors = weighted_factors, .priority = weighted_sum },
	[FATHOM_FLUX_PRIORITY] = { .factors = flux_factors, .priority = flux_priority,
				   .is_balanced = true, .hold = hold_by_urgency },
};
static const struct priority_rule formula_rule = {
	.factors = weighted_factors, .priority = formula_value, .is_balanced = true };
static const struct priority_rule no_shares_rule = {
	.factors = no_factors, .priority = least_priority, .hold = hold_without_shares };

/* ---- the basis -------------------------------------------------------------------- */

struct priority_basis priority_basis(const struct evaluation *evaluation, struct places *places,
				     const struct settings *settings, time_t now)
{
	const struct scheme *in_force = settings->scheme;
	enum fathom_priority_rule rule = fathom_policy_priority_rule(in_force->policy);
	bool has_scopes = settings->queue_count || settings->has_hosts || settings->charges_queues;
	struct priority_basis basis = {
		.evaluation = evaluation,
		.places = places,
		.settings = settings,
		.config = settings_priority(settings),
		.rule = settings->formula ? &formula_rule : &rules[rule],
		.now = now,
	};

	basis.by_partition = has_scopes || places;
	basis.uses_association = basis.config.weight.assoc || settings->formula;
	basis.uses_size = basis.config.weight.job_size || settings->formula;
	basis.uses_tres = basis.config.tres_weight || settings->formula;
	basis.reads_comment = basis.rule == &rules[FATHOM_FLUX_PRIORITY];
	basis.is_plain = basis.rule == &rules[FATHOM_WEIGHTED_SUM] && !has_scopes &&
			 !basis.uses_tres && !log_priority_detail();
	if (rule == FATHOM_FLUX_PRIORITY)
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
static double age_of(const job_record_t *job, time_t now)
{
	time_t accrue = job->details->accrue_time;

	if (!accrue)
		return -1;
	return now > accrue ? (double)(now - accrue) : 0;
}

/* Returns the job's CPUs. Those of a pending job are not known: the most that it accepts count. */
static uint32_t cpus_of(const job_record_t *job)
{
	if (job->total_cpus)
		return job->total_cpus;
	return job->details->max_cpus != NO_VAL ? job->details->max_cpus : job->details->min_cpus;
}

/* Returns the job's time limit in minutes. For a job without one the MaxTime of its partition
 * counts. Either may be INFINITE, a large number. */
static double minutes_of(const job_record_t *job)
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
			       const struct fairshare_inputs *inputs)
{
	const struct conf_banks *banks = &basis->settings->conf.banks;

	if (!banks->count)
		return inputs->account_priority;
	return conf_banks_priority(banks, job->assoc_ptr->acct, inputs->account_priority);
}

/* Sets the figures of the job's association in *to. Returns false if the priority is provisional:
 * it depends on figures of the association that the evaluation does not have. */
static bool add_association(struct fathom_job *to, const struct priority_basis *basis,
			    const struct association_figures *figures, const job_record_t *job)
{
	const struct fathom_weights *weight = &basis->config.weight;
	const struct fairshare_inputs *inputs = figures->inputs;
	/* whether the priority depends on figures that the evaluation has computed */
	bool uses_figures = basis->rule != &rules[FATHOM_WEIGHTED_SUM] || weight->fairshare;
	bool is_newcomer = figures->newcomer_account;

	if (!job->assoc_ptr) {
		debug2(LOG_PREFIX "%pJ has no association, its fair-share factor is 0", job);
		return true;
	}
	if (inputs) {
		to->fairshare = inputs->factor;
		to->assoc_norm = inputs->assoc_norm;
		to->assoc_priority = inputs->assoc_priority;
		to->account_priority = account_priority(basis, job, inputs);
		return !is_newcomer || !uses_figures;
	}
	if (weight->assoc) {
		to->assoc_norm = job->assoc_ptr->usage->priority_norm;
		to->assoc_priority = job->assoc_ptr->priority;
	}
	return !uses_figures;
}

/* Returns the rule for a job outside scopes. inputs: of its association; NULL: unknown, and it may
 * run. */
static const struct priority_rule *rule_of(const struct priority_basis *basis,
					   const struct fairshare_inputs *inputs)
{
	return !inputs || inputs->may_run ? basis->rule : &no_shares_rule;
}

/* Returns what is known of a job, except the figures of its association. tres: an array that the
 * caller fills with its TRES; or NULL. */
static inline struct fathom_job read_job(const struct priority_basis *basis,
					 const job_record_t *job, const uint64_t *tres)
{
	return (struct fathom_job){
		.fairshare = NAN,
		.age = age_of(job, basis->now),
		.nodes = job->details->min_nodes,
		.cpus = basis->uses_size ? cpus_of(job) : 0,
		.minutes = basis->uses_size ? minutes_of(job) : 0,
		.tres = tres,
		.site = without_offset(job->site_factor),
		.nice = without_offset(job->details->nice),
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
	facts->rule = rule_of(basis, figures->inputs);
	if (facts->rule == &no_shares_rule)
		debug(LOG_PREFIX "%pJ: policy %s starts no jobs of a user without shares", job,
		      fathom_policy_name(settings->scheme->policy));
	facts->association = job->assoc_ptr ? job->assoc_id : 0;
	facts->record = job;
	facts->is_placed = true;
	facts->newcomer_account = figures->newcomer_account;
	facts->is_known = add_association(to, basis, figures, job);
	facts->factor = to->fairshare;
	if (basis->uses_tres)
		count_tres(job, tres, basis->config.tres_count);
	if (settings->formula)
		facts->in_formula = job_in_formula(settings->formula, job, figures->details, tres,
						   basis->config.tres_count, extra);
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
static const struct fairshare_scoped *find_scoped(struct candidate *candidate, size_t scheme)
{
	const struct priority_basis *basis = candidate->basis;
	const struct job_facts *facts = candidate->facts;
	const struct fairshare_scoped *scoped =
		evaluation_scoped(basis->evaluation, basis->settings, scheme, facts->association);

	if (scoped || !facts->newcomer_account)
		return scoped;
	if (!evaluation_receive_scoped(basis->evaluation, basis->settings, scheme,
				       facts->newcomer_account, &candidate->newcomer))
		return NULL;
	return &candidate->newcomer;
}

/* Returns the factor of the job's association in a scope; -1: it has no shares there, or is not
 * known. */
static double factor_in(struct candidate *candidate, size_t scheme)
{
	const struct fairshare_scoped *scoped = find_scoped(candidate, scheme);

	return scoped && scoped->may_run ? scoped->factor : -1;
}

/* Sets the job's factor to that of its partition, if the scheme charges partitions; to that of its
 * association in the scheme's scope, if the scheme is a scope's; else to that outside scopes.
 * Returns the rule for the priority. scheme: index in the settings; 0: the job is in no scope.
 * partition: the name; or NULL. */
static const struct priority_rule *apply_scope(struct candidate *candidate, size_t scheme,
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
	candidate->scoped = charges_queues ? evaluation_queue(basis->evaluation, basis->settings,
							      scheme, partition)
					   : find_scoped(candidate, scheme);
	if (!candidate->scoped) {
		facts->is_known = false;
		return facts->rule;
	}
	facts->job.fairshare = candidate->scoped->factor;
	return candidate->scoped->may_run ? basis->rule : &no_shares_rule;
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
	double factor = next ? factor_in(candidate, first) : 0;

	for (; next; next = partition_next_scheme(order, partition, required, next)) {
		double other = factor_in(candidate, next);

		if (!host_rule_prefers(candidate->basis->settings->host_rule, other, factor))
			continue;
		chosen = next;
		factor = other;
	}
	return chosen;
}

/* Returns the scheme by which the job goes in a partition. queue: what scopes_queue() returns for
 * the partition. */
static size_t scheme_in(struct candidate *candidate, const struct partition_order *order,
			const char *partition, const struct queue *queue)
{
	const struct settings *settings = candidate->basis->settings;
	size_t required = partition_required_scheme(settings, candidate->facts->record);
	size_t first = partition_scheme(order, settings, partition, queue, required);

	return choose_scheme(candidate, order, partition, required, first);
}

/* Sets the job's factor to the one that it has in the pair's partition. Returns the rule for the
 * priority. */
static const struct priority_rule *apply_partition(struct candidate *candidate,
						   const struct job_pair *pair)
{
	const struct priority_basis *basis = candidate->basis;
	struct job_facts *facts = candidate->facts;
	const char *name = pair->partition ? pair->partition->name : NULL;
	const struct priority_rule *rule;
	const struct partition_order *order;
	const struct queue *queue;
	enum place_kind place;
	size_t scheme;

	if (!basis->by_partition)
		return facts->rule;
	queue = scopes_queue(basis->settings, name);
	order = evaluation_order(basis->evaluation, basis->settings);
	scheme = scheme_in(candidate, order, name, queue);
	rule = apply_scope(candidate, scheme, name);
	place = apply_place(basis, facts->record, scheme, name, order, &facts->job.fairshare);
	facts->is_placed &= place != PLACE_PROVISIONAL;
	if (queue && place == PLACE_NONE)	/* a place includes the order of partitions */
		facts->job.fairshare = partition_factor(order, queue, facts->job.fairshare);
	check_group(candidate, scheme, name);
	return candidate->wrong_group ? &no_shares_rule : rule;
}

/* ---- the value of a job with a pair ----------------------------------------------- */

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

struct job_value job_value(struct job_facts *facts, const struct priority_basis *basis,
			   const struct job_pair *pair, bool is_one_of_several, double *tres_terms)
{
	struct job_value value = { .exceeded = false };
	struct fathom_queue queue = queue_of(pair);
	struct candidate candidate = { .basis = basis, .facts = facts, .queue = &queue,
				       .factors = &value.factors,
				       .is_one_of_several = is_one_of_several };
	const struct priority_rule *rule = apply_partition(&candidate, pair), *of_terms = rule;

	/* The record keeps the terms that count with the other pairs, for sprio and for places. */
	if (rule == &no_shares_rule && job_has_pairs(facts->record))
		of_terms = basis->rule;
	value.factors = of_terms->factors(basis, &facts->job, &queue, tres_terms);
	value.priority = rule->priority(&candidate, &value.exceeded);
	value.hold = rule->hold ? rule->hold(&candidate) : NULL;
	if (rule->is_balanced)
		balance(&value.factors, value.priority);
	return value;
}

struct job_value job_value_plain(const struct priority_basis *basis, const job_record_t *job,
				 const struct fairshare_inputs *inputs)
{
	const struct job_pair pair = { job->part_ptr, job->qos_ptr };
	struct fathom_queue queue = queue_of(&pair);
	struct fathom_job facts = read_job(basis, job, NULL);
	struct job_value value = { .hold = NULL };

	facts.fairshare = inputs->factor;
	/* scheme 0, and no order of partitions: the job is in no scope and no pool */
	if (basis->places)
		apply_place(basis, job, 0, pair.partition ? pair.partition->name : NULL, NULL,
			    &facts.fairshare);
	facts.assoc_norm = inputs->assoc_norm;
	facts.assoc_priority = inputs->assoc_priority;
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

/* Clears the terms that are the same for all pairs. */
static void clear_own_terms(compat_factors *shown)
{
	shown->priority_age = shown->priority_assoc = shown->priority_fs = shown->priority_js = 0;
	shown->nice = shown->priority_site = NICE_OFFSET;
}

void job_value_show_pair(const struct priority_basis *basis, const job_record_t *job,
			 const struct job_pair *pair, uint32_t priority, compat_factors *shown)
{
	uint64_t tres[JOB_TRES_COUNT(basis)];
	const struct fairshare_inputs *inputs = evaluation_inputs(basis->evaluation, job->assoc_id);
	double factor = inputs ? inputs->factor : 0;
	struct job_facts facts = {
		.job = { .tres = tres, .fairshare = factor },
		.factor = factor,
		.rule = rule_of(basis, inputs),
		.association = job->assoc_ptr ? job->assoc_id : 0,
		.record = job,
	};
	struct fathom_queue queue = queue_of(pair);
	struct candidate candidate = { .basis = basis, .facts = &facts, .queue = &queue };
	const struct priority_rule *rule = apply_partition(&candidate, pair);
	/* the copy may be of a time when there were other TRES */
	double *tres_terms = shown->tres_cnt == basis->config.tres_count ? shown->priority_tres
									 : NULL;
	struct fathom_factors factors;

	if (basis->config.tres_weight)
		count_tres(job, tres, basis->config.tres_count);
	factors = rule->factors(basis, &facts.job, &queue, tres_terms);
	/* without scopes, classes and places the fair-share term is the same for each pair */
	if (basis->by_partition && inputs)
		shown->priority_fs = factors.fairshare;
	shown->priority_part = factors.partition;
	shown->priority_qos = factors.qos;
	if (rule == &no_shares_rule)
		clear_own_terms(shown);
	if (rule->is_balanced && priority)
		balance_shown(factors, shown, priority);
}
