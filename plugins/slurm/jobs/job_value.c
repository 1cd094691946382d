/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/job_value.h"

#include "base/log.h"
#include "fairshare/pending.h"

#include <math.h>
#include <string.h>

/* A job with one of its pairs of partition and QOS. */
struct candidate {
	const struct job_scope *scope;
	struct job_described *job;
	const struct fathom_queue *queue;
	const struct fathom_factors *factors;
	const struct fairshare_scoped *scoped;	/* of its partition's scope, or NULL */
	struct fairshare_scoped of_newcomers;	/* room for that */
	bool is_one_of_several;
};

/* How a job comes to a priority. */
struct rule {
	/* the terms that sprio shows */
	struct fathom_factors (*factors)(const struct job_scope *scope,
					 const struct fathom_job *job,
					 const struct fathom_queue *queue, double *weighted);
	uint32_t (*priority)(const struct candidate *candidate, bool *exceeded);
	bool balanced;	/* the site's term is set so that the terms add up to the priority */
};

/* ---- by the weighted sum ------------------------------------------------------ */

static struct fathom_factors weighted_factors(const struct job_scope *scope,
					      const struct fathom_job *job,
					      const struct fathom_queue *queue, double *weighted)
{
	return fathom_job_factors(&scope->config, job, queue, weighted);
}

static uint32_t weighted_sum(const struct candidate *candidate, bool *exceeded)
{
	if (candidate->is_one_of_several)
		return fathom_priority_sum_of_pair(candidate->factors, exceeded);
	return fathom_priority_sum(candidate->factors, exceeded);
}

/* ---- by flux-accounting's sum --------------------------------------------------- */

static void clear_weighted(const struct job_scope *scope, double *weighted)
{
	if (weighted)
		memset(weighted, 0, scope->config.tres_count * sizeof(*weighted));
}

static struct fathom_factors flux_factors(const struct job_scope *scope,
					  const struct fathom_job *job,
					  const struct fathom_queue *queue, double *weighted)
{
	struct fathom_flux_job of_flux = fathom_flux_job(job, queue);

	clear_weighted(scope, weighted);
	return fathom_flux_factors(&scope->flux, &of_flux);
}

/* A priority of 0 would hold the job. */
static uint32_t flux_priority(const struct candidate *candidate, bool *exceeded)
{
	struct fathom_flux_job of_flux = fathom_flux_job(&candidate->job->job, candidate->queue);
	uint32_t priority = fathom_flux_priority(&candidate->scope->flux, &of_flux);

	*exceeded = false;	/* flux-accounting has a limit of its own */
	return priority ? priority : 1;
}

/* ---- by a formula ----------------------------------------------------------------- */

static uint32_t formula_value(const struct candidate *candidate, bool *exceeded)
{
	struct job_in_formula *in_formula = candidate->job->in_formula;

	*exceeded = false;	/* a formula's value is cut without a message */
	in_formula->job.config = &candidate->scope->config;
	in_formula->job.job = &candidate->job->job;
	in_formula->job.queue = candidate->queue;
	in_formula->job.norm_shares = in_formula->norm_shares;
	in_formula->job.effective_usage = in_formula->effective_usage;
	if (candidate->scoped) {
		in_formula->job.norm_shares = candidate->scoped->norm_shares;
		in_formula->job.effective_usage = candidate->scoped->effective_usage;
	}
	return formula_priority(candidate->scope->settings->formula, &in_formula->job,
				&in_formula->tally);
}

/* ---- of users without shares, where the policy starts no jobs of theirs ---------------- */

static struct fathom_factors no_factors(const struct job_scope *scope,
					const struct fathom_job *job,
					const struct fathom_queue *queue, double *weighted)
{
	(void)job, (void)queue;
	clear_weighted(scope, weighted);
	return (struct fathom_factors){ 0 };
}

