/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists partitions as queues, and finds the scheme of each. Example: partitions a, b and c, and a
 * scope with b:
 *
 *	queue	scheme
 *	a	0
 *	b	1	(the scope)
 *	c	0
 *
 * Then sorts the rows of pending jobs in queue order, and lets fathom_dispatch_places() place them:
 * each scheme whose policy places jobs has a tree, and its partitions are served as one queue, here
 * a and c.
 */
#include "jobs/job_places.h"

#include "jobs/job_states.h"
#include "jobs/need_trees.h"
#include "memory/need_names.h"
#include "policy/pbs_unknown_group.h"
#include "policy/traits.h"

#include <math.h>
#include <stdlib.h>

/* ---- schemes --------------------------------------------------------------------- */

/* Evaluates a tree by the policy of the scheme, whose settings may change shares in the tree. */
static void evaluate_scheme(struct scheme_result *scheme, const struct snapshot *snapshot)
{
	scheme->tree = snapshot->tree;
	scheme->result = need_result(scheme->policy, snapshot->tree);
	pbs_unknown_group_set_shares(snapshot, scheme->policy, &scheme->settings);
	fathom_evaluate(scheme->result, snapshot->tree, &scheme->settings);
	scheme->figures = json_columns_of(scheme->policy, scheme->result);
}

/* Adds the scheme of a scope. snapshot: the rule's, or NULL. */
static void add_scope(struct job_queues *queues, const struct job_scope *scope,
		      const struct snapshot *snapshot)
{
	struct scheme_result *scheme = &queues->scheme[queues->scheme_count];

	*scheme = (struct scheme_result){ .policy = scope->policy, .settings = scope->settings,
					  .queue_first = scope->queue_first };
	if (snapshot)
		evaluate_scheme(scheme, need_fork(scope->snapshot ? scope->snapshot : snapshot));
	for (size_t i = 0; i < scope->partition_count; i++)
		need_put(queues->scheme_of, piece_of(scope->partition[i]), queues->scheme_count);
	queues->scheme_count++;
}

/* Adds the rule's own scheme and those of its scopes. Scopes are evaluated first, in copies of the
 * tree, before settings of the rule's own policy change the tree. */
static void add_schemes(struct job_queues *queues, const struct job_rule *rule)
{
	queues->scheme = need_zeros(1 + rule->scope_count, sizeof(*queues->scheme));
	queues->scheme[queues->scheme_count++] = (struct scheme_result){
		.policy = rule->policy, .settings = rule->settings };
	for (size_t i = 0; i < rule->scope_count; i++)
		add_scope(queues, &rule->scope[i], rule->snapshot);
	if (rule->snapshot)
		evaluate_scheme(queues->scheme, rule->snapshot);
	if (rule->figures)
		queues->scheme->figures = *rule->figures;
	if (rule->recorded_factor)
		queues->scheme->figures.factor = rule->recorded_factor;
}

/* ---- queues ---------------------------------------------------------------------- */

size_t job_queues_find(struct job_queues *queues, const char *name)
{
	size_t number = need_name(queues->names, name ? name : ""), scheme;

	if (number < queues->count)
		return number;
	scheme = name_index_get(queues->scheme_of, piece_of(queues->names->name[number]));
	queues->queue = need_room(queues->queue, &queues->room, queues->count + 1,
				  sizeof(*queues->queue));
	queues->queue[queues->count] = (struct job_queue){
		.scheme = scheme == NAME_INDEX_NONE ? 0 : scheme };
	return queues->count++;
}

/* Sets the classes of a scheme's queues: partitions of equal PriorityJobFactor are one class.
 * Collects the priorities of these queues, and hands out the classes from the last one back. */
