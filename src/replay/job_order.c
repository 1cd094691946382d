/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/job_order.h"

#include "policy/traits.h"
#include "replay/scheduler.h"
#include "replay/summed_priority.h"

#include <math.h>

#define NEVER (-1)	/* priority of jobs that the policy does not let start */

/* ---- create ---------------------------------------------------------------------------- */

void job_order_create(struct job_order *order, const struct replay_rules *rules,
		      const struct fathom_tree *tree)
{
	*order = (struct job_order){
		.policy = rules->policy, .is_stale = true,
		.priority = rules->priority, .rules = rules, .columns = &order->tree,
		.by_flux = fathom_policy_priority_rule(rules->policy) == FATHOM_FLUX_PRIORITY,
		.places_jobs = fathom_policy_places_jobs(rules->policy, &rules->settings),
	};
	order->takes_turns = order->places_jobs && !order->priority &&
			     !rules->scheduler->reserves_all;
	if (order->by_flux)
		order->flux = fathom_flux_weights(&rules->settings);
	order_tree_create(&order->tree, rules, tree);
	if (order->places_jobs)
		dispatched_jobs_create(&order->dispatched, &order->tree);
}

void job_order_set_leaves(struct job_order *order, const struct share_leaves *leaves)
{
	order->leaves = order->dispatched.leaves = leaves;
}

/* ---- figures ------------------------------------------------------------------------------- */

void job_order_pass(struct job_order *order, double now)
{
	order->tree.pass = now;
	order->is_stale = true;
}

void job_order_forget(struct job_order *order)
{
	order_tree_forget(&order->tree);
}

void job_order_note_holdings(struct job_order *order, const struct replay_moment *moment)
{
	if (order->places_jobs)
		dispatched_jobs_note(&order->dispatched, &order->tree, moment);
}

/* Brings the figures up to date with the last pass. The tree of a dispatch needs an update then. */
static void evaluate(struct job_order *order, const struct replay_moment *moment)
{
	order->is_stale = order->places_jobs;
	order_tree_evaluate(&order->tree, moment, order->places_jobs);
}

/* Begins a dispatch by the last pass. A formula may use figures beside it. */
static void begin_dispatch(struct job_order *order, const struct replay_moment *moment)
{
	bool has_changed = order->is_stale || order->was_passed_over;

	if (order->is_stale && order->rules->job_formula)
		evaluate(order, moment);
	if (order->is_stale)
		order_tree_update(&order->tree, moment->book);
	order->is_stale = order->was_passed_over = false;
	dispatched_jobs_begin(&order->dispatched, &order->tree, moment, has_changed);
}

/* ---- priorities -------------------------------------------------------------------------- */

static const double *factors(const struct job_order *order)
{
	return fathom_result_factor(order->tree.result);
}

/* Returns the node whose figures a job has: its own node, or the best of the leaves that serve it;
 * the root if it has no leaf. */
static uint32_t node_of_figures(const struct job_order *order, const struct replay_job *job)
{
	uint32_t best;

	if (!order->leaves)
		return job->node;
	best = share_leaves_best(order->leaves, job->node, factors(order));
	return best == NO_SHARE_LEAF ? 0 : order->leaves->node[best];
}

/* A job that came after the last pass has no age yet. */
static double sum_of(const struct job_order *order, const struct replay_rules *rules,
		     const struct replay_job *job, double factor)
{
	return summed_priority(rules, &(struct summed_job){
		.job = job, .age = fmax(order->tree.pass - job->submit, 0),
		.fairshare = factor,
		.own = order->tree.result, .own_node = node_of_figures(order, job),
		.columns = order->columns->result });
}

/* Returns a factor as jobs are ordered by it, rounded to 40 bits, as equal factors need not come
 * out equal; 0 for NAN. (Veltkamp's splitting; T. J. Dekker, "A Floating-Point Technique for
 * Extending the Available Precision", 1971) */
static double rounded(double factor)
{
	double scaled = factor * (0x1p13 + 1);

	return isnan(factor) ? 0 : scaled - (scaled - factor);
}

