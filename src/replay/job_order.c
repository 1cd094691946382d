/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts pending jobs in order in three steps: evaluates the policy, computes the priority of each
 * job from its fair-share factor, and sorts the queue. The priority is the factor itself, Slurm's
 * sum, flux's sum, or a formula. If the policy has an order of dispatch (places_jobs), the factor
 * of a job follows from its place in that order.
 */
#include "replay/job_orders.h"

#define KILOBYTES 1024	/* in a megabyte: Slurm counts memory in megabytes, OpenPBS in kilobytes */
#define OPENPBS_ELIGIBLE 2	/* accrue_type of a job that could run, see fathom/formula.h */

/* ---- create ---------------------------------------------------------------------------- */

/* Returns whether jobs of some partitions go before those of others: their tiers differ. */
static bool has_tiers(const struct replay_rules *rules)
{
	for (size_t i = 1; i < rules->partition_count; i++)
		if (rules->partition[i].tier != rules->partition[0].tier)
			return true;
	return false;
}

/* Returns whether fair-share factors count; false: Slurm's sum gives them no weight. */
static bool factor_counts(const struct replay_rules *rules)
{
	return !rules->priority || rules->job_formula || rules->priority->weight.fairshare != 0;
}

/* Returns whether jobs may be dispatched one by one, as far as the scheduler asks for them: nothing
 * but the order of dispatch decides which job goes first, and no job needs a priority of its
 * own. */
static bool may_take_turns(const struct replay_rules *rules)
{
	return !rules->priority && !rules->terms && !rules->increases_only &&
	       !rules->scheduler->reserves_all && !has_tiers(rules);
}

void job_order_create(struct job_order *order, const struct replay_rules *rules,
		      const struct fathom_tree *tree)
{
	*order = (struct job_order){
		.is_stale = true, .rules = rules, .columns = &order->tree,
		.by_flux = fathom_policy_priority_rule(rules->policy) == FATHOM_FLUX_PRIORITY,
		.is_first_come = !rules->priority && !rules->job_formula &&
				 policy_is_first_come(rules->policy),
		.places_jobs = factor_counts(rules) &&
			       fathom_policy_places_jobs(rules->policy, &rules->settings),
	};
	order->takes_turns = order->places_jobs && may_take_turns(rules);
	if (order->by_flux)
		order->flux = fathom_flux_weights(&rules->settings);
	order_tree_create(&order->tree, rules, tree);
	if (order->places_jobs)
		dispatched_jobs_create(&order->dispatched, &order->tree, order->takes_turns);
}

/* ---- figures ------------------------------------------------------------------------------- */

/* Evaluates the policy by the usage of the last pass. */
static void evaluate(struct job_order *order, const struct replay_moment *moment)
{
	/* if jobs are also dispatched, the evaluation takes out of the tree what a dispatch needs,
	 * see order_tree_evaluate() */
	order->is_stale = order->places_jobs;
	order_tree_evaluate(&order->tree, moment, order->places_jobs);
}

/* Begins a dispatch by the usage of the last pass. Only a formula needs the figures of an
 * evaluation beside it. */
static void begin_dispatch(struct job_order *order, const struct replay_moment *moment)
{
	bool has_changed = order->is_stale || order->was_passed_over;

	if (order->was_passed_over)
		dispatched_jobs_forget(&order->dispatched);
	if (order->is_stale && order->rules->job_formula)
		evaluate(order, moment);
	if (order->is_stale)
		order_tree_update(&order->tree, moment->book);
	order->is_stale = order->was_passed_over = false;
	dispatched_jobs_begin(&order->dispatched, &order->tree, moment, has_changed);
}

/* ---- the weighted sum, or a formula -------------------------------------------------------- */

/* Returns the fair-share factors of the last evaluation, by node. */
static const double *factors(const struct job_order *order)
{
	return fathom_result_factor(order->tree.result);
}

/* Returns the node by whose figures a job goes: its own node, or the best of the leaves at which it
 * may count; the root if it has no leaf. */
static uint32_t node_of_figures(const struct job_order *order, const struct replay_job *job)
{
	uint32_t best;

	if (!order->leaves)
		return job->node;
	best = share_leaves_best(order->leaves, job->node, factors(order));
	return best == NO_SHARE_LEAF ? 0 : order->leaves->node[best];
}

/* Returns what is set for this job alone; the default terms, if nothing is. */
static const struct replay_terms *terms_of(const struct replay_rules *rules,
					   const struct replay_job *job)
{
	static const struct replay_terms none = { .urgency = FATHOM_FLUX_URGENCY };

	return rules->terms ? &rules->terms[job->number] : &none;
}

/* Returns the partition and QOS of a job as Slurm's sum takes them. */
static struct fathom_queue queue_of(const struct replay_rules *rules, const struct replay_job *job)
{
	struct fathom_queue queue = { 0 };