static void find_classes(struct job_queues *queues, size_t scheme)
{
	double *priority = need_zeros(queues->count, sizeof(*priority));
	size_t *class_of = need_zeros(queues->count, sizeof(*class_of)), count = 0;

	for (size_t i = 0; i < queues->count; i++)
		if (queues->queue[i].scheme == scheme)
			priority[count++] = queues->queue[i].priority;
	queues->scheme[scheme].class_count = fathom_queue_classes(priority, count, class_of);
	/* no classes for some queues: out of memory */
	need_done(count && !queues->scheme[scheme].class_count ? -1 : 0);
	for (size_t i = queues->count; i-- > 0;)
		if (queues->queue[i].scheme == scheme)
			queues->queue[i].queue_class = class_of[--count];
}

void job_queues_classify(struct job_queues *queues)
{
	for (size_t i = 0; i < queues->scheme_count; i++)
		if (queues->scheme[i].queue_first)
			find_classes(queues, i);
}

struct job_queues job_queues_create(const struct jobs *jobs, const struct job_rule *rule)
{
	struct job_queues queues = { .names = need_names(), .scheme_of = need_index() };

	add_schemes(&queues, rule);
	for (size_t i = 0; i < jobs->partition_count; i++) {
		const struct jobs_partition *partition = &jobs->partition[i];
		size_t queue = job_queues_find(&queues, jobs_text(jobs, partition->name));

		queues.queue[queue].partition = partition;
		queues.queue[queue].priority = partition->job_factor;
	}
	return queues;
}

/* ---- which rows have places ------------------------------------------------------------- */

/* Returns whether jobs of the scheme have places in an order of dispatch. */
static bool places_jobs(const struct scheme_result *scheme)
{
	return fathom_policy_places_jobs(scheme->policy, &scheme->settings);
}

bool job_places_wanted(const struct job_queues *queues)
{
	for (size_t i = 0; i < queues->scheme_count; i++)
		if (places_jobs(&queues->scheme[i]))
			return true;
	return false;
}

/* Returns whether the row of this origin gets a place, see job_places_set(). */
static bool has_place(const struct job_queues *queues, const struct row_origin *origin)
{
	size_t index = queues->queue[origin->queue].scheme;
	const struct scheme_result *scheme = &queues->scheme[index];

	return origin->node != JOB_NO_NODE && origin->job->state == JOB_STATE_PENDING &&
	       isnan(origin->job->fairshare) &&
	       (places_jobs(scheme) || policy_is_first_come(scheme->policy));
}

/* ---- queue order ------------------------------------------------------------------------ */

/* A row that gets a place, with what it is sorted by. */
struct pending_row {
	struct job_row *row;
	const struct row_origin *origin;
	double partition_factor;	/* PriorityJobFactor */
	double priority;		/* without fair share, see own_priority() */
};

/* Returns the job's priority without its fair share, or all of it if an administrator has set it. 0
 * under a formula, whose value cannot be divided so. */