double job_order_rate(const struct job_order *order, const struct replay_rules *rules,
		      const struct replay_job *job, double factor)
{
	if (rules->priority)
		return sum_of(order, rules, job, factor);
	if (order->by_flux)
		return fathom_flux_priority(&order->flux,
					    &(struct fathom_flux_job){
						    .fairshare = factor,
						    .urgency = FATHOM_FLUX_URGENCY });
	return rounded(factor);
}

static double rate(const struct job_order *order, const struct replay_job *job, double factor)
{
	if (order->gives_factors)
		return rounded(factor);
	return job_order_rate(order, order->rules, job, factor);
}

/* Returns whether the policy lets a job start. */
static bool may_run(const struct job_order *order, const struct replay_job *job)
{
	const struct share_leaves *leaves = order->leaves;

	return leaves ? leaves->first[job->node] < leaves->first[job->node + 1]
		      : fathom_result_may_run(order->tree.result, &order->rules->settings,
					      job->node);
}

static double priority_of(const struct job_order *order, const struct replay_job *job)
{
	if (!may_run(order, job))
		return NEVER;
	return rate(order, job, factors(order)[node_of_figures(order, job)]);
}

uint32_t job_order_best_leaf(struct job_order *order, const struct replay_moment *moment,
			     uint32_t node)
{
	const struct share_leaves *leaves = order->leaves;
	uint32_t count = leaves->first[node + 1] - leaves->first[node];

	if (count < 2)
		return count ? leaves->key[leaves->first[node]] : 0;
	if (order->is_stale || order->places_jobs)
		evaluate(order, moment);
	return leaves->key[share_leaves_best(leaves, node, factors(order))];
}

uint32_t job_order_placed_leaf(const struct job_order *order, uint32_t slot)
{
	return order->dispatched.leaf ? order->dispatched.leaf[slot] : 0;
}

/* ---- the order ----------------------------------------------------------------------------- */

static void set_priorities(const struct job_order *order, const struct current_jobs *jobs,
			   struct pending_queue *queue, size_t first)
{
	for (size_t i = first; i < queue->count; i++)
		if (queue->at[i].slot != NO_SLOT)
			queue->at[i].priority =
				priority_of(order, &jobs->at[queue->at[i].slot].job);
}

/* Sets priorities by places in the order of dispatch. */
static void place(struct job_order *order, const struct current_jobs *jobs,
		  struct pending_queue *queue)
{
	dispatched_jobs_place(&order->dispatched, jobs, queue);
	for (size_t i = 0; i < queue->count; i++)
		queue->at[i].priority =
			rate(order, &jobs->at[queue->at[i].slot].job, queue->at[i].priority);
}

/* The jobs of one user are in the order of submission, whatever the policy. */
static void use_queue_order(struct job_order *order, struct pending_queue *queue)
{
	for (size_t i = order->has_priorities ? 0 : queue->sorted; i < queue->count; i++)
		queue->at[i].priority = 0;
	order->has_priorities = false;
}

size_t job_order_next(struct job_order *order, const struct current_jobs *jobs,
		      const struct pending_queue *queue)
{
	return dispatched_jobs_next(&order->dispatched, jobs, queue);
}

void job_order_refresh(struct job_order *order, const struct replay_moment *moment,
		       size_t waiting_nodes, struct pending_queue *queue)
{
	bool set_all = order->is_stale || order->places_jobs || !order->has_priorities;
	bool by_queue = !order->priority && !order->rules->job_formula &&
			(policy_is_first_come(order->policy) || waiting_nodes < 2);

	if (by_queue) {
		order->was_passed_over = true;
		set_all = order->has_priorities;
		use_queue_order(order, queue);
	} else if (order->places_jobs) {
		begin_dispatch(order, moment);
		if (order->takes_turns) {
			dispatched_jobs_take_turns(&order->dispatched, moment->jobs, queue);
			return;
		}
		place(order, moment->jobs, queue);
	} else {
		if (order->is_stale)
			evaluate(order, moment);
		set_priorities(order, moment->jobs, queue, set_all ? 0 : queue->sorted);
	}
	order->has_priorities |= !by_queue;
	pending_queue_sort(queue, set_all);
}
