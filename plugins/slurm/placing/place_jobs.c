/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "placing/place_jobs.h"

#include "base/log.h"
#include "core/error.h"
#include "placing/pending.h"
#include "placing/place_pools.h"
#include "results/scope_tree.h"

#include <stdlib.h>

/* ---- placing ----------------------------------------------------------------------- */

/* A pending job with what it is sorted by. */
struct sorted_pair {
	const struct pending_pair *pair;
	const struct placed_partition *partition;
	double priority;	/* without that of the partition */
	uint32_t node;
};

struct placing {
	const struct placing_basis *basis;
	const struct settings *settings;
	const struct pending *pending;
	struct sorted_pair *sorted;
	size_t count;
	struct fathom_dispatch_tree *tree;
	size_t tree_count;
	size_t *tree_of_scheme;		/* or FATHOM_FIRST_COME */
	struct fathom_served_queue *queue;	/* see number_queues() */
	size_t queue_count;
	size_t *queue_of;		/* by partition and scheme: number of the queue, from 1 */
	size_t *tree_of;
	struct fathom_pending_job *job;
	size_t *place, *counted_at;
	struct running *run;
};

/* The factor by which a policy without places orders jobs within a partition; 0: not known. */
static double factor_in(const struct placing *placing, const struct pending_pair *pair)
{
	const struct evaluation *evaluation = placing->basis->evaluation;
	const struct fairshare_inputs *inputs;
	const struct fairshare_scoped *scoped;

	if (placing->settings->scheme[pair->scheme].role == SCHEME_SCOPE) {
		scoped = evaluation_scoped(evaluation, placing->settings, pair->scheme,
					   pair->association);
		return scoped ? scoped->factor : 0;
	}
	inputs = evaluation_inputs(evaluation, pair->association);
	return inputs ? inputs->factor : 0;
}

static double priority_of(const struct placing *placing, const struct pending_pair *pair)
{
	double weight = placing->settings->priority.weight.fairshare;

	if (scheme_orders_jobs(&placing->settings->scheme[pair->scheme]))
		return (double)pair->priority;
	return (double)pair->priority + MAX(weight, 1) * factor_in(placing, pair);
}

/* By partition, job priority, submission. */
static int compare_pairs(const void *x, const void *y)
{
	const struct sorted_pair *a = x, *b = y;

	if (a->partition->priority != b->partition->priority)
		return a->partition->priority < b->partition->priority ? 1 : -1;
	if (a->priority != b->priority)
		return a->priority < b->priority ? 1 : -1;
	if (a->pair->submitted != b->pair->submitted)
		return a->pair->submitted > b->pair->submitted ? 1 : -1;
	if (a->pair->job != b->pair->job)
		return a->pair->job > b->pair->job ? 1 : -1;
	return (a->pair > b->pair) - (a->pair < b->pair);
}

/* Jobs of associations that are not in the tree yet have no place. */
static void sort_pairs(struct placing *placing)
{
	const struct pending *pending = placing->pending;
	const struct associations *associations = placing->basis->associations;

	for (size_t i = 0; i < pending->pair_count; i++) {
		const struct pending_pair *pair = &pending->pair[i];
		const struct placed_partition *partition = &pending->partition[pair->partition];
		uint32_t node;

		if (!placed_partition_has_places(partition, placing->settings, pair->scheme) ||
		    !associations_find(associations, pair->association, &node) ||
		    fathom_tree_kind(associations->tree, node) != FATHOM_USER)
			continue;
		placing->sorted[placing->count++] = (struct sorted_pair){
			pair, partition, priority_of(placing, pair), node };
	}
	qsort(placing->sorted, placing->count, sizeof(*placing->sorted), compare_pairs);
}

/* The jobs of a partition that go by one scope are a queue. The first queues are those of the
 * partitions' own scopes, in the order of slurm.conf; behind them come those of jobs that require
 * nodes of another scope. -1: out of memory. */
static int number_queues(struct placing *placing)
{
	const struct pending *pending = placing->pending;
	size_t schemes = placing->settings->scheme_count;

	placing->queue_count = pending->partition_count;
	placing->queue_of = calloc(pending->partition_count * schemes + 1,
				   sizeof(*placing->queue_of));
	if (!placing->queue_of)
		return -1;
	for (size_t i = 0; i < pending->partition_count; i++)
		placing->queue_of[i * schemes + pending->partition[i].scheme] =
			1 + pending->partition[i].order;
	for (size_t i = 0; i < pending->pair_count; i++) {
		size_t *queue = &placing->queue_of[pending->pair[i].partition * schemes +
						   pending->pair[i].scheme];

		if (!*queue)
			*queue = ++placing->queue_count;
	}
	return 0;
}

