/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/job_order.h"

#include "core/array.h"
#include "core/error.h"
#include "policy/traits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEVER (-1)	/* priority of jobs that the policy does not let start */

/* ---- create and clear ------------------------------------------------------------------ */

/* Copies the tree, with ids that charges can name. */
static struct fathom_tree *copy_tree(const struct fathom_tree *tree, struct fathom_error *error)
{
	size_t count = fathom_tree_count(tree);
	struct fathom_row *rows = calloc(count, sizeof(*rows));
	struct fathom_tree *copy = NULL;

	if (!rows)
		fathom_error_no_memory(error);
	for (size_t node = 0; rows && node < count; node++)
		rows[node] = (struct fathom_row){
			.id = (int64_t)node + 1, .is_root = !node,
			.parent_id = (int64_t)fathom_tree_parent(tree, node) + 1,
			.kind = fathom_tree_kind(tree, node),
			.raw_shares = fathom_tree_raw_shares(tree, node),
			.usage = fathom_tree_own_usage(tree, node),
		};
	if (rows)
		copy = fathom_tree_create(rows, count, error);
	free(rows);
	return copy;
}

int job_order_create(struct job_order *order, const struct replay_rules *rules,
		     const struct fathom_tree *tree, struct fathom_error *error)
{
	size_t count = fathom_tree_count(tree);

	*order = (struct job_order){
		.policy = rules->policy, .settings = &rules->settings, .is_stale = true,
		.places_jobs = fathom_policy_places_jobs(rules->policy, &rules->settings),
	};
	order->tree = copy_tree(tree, error);
	if (!order->tree)
		return -1;
	order->result = fathom_result_create(rules->policy, order->tree, error);
	if (!order->result)
		return -1;
	order->index = fathom_node_index_create(order->tree);
	order->own = calloc(count, sizeof(*order->own));
	order->holdings = calloc(count, sizeof(*order->holdings));
	return order->index && order->own && order->holdings ? 0 : fathom_error_no_memory(error);
}

void job_order_clear(struct job_order *order)
{
	fathom_tree_destroy(order->tree);
	fathom_result_destroy(order->result);
	fathom_node_index_release(order->index);
	free(order->own);
	free(order->holdings);
	free(order->placed);
	free(order->place);
	free(order->by_submission);
	*order = (struct job_order){ NULL };
}

void job_order_pass(struct job_order *order, double now)
{
	order->pass = now;
	order->is_stale = true;
}

/* ---- usage into the tree ------------------------------------------------------------------ */

static void set_usage(struct job_order *order, const struct charge_book *book)
{
	double scale = charge_book_scale(book, order->pass);

	for (size_t node = 0; node < book->nodes; node++)
		fathom_tree_set_own_usage(order->tree, node, book->value[node] * scale);
}

static void collect_holdings(struct job_order *order, const struct charge_book *book,
			     const struct current_jobs *jobs, const struct machine *machine,
			     double now)
{
	memset(order->holdings, 0, book->nodes * sizeof(*order->holdings));
	for (size_t i = 0; i < machine->count; i++) {
		const struct current_job *job = &jobs->at[machine->ending[i].slot];

		charge_book_hold(book, job, now, &order->holdings[job->job.node]);
	}
}

static int set_sums(struct job_order *order, const struct charge_book *book,
		    struct fathom_error *error)
{
	double half_life = fathom_policy_half_life(order->policy, order->settings,
						   book->half_life);

	memset(order->own, 0, book->nodes * sizeof(*order->own));
	fathom_policy_sums_collect(book->sums, half_life, order->pass, order->index, 0, SIZE_MAX,
				   order->own);
	for (size_t node = 0; node < book->nodes; node++)
		if (fathom_policy_set_sums(order->policy, order->tree, node, &order->own[node],
					   &order->holdings[node], error))
			return -1;
	return 0;
}

