/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/job_order.h"

#include "core/array.h"
#include "core/error.h"
#include "policy/traits.h"
#include "replay/scheduler.h"
#include "replay/summed_priority.h"

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

static struct fathom_dispatch_tree dispatched_tree(const struct job_order *order)
{
	return (struct fathom_dispatch_tree){ .policy = order->policy,
					      .settings = order->settings, .tree = order->tree };
}

/* Makes what only policies with an order of dispatch need. */
static int create_dispatch(struct job_order *order, struct fathom_error *error)
{
	const struct fathom_dispatch_tree tree = dispatched_tree(order);

	if (order->places_jobs)
		order->dispatch = dispatch_create(&tree, error);
	return order->places_jobs && !order->dispatch ? -1 : 0;
}

int job_order_create(struct job_order *order, const struct replay_rules *rules,
		     const struct fathom_tree *tree, struct fathom_error *error)
{
	size_t count = fathom_tree_count(tree);

	*order = (struct job_order){
		.policy = rules->policy, .settings = &rules->settings, .is_stale = true,
		.priority = rules->priority, .rules = rules, .columns = order,
		.by_flux = fathom_policy_priority_rule(rules->policy) == FATHOM_FLUX_PRIORITY,
		.places_jobs = fathom_policy_places_jobs(rules->policy, &rules->settings),
	};
	order->takes_turns = order->places_jobs && !order->priority &&
			     !rules->scheduler->reserves_all;
	if (order->by_flux)
		order->flux = fathom_flux_weights(&rules->settings);
	order->tree = copy_tree(tree, error);
	if (!order->tree)
		return -1;
	order->result = fathom_result_create(rules->policy, order->tree, error);
	if (!order->result || entity_figures_create(&order->entities, rules, error))
		return -1;
	order->index = fathom_node_index_create(order->tree);
	order->own = calloc(count, sizeof(*order->own));
	order->holdings = calloc(count, sizeof(*order->holdings));
	order->holder = calloc(count, sizeof(*order->holder));
	return order->index && order->own && order->holdings && order->holder
		       ? create_dispatch(order, error) : fathom_error_no_memory(error);
}

void job_order_clear(struct job_order *order)
{
	dispatch_destroy(order->dispatch);
	fathom_tree_destroy(order->tree);
	fathom_result_destroy(order->result);
	entity_figures_clear(&order->entities);
	fathom_node_index_release(order->index);
	free(order->own);
	free(order->holdings);
	free(order->holder);
	free(order->noted);
	free(order->placed);
	free(order->by_submission);
	free(order->leaf);
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
	const double *usage = book->stepped ? book->stepped : book->value;
	double scale = book->stepped ? 1 : charge_book_scale(book, order->pass);

	for (size_t node = 0; node < book->nodes; node++)
		fathom_tree_set_own_usage(order->tree, node, usage[node] * scale);
}

static bool holds(const struct fathom_holdings *holdings)
{
	return holdings->job_slots > 0 || holdings->run_time > 0 || holdings->memory > 0;
}

static int set_node(struct job_order *order, size_t node, struct fathom_error *error)
{
	return fathom_policy_set_sums(order->policy, order->tree, node, &order->own[node],
				      &order->holdings[node], error);
}

/* Adds up what running jobs hold now. */
static void gather_holdings(struct job_order *order, const struct charge_book *book,
			    const struct current_jobs *jobs, const struct machine *machine,
			    double now)
{
	if (!policy_counts_holdings(order->policy))
		return;
	for (size_t i = 0; i < machine->count; i++) {
		uint32_t slot = machine->ending[i].slot;
		uint32_t node = charge_book_node(book, &jobs->at[slot]);
		struct fathom_holdings *holdings = &order->holdings[node];

		if (!charge_book_counts(book, jobs, slot))
			continue;
		if (!holds(holdings))
			order->holder[order->holder_count++] = node;
		charge_book_hold(book, jobs, slot, now, holdings);
		if (!holds(holdings))	/* nothing of the job counts */
			order->holder_count--;
	}
}

static void forget_holdings(struct job_order *order)
{
	const struct fathom_holdings none = { 0 };

	for (size_t i = 0; i < order->holder_count; i++)
		order->holdings[order->holder[i]] = none;
	order->holder_count = 0;
}