/* Queues of one scheme are served as one, unless it is first come, first served. */
static void set_masters(struct placing *placing, const size_t *scheme_of)
{
	size_t master[placing->settings->scheme_count];

	for (size_t i = placing->queue_count; i > 0; i--)
		master[scheme_of[i - 1]] = i - 1;
	for (size_t i = 0; i < placing->queue_count; i++)
		placing->queue[i].master = placing->queue[i].is_fairshare ? master[scheme_of[i]]
									  : FATHOM_NO_SET;
}

static void list_queues(struct placing *placing)
{
	const struct pending *pending = placing->pending;
	size_t schemes = placing->settings->scheme_count;
	size_t *scheme_of = placing->place;	/* by queue; not in use yet */

	for (size_t i = 0; i < pending->partition_count * schemes; i++) {
		size_t queue = placing->queue_of[i] - 1, scheme = i % schemes;

		if (!placing->queue_of[i])
			continue;
		scheme_of[queue] = scheme;
		placing->tree_of[queue] = placing->tree_of_scheme[scheme];
		placing->queue[queue] = (struct fathom_served_queue){
			.priority = pending->partition[i / schemes].priority,
			.is_fairshare = placing->tree_of[queue] != FATHOM_FIRST_COME,
			.queue_first = placing->settings->scheme[scheme].scope->queue_first,
		};
	}
	set_masters(placing, scheme_of);
}

/* The tree of a scheme with UserShares, whose jobs have places; else NULL. */
static struct scope_tree *own_tree(const struct placing *placing, size_t scheme)
{
	return placing->tree_of_scheme[scheme] != FATHOM_FIRST_COME
		       ? schemes_own_tree(placing->basis->schemes, scheme) : NULL;
}

/* Sets the nodes of a job to the leaves that serve its association. */
static void set_leaves(struct fathom_pending_job *job, const struct scope_tree *own,
		       uint32_t association)
{
	const struct share_leaves *leaves = &own->shares.leaves;
	uint32_t first = leaves->first[association], count = leaves->first[association + 1] - first;

	job->node = count ? leaves->node[first] : FATHOM_NO_NODE;
	job->other_node = leaves->node + first + 1;
	job->other_count = count ? count - 1 : 0;
}

static void list_pending_jobs(struct placing *placing)
{
	size_t schemes = placing->settings->scheme_count;

	for (size_t i = 0; i < placing->count; i++) {
		const struct sorted_pair *sorted = &placing->sorted[i];
		const struct pending_pair *pair = sorted->pair;
		const struct scope_tree *own = own_tree(placing, pair->scheme);

		placing->job[i] = (struct fathom_pending_job){
			.queue = placing->queue_of[pair->partition * schemes + pair->scheme] - 1,
			.node = sorted->node,
			.slots = sorted->pair->slots,
			.time_limit = sorted->pair->time_limit,
			.can_start = sorted->pair->can_start,
		};
		if (own)
			set_leaves(&placing->job[i], own, sorted->node);
	}
}

static void list_running(struct placing *placing)
{
	const struct pending *pending = placing->pending;

	for (size_t i = 0; i < pending->run_count; i++) {
		const struct pending_run *run = &pending->run[i];

		placing->run[i] = (struct running){
			.run.id = {
				.job = run->job,
				.association = run->association,
				.array = run->array,
				.partition = run->partition < pending->partition_count
					? pending->partition[run->partition].name : NULL,
			},
			.run.rate = {
				.usage_factor = run->usage_factor, .limit = run->limit,
				.tres = (uint64_t *)run->tres, .tres_count = TRES_ARRAY_MEM + 1,
				.part = run->part_count ? pending->part + run->part : NULL,
				.part_count = run->part_count,
			},
			.charged_until = (double)pending->now,
			.ran = run->ran,
		};
	}
	for (size_t i = 0; i < placing->settings->scheme_count; i++)
		schemes_find_leaves(placing->basis->schemes, i, placing->run,
				    pending->run_count);
}