static double own_priority(const struct job_list *list, const struct job_row *row)
{
	double sum = row->weighted.site - (double)row->weighted.nice;

	if (row->is_set)
		return row->priority;
	if (list->formula)
		return 0;
	for (size_t factor = 0; factor < JOB_FACTOR_COUNT; factor++)
		if (factor != JOB_FAIRSHARE)
			sum += row->weighted.factor[factor];
	for (size_t tres = 0; tres < list->tres_count; tres++)
		sum += row->weighted.tres[tres];
	return floor(sum);
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* Compares by queue order: the greatest priority of the partition first, then that of the job, then
 * the earliest submission, the least id, and the order of the list's rows. */
static int compare_pending(const void *first, const void *second)
{
	const struct pending_row *a = first, *b = second;
	const struct job *job_a = a->origin->job, *job_b = b->origin->job;
	int order = compare_numbers(b->partition_factor, a->partition_factor);

	if (!order)
		order = compare_numbers(b->priority, a->priority);
	if (!order)
		order = compare_numbers(job_a->submit_time, job_b->submit_time);
	if (!order)
		order = (job_a->id > job_b->id) - (job_a->id < job_b->id);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* Lists the rows that get places, in queue order. pending: has room for all rows of the list.
 * Returns how many there are. */
static size_t list_pending(const struct job_list *list, const struct row_origin *origin,
			   const struct job_queues *queues, struct pending_row *pending)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		if (has_place(queues, &origin[i]))
			pending[count++] = (struct pending_row){
				.row = &list->row[i], .origin = &origin[i],
				.partition_factor = queues->queue[origin[i].queue].priority,
				.priority = own_priority(list, &list->row[i]),
			};
	qsort(pending, count, sizeof(*pending), compare_pending);
	return count;
}

/* ---- dispatch --------------------------------------------------------------------------- */

double job_minutes(const struct job *job, const struct jobs_partition *partition)
{
	if (job->time_limit > 0)
		return job->time_limit;
	return partition ? partition->max_time : 0;
}

/* Returns a job for fathom_dispatch_places(). */
static struct fathom_pending_job pending_job(const struct row_origin *origin,
					     const struct job_queues *queues)
{
	const struct job *job = origin->job;

	return (struct fathom_pending_job){
		.queue = origin->queue, .node = origin->node,
		.slots = fmax(job->cpus, 1) * fmax(job->array_tasks, 1),
		.time_limit = job_minutes(job, queues->queue[origin->queue].partition) * 60,
		.can_start = !job->held && !job->depends && !job->waits,
	};
}

/* Returns a queue for fathom_dispatch_places(). Queues of one scheme are a cross-queue set with the
 * first of them as its master, unless the scheme serves jobs first come, first served. */
static struct fathom_served_queue served_queue(const struct job_queues *queues, size_t index)
{
	const struct job_queue *queue = &queues->queue[index];
	const struct scheme_result *scheme = &queues->scheme[queue->scheme];
	size_t first = 0;

	while (queues->queue[first].scheme != queue->scheme)
		first++;
	return (struct fathom_served_queue){
		.priority = queue->priority, .is_fairshare = places_jobs(scheme),
		.master = places_jobs(scheme) ? first : FATHOM_NO_SET,
		.queue_first = scheme->queue_first,
	};
}

/* Lists the trees of schemes that place jobs, and sets tree_of[] of each queue to the index of its
 * tree, or FATHOM_FIRST_COME. Returns how many trees there are. */
static size_t list_trees(const struct job_queues *queues, struct fathom_dispatch_tree *tree,
			 size_t *tree_of)
{
	size_t count = 0;

	for (size_t i = 0; i < queues->scheme_count; i++) {
		const struct scheme_result *scheme = &queues->scheme[i];
		bool is_placed = places_jobs(scheme);

		for (size_t queue = 0; queue < queues->count; queue++)
			if (queues->queue[queue].scheme == i)
				tree_of[queue] = is_placed ? count : FATHOM_FIRST_COME;
		if (is_placed)
			tree[count++] = (struct fathom_dispatch_tree){
				scheme->policy, &scheme->settings, scheme->tree };
	}
	return count;
}

size_t job_places_set(struct job_list *list, const struct row_origin *origin,
		      const struct job_queues *queues)
{
	/* pending, job and place are by place in queue order; served and tree_of by queue */
	struct pending_row *pending = need_zeros(list->count, sizeof(*pending));
	size_t count = list_pending(list, origin, queues, pending);
	struct fathom_dispatch_tree *tree = need_zeros(queues->scheme_count, sizeof(*tree));
	struct fathom_served_queue *served = need_zeros(queues->count, sizeof(*served));
	size_t *tree_of = need_zeros(queues->count, sizeof(*tree_of));
	struct fathom_pending_job *job = need_zeros(count, sizeof(*job));
	size_t *place = need_zeros(count, sizeof(*place));

	for (size_t i = 0; i < queues->count; i++)
		served[i] = served_queue(queues, i);
	for (size_t i = 0; i < count; i++)
		job[i] = pending_job(pending[i].origin, queues);
	need_done(fathom_dispatch_places(&(struct fathom_pending_jobs){
			.tree = tree, .tree_count = list_trees(queues, tree, tree_of),
			.queue = served, .tree_of = tree_of, .queue_count = queues->count,
			.job = job, .job_count = count }, place, NULL));
	for (size_t i = 0; i < count; i++)
		pending[i].row->place = (double)place[i];
	return count;
}
