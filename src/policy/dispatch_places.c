/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of dispatch over all queues: queue by queue in the order of service, within a queue by
 * its share tree or first come, first served. Jobs that cannot start come behind all others.
 */
#include "core/error.h"
#include "policy/dispatch.h"

#include <errno.h>
#include <stdlib.h>

struct order {
	const struct fathom_pending_jobs *given;
	struct dispatch **dispatch;	/* by tree; NULL: not needed yet */
	size_t *served;			/* by queue: its place in the order of service */
	uint32_t *job;			/* sorted by group */
	size_t *first;			/* by group: of its jobs, in `job` */
	size_t groups;			/* queues served as one: first with jobs that can start,
					 * then with others, then with those without a node */
	size_t *place;
};

bool fathom_policy_places_jobs(const struct fathom_policy *policy,
			       const struct fathom_settings *settings)
{
	return policy->places_jobs && policy->places_jobs(settings->value);
}

static const struct fathom_dispatch_tree *tree_of(const struct order *order, uint32_t job)
{
	size_t tree = order->given->tree_of[order->given->job[job].queue];

	return tree == FATHOM_FIRST_COME ? NULL : &order->given->tree[tree];
}

static bool can_start(const struct order *order, uint32_t job)
{
	const struct fathom_dispatch_tree *tree = tree_of(order, job);
	const struct fathom_pending_job *pending = &order->given->job[job];

	return pending->can_start &&
	       (!tree || !tree->policy->needs_shares ||
		!tree->policy->needs_shares(tree->settings->value) ||
		tree->tree->norm_shares[pending->node] > 0);
}

static bool has_node(const struct order *order, uint32_t job)
{
	return !tree_of(order, job) || order->given->job[job].node != FATHOM_NO_NODE;
}

static size_t group_of(const struct order *order, uint32_t job)
{
	size_t queues = order->given->queue_count;
	size_t group = order->served[order->given->job[job].queue];

	if (!has_node(order, job))
		return 2 * queues + group;
	return can_start(order, job) ? group : queues + group;
}

/* Keeps the order of jobs within a group. */
static void sort_jobs(struct order *order)
{
	uint32_t count = (uint32_t)order->given->job_count;

	for (uint32_t i = 0; i < count; i++)
		order->first[group_of(order, i) + 2]++;
	for (size_t i = 2; i < order->groups + 2; i++)
		order->first[i] += order->first[i - 1];
	for (uint32_t i = 0; i < count; i++)
		order->job[order->first[group_of(order, i) + 1]++] = i;
}

/* Jobs first come, first served. */
static void place_in_queue_order(struct order *order, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++) {
		order->place[order->job[i]] = i + 1;
		if (order->given->counted_at)
			order->given->counted_at[order->job[i]] = FATHOM_NO_NODE;
	}
}

static int place_group(struct order *order, size_t begin, size_t end, struct fathom_error *error)
{
	const struct fathom_dispatch_tree *tree = tree_of(order, order->job[begin]);
	struct dispatch_order part = { order->job + begin, end - begin, order->place,
				       order->given->counted_at };
	struct dispatch **dispatch;

	if (!tree || !has_node(order, order->job[begin])) {
		place_in_queue_order(order, begin, end);
		return 0;
	}
	dispatch = &order->dispatch[tree - order->given->tree];
	if (!*dispatch && !(*dispatch = dispatch_create(tree, error)))
		return -1;
	return dispatch_jobs(*dispatch, order->given->job, &part, begin, error);
}

static int check_trees(const struct fathom_pending_jobs *given, struct fathom_error *error)
{
	for (size_t i = 0; i < given->tree_count; i++)
		if (!given->tree[i].policy->dispatch_priority)
			return fathom_error_set(error, EINVAL, "policy %s has no order of dispatch",
						given->tree[i].policy->name);
	return 0;
}

static bool is_user(const struct fathom_tree *tree, size_t node)
{
	return node < tree->node_count && tree->kind[node] == FATHOM_USER;
}

static int check_nodes(const struct fathom_tree *tree, const struct fathom_pending_job *job,
		       size_t row, struct fathom_error *error)
{
	size_t node = job->node;

	if (node == FATHOM_NO_NODE)
		return 0;
	for (size_t i = 0; is_user(tree, node) && i < job->other_count; i++)
		node = job->other_node[i];
	if (is_user(tree, node))
		return 0;
	return fathom_error_set_row(error, EINVAL, row, "node %zu of a job is no user", node);
}

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
		if (tree != FATHOM_FIRST_COME &&
		    check_nodes(given->tree[tree].tree, job, i, error))
			return -1;
	}
	return 0;
}

static int place_groups(struct order *order, struct fathom_error *error)
{
	const struct fathom_pending_jobs *given = order->given;

	order->groups = 3 * given->queue_count;
	order->served = calloc(given->queue_count + 1, sizeof(*order->served));
	order->job = calloc(given->job_count + 1, sizeof(*order->job));
	order->first = calloc(order->groups + 2, sizeof(*order->first));
	if (!order->served || !order->job || !order->first)
		return fathom_error_no_memory(error);
	if (fathom_queue_places(given->queue, given->queue_count, order->served, error))
		return -1;
	sort_jobs(order);
	for (size_t i = 0; i < order->groups; i++)
		if (order->first[i] < order->first[i + 1] &&
		    place_group(order, order->first[i], order->first[i + 1], error))
			return -1;
	return 0;
}

double fathom_place_factor(size_t place, size_t count)
{
	double all = (double)count, left = (double)(count - place + 1), factor = left / all;

	return factor * all < left ? factor * (1 + DBL_EPSILON) : factor;
}

int dispatch_places(const struct fathom_pending_jobs *given, struct dispatch **dispatch,
		    size_t *place, struct fathom_error *error)
{
	struct order order = { .given = given, .dispatch = dispatch, .place = place };
	int status;

	if (check_trees(given, error) || check_jobs(given, error))
		return -1;
	status = place_groups(&order, error);
	free(order.served);
	free(order.job);
	free(order.first);
	return status;
}

int fathom_dispatch_places(const struct fathom_pending_jobs *given, size_t *place,
			   struct fathom_error *error)
{
	struct dispatch **dispatch = calloc(given->tree_count + 1, sizeof(struct dispatch *));
	int status;

	if (!dispatch)
		return fathom_error_no_memory(error);
	status = dispatch_places(given, dispatch, place, error);
	for (size_t i = 0; i < given->tree_count; i++)
		dispatch_destroy(dispatch[i]);
	free(dispatch);
	return status;
}
