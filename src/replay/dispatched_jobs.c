/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two ways to dispatch the pending jobs of a replay. With places, all jobs are dispatched at once,
 * and each gets the factor of its place as priority. With turns, the scheduler asks for one job
 * after the other, and stops when nothing fits any more; jobs that it did not start are put back:
 *
 *	cycle 1		pending a1 a2 b1	asks, gets a1, starts it; asks, gets b1: no room
 *	cycle 2		pending a2 b1		b1 was put back; a2 or b1 goes first
 */
#include "replay/job_orders.h"

/* ---- create ---------------------------------------------------------------------------- */

NEED_DESTROYER(destroy_dispatch, dispatch_destroy)

void dispatched_jobs_create(struct dispatched_jobs *dispatched, const struct order_tree *tree,
			    bool takes_turns)
{
	*dispatched = (struct dispatched_jobs){ .given = {
		.policy = tree->policy, .settings = tree->settings, .tree = tree->copy } };
	dispatched->by_users = takes_turns && user_turns_suit(&dispatched->given);
	if (dispatched->by_users)
		user_turns_create(&dispatched->users, &dispatched->given);
	dispatched->dispatch = need_owned(dispatch_create(&dispatched->given, NULL),
					  destroy_dispatch);
}

/* ---- what running jobs hold --------------------------------------------------------------- */

void dispatched_jobs_note(struct dispatched_jobs *dispatched, struct order_tree *tree,
			  const struct replay_moment *moment)
{
	order_tree_count(tree, moment);
	dispatched->noted = need_room(dispatched->noted, &dispatched->noted_room,
				      tree->holder_count, sizeof(*dispatched->noted));
	dispatched->noted_count = tree->holder_count;
	dispatched->has_noted = true;
	for (size_t i = 0; i < tree->holder_count; i++)
		dispatched->noted[i] = (struct noted_holdings){
			tree->holder[i], tree->holdings[tree->holder[i]] };
	order_tree_uncount(tree);
}

void dispatched_jobs_forget(struct dispatched_jobs *dispatched)
{
	if (dispatched->by_users)
		user_turns_clear(&dispatched->users);
	else
		dispatch_clear(dispatched->dispatch);
	dispatched->listed = dispatched->without_user = 0;
}