static int evaluate(struct job_order *order, const struct charge_book *book,
		    const struct current_jobs *jobs, const struct machine *machine, double now,
		    struct fathom_error *error)
{
	if (!book->sums) {
		set_usage(order, book);
	} else {
		collect_holdings(order, book, jobs, machine, now);
		if (set_sums(order, book, error))
			return -1;
	}
	fathom_tree_settle(order->tree);
	fathom_evaluate(order->result, order->tree, order->settings);
	return 0;
}

/* ---- priorities -------------------------------------------------------------------------- */

static double priority_of(const struct job_order *order, uint32_t node)
{
	double factor = fathom_result_factor(order->result)[node];

	if (!fathom_result_may_run(order->result, order->settings, node))
		return NEVER;
	return isnan(factor) ? 0 : factor;
}

static int make_places_room(struct job_order *order, size_t count)
{
	void *grown = array_grow(order->placed, &order->room, count, sizeof(*order->placed));

	if (grown)
		order->placed = grown;
	if (!grown || !(grown = array_grow(order->place, &order->place_room, count,
					   sizeof(*order->place))))
		return -1;
	order->place = grown;
	grown = array_grow(order->by_submission, &order->by_room, count,
			   sizeof(*order->by_submission));
	if (!grown)
		return -1;
	order->by_submission = grown;
	return 0;
}

static int by_sequence(const void *a, const void *b)
{
	const struct pending *const *left = a, *const *right = b;

	return (*left)->sequence < (*right)->sequence ? -1 : 1;
}

/* Sets priorities by the order in which LSF dispatches jobs one after the other. */
static int place_jobs(struct job_order *order, const struct current_jobs *jobs,
		      struct pending_queue *queue, struct fathom_error *error)
{
	static const struct fathom_served_queue served = { .is_fairshare = true,
							   .master = FATHOM_NO_SET };
	static const size_t tree_of = 0;
	struct fathom_dispatch_tree tree = { order->policy, order->settings, order->tree };
	struct fathom_pending_jobs given = { .tree = &tree, .tree_count = 1, .queue = &served,
					     .tree_of = &tree_of, .queue_count = 1,
					     .job_count = queue->count };

	if (make_places_room(order, queue->count))
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < queue->count; i++)
		order->by_submission[i] = &queue->at[i];
	qsort(order->by_submission, queue->count, sizeof(*order->by_submission), by_sequence);
	for (size_t i = 0; i < queue->count; i++) {
		const struct replay_job *job = &jobs->at[order->by_submission[i]->slot].job;

		order->placed[i] = (struct fathom_pending_job){
			.node = fathom_tree_kind(order->tree, job->node) == FATHOM_USER
					? job->node : FATHOM_NO_NODE,
			.slots = job->cpus, .time_limit = job->estimate, .can_start = true,
		};
	}
	given.job = order->placed;
	if (fathom_dispatch_places(&given, order->place, error))
		return -1;
	for (size_t i = 0; i < queue->count; i++)
		order->by_submission[i]->priority = -(double)order->place[i];
	return 0;
}

static void set_priorities(const struct job_order *order, const struct current_jobs *jobs,
			   struct pending_queue *queue, size_t first)
{
	for (size_t i = first; i < queue->count; i++)
		queue->at[i].priority = priority_of(order, jobs->at[queue->at[i].slot].job.node);
}

int job_order_refresh(struct job_order *order, const struct charge_book *book,
		      const struct current_jobs *jobs, const struct machine *machine, double now,
		      struct pending_queue *queue, bool *changed, struct fathom_error *error)
{
	bool was_stale = order->is_stale;

	if (policy_is_first_come(order->policy) || queue->count < 2) {
		if (!was_stale)
			set_priorities(order, jobs, queue, queue->sorted);
		*changed = pending_queue_sort(queue);
		return 0;
	}
	if ((was_stale || order->places_jobs) &&
	    evaluate(order, book, jobs, machine, now, error))
		return -1;
	order->is_stale = false;
	if (order->places_jobs) {
		if (place_jobs(order, jobs, queue, error))
			return -1;
	} else {
		set_priorities(order, jobs, queue, was_stale ? 0 : queue->sorted);
	}
	*changed = pending_queue_sort(queue);
	return 0;
}