/* Not 0, which would hold the job. */
static uint32_t least_priority(const struct candidate *candidate, bool *exceeded)
{
	(void)candidate;
	*exceeded = false;
	return 1;
}

static const struct rule rules[] = {
	[FATHOM_WEIGHTED_SUM] = { weighted_factors, weighted_sum, false },
	[FATHOM_FLUX_PRIORITY] = { flux_factors, flux_priority, false },
};
static const struct rule rule_of_formula = { weighted_factors, formula_value, true };
static const struct rule rule_without_shares = { no_factors, least_priority, false };

/* ---- what all jobs have in common ------------------------------------------------- */

struct job_scope job_scope(const struct evaluation *evaluation, const struct places *places,
			   const struct settings *settings, time_t now)
{
	const struct scheme *in_force = settings->scheme;
	enum fathom_priority_rule rule = fathom_policy_priority_rule(in_force->policy);
	struct job_scope scope = {
		.evaluation = evaluation,
		.places = places,
		.settings = settings,
		.config = settings_priority(settings),
		.rule = settings->formula ? &rule_of_formula : &rules[rule],
		.now = now,
		.only_up = settings->flags & PRIORITY_FLAGS_INCR_ONLY,
	};

	if (rule == FATHOM_FLUX_PRIORITY)
		scope.flux = fathom_flux_weights(&in_force->settings);
	return scope;
}

bool job_scope_wants_association(const struct job_scope *scope)
{
	return scope->config.weight.assoc || scope->settings->formula;
}

bool job_scope_wants_size(const struct job_scope *scope)
{
	return scope->config.weight.job_size || scope->settings->formula;
}

bool job_scope_wants_tres(const struct job_scope *scope)
{
	return scope->config.tres_weight || scope->settings->formula;
}

/* ---- what is known of a job --------------------------------------------------------- */

static int64_t without_offset(uint32_t value)
{
	return (int64_t)value - NICE_OFFSET;
}

uint32_t job_value_with_offset(int64_t value)
{
	value += NICE_OFFSET;
	if (value < 0)
		return 0;
	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static double age_of(const job_record_t *job, time_t now)
{
	time_t accrue = job->details->accrue_time;

	if (!accrue)
		return -1;
	return now > accrue ? difftime(now, accrue) : 0;
}

static uint32_t cpus_of(const job_record_t *job)
{
	if (job->total_cpus)
		return job->total_cpus;
	return job->details->max_cpus != NO_VAL ? job->details->max_cpus : job->details->min_cpus;
}

static double minutes_of(const job_record_t *job)
{
	if (job->time_limit != NO_VAL)
		return job->time_limit;
	return job->part_ptr ? job->part_ptr->max_time : 1;
}

/* Counts what was allocated, or before that, what is requested. */
static void count_tres(const job_record_t *job, uint64_t *tres, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (job->tres_alloc_cnt && job->tres_alloc_cnt[i] != NO_CONSUME_VAL64)
			tres[i] = job->tres_alloc_cnt[i];
		else
			tres[i] = job->tres_req_cnt ? job->tres_req_cnt[i] : 0;
	}
}

/* Adds what the job's association gives, in a pass as of the evaluation of the same pass. False:
 * the association came after that, and matters. */
static bool describe_association(const struct job_scope *scope, const job_record_t *job,
				 struct fathom_job *described)
{
	const struct fathom_weights *weight = &scope->config.weight;
	const struct fairshare_inputs *inputs = scope->inputs;
	bool matters = scope->rule != &rules[FATHOM_WEIGHTED_SUM] || weight->fairshare;

	if (!job->assoc_ptr) {
		debug2(LOG_PREFIX "%pJ has no association, its fair-share factor is 0", job);
		return true;
	}
	if (inputs) {
		described->fairshare = inputs->factor;
		described->assoc_norm = inputs->assoc_norm;
		described->assoc_priority = inputs->assoc_priority;
		described->account_priority = inputs->account_priority;
		return !scope->account || !matters;
	}
	if (weight->assoc) {
		described->assoc_norm = job->assoc_ptr->usage->priority_norm;
		described->assoc_priority = job->assoc_ptr->priority;
	}
	return !matters;
}