static int list_trees(struct placing *placing, struct fathom_error *problem)
{
	const struct settings *settings = placing->settings;

	for (size_t i = 0; i < settings->scheme_count; i++) {
		const struct scheme *scheme = &settings->scheme[i];
		const struct fathom_tree *tree;

		placing->tree_of_scheme[i] = FATHOM_FIRST_COME;
		if (!scheme_places_jobs(scheme))
			continue;
		tree = schemes_tree_holding(placing->basis->schemes, i, placing->run,
					    placing->pending->run_count, problem);
		if (!tree)
			return -1;
		placing->tree_of_scheme[i] = placing->tree_count;
		placing->tree[placing->tree_count++] = (struct fathom_dispatch_tree){
			scheme->policy, &scheme->settings, tree,
		};
	}
	return 0;
}

static int make_room(struct placing *placing)
{
	size_t schemes = placing->settings->scheme_count;
	size_t pairs = placing->pending->pair_count + 1;
	size_t queues;

	if (number_queues(placing))
		return -1;
	queues = placing->queue_count + 1;

	placing->sorted = malloc(pairs * sizeof(*placing->sorted));
	placing->tree = calloc(schemes, sizeof(*placing->tree));
	placing->tree_of_scheme = calloc(schemes, sizeof(*placing->tree_of_scheme));
	placing->queue = calloc(queues, sizeof(*placing->queue));
	placing->tree_of = calloc(queues, sizeof(*placing->tree_of));
	placing->job = malloc(pairs * sizeof(*placing->job));
	placing->place = malloc(MAX(pairs, queues) * sizeof(*placing->place));
	placing->counted_at = malloc(pairs * sizeof(*placing->counted_at));
	placing->run = malloc((placing->pending->run_count + 1) * sizeof(*placing->run));
	return placing->sorted && placing->tree && placing->tree_of_scheme && placing->queue &&
	       placing->tree_of && placing->job && placing->place && placing->counted_at &&
	       placing->run ? 0 : -1;
}

static void free_room(struct placing *placing)
{
	free(placing->sorted);
	free(placing->tree);
	free(placing->tree_of_scheme);
	free(placing->queue);
	free(placing->queue_of);
	free(placing->tree_of);
	free(placing->job);
	free(placing->place);
	free(placing->counted_at);
	free(placing->run);
}

/* -1: out of memory. */
static int order_pools(struct placing *placing)
{
	const struct pending_pair **pair;
	int status;

	if (!placing->settings->pool_count || !placing->basis->order)
		return 0;
	pair = malloc((placing->count + 1) * sizeof(*pair));
	for (size_t i = 0; pair && i < placing->count; i++)
		pair[i] = placing->sorted[i].pair;
	status = pair ? place_pools(placing->basis->order, placing->pending, pair, placing->count,
				    placing->place) : -1;
	free(pair);
	return status;
}

static int find_places(struct placing *placing, struct fathom_error *problem)
{
	struct fathom_pending_jobs given = { 0 };

	if (make_room(placing))
		return fathom_error_no_memory(problem);
	sort_pairs(placing);
	list_running(placing);
	if (list_trees(placing, problem))
		return -1;
	list_queues(placing);
	list_pending_jobs(placing);
	given.tree = placing->tree;
	given.tree_count = placing->tree_count;
	given.queue = placing->queue;
	given.queue_count = placing->queue_count;
	given.tree_of = placing->tree_of;
	given.job = placing->job;
	given.job_count = placing->count;
	given.counted_at = placing->counted_at;
	if (fathom_dispatch_places(&given, placing->place, problem))
		return -1;
	return order_pools(placing) ? fathom_error_no_memory(problem) : 0;
}

/* ---- what comes of it ------------------------------------------------------------------ */

/* Returns the key of the leaf at which the job is dispatched; 0: its scheme has no tree of its own,
 * or the user no shares. */
static uint32_t leaf_of_pair(const struct placing *placing, uint32_t i)
{
	const struct sorted_pair *sorted = &placing->sorted[i];
	const struct scope_tree *own = own_tree(placing, sorted->pair->scheme);
	const struct share_leaves *leaves;

	if (!own || placing->counted_at[i] == FATHOM_NO_NODE)
		return 0;
	leaves = &own->shares.leaves;
	for (uint32_t at = leaves->first[sorted->node]; at < leaves->first[sorted->node + 1]; at++)
		if (leaves->node[at] == placing->counted_at[i])
			return leaves->key[at];
	return 0;
}