static size_t node_of_sums(const struct charge_book *book, size_t row)
{
	return fathom_policy_sums_at(book->sums, row)->association - 1;
}

/* Sets the sums as of the last pass, and what jobs hold. Nodes without sums have none in the tree
 * either. */
static int set_sums(struct job_order *order, const struct charge_book *book,
		    struct fathom_error *error)
{
	double half_life = fathom_policy_half_life(order->policy, order->settings,
						   book->half_life);
	const struct fathom_sums none = { { 0 } };

	fathom_policy_sums_collect(book->sums, half_life, order->pass, order->index, 0, SIZE_MAX,
				   order->own);
	for (size_t i = 0; i < fathom_policy_sums_count(book->sums); i++)
		if (set_node(order, node_of_sums(book, i), error))
			return -1;
	/* a node whose first job has started since the pass has no sums yet */
	for (size_t i = 0; i < order->holder_count; i++)
		if (set_node(order, order->holder[i], error))
			return -1;
	for (size_t i = 0; i < fathom_policy_sums_count(book->sums); i++)
		order->own[node_of_sums(book, i)] = none;
	return 0;
}

/* Later updates leave nodes alone that have no sums. */
int job_order_forget(struct job_order *order, struct fathom_error *error)
{
	const struct fathom_sums none = { { 0 } };
	const struct fathom_holdings nothing = { 0 };

	if (!fathom_policy_keeps_sums(order->policy))
		return 0;
	for (size_t node = 0; node < fathom_tree_count(order->tree); node++)
		if (fathom_policy_set_sums(order->policy, order->tree, node, &none, &nothing,
					   error))
			return -1;
	return 0;
}

/* Brings the tree up to date with the last pass. */
static int update_tree(struct job_order *order, const struct charge_book *book,
		       struct fathom_error *error)
{
	if (!book->sums)
		set_usage(order, book);
	else if (set_sums(order, book, error))
		return -1;
	fathom_tree_settle(order->tree);
	return 0;
}

/* Takes what jobs hold out of the tree, and the sums of their nodes, too; an update brings these
 * back. */
static int withdraw_holders(struct job_order *order, struct fathom_error *error)
{
	const struct fathom_holdings nothing = { 0 };

	for (size_t i = 0; i < order->holder_count; i++) {
		order->holdings[order->holder[i]] = nothing;
		if (set_node(order, order->holder[i], error))
			return -1;
	}
	return 0;
}

/* Brings the figures of the policy up to date with the last pass. Dispatch adds by itself what jobs
 * hold. */
static int evaluate(struct job_order *order, const struct charge_book *book,
		    const struct current_jobs *jobs, const struct machine *machine, double now,
		    struct fathom_error *error)
{
	int status;

	gather_holdings(order, book, jobs, machine, now);
	status = update_tree(order, book, error);
	fathom_evaluate(order->result, order->tree, order->settings);
	entity_figures_use(&order->entities, order->tree, order->result);
	if (!status && order->places_jobs)
		status = withdraw_holders(order, error);
	forget_holdings(order);
	/* so that the update follows */
	order->is_stale = order->places_jobs;
	return status;
}

int job_order_note_holdings(struct job_order *order, const struct charge_book *book,
			    const struct current_jobs *jobs, const struct machine *machine,
			    double now, struct fathom_error *error)
{
	struct noted_holdings *grown;

	if (!order->places_jobs)
		return 0;
	gather_holdings(order, book, jobs, machine, now);
	grown = array_grow(order->noted, &order->noted_room, order->holder_count, sizeof(*grown));
	if (!grown)
		return fathom_error_no_memory(error);
	order->noted = grown;
	order->noted_count = order->holder_count;
	order->has_noted = true;
	for (size_t i = 0; i < order->holder_count; i++)
		grown[i] = (struct noted_holdings){ order->holder[i],
						    order->holdings[order->holder[i]] };
	forget_holdings(order);
	return 0;
}