static const struct rule *rule_of(const struct job_scope *scope,
				  const struct fairshare_inputs *inputs)
{
	return !inputs || inputs->may_run ? scope->rule : &rule_without_shares;
}

static void describe_place(struct job_described *described, const struct job_scope *scope,
			   const job_record_t *job)
{
	described->id = job->job_id;
	described->is_pending = IS_JOB_PENDING(job);
	described->can_start = scope->places && pending_can_start(job, scope->now);
	described->is_placed = true;
}

void job_describe(struct job_described *described, const struct job_scope *scope,
		  const job_record_t *job, uint64_t tres[], double extra[],
		  struct job_in_formula *in_formula)
{
	*described = (struct job_described){
		.job = {
			.fairshare = NAN,
			.age = age_of(job, scope->now),
			.nodes = job->details->min_nodes,
			.tres = tres,
			.site = without_offset(job->site_factor),
			.nice = without_offset(job->details->nice),
		},
		.rule = rule_of(scope, scope->inputs),
	};
	if (described->rule == &rule_without_shares)
		debug(LOG_PREFIX "%pJ has priority 1: policy %s starts no jobs of a user without "
				 "shares",
		      job, fathom_policy_name(scope->settings->scheme->policy));
	described->association = job->assoc_ptr ? job->assoc_id : 0;
	describe_place(described, scope, job);
	described->known = describe_association(scope, job, &described->job);
	described->factor = described->job.fairshare;
	if (job_scope_wants_size(scope)) {
		described->job.cpus = cpus_of(job);
		described->job.minutes = minutes_of(job);
	}
	if (job_scope_wants_tres(scope))
		count_tres(job, tres, scope->config.tres_count);
	if (!scope->settings->formula)
		return;
	*in_formula = job_in_formula(scope->settings->formula, job, scope->details, tres,
				     scope->config.tres_count, extra);
	described->in_formula = in_formula;
}

static struct fathom_queue queue_of(const struct job_pair *pair)
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

/* ---- in a scope ------------------------------------------------------------------------- */

/* A partition's scope has a factor of its own for the job's association.
 * Returns the rule that the pair goes by. */
static const struct rule *enter_scope(struct candidate *candidate, size_t scheme)
{
	const struct job_scope *scope = candidate->scope;
	struct job_described *job = candidate->job;
	const struct fairshare_scoped *scoped;

	job->job.fairshare = job->factor;
	if (!scheme || !job->association)
		return job->rule;
	scoped = evaluation_scoped(scope->evaluation, scope->settings, scheme, job->association);
	if (!scoped && scope->account &&
	    evaluation_receive_scoped(scope->evaluation, scope->settings, scheme, scope->account,
				      &candidate->of_newcomers))
		scoped = &candidate->of_newcomers;
	if (!scoped) {
		job->known = false;
		return job->rule;
	}
	candidate->scoped = scoped;
	job->job.fairshare = scoped->factor;
	return scoped->may_run ? scope->rule : &rule_without_shares;
}

/* The job's place in the order of dispatch, if its policy has one. True: it includes the order of
 * partitions in a scope. */
static bool enter_place(struct candidate *candidate, size_t scheme, const part_record_t *partition)
{
	struct job_described *job = candidate->job;
	const struct place_wanted wanted = {
		.partition = partition ? partition->name : NULL,
		.scheme = scheme,
		.job = job->id,
		.association = job->association,
		.can_start = job->can_start,
	};
	enum place_kind kind;

	if (!job->association || !job->is_pending)
		return false;
	kind = places_factor(candidate->scope->places, candidate->scope->settings, &wanted,
			     &job->job.fairshare);
	job->is_placed &= kind != PLACE_PROVISIONAL;
	return kind != PLACE_NONE;
}