static int note_pair(struct places *places, const struct placing *placing, uint32_t i)
{
	const struct sorted_pair *sorted = &placing->sorted[i];
	size_t scheme = sorted->pair->scheme;
	size_t node = own_tree(placing, scheme) ? placing->counted_at[i] : sorted->node;
	uint32_t place = (uint32_t)placing->place[i];

	if (sorted->pair->can_start && node != FATHOM_NO_NODE)
		places_note_last(places, scheme, node, place);
	return places_add(places, sorted->pair->job, (struct placed_pair){
		.partition = sorted->pair->partition, .place = place,
		.leaf = leaf_of_pair(placing, i), .can_start = sorted->pair->can_start,
	});
}

/* Notes runs at leaves behind the pairs. */
static int note_runs(struct places *places, const struct placing *placing)
{
	const struct pending *pending = placing->pending;

	for (size_t i = 0; i < pending->run_count; i++)
		if (placing->run[i].run.id.leaf &&
		    places_add(places, pending->run[i].job, (struct placed_pair){
			    .partition = pending->run[i].partition,
			    .leaf = placing->run[i].run.id.leaf }))
			return -1;
	return 0;
}

static int note_scheme(struct places *places, const struct placing *placing, size_t scheme)
{
	return places_add_scheme(places, scheme, own_tree(placing, scheme));
}

/* Does so for the schemes whose jobs have places. To one with hosts a job may come from any
 * partition. */
static int note_schemes(struct places *places, const struct placing *placing)
{
	const struct settings *settings = placing->settings;
	const struct pending *pending = placing->pending;

	for (size_t i = 0; i < settings->scheme_count; i++)
		if ((settings->scheme[i].scope->hosts.text || (settings->has_hosts && !i)) &&
		    scheme_orders_jobs(&settings->scheme[i]) && note_scheme(places, placing, i))
			return -1;
	for (size_t i = 0; i < pending->partition_count; i++)
		if (placed_partition_has_places(&pending->partition[i], settings,
						pending->partition[i].scheme) &&
		    note_scheme(places, placing, pending->partition[i].scheme))
			return -1;
	for (size_t i = 0; i < placing->count; i++)
		if (note_scheme(places, placing, placing->sorted[i].pair->scheme))
			return -1;
	return 0;
}

static int fill_places(struct places *places, const struct placing *placing)
{
	if (note_schemes(places, placing))
		return -1;
	for (uint32_t i = 0; i < placing->count; i++)
		if (note_pair(places, placing, i))
			return -1;
	return note_runs(places, placing);
}

struct places *place_jobs(const struct placing_basis *basis, struct pending *pending,
			  struct fathom_error *problem)
{
	struct placing placing = { .basis = basis, .pending = pending,
				   .settings = schemes_settings(basis->schemes) };
	struct places *places = NULL;
	int status = find_places(&placing, problem);

	if (!status) {
		places = places_create(placing.settings, basis->associations, placing.count,
				       pending->run_count);
		if (!places || fill_places(places, &placing))
			status = fathom_error_no_memory(problem);
	}
	free_room(&placing);
	if (status) {
		places_release(places);
		return NULL;
	}
	places_take_partitions(places, pending->partition, pending->partition_count);
	pending->partition = NULL;
	pending->partition_count = 0;
	return places;
}

bool place_jobs_any(const struct settings *settings)
{
	for (size_t i = 0; i < settings->scheme_count; i++)
		if (scheme_places_jobs(&settings->scheme[i]))
			return true;
	return settings->pool_count;
}

/* ---- warnings ---------------------------------------------------------------------------- */

static bool has_other_weights(const struct settings *settings)
{
	const struct fathom_weights *weight = &settings->priority.weight;

	return weight->age || weight->assoc || weight->job_size || weight->partition ||
	       weight->qos || settings->tres_weight;
}

void place_jobs_warn(const struct places *places, const struct places *before, bool *weight_told)
{
	const struct settings *settings = places_settings(places);
	uint32_t weight = settings->priority.weight.fairshare;

	if (!before || places_settings(before) != settings) {
		*weight_told = false;
		if (has_other_weights(settings) && !settings->formula)
			info(LOG_PREFIX "jobs are placed in LSF's order of dispatch, but other "
					"weights than PriorityWeightFairshare change the order");
	}
	if (*weight_told || settings->formula || weight >= places_count(places))
		return;
	*weight_told = true;
	info(LOG_PREFIX "warning: PriorityWeightFairshare=%u is less than the number of pending "
			"jobs, %zu: jobs with different places get the same priority",
	     weight, places_count(places));
}