/* Does so where places follow, for a formula that uses figures. */
static int evaluate_beside_places(struct job_order *order, const struct charge_book *book,
				  const struct current_jobs *jobs, const struct machine *machine,
				  double now, struct fathom_error *error)
{
	if (!order->is_stale || !order->rules->job_formula)
		return 0;
	return evaluate(order, book, jobs, machine, now, error);
}

/* Brings what dispatch begins with up to date: the tree with the last pass, and what running jobs
 * hold with now, or with when it was noted. No walk may be under way. */
static int prepare_dispatch(struct job_order *order, const struct charge_book *book,
			    const struct current_jobs *jobs, const struct machine *machine,
			    double now, struct fathom_error *error)
{
	if (order->is_stale && update_tree(order, book, error))
		return -1;
	if (order->is_stale || order->was_passed_over)
		dispatch_renew(order->dispatch);
	order->is_stale = order->was_passed_over = false;
	if (!order->has_noted &&
	    job_order_note_holdings(order, book, jobs, machine, now, error))
		return -1;
	order->has_noted = false;
	dispatch_reset(order->dispatch);
	for (size_t i = 0; i < order->noted_count; i++)
		dispatch_hold(order->dispatch, order->noted[i].node, &order->noted[i].holdings);
	return 0;
}

/* ---- priorities -------------------------------------------------------------------------- */

/* Returns the node whose figures a job has: itself, or of the leaves that serve it the best; the
 * root if none does. */
static uint32_t node_of_figures(const struct job_order *order, const struct replay_job *job)
{
	uint32_t best;

	if (!order->leaves)
		return job->node;
	best = share_leaves_best(order->leaves, job->node, fathom_result_factor(order->result));
	return best == NO_SHARE_LEAF ? 0 : order->leaves->node[best];
}

/* A job that came after the last pass has no age yet. */
static double sum_of(const struct job_order *order, const struct replay_rules *rules,
		     const struct replay_job *job, double factor)
{
	return summed_priority(rules, &(struct summed_job){
		.job = job, .age = fmax(order->pass - job->submit, 0), .fairshare = factor,
		.own = order->result, .own_node = node_of_figures(order, job),
		.columns = order->columns->result });
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
	return isnan(factor) ? 0 : factor;
}

static double rate(const struct job_order *order, const struct replay_job *job, double factor)
{
	if (order->gives_factors)
		return isnan(factor) ? 0 : factor;
	return job_order_rate(order, order->rules, job, factor);
}

/* Whether the policy lets a job start. */
static bool may_run(const struct job_order *order, const struct replay_job *job)
{
	const struct share_leaves *leaves = order->leaves;

	return leaves ? leaves->first[job->node] < leaves->first[job->node + 1]
		      : fathom_result_may_run(order->result, order->settings, job->node);
}

static double priority_of(const struct job_order *order, const struct replay_job *job)
{
	if (!may_run(order, job))
		return NEVER;
	return rate(order, job, fathom_result_factor(order->result)[node_of_figures(order, job)]);
}

static int make_places_room(struct job_order *order, size_t count)
{
	void *grown = array_grow(order->placed, &order->room, count, sizeof(*order->placed));

	if (!grown)
		return -1;
	order->placed = grown;
	grown = array_grow(order->by_submission, &order->by_room, count,
			   sizeof(*order->by_submission));
	if (!grown)
		return -1;
	order->by_submission = grown;
	return 0;
}

/* Makes room for the leaves of placed jobs. */
static int make_leaf_room(struct job_order *order, size_t slots)
{
	uint32_t *grown;

	if (!order->leaves)
		return 0;
	grown = array_grow(order->leaf, &order->leaf_room, slots, sizeof(*grown));
	if (!grown)
		return -1;
	order->leaf = grown;
	return 0;
}

static void set_leaves(struct fathom_pending_job *job, const struct share_leaves *leaves,
		       uint32_t node)
{
	uint32_t first = leaves->first[node], count = leaves->first[node + 1] - first;

	job->node = count ? leaves->node[first] : FATHOM_NO_NODE;
	job->other_node = leaves->node + first + 1;
	job->other_count = count ? count - 1 : 0;
}

static int by_sequence(const void *a, const void *b)
{
	const struct pending *const *left = a, *const *right = b;

	return (*left)->sequence < (*right)->sequence ? -1 : 1;
}

