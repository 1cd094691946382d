/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of dispatch over all queues: queue by queue in the order of service, within a queue by
 * its share tree or first come, first served. Jobs that cannot start come behind all others. So
 * jobs are sorted into groups, which are dispatched one after the other. With two queues, of which
 * `a` is served first:
 *
 *	group	jobs of		which are
 *	0, 1	a, b		jobs that can start
 *	2, 3	a, b		jobs that cannot start
 *	4, 5	a, b		jobs without a node
 */
#include "core/error.h"
#include "policy/dispatch.h"

#include <errno.h>
#include <stdlib.h>

bool fathom_policy_places_jobs(const struct fathom_policy *policy,
			       const struct fathom_settings *settings)
{
	return policy->places_jobs && policy->places_jobs(settings->value);
}

bool dispatch_may_start(const struct fathom_dispatch_tree *given, size_t node)
{
	return policy_lets_start(given->policy, given->settings, given->tree->norm_shares[node]);
}

/* Returns the tree of a job's queue; NULL: the queue is first come, first served. */
static const struct fathom_dispatch_tree *tree_of(const struct dispatch_walk *walk, uint32_t job)
{
	size_t tree = walk->given->tree_of[walk->given->job[job].queue];

	return tree == FATHOM_FIRST_COME ? NULL : &walk->given->tree[tree];
}

/* Returns whether a job, which must have a node, can start: its user may lack shares. */
static bool can_start(const struct dispatch_walk *walk, uint32_t job)
{
	const struct fathom_dispatch_tree *tree = tree_of(walk, job);
	const struct fathom_pending_job *pending = &walk->given->job[job];

	return pending->can_start && (!tree || dispatch_may_start(tree, pending->node));
}

/* Returns whether a job has the node that its queue needs; first-come queues need no node. */
static bool has_node(const struct dispatch_walk *walk, uint32_t job)
{
	return !tree_of(walk, job) || walk->given->job[job].node != FATHOM_NO_NODE;
}

/* Returns the group of a job; see the beginning of this file. */
static size_t group_of(const struct dispatch_walk *walk, uint32_t job)
{
	size_t queues = walk->given->queue_count;
	size_t served = walk->served[walk->given->job[job].queue];

	if (!has_node(walk, job))
		return 2 * queues + served;
	return can_start(walk, job) ? served : queues + served;
}

/* Sorts jobs by group with a counting sort, which keeps the order within a group. While jobs are
 * filled in, first[group + 1] is where the next job of the group goes; in the end that is the end
 * of the group, which is where the next group begins. */
static void sort_jobs(struct dispatch_walk *walk)
{
	uint32_t count = (uint32_t)walk->given->job_count;

	for (uint32_t i = 0; i < count; i++)
		walk->first[group_of(walk, i) + 2]++;
	for (size_t i = 2; i < walk->groups + 2; i++)
		walk->first[i] += walk->first[i - 1];
	for (uint32_t i = 0; i < count; i++)
		walk->job[walk->first[group_of(walk, i) + 1]++] = i;
}

/* Checks that the policies of all trees have an order of dispatch. -1: EINVAL. */
static int check_trees(const struct fathom_pending_jobs *given, struct fathom_error *error)
{
	for (size_t i = 0; i < given->tree_count; i++)
		if (given->tree[i].policy && !given->tree[i].policy->dispatch_priority)
			return fathom_error_set(error, EINVAL, "policy %s has no order of dispatch",
						given->tree[i].policy->name);
	return 0;
}

static bool is_user(const struct fathom_tree *tree, size_t node)
{
	return node < tree->node_count && tree->kind[node] == FATHOM_USER;
}

/* Checks that all nodes of a job are users. row: index of the job. -1: EINVAL. */
static int check_nodes(const struct fathom_tree *tree, const struct fathom_pending_job *job,
		       size_t row, struct fathom_error *error)
{
	if (job->node == FATHOM_NO_NODE)
		return 0;
	for (size_t i = 0; i <= job->other_count; i++) {
		size_t node = i ? job->other_node[i - 1] : job->node;

		if (!is_user(tree, node))
			return fathom_error_set_row(error, EINVAL, row,
						    "node %zu of a job is not a user", node);
	}
	return 0;
}

/* Checks the number of jobs, and the queue and nodes of each. -1: EINVAL. */
static int check_jobs(const struct fathom_pending_jobs *given, struct fathom_error *error)
{
	if (given->job_count >= UINT32_MAX)
		return fathom_error_set(error, EINVAL, "%zu pending jobs, must be less than %u",
					given->job_count, UINT32_MAX);
	for (size_t i = 0; i < given->job_count; i++) {
		const struct fathom_pending_job *job = &given->job[i];
		size_t tree;

		if (job->queue >= given->queue_count)
			return fathom_error_set_row(error, EINVAL, i, "queue %zu of a job does not "
						    "exist, must be less than %zu", job->queue,
						    given->queue_count);
		tree = given->tree_of[job->queue];
		if (tree != FATHOM_FIRST_COME && check_nodes(given->tree[tree].tree, job, i, error))
			return -1;
	}
	return 0;
}

/* ---- the walk --------------------------------------------------------------------- */