	if (rules->partition)
		queue = rules->partition[job->partition].queue;
	if (!rules->request)
		return queue;
	queue.qos_priority = rules->request[job->request].qos_priority;
	queue.qos_norm = rules->request[job->request].qos_norm;
	return queue;
}

/* Returns how many of a TRES a job asks for; 0 for a number that is no TRES. */
static double count_of(const struct replay_rules *rules, const struct fathom_job *job, size_t tres)
{
	return job->tres && tres < rules->priority->tres_count ? (double)job->tres[tres] : 0;
}

/* Sets the values of a formula's extra names: the job's TRES, then the policy's columns. node: the
 * job's in the tree of associations, as order->columns is of that. rules: of the policy in
 * force. */
static void fill_extras(const struct job_order *order, const struct replay_rules *rules,
			const struct fathom_job *job, uint32_t node)
{
	size_t tres_count = rules->priority->tres_count;
	double *extra = rules->job_formula->extra;

	for (size_t i = 0; i < tres_count; i++)
		extra[i] = count_of(rules, job, i);
	for (size_t i = 0; i < fathom_policy_column_count(rules->policy); i++)
		extra[tres_count + i] = fathom_result_column(order->columns->result, i)[node];
}

/* Returns the priority of a job by rules->job_formula. job, queue: the replayed job as the library
 * takes it. CPU time stays 0 in the formula: jobs of a replay ask for none. */
static double by_formula(const struct job_order *order, const struct replay_rules *rules,
			 const struct replay_job *replayed, const struct fathom_job *job,
			 const struct fathom_queue *queue)
{
	struct replay_formula *formula = rules->job_formula;
	const struct fathom_result *own = order->tree.result;
	uint32_t node = node_of_figures(order, replayed);
	const struct fathom_formula_job values = {
		.config = rules->priority, .job = job, .queue = queue,
		.norm_shares = fathom_result_norm_shares(own)[node],
		.effective_usage = fathom_result_effective_usage(own)[node],
		.accrue_type = OPENPBS_ELIGIBLE, .extra = formula->extra,
		.memory = count_of(rules, job, formula->memory) * KILOBYTES,
		.gpus = count_of(rules, job, formula->gpus),
	};

	fill_extras(order, rules, job, replayed->node);
	return fathom_formula_priority(fathom_formula_value(formula->formula, &values,
							    &formula->tally), formula->scale);
}

/* Returns the priority of a job by Slurm's sum of factors, or by the formula. factor: fair-share
 * factor. Ages are as of the last pass: a job that came after it has age 0. */
static double by_sum_or_formula(const struct job_order *order, const struct replay_rules *rules,
				const struct replay_job *replayed, double factor)
{
	const struct replay_terms *terms = terms_of(rules, replayed);
	double age_from = rules->terms ? terms->age_from : replayed->submit;
	const struct fathom_job job = {
		.nice = terms->nice, .site = terms->site,
		.assoc_norm = terms->assoc_norm, .assoc_priority = terms->assoc_priority,
		.age = fmax(order->tree.pass - age_from, 0), .fairshare = factor,
		.nodes = replayed->nodes, .cpus = replayed->cpus,
		.minutes = replayed->estimate / 60,
		.tres = rules->request ? rules->request[replayed->request].tres : NULL,
	};
	const struct fathom_queue queue = queue_of(rules, replayed);
	struct fathom_factors factors;

	if (rules->job_formula)
		return by_formula(order, rules, replayed, &job, &queue);
	factors = fathom_job_factors(rules->priority, &job, &queue, NULL);
	return fathom_priority_sum(&factors, NULL);
}

/* ---- priorities -------------------------------------------------------------------------- */

/* Returns a factor rounded to 40 bits; 0 for NAN. Factors that should be equal may differ by
 * rounding; jobs of users with equal factors must go in the order of submission. (Veltkamp's
 * splitting; T. J. Dekker, "A Floating-Point Technique for Extending the Available Precision",
 * 1971) */
static double rounded(double factor)
{
	double scaled = factor * (0x1p13 + 1);

	return isnan(factor) ? 0 : scaled - (scaled - factor);
}

/* Returns the priority of a job's queue under flux. */
static double flux_queue(const struct replay_rules *rules, const struct replay_job *job)
{
	if (!isnan(job->queue))
		return job->queue;
	return rules->partition ? rules->partition[job->partition].queue.partition_factor : 0;
}

double job_order_priority(const struct job_order *order, const struct replay_rules *rules,
			  const struct replay_job *job, double factor)
{
	const struct replay_terms *terms = terms_of(rules, job);

	if (terms->set_priority > 0)
		return terms->set_priority;
	if (rules->priority)
		return by_sum_or_formula(order, rules, job, factor);
	if (order->by_flux)
		return fathom_flux_priority(&order->flux,
					    &(struct fathom_flux_job){
						    .fairshare = factor, .bank = job->bank,
						    .queue = flux_queue(rules, job),
						    .urgency = terms->urgency });
	return rounded(factor);
}

