/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists queues and finds the scheme of each. Example: partitions a, b and c, and a scope with b:
 *
 *	queue	scheme
 *	a	0
 *	b	1	(the scope)
 *	c	0
 */
#include "jobs/job_queues.h"

#include "memory/need_memory.h"
#include "policy/pbs_unknown_group.h"

#include <stdlib.h>

/* ---- schemes --------------------------------------------------------------------- */

static void evaluate(struct scheme_result *scheme, const struct snapshot *snapshot)
{
	scheme->tree = snapshot->tree;
	scheme->result = need_made(fathom_result_create(scheme->policy, snapshot->tree, NULL));
	pbs_unknown_group_set_shares(snapshot, scheme->policy, &scheme->settings);
	fathom_evaluate(scheme->result, snapshot->tree, &scheme->settings);
}

static void add_scope(struct job_queues *queues, const struct job_scope *scope,
		      const struct snapshot *snapshot)
{
	struct scheme_result *scheme = &queues->scheme[queues->scheme_count];

	*scheme = (struct scheme_result){ .policy = scope->policy, .settings = scope->settings,
					  .queue_first = scope->queue_first };
	if (snapshot) {
		need_done(snapshot_fork(&scheme->fork,
					scope->snapshot ? scope->snapshot : snapshot, NULL));
		evaluate(scheme, &scheme->fork);
	}
	for (size_t i = 0; i < scope->partition_count; i++)
		need_done(name_index_put(&queues->scheme_of, piece_of(scope->partition[i]),
					 queues->scheme_count, NULL));
	queues->scheme_count++;
}

/* Scopes go first, before settings of the rule's own policy change the tree. */
static void add_schemes(struct job_queues *queues, const struct job_rule *rule)
{
	queues->scheme = need_zeros(1 + rule->scope_count, sizeof(*queues->scheme));
	queues->scheme[queues->scheme_count++] = (struct scheme_result){
		.policy = rule->policy, .settings = rule->settings };
	for (size_t i = 0; i < rule->scope_count; i++)
		add_scope(queues, &rule->scope[i], rule->snapshot);
	if (rule->snapshot)
		evaluate(queues->scheme, rule->snapshot);
}

/* ---- queues ---------------------------------------------------------------------- */

size_t job_queues_find(struct job_queues *queues, const char *name)
{
	struct piece piece = piece_of(name ? name : "");
	size_t found = name_index_get(&queues->by_name, piece);
	size_t scheme = name_index_get(&queues->scheme_of, piece);

	if (found != NAME_INDEX_NONE)
		return found;
	queues->queue = need_room(queues->queue, &queues->room, queues->count + 1,
				  sizeof(*queues->queue));
	queues->queue[queues->count] = (struct job_queue){
		.scheme = scheme == NAME_INDEX_NONE ? 0 : scheme };
	need_done(name_index_put(&queues->by_name, piece, queues->count, NULL));
	return queues->count++;
}

/* Partitions of equal PriorityJobFactor are one class. */
static void find_classes(struct job_queues *queues, size_t scheme)
{
	double *priority = need_zeros(queues->count, sizeof(*priority));
	size_t *class_of = need_zeros(queues->count, sizeof(*class_of)), count = 0;

	for (size_t i = 0; i < queues->count; i++)
		if (queues->queue[i].scheme == scheme)
			priority[count++] = queues->queue[i].priority;
	queues->scheme[scheme].class_count = fathom_queue_classes(priority, count, class_of);
	need_done(count && !queues->scheme[scheme].class_count);
	for (size_t i = queues->count; i-- > 0;)
		if (queues->queue[i].scheme == scheme)
			queues->queue[i].class_of = class_of[--count];
	free(priority);
	free(class_of);
}

void job_queues_classify(struct job_queues *queues)
{
	for (size_t i = 0; i < queues->scheme_count; i++)
		if (queues->scheme[i].queue_first)
			find_classes(queues, i);
}

struct job_queues job_queues_create(const struct jobs *jobs, const struct job_rule *rule)
{
	struct job_queues queues = { 0 };

	add_schemes(&queues, rule);
	for (size_t i = 0; i < jobs->partition_count; i++) {
		const struct jobs_partition *partition = &jobs->partition[i];
		size_t queue = job_queues_find(&queues, jobs_text(jobs, partition->name));

		queues.queue[queue].partition = partition;
		queues.queue[queue].priority = partition->job_factor;
	}
	return queues;
}

void job_queues_clear(struct job_queues *queues)
{
	for (size_t i = 0; i < queues->scheme_count; i++) {
		fathom_result_destroy(queues->scheme[i].result);
		snapshot_fork_clear(&queues->scheme[i].fork);
	}
	name_index_clear(&queues->by_name);
	name_index_clear(&queues->scheme_of);
	free(queues->scheme);
	free(queues->queue);
}
