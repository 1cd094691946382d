/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each advance lets all usage decay from the time before, and adds what the jobs that ran since
 * then used in this interval. So each run is looked at once for each day that it touches.
 */
#include "format/accounting/daily_usage.h"

#include "memory/need_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void daily_usage_create(struct daily_usage *daily, const struct accounting_rules *rules)
{
	*daily = (struct daily_usage){ .rules = rules, .time = -INFINITY };
	/* NULL, all partitions: the tree that gets the usage is found after the jobs are read */
	accounted_associations_create(&daily->associations, NULL);
}

void daily_usage_take(const struct accounted_job *job, struct document *input, void *context)
{
	struct daily_usage *daily = context;
	size_t association = accounted_associations_find_entity(&daily->associations, input, job,
								daily->rules->system->entity);

	if (isnan(job->end) || !(job->elapsed > 0) || !accounting_counts(daily->rules, job))
		return;
	NEED_ADD(daily->run, daily->run_count, (struct daily_run){
		job->end - job->elapsed, job->end, job->billing, association });
}

static int compare_starts(const void *a, const void *b)
{
	const struct daily_run *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

void daily_usage_finish(struct daily_usage *daily, struct document *input,
			struct snapshot *snapshot)
{
	if (daily->run_count)
		qsort(daily->run, daily->run_count, sizeof(*daily->run), compare_starts);
	accounted_associations_make_tree(&daily->associations, input, snapshot);
	daily->tree = snapshot->tree;
	daily->nodes = need_made(fathom_node_index_create(daily->tree));
	daily->usage = need_zeros(daily->associations.count, sizeof(*daily->usage));
	daily->running = need_zeros(daily->run_count, sizeof(*daily->running));
}

double daily_usage_begin(const struct daily_usage *daily)
{
	return daily->run_count ? daily->run[0].start : INFINITY;
}

/* Charges a run for its seconds from daily->time to `time`. */
static void charge(struct daily_usage *daily, const struct daily_run *run, double time,
		   double half_life)
{
	double from = fmax(run->start, daily->time), until = fmin(run->end, time);

	daily->usage[run->association] +=
		run->rate * fathom_decayed_seconds(from, until, time, half_life);
}

void daily_usage_advance(struct daily_usage *daily, double time, double half_life, bool is_reset)
{
	double left = fathom_decay(time - daily->time, half_life);
	size_t kept = 0;

	for (size_t i = 0; i < daily->associations.count; i++)
		daily->usage[i] *= left;
	for (; daily->started < daily->run_count && daily->run[daily->started].start < time;
	     daily->started++)
		daily->running[daily->running_count++] = daily->started;
	for (size_t i = 0; i < daily->running_count; i++) {
		const struct daily_run *run = &daily->run[daily->running[i]];

		charge(daily, run, time, half_life);
		if (run->end > time)
			daily->running[kept++] = daily->running[i];
	}
	daily->running_count = kept;
	daily->time = time;
	if (is_reset)
		memset(daily->usage, 0, daily->associations.count * sizeof(*daily->usage));
	for (size_t i = 0; i < daily->associations.count; i++)
		fathom_tree_set_own_usage(daily->tree,
					  fathom_node_index_heir(daily->nodes, (uint32_t)i + 1, 0),
					  daily->usage[i]);
	fathom_tree_settle(daily->tree);
}