static bool has_user(const struct job_order *order, const struct current_jobs *jobs, uint32_t slot)
{
	return fathom_tree_kind(order->tree, jobs->at[slot].job.node) == FATHOM_USER;
}

static struct fathom_pending_job pending_job(const struct job_order *order,
					     const struct current_jobs *jobs, uint32_t slot)
{
	const struct replay_job *job = &jobs->at[slot].job;
	struct fathom_pending_job pending = {
		.node = FATHOM_NO_NODE, .slots = job->cpus, .time_limit = job->estimate,
		.can_start = true,
	};

	if (order->leaves)
		set_leaves(&pending, order->leaves, job->node);
	else if (has_user(order, jobs, slot))
		pending.node = job->node;
	return pending;
}

/* Fills order->by_submission and order->placed. No job may have started. -1: ENOMEM. */
static int list_jobs(struct job_order *order, const struct current_jobs *jobs,
		     struct pending_queue *queue, struct fathom_error *error)
{
	if (make_places_room(order, queue->count) || make_leaf_room(order, jobs->used))
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < queue->count; i++)
		order->by_submission[i] = &queue->at[i];
	qsort(order->by_submission, queue->count, sizeof(*order->by_submission), by_sequence);
	for (size_t i = 0; i < queue->count; i++)
		order->placed[i] = pending_job(order, jobs, order->by_submission[i]->slot);
	return 0;
}

/* Returns the key of the leaf with this node that serves a job; 0: none does. */
static uint32_t key_of_node(const struct share_leaves *leaves, const struct replay_job *job,
			    size_t node)
{
	for (uint32_t i = leaves->first[job->node]; i < leaves->first[job->node + 1]; i++)
		if (leaves->node[i] == node)
			return leaves->key[i];
	return 0;
}

/* Sets the priority of each job by its place. */
static int set_places(struct job_order *order, const struct current_jobs *jobs,
		      struct dispatch_walk *walk, struct fathom_error *error)
{
	size_t count = walk->given->job_count, job, node;

	for (size_t i = 0; i < count; i++) {
		double factor = fathom_place_factor(i + 1, count);
		struct pending *pending;

		if (dispatch_walk_next(walk, &job, &node, error))
			return -1;
		pending = order->by_submission[job];
		if (order->leaves)
			order->leaf[pending->slot] = key_of_node(
				order->leaves, &jobs->at[pending->slot].job, node);
		pending->priority = rate(order, &jobs->at[pending->slot].job, factor);
	}
	return 0;
}

/* Dispatches the jobs of the queue as LSF does, one after the other. */
static int place_jobs(struct job_order *order, const struct current_jobs *jobs,
		      struct pending_queue *queue, struct fathom_error *error)
{
	static const struct fathom_served_queue served = { .is_fairshare = true,
							   .master = FATHOM_NO_SET };
	static const size_t tree_of = 0;
	const struct fathom_dispatch_tree tree = dispatched_tree(order);
	struct fathom_pending_jobs given = {
		.tree = &tree, .tree_count = 1, .queue = &served, .tree_of = &tree_of,
		.queue_count = 1,
	};
	struct dispatch_walk walk;
	int status;

	pending_queue_compact(queue);
	given.job_count = queue->count;
	if (list_jobs(order, jobs, queue, error))
		return -1;
	given.job = order->placed;
	status = dispatch_walk_begin(&walk, &given, &order->dispatch, error);
	if (!status)
		status = set_places(order, jobs, &walk, error);
	dispatch_walk_end(&walk);
	return status;
}

/* ---- turns ------------------------------------------------------------------------------- */

static bool has_started(const void *context, uint32_t place)
{
	const struct pending_queue *queue = context;

	return queue->at[place].slot == NO_SLOT;
}

/* Lists a job of the queue, unless it has started. */
static int list_job(struct job_order *order, const struct current_jobs *jobs,
		    const struct pending_queue *queue, uint32_t place, struct fathom_error *error)
{
	const struct fathom_dispatch_tree tree = dispatched_tree(order);
	struct fathom_pending_job job;

	if (has_started(queue, place))
		return 0;
	job = pending_job(order, jobs, queue->at[place].slot);
	if (job.node == FATHOM_NO_NODE)
		return 0;
	return dispatch_add(order->dispatch, &job, place, !dispatch_may_start(&tree, job.node),
			    error);
}