void dispatched_jobs_begin(struct dispatched_jobs *dispatched, struct order_tree *tree,
			   const struct replay_moment *moment, bool has_changed)
{
	if (!dispatched->has_noted)
		dispatched_jobs_note(dispatched, tree, moment);
	dispatched->has_noted = false;
	if (dispatched->by_users)
		return;
	if (has_changed)
		dispatch_renew(dispatched->dispatch);
	dispatch_reset(dispatched->dispatch);
	for (size_t i = 0; i < dispatched->noted_count; i++)
		dispatch_hold(dispatched->dispatch, dispatched->noted[i].node,
			      &dispatched->noted[i].holdings);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

/* Returns whether the association of a job is a user; else the job is not dispatched. */
static bool has_user(const struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
		     uint32_t slot)
{
	return fathom_tree_kind(dispatched->given.tree, jobs->job[slot].given.node) == FATHOM_USER;
}

/* Returns a job as policy/dispatch.h takes it; node FATHOM_NO_NODE: it cannot be dispatched. */
static struct fathom_pending_job pending_job(const struct dispatched_jobs *dispatched,
					     const struct current_jobs *jobs, uint32_t slot)
{
	const struct replay_job *job = &jobs->job[slot].given;
	struct fathom_pending_job pending = {
		.node = FATHOM_NO_NODE, .slots = job->cpus, .time_limit = job->limit,
		.can_start = true,
	};

	if (dispatched->leaves)
		share_leaves_set_nodes(dispatched->leaves, job->node, &pending);
	else if (has_user(dispatched, jobs, slot))
		pending.node = job->node;
	return pending;
}

/* ---- places -------------------------------------------------------------------------------- */

/* Makes room for the places of `count` jobs, and for the leaves of all slots. */
static void make_room(struct dispatched_jobs *dispatched, size_t count, size_t slots)
{
	dispatched->placed = need_room(dispatched->placed, &dispatched->room, count,
				       sizeof(*dispatched->placed));
	dispatched->by_submission = need_room(dispatched->by_submission, &dispatched->by_room,
					      count, sizeof(*dispatched->by_submission));
	if (dispatched->leaves)
		dispatched->leaf = need_room(dispatched->leaf, &dispatched->leaf_room, slots,
					     sizeof(*dispatched->leaf));
}

/* Compares pointers to two jobs of a queue by their sequence, which no two jobs share. */
static int by_sequence(const void *a, const void *b)
{
	const struct pending *const *left = a, *const *right = b;

	return (*left)->sequence < (*right)->sequence ? -1 : 1;
}

/* Fills by_submission and placed with all jobs of the queue, none of which may have started. */
static void list_jobs(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
		      struct pending_queue *queue)
{
	make_room(dispatched, queue->count, jobs->used);
	for (size_t i = 0; i < queue->count; i++)
		dispatched->by_submission[i] = &queue->job[i];
	qsort(dispatched->by_submission, queue->count, sizeof(*dispatched->by_submission),
	      by_sequence);
	for (size_t i = 0; i < queue->count; i++)
		dispatched->placed[i] =
			pending_job(dispatched, jobs, dispatched->by_submission[i]->slot);
}

/* Takes all jobs from a walk; sets their priorities to the factors of their places and, if the tree
 * has leaves, the leaves at which they were placed. */
static void set_places(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
		       struct dispatch_walk *walk)
{
	size_t count = walk->given->job_count;

	for (size_t i = 0; i < count; i++) {
		size_t job, node;
		struct pending *pending;

		need_done(dispatch_walk_next(walk, &job, &node, NULL));
		pending = dispatched->by_submission[job];
		if (dispatched->leaves)
			dispatched->leaf[pending->slot] = share_leaves_key(
				dispatched->leaves, jobs->job[pending->slot].given.node, node);
		pending->priority = fathom_place_factor(i + 1, count);
	}
}

void dispatched_jobs_place(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
			   struct pending_queue *queue)
{
	static const struct fathom_served_queue served = { .is_fairshare = true,
							   .master = FATHOM_NO_SET };
	static const size_t tree_of = 0;
	struct fathom_pending_jobs given = {
		.tree = &dispatched->given, .tree_count = 1, .queue = &served, .tree_of = &tree_of,
		.queue_count = 1,
	};
	struct dispatch_walk walk;

	pending_queue_compact(queue);
	given.job_count = queue->count;
	list_jobs(dispatched, jobs, queue);
	given.job = dispatched->placed;
	need_done(dispatch_walk_begin(&walk, &given, &dispatched->dispatch, NULL));
	set_places(dispatched, jobs, &walk);
	dispatch_walk_end(&walk);
}

/* ---- turns --------------------------------------------------------------------------------- */

/* Returns whether the job at a place of the queue has started. context: the queue. */
static bool has_started(const void *context, uint32_t place)
{
	const struct pending_queue *queue = context;

	return queue->job[place].slot == NO_SLOT;
}

/* Lists the job at a place of the queue for its user's turns, unless it has started. */
static void list_job(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
		     const struct pending_queue *queue, uint32_t place)
{
	struct fathom_pending_job job;

	if (has_started(queue, place))
		return;
	job = pending_job(dispatched, jobs, queue->job[place].slot);
	if (job.node == FATHOM_NO_NODE)
		dispatched->without_user++;
	else if (dispatched->by_users)
		user_turns_add(&dispatched->users, (uint32_t)job.node, &queue->job[place], place);
	else
		need_done(dispatch_add(dispatched->dispatch, &job, place,
				       !dispatch_may_start(&dispatched->given, job.node), NULL));
}

/* Begins a cycle of `users`, with what running jobs hold. */
static void begin_users(struct dispatched_jobs *dispatched, const struct pending_queue *queue)
{
	user_turns_begin(&dispatched->users, queue);
	for (size_t i = 0; i < dispatched->noted_count; i++)
		user_turns_hold(&dispatched->users, dispatched->noted[i].node,
				&dispatched->noted[i].holdings);
}

void dispatched_jobs_take_turns(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
				struct pending_queue *queue)
{
	if (queue->unmoved < dispatched->listed)	/* listed jobs have other places now */
		dispatched_jobs_forget(dispatched);
	if (!dispatched->by_users)
		dispatch_put_back(dispatched->dispatch, has_started, queue);
	for (; dispatched->listed < queue->count; dispatched->listed++)
		list_job(dispatched, jobs, queue, (uint32_t)dispatched->listed);
	if (dispatched->by_users)
		begin_users(dispatched, queue);
	dispatched->next_without_user = 0;
	pending_queue_take_turns(queue);
}

/* Returns the place of the next job without a user that may be within the limits; the number of
 * jobs: there is none. Jobs without a user go behind all others, in the order of the queue. */
static size_t next_without_user(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
				const struct pending_queue *queue,
				const struct pending_limits *limits)
{
	size_t at = dispatched->without_user ? dispatched->next_without_user : queue->count;

	while ((at = pending_queue_find(queue, at, limits)) < queue->count &&
	       has_user(dispatched, jobs, queue->job[at].slot))
		at++;
	dispatched->next_without_user = at + 1;
	return at;
}

size_t dispatched_jobs_next(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
			    struct pending_queue *queue, const struct pending_limits *limits)
{
	size_t place = SIZE_MAX, node;	/* node: where the job counts, which does not matter here */

	if (dispatched->by_users)
		place = user_turns_next(&dispatched->users, limits);
	else if (pending_queue_take_turn(queue, limits))
		place = dispatch_next(dispatched->dispatch, &node);
	if (place != SIZE_MAX && place != DISPATCH_NO_JOB)
		return place;
	return next_without_user(dispatched, jobs, queue, limits);
}