/* Returns the priority of a job with a factor; if order->gives_factors, the factor itself. */
static double priority_or_factor(const struct job_order *order, const struct replay_job *job,
				 double factor)
{
	if (order->gives_factors)
		return rounded(factor);
	return job_order_priority(order, order->rules, job, factor);
}

/* Returns whether the policy lets a job start; false: its user lacks the shares. */
static bool may_run(const struct job_order *order, const struct replay_job *job)
{
	if (order->leaves)
		return share_leaves_count(order->leaves, job->node);
	return fathom_result_may_run(order->tree.result, &order->rules->settings, job->node);
}

/* Returns the priority of a job by the last evaluation; NEVER: the policy does not let it start. */
static double priority_of(const struct job_order *order, const struct replay_job *job)
{
	if (!may_run(order, job) && !(terms_of(order->rules, job)->set_priority > 0))
		return NEVER;
	return priority_or_factor(order, job, factors(order)[node_of_figures(order, job)]);
}

uint32_t job_order_best_leaf(struct job_order *order, const struct replay_moment *moment,
			     uint32_t node)
{
	const struct share_leaves *leaves = order->leaves;
	uint32_t count = share_leaves_count(leaves, node);

	if (count < 2)
		return count ? leaves->key[leaves->first[node]] : 0;
	if (order->is_stale || order->places_jobs)
		evaluate(order, moment);
	return leaves->key[share_leaves_best(leaves, node, factors(order))];
}

/* ---- the order ----------------------------------------------------------------------------- */

/* Sets the priorities of the pending jobs from place `first` of the queue on. */
static void set_priorities(const struct job_order *order, const struct current_jobs *jobs,
			   struct pending_queue *queue, size_t first)
{
	for (size_t i = first; i < queue->count; i++)
		if (queue->job[i].slot != NO_SLOT)
			queue->job[i].priority =
				priority_of(order, &jobs->job[queue->job[i].slot].given);
}

/* Sets priorities by places in the order of dispatch, and drops started jobs from the queue. */
static void place_jobs(struct job_order *order, const struct current_jobs *jobs,
		  struct pending_queue *queue)
{
	dispatched_jobs_place(&order->dispatched, jobs, queue);
	for (size_t i = 0; i < queue->count; i++)	/* until now, the priority is the factor */
		queue->job[i].priority =
			priority_or_factor(order, &jobs->job[queue->job[i].slot].given,
					   queue->job[i].priority);
}

/* Returns whether jobs go in the order of submission now: first come, first served; or the
 * fair-share factor alone counts and only one user has jobs. Terms of single jobs exclude both. */
static bool goes_by_submission(const struct job_order *order, size_t waiting_nodes)
{
	const struct replay_rules *rules = order->rules;
	bool factor_is_all = !rules->priority && !rules->job_formula && !order->by_flux &&
			     !rules->increases_only;

	return !rules->terms && (order->is_first_come || (factor_is_all && waiting_nodes < 2));
}

/* Puts jobs into the order of submission, by the same priority for all, 0. */
static void refresh_by_submission(struct job_order *order, struct pending_queue *queue)
{
	bool set_all = order->has_priorities;	/* else all sorted jobs have 0 already */

	for (size_t i = set_all ? 0 : queue->sorted; i < queue->count; i++)
		queue->job[i].priority = 0;
	order->has_priorities = false;
	order->was_passed_over = true;
	pending_queue_sort(queue, set_all);
}

/* Puts jobs into the order of dispatch, or lets them take turns in it. */
static void refresh_by_dispatch(struct job_order *order, const struct replay_moment *moment,
				struct pending_queue *queue)
{
	begin_dispatch(order, moment);
	if (order->takes_turns) {
		dispatched_jobs_take_turns(&order->dispatched, moment->jobs, queue);
		return;
	}
	place_jobs(order, moment->jobs, queue);
	order->has_priorities = true;
	pending_queue_sort(queue, true);
}

/* Puts jobs into the order of their factors; between passes only newcomers need a priority. */
static void refresh_by_factors(struct job_order *order, const struct replay_moment *moment,
			       struct pending_queue *queue)
{
	bool set_all = order->is_stale || !order->has_priorities;

	if (order->is_stale)
		evaluate(order, moment);
	set_priorities(order, moment->jobs, queue, set_all ? 0 : queue->sorted);
	order->has_priorities = true;
	/* else the replay sorts by the highest priorities that jobs have had */
	if (!order->rules->increases_only || order->gives_factors)
		pending_queue_sort(queue, set_all);
}

void job_order_refresh(struct job_order *order, const struct replay_moment *moment,
		       size_t waiting_nodes, struct pending_queue *queue)
{
	if (goes_by_submission(order, waiting_nodes))
		refresh_by_submission(order, queue);
	else if (order->places_jobs)
		refresh_by_dispatch(order, moment, queue);
	else
		refresh_by_factors(order, moment, queue);
}