/* Lets all jobs of the queue take turns; those that did not start take them again. */
static int begin_turns(struct job_order *order, const struct current_jobs *jobs,
		       struct pending_queue *queue, struct fathom_error *error)
{
	if (queue->unmoved < order->listed) {
		dispatch_clear(order->dispatch);
		order->listed = 0;
	}
	dispatch_put_back(order->dispatch, has_started, queue);
	for (; order->listed < queue->count; order->listed++)
		if (list_job(order, jobs, queue, (uint32_t)order->listed, error))
			return -1;
	order->next_without_user = 0;
	pending_queue_take_turns(queue);
	return 0;
}

size_t job_order_next(struct job_order *order, const struct current_jobs *jobs,
		      const struct pending_queue *queue)
{
	size_t node;
	uint32_t job = dispatch_next(order->dispatch, &node);
	const struct pending *next = &queue->at[order->next_without_user];

	if (job != DISPATCH_NO_JOB)
		return job;
	while (next->slot == NO_SLOT || has_user(order, jobs, next->slot))
		next++;
	order->next_without_user = (size_t)(next - queue->at) + 1;
	return order->next_without_user - 1;
}

int job_order_best_leaf(struct job_order *order, const struct charge_book *book,
			const struct current_jobs *jobs, const struct machine *machine, double now,
			uint32_t node, uint32_t *leaf, struct fathom_error *error)
{
	const struct share_leaves *leaves = order->leaves;
	uint32_t count = leaves->first[node + 1] - leaves->first[node], best;

	*leaf = count ? leaves->key[leaves->first[node]] : 0;
	if (count < 2)
		return 0;
	if ((order->is_stale || order->places_jobs) &&
	    evaluate(order, book, jobs, machine, now, error))
		return -1;
	best = share_leaves_best(leaves, node, fathom_result_factor(order->result));
	*leaf = leaves->key[best];
	return 0;
}

static void set_priorities(const struct job_order *order, const struct current_jobs *jobs,
			   struct pending_queue *queue, size_t first)
{
	for (size_t i = first; i < queue->count; i++)
		if (queue->at[i].slot != NO_SLOT)
			queue->at[i].priority =
				priority_of(order, &jobs->at[queue->at[i].slot].job);
}

/* The jobs of one user are in the order of submission, whatever the policy. */
static void use_queue_order(struct job_order *order, struct pending_queue *queue)
{
	for (size_t i = order->has_priorities ? 0 : queue->sorted; i < queue->count; i++)
		queue->at[i].priority = 0;
	order->has_priorities = false;
}

int job_order_refresh(struct job_order *order, const struct charge_book *book,
		      const struct current_jobs *jobs, const struct machine *machine, double now,
		      size_t waiting_nodes, struct pending_queue *queue, bool *changed,
		      struct fathom_error *error)
{
	bool set_all = order->is_stale || order->places_jobs || !order->has_priorities;
	bool by_policy = !order->priority && !order->rules->job_formula;

	if (by_policy && (policy_is_first_come(order->policy) || waiting_nodes < 2)) {
		order->was_passed_over = true;
		set_all = order->has_priorities;
		use_queue_order(order, queue);
		return pending_queue_sort(queue, set_all, changed, error);
	}
	if (order->places_jobs
		    ? evaluate_beside_places(order, book, jobs, machine, now, error) ||
			      prepare_dispatch(order, book, jobs, machine, now, error)
		    : order->is_stale && evaluate(order, book, jobs, machine, now, error))
		return -1;
	if (order->takes_turns) {
		*changed = false;
		return begin_turns(order, jobs, queue, error);
	}
	if (order->places_jobs && place_jobs(order, jobs, queue, error))
		return -1;
	if (!order->places_jobs)
		set_priorities(order, jobs, queue, set_all ? 0 : queue->sorted);
	order->is_stale = false;
	order->has_priorities = true;
	return pending_queue_sort(queue, set_all, changed, error);
}
