/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/places.h"

#include "base/log.h"
#include "core/error.h"
#include "core/id_index.h"
#include "core/prefetch.h"
#include "fairshare/fairshare_private.h"
#include "fairshare/pending.h"
#include "fairshare/place_pools.h"
#include "policy/traits.h"

#include <stdlib.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX

/* Of a job in one of its partitions. */
struct placed_pair {
	uint32_t partition, place;
	uint32_t next;		/* of the same job, or NO_ENTRY */
	bool can_start;
};

struct places {
	unsigned references;
	struct settings *settings;
	struct fathom_node_index *map;
	struct pending_partition *partition;	/* by name */
	size_t partition_count;
	struct placed_pair *pair;	/* in queue order */
	size_t count;
	struct id_index of_job;		/* the first pair of each job */
	uint32_t **last_place;		/* by scheme, by node: of a user's jobs, 0: none; or NULL */
};

void places_release(struct places *places)
{
	if (!places || __atomic_sub_fetch(&places->references, 1, __ATOMIC_ACQ_REL))
		return;
	for (size_t i = 0; places->last_place && i < places->settings->scheme_count; i++)
		free(places->last_place[i]);
	free(places->last_place);
	pending_partitions_free(places->partition, places->partition_count);
	free(places->pair);
	id_index_clear(&places->of_job);
	fathom_node_index_release(places->map);
	settings_release(places->settings);
	free(places);
}

/* ---- who has places ---------------------------------------------------------------- */

static bool places_jobs(const struct scheme *scheme)
{
	return scheme->role != SCHEME_SHADOW &&
	       fathom_policy_places_jobs(scheme->policy, &scheme->settings);
}

static bool is_served(const struct scheme *scheme)
{
	return places_jobs(scheme) || (scheme->role != SCHEME_SHADOW &&
				       policy_is_first_come(scheme->policy));
}

/* In a slot pool jobs have places under every policy. scheme: by which the job goes. */
static bool has_places(const struct settings *settings, const struct pending_partition *partition,
		       size_t scheme)
{
	return partition->is_pooled || is_served(&settings->scheme[scheme]);
}

/* ---- look-up ----------------------------------------------------------------------- */

static const struct placed_pair *find_pair(const struct places *places,
					   const struct place_wanted *wanted)
{
	uint32_t at, partition;

	if (!id_index_find(&places->of_job, wanted->job, &at) ||
	    !pending_find_partition(places->partition, places->partition_count, wanted->partition,
				    &partition))
		return NULL;
	while (at != NO_ENTRY && places->pair[at].partition != partition)
		at = places->pair[at].next;
	return at == NO_ENTRY ? NULL : &places->pair[at];
}

void places_prefetch(const struct places *places, uint32_t job)
{
	if (places)
		prefetch(id_index_home(&places->of_job, job));
}

/* Whether jobs of the partition have places; of one that is not known yet, those of its scheme. */
static bool is_placed(const struct places *places, const struct place_wanted *wanted)
{
	uint32_t at;

	if (!places->last_place[wanted->scheme])
		return false;
	return !pending_find_partition(places->partition, places->partition_count,
				       wanted->partition, &at) ||
	       has_places(places->settings, &places->partition[at], wanted->scheme);
}

enum place_kind places_factor(const struct places *places, const struct settings *settings,
			      const struct place_wanted *wanted, double *factor)
{
	const struct placed_pair *pair;
	const uint32_t *last_place;
	uint32_t node;

	if (!places || places->settings != settings || !is_placed(places, wanted))
		return PLACE_NONE;
	last_place = places->last_place[wanted->scheme];
	pair = find_pair(places, wanted);
	if (pair && (pair->can_start || !wanted->can_start)) {
		*factor = fathom_place_factor(pair->place, places->count);
		return PLACE_OWN;
	}
	if (!places->count)
		*factor = 1;
	else if (fathom_node_index_find(places->map, wanted->association, &node) &&
		 last_place[node])
		*factor = fathom_place_factor(last_place[node], places->count);
	return PLACE_PROVISIONAL;
}