/* Finds the order of service of the queues, and sorts the jobs into groups. -1: ENOMEM, EINVAL. */
static int sort_into_groups(struct dispatch_walk *walk, struct fathom_error *error)
{
	const struct fathom_pending_jobs *given = walk->given;

	walk->groups = 3 * given->queue_count;
	walk->served = calloc(given->queue_count + 1, sizeof(*walk->served));
	walk->job = malloc((given->job_count + 1) * sizeof(*walk->job));
	walk->first = calloc(walk->groups + 2, sizeof(*walk->first));
	if (!walk->served || !walk->job || !walk->first)
		return fathom_error_no_memory(error);
	if (fathom_queue_places(given->queue, given->queue_count, walk->served, error))
		return -1;
	sort_jobs(walk);
	return 0;
}

int dispatch_walk_begin(struct dispatch_walk *walk, const struct fathom_pending_jobs *given,
			struct dispatch **dispatch, struct fathom_error *error)
{
	*walk = (struct dispatch_walk){ .given = given, .dispatch = dispatch };
	if (check_trees(given, error) || check_jobs(given, error))
		return -1;
	return sort_into_groups(walk, error);
}

/* Ends the present group. */
static void leave_group(struct dispatch_walk *walk)
{
	if (walk->current)
		dispatch_clear(walk->current);
	walk->current = NULL;
}

/* Lists the jobs of the next group in the state of its tree, if it has one. -1: ENOMEM. */
static int enter_group(struct dispatch_walk *walk, struct fathom_error *error)
{
	uint32_t job = walk->job[walk->next];
	const struct fathom_dispatch_tree *tree = tree_of(walk, job);
	struct dispatch **dispatch;

	if (!tree || !has_node(walk, job))
		return 0;
	dispatch = &walk->dispatch[tree - walk->given->tree];
	if (!*dispatch && !(*dispatch = dispatch_create(tree, error)))
		return -1;
	walk->current = *dispatch;
	return dispatch_add_all(*dispatch, walk->given->job, walk->job + walk->next,
				walk->end - walk->next, error);
}

int dispatch_walk_next(struct dispatch_walk *walk, size_t *job, size_t *node,
		       struct fathom_error *error)
{
	if (walk->next == walk->end) {
		leave_group(walk);
		while (walk->end == walk->next)		/* groups may have no jobs */
			walk->end = walk->first[++walk->group];
		if (enter_group(walk, error))
			return -1;
	}
	*node = FATHOM_NO_NODE;
	*job = walk->current ? dispatch_next(walk->current, node) : walk->job[walk->next];
	walk->next++;
	return 0;
}

void dispatch_walk_end(struct dispatch_walk *walk)
{
	leave_group(walk);
	free(walk->served);
	free(walk->job);
	free(walk->first);
	*walk = (struct dispatch_walk){ NULL };
}

/* ---- all places --------------------------------------------------------------------- */

double fathom_place_factor(size_t place, size_t count)
{
	double all = (double)count, left = (double)(count - place + 1), factor = left / all;

	/* the next greater double, so that the factor times `count` is not cut to left - 1 */
	return factor * all < left ? factor * (1 + DBL_EPSILON) : factor;
}

/* Changes the places of the jobs that can start to those in the order of slot pools. job: the
 * indices of these `count` jobs, in their order without pools. -1: ENOMEM. */
static int take_turns(const struct fathom_pending_jobs *given, const size_t *job, size_t count,
		      size_t *place, struct fathom_error *error)
{
	struct fathom_pool_job *pooled = malloc((count + 1) * sizeof(*pooled));
	size_t *order = malloc((count + 1) * sizeof(*order));
	int status = pooled && order ? 0 : fathom_error_no_memory(error);

	for (size_t i = 0; !status && i < count; i++)
		pooled[i] = (struct fathom_pool_job){ given->job[job[i]].queue,
						      (uint64_t)given->job[job[i]].slots };
	if (!status)
		status = fathom_pool_dispatch(given->turns, pooled, count, order, error);
	for (size_t i = 0; !status && i < count; i++)
		place[job[order[i]]] = i + 1;
	free(pooled);
	free(order);
	return status;
}

/* Sets all places; job[i] to the index of the job that is dispatched as number i; and *count to the
 * number of jobs that can start, which come first. -1: ENOMEM. */
static int place_all(struct dispatch_walk *walk, size_t *place, size_t *job, size_t *count,
		     struct fathom_error *error)
{
	const struct fathom_pending_jobs *given = walk->given;
	size_t node;

	*count = 0;
	for (size_t i = 0; i < given->job_count; i++) {
		if (dispatch_walk_next(walk, &job[i], &node, error))
			return -1;
		/* the groups of jobs that can start are the first ones */
		*count += walk->group - 1 < given->queue_count;
		place[job[i]] = i + 1;
		if (given->counted_at)
			given->counted_at[job[i]] = node;
	}
	return 0;
}

int fathom_dispatch_places(const struct fathom_pending_jobs *given, size_t *place,
			   struct fathom_error *error)
{
	struct dispatch **dispatch = calloc(given->tree_count + 1, sizeof(struct dispatch *));
	size_t *job = malloc((given->job_count + 1) * sizeof(*job)), can_start = 0;
	struct dispatch_walk walk = { NULL };
	int status = dispatch && job ? 0 : fathom_error_no_memory(error);

	if (!status)
		status = dispatch_walk_begin(&walk, given, dispatch, error);
	if (!status)
		status = place_all(&walk, place, job, &can_start, error);
	dispatch_walk_end(&walk);
	if (!status && given->turns)
		status = take_turns(given, job, can_start, place, error);
	for (size_t i = 0; dispatch && i < given->tree_count; i++)
		dispatch_destroy(dispatch[i]);
	free(dispatch);
	free(job);
	return status;
}