/* The same, with the order among partitions. */
static const struct rule *enter_partition(struct candidate *candidate, const struct job_pair *pair)
{
	const struct job_scope *scope = candidate->scope;
	struct job_described *job = candidate->job;
	const part_record_t *partition = pair->partition;
	const struct queue *queue = scopes_queue(scope->settings, partition ? partition->name
									    : NULL);
	size_t scheme = queue ? queue->scheme : 0;
	const struct rule *rule = enter_scope(candidate, scheme);
	bool has_place = enter_place(candidate, scheme, partition);

	if (queue && !has_place)
		job->job.fairshare = partition_class_factor(
			evaluation_class(scope->evaluation, scope->settings, queue),
			job->job.fairshare);
	return rule;
}

/* ---- from there to a priority --------------------------------------------------------- */

/* The site's term with which the terms add up to the priority. sprio adds all terms and cuts off
 * the fraction. */
static int64_t balance(const struct fathom_factors *factors, uint32_t priority)
{
	double rest = factors->age + factors->assoc + factors->fairshare + factors->job_size +
		      factors->partition + factors->qos + factors->tres_sum -
		      (double)factors->nice;

	return fabs(rest) < UINT32_MAX ? (int64_t)priority - (int64_t)floor(rest) : 0;
}

uint32_t job_value(struct job_described *described, const struct job_scope *scope,
		   const struct job_pair *pair, bool is_one_of_several,
		   struct fathom_factors *factors, double *weighted, bool *exceeded)
{
	struct fathom_queue queue = queue_of(pair);
	struct candidate candidate = { .scope = scope, .job = described, .queue = &queue,
				       .factors = factors,
				       .is_one_of_several = is_one_of_several };
	const struct rule *rule = enter_partition(&candidate, pair);
	uint32_t priority;

	*factors = rule->factors(scope, &described->job, &queue, weighted);
	priority = rule->priority(&candidate, exceeded);
	if (rule->balanced)
		factors->site = balance(factors, priority);
	return priority;
}

void job_value_show_pair(const struct job_scope *scope, const job_record_t *job,
			 const struct job_pair *pair, uint32_t priority, compat_factors *shown)
{
	uint64_t tres[JOB_TRES_COUNT(scope)];
	const struct fairshare_inputs *inputs = evaluation_inputs(scope->evaluation, job->assoc_id);
	struct job_described described = {
		.job = { .tres = tres, .fairshare = inputs ? inputs->factor : 0 },
		.factor = inputs ? inputs->factor : 0,
		.rule = rule_of(scope, inputs),
		.association = job->assoc_ptr ? job->assoc_id : 0,
	};
	struct fathom_queue queue = queue_of(pair);
	struct candidate candidate = { .scope = scope, .job = &described, .queue = &queue };
	double *weighted =
		shown->tres_cnt == scope->config.tres_count ? shown->priority_tres : NULL;
	const struct rule *rule;
	struct fathom_factors factors;

	describe_place(&described, scope, job);
	rule = enter_partition(&candidate, pair);
	if (scope->config.tres_weight)
		count_tres(job, tres, scope->config.tres_count);
	factors = rule->factors(scope, &described.job, &queue, weighted);
	/* else it is the same for all pairs, or known of the present one alone */
	if ((scope->settings->queue_count || scope->places) && inputs)
		shown->priority_fs = factors.fairshare;
	shown->priority_part = factors.partition;
	shown->priority_qos = factors.qos;
	if (!rule->balanced || !priority)
		return;
	factors.age = shown->priority_age;
	factors.assoc = shown->priority_assoc;
	factors.fairshare = shown->priority_fs;
	factors.job_size = shown->priority_js;
	factors.nice = without_offset(shown->nice);
	shown->priority_site = job_value_with_offset(balance(&factors, priority));
}