/* ---- placing ----------------------------------------------------------------------- */

/* A pending job with what it is sorted by. */
struct sorted_pair {
	const struct pending_pair *pair;
	const struct pending_partition *partition;
	double priority;	/* without that of the partition */
	uint32_t node;
};

struct placing {
	struct fairshare *fairshare;
	const struct settings *settings;
	const struct pending *pending;
	const struct divided_pools *pools;	/* or NULL */
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
	size_t *place;
	struct running *run;
};

/* The factor by which a policy without places orders jobs within a partition; 0: not known. */
static double factor_in(const struct placing *placing, const struct pending_pair *pair)
{
	const struct evaluation *evaluation = placing->fairshare->evaluation;
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

	if (is_served(&placing->settings->scheme[pair->scheme]))
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
	const struct associations *associations = &placing->fairshare->associations;

	for (size_t i = 0; i < pending->pair_count; i++) {
		const struct pending_pair *pair = &pending->pair[i];
		const struct pending_partition *partition = &pending->partition[pair->partition];
		uint32_t node;

		if (!has_places(placing->settings, partition, pair->scheme) ||
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
			.queue_first = placing->settings->scheme[scheme].queue_first,
		};
	}
	set_masters(placing, scheme_of);
}

static void list_pending_jobs(struct placing *placing)
{
	size_t schemes = placing->settings->scheme_count;

	for (size_t i = 0; i < placing->count; i++) {
		const struct sorted_pair *sorted = &placing->sorted[i];
		const struct pending_pair *pair = sorted->pair;

		placing->job[i] = (struct fathom_pending_job){
			.queue = placing->queue_of[pair->partition * schemes + pair->scheme] - 1,
			.node = sorted->node,
			.slots = sorted->pair->slots,
			.time_limit = sorted->pair->time_limit,
			.can_start = sorted->pair->can_start,
		};
	}
}

static void list_running(struct placing *placing)
{
	const struct pending *pending = placing->pending;

	for (size_t i = 0; i < pending->run_count; i++) {
		const struct pending_run *run = &pending->run[i];

		placing->run[i] = (struct running){
			.run.id = {
				.association = run->association,
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
}

static void list_trees(struct placing *placing)
{
	const struct settings *settings = placing->settings;

	for (size_t i = 0; i < settings->scheme_count; i++) {
		const struct scheme *scheme = &settings->scheme[i];

		placing->tree_of_scheme[i] = FATHOM_FIRST_COME;
		if (!places_jobs(scheme))
			continue;
		placing->tree_of_scheme[i] = placing->tree_count;
		placing->tree[placing->tree_count++] = (struct fathom_dispatch_tree){
			scheme->policy, &scheme->settings,
			schemes_tree_holding(placing->fairshare, i, placing->run,
					     placing->pending->run_count),
		};
	}
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
	placing->run = malloc((placing->pending->run_count + 1) * sizeof(*placing->run));
	return placing->sorted && placing->tree && placing->tree_of_scheme && placing->queue &&
	       placing->tree_of && placing->job && placing->place && placing->run ? 0 : -1;
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
	free(placing->run);
}

/* -1: out of memory. */
static int order_pools(struct placing *placing)
{
	const struct pending_pair **pair;
	int status;

	if (!placing->pools)
		return 0;
	pair = malloc((placing->count + 1) * sizeof(*pair));
	for (size_t i = 0; pair && i < placing->count; i++)
		pair[i] = placing->sorted[i].pair;
	status = pair ? place_pools(placing->pools, placing->pending, pair, placing->count,
				    placing->place) : -1;
	free(pair);
	return status;
}

static int place_jobs(struct placing *placing, struct fathom_error *problem)
{
	struct fathom_pending_jobs given = { 0 };

	if (make_room(placing))
		return fathom_error_no_memory(problem);
	sort_pairs(placing);
	list_running(placing);
	list_trees(placing);
	list_queues(placing);
	list_pending_jobs(placing);
	given.tree = placing->tree;
	given.tree_count = placing->tree_count;
	given.queue = placing->queue;
	given.queue_count = placing->queue_count;
	given.tree_of = placing->tree_of;
	given.job = placing->job;
	given.job_count = placing->count;
	if (fathom_dispatch_places(&given, placing->place, problem))
		return -1;
	return order_pools(placing) ? fathom_error_no_memory(problem) : 0;
}

/* ---- what comes of it ------------------------------------------------------------------ */

static int note_pair(struct places *places, const struct placing *placing, uint32_t i)
{
	const struct sorted_pair *sorted = &placing->sorted[i];
	size_t scheme = sorted->pair->scheme;
	uint32_t place = (uint32_t)placing->place[i];
	uint32_t *last = &places->last_place[scheme][sorted->node];
	struct placed_pair *pair = &places->pair[i];

	*pair = (struct placed_pair){
		.partition = sorted->pair->partition, .place = place,
		.next = NO_ENTRY, .can_start = sorted->pair->can_start,
	};
	if (sorted->pair->can_start && place > *last)
		*last = place;
	id_index_find(&places->of_job, sorted->pair->job, &pair->next);
	return id_index_put(&places->of_job, sorted->pair->job, i);
}

/* Makes room for the last places of users in a scheme. -1: out of memory. */
static int note_scheme(struct places *places, const struct placing *placing, size_t scheme)
{
	uint32_t **last = &places->last_place[scheme];

	if (!*last)
		*last = calloc(placing->fairshare->associations.node_count, sizeof(**last));
	return *last ? 0 : -1;
}

/* Does so for the schemes whose jobs have places. To one with hosts a job may come from any
 * partition. */
static int note_schemes(struct places *places, const struct placing *placing)
{
	const struct settings *settings = placing->settings;
	const struct pending *pending = placing->pending;

	for (size_t i = 0; i < settings->scheme_count; i++)
		if ((settings->scheme[i].hosts || (settings->has_hosts && !i)) &&
		    is_served(&settings->scheme[i]) && note_scheme(places, placing, i))
			return -1;
	for (size_t i = 0; i < pending->partition_count; i++)
		if (has_places(settings, &pending->partition[i], pending->partition[i].scheme) &&
		    note_scheme(places, placing, pending->partition[i].scheme))
			return -1;
	for (size_t i = 0; i < placing->count; i++)
		if (note_scheme(places, placing, placing->sorted[i].pair->scheme))
			return -1;
	return 0;
}

static int fill_places(struct places *places, const struct placing *placing)
{
	const struct settings *settings = placing->settings;

	places->pair = malloc((placing->count + 1) * sizeof(*places->pair));
	places->last_place = calloc(settings->scheme_count, sizeof(*places->last_place));
	if (!places->pair || !places->last_place ||
	    id_index_reserve(&places->of_job, placing->count) ||
	    note_schemes(places, placing))
		return -1;
	places->count = placing->count;
	for (uint32_t i = 0; i < placing->count; i++)
		if (note_pair(places, placing, i))
			return -1;
	return 0;
}

/* Takes the partitions of `pending`. NULL: problem->text. The caller holds solve_lock. */
static struct places *create_places(struct fairshare *fairshare, const struct settings *settings,
				    struct pending *pending, const struct divided_pools *pools,
				    struct fathom_error *problem)
{
	struct placing placing = { .fairshare = fairshare, .settings = settings,
				   .pending = pending, .pools = pools };
	struct places *places = calloc(1, sizeof(*places));
	int status = places ? place_jobs(&placing, problem) : fathom_error_no_memory(problem);

	if (places) {
		places->references = 1;
		places->settings = settings_reference(settings);
		places->map = fathom_node_index_share(fairshare->associations.map);
	}
	if (!status && fill_places(places, &placing))
		status = fathom_error_no_memory(problem);
	free_room(&placing);
	if (status) {
		places_release(places);
		return NULL;
	}
	places->partition = pending->partition;
	places->partition_count = pending->partition_count;
	pending->partition = NULL;
	pending->partition_count = 0;
	return places;
}

static void publish(struct fairshare *fairshare, struct places *fresh)
{
	struct places *stale;

	slurm_mutex_lock(&fairshare->evaluation_lock);
	stale = fairshare->places;
	fairshare->places = fresh;
	slurm_mutex_unlock(&fairshare->evaluation_lock);
	places_release(stale);
}

struct places *fairshare_places(struct fairshare *fairshare)
{
	struct places *places;

	slurm_mutex_lock(&fairshare->evaluation_lock);
	places = fairshare->places;
	if (places)
		__atomic_add_fetch(&places->references, 1, __ATOMIC_RELAXED);
	slurm_mutex_unlock(&fairshare->evaluation_lock);
	return places;
}

/* ---- warnings ---------------------------------------------------------------------------- */

static bool has_other_weights(const struct settings *settings)
{
	const struct fathom_weights *weight = &settings->priority.weight;

	return weight->age || weight->assoc || weight->job_size || weight->partition ||
	       weight->qos || settings->tres_weight;
}

/* Once for the same settings. Nobody else replaces fairshare->places. */
static void warn(struct fairshare *fairshare, const struct places *places)
{
	const struct settings *settings = places->settings;
	uint32_t weight = settings->priority.weight.fairshare;

	if (!fairshare->places || fairshare->places->settings != settings) {
		fairshare->weight_told = false;
		if (has_other_weights(settings) && !settings->formula)
			info(LOG_PREFIX "jobs are placed in LSF's order of dispatch, but other "
					"weights than PriorityWeightFairshare change the order");
	}
	if (fairshare->weight_told || settings->formula || weight >= places->count)
		return;
	fairshare->weight_told = true;
	info(LOG_PREFIX "warning: PriorityWeightFairshare=%u is less than the number of pending "
			"jobs, %zu: jobs with different places get the same priority",
	     weight, places->count);
}

/* ---- all of it --------------------------------------------------------------------------- */

bool fairshare_places_jobs(const struct settings *settings)
{
	for (size_t i = 0; i < settings->scheme_count; i++)
		if (places_jobs(&settings->scheme[i]))
			return true;
	return settings->pool_count;
}

void fairshare_place_jobs(struct fairshare *fairshare, const struct settings *settings,
			  const struct divided_pools *pools, time_t now)
{
	struct fathom_error problem = { .text = "out of memory" };
	struct evaluation *evaluation;
	struct places *fresh = NULL;
	struct pending pending;
	bool is_known, is_listed;

	if (!fairshare_places_jobs(settings)) {
		publish(fairshare, NULL);
		return;
	}
	evaluation = fairshare_evaluation(fairshare);
	is_listed = !pending_list(&pending, settings, evaluation_scopes(evaluation, settings), now);
	evaluation_release(evaluation);
	if (!is_listed) {
		error(LOG_PREFIX "out of memory; places of jobs stay as they were");
		pending_clear(&pending);
		return;
	}
	slurm_mutex_lock(&fairshare->solve_lock);
	is_known = fairshare->settings == settings && fairshare->associations.tree;
	if (is_known)
		fresh = create_places(fairshare, settings, &pending, pools, &problem);
	slurm_mutex_unlock(&fairshare->solve_lock);
	pending_clear(&pending);
	if (fresh) {
		warn(fairshare, fresh);
		publish(fairshare, fresh);
	} else if (is_known) {
		error(LOG_PREFIX "%s; places of jobs stay as they were", problem.text);
	}
}
