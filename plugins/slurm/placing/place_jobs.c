/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places pending jobs in four steps: puts their pairs into queue order by a radix sort
 * (sort_pairs); lists queues, jobs, trees and the turns of slot pools for the library (list_... and
 * set_turns); calls fathom_dispatch_places(); and makes struct places of the places that this
 * returns (note_place). Queue order goes by partition, and then by priority:
 *
 *	partition with PriorityJobFactor 9:	job 11, priority 70	job 7, priority 50
 *	partition with PriorityJobFactor 1:	job 5, priority 90
 */
#include "placing/place_jobs.h"

#include "base/log.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 12	/* bits of a digit of a key; a count for each value of a digit, 16 KiB
			 * together, fits into the first-level cache */
#define DIGIT_VALUES (1 << DIGIT_BITS)

/* A pending pair while pairs are sorted, and then in queue order. */
struct queued_pair {
	uint64_t key;		/* what sort_by_key() sorts by; the least goes first */
	uint32_t row;		/* index in pending->pair */
	uint32_t node;		/* the node of its association */
};

/* Jobs that are being placed. */
struct placing {
	const struct placing_basis *basis;
	const struct settings *settings;	/* those of basis->schemes */
	struct pending *pending;
	struct queued_pair *queued;	/* the pairs that get places, in queue order */
	struct queued_pair *spare;	/* an array as long, for the sort */
	size_t count;			/* pairs in `queued`; the length of each array by pair */
	/* what the library is given and returns; by pair: by index in `queued` */
	struct fathom_dispatch_tree *tree;	/* by scheme; policy NULL: the scheme places no
						 * jobs */
	struct fathom_served_queue *queue;	/* by queue, that is index in pending->queue */
	size_t *tree_of;		/* by queue: index in `tree`, or FATHOM_FIRST_COME */
	struct fathom_pool_turns *turns;	/* by queue; grant NULL: it is in no pool */
	struct fathom_pending_job *job;	/* by pair */
	size_t *place;			/* by pair: its place */
	size_t *counted_at;		/* by pair: the node at which the job counts */
	uint8_t *fault;			/* by pair: an enum group_fault of the group that the job
					 * names */
	uint32_t *group_leaf;		/* leaves of the groups that jobs name, one after the
					 * other; `job` points into it */
	void *memory[11];		/* the memory of these eleven arrays, for free_arrays() */
	size_t memory_count, group_leaf_count;	/* used elements of `memory`, `group_leaf` */
	struct places *places;		/* the result */
};

/* Returns the pair of pending->pair that a queued pair stands for. */
static const struct pending_pair *pair_of(const struct placing *placing,
					  const struct queued_pair *queued)
{
	return &placing->pending->pair[queued->row];
}

/* Returns the queue of a pair. */
static const struct pending_queue *queue_of(const struct placing *placing,
					    const struct pending_pair *pair)
{
	return &placing->pending->queue[pair->queue];
}

/* ---- queue order ------------------------------------------------------------------- */

/* Returns the priority by which a pair is ordered within its partition. Fair share has a weight of
 * 1 at least, so that it decides between jobs that are equal otherwise. */
static double priority_in_partition(const struct placing *placing, const struct pending_pair *pair)
{
	double weight = placing->settings->priority.weight.fairshare;
	const struct pending_queue *queue = queue_of(placing, pair);
	const struct fairshare_figures *figures;

	if (queue->orders_jobs)		/* by places, not by factors */
		return (double)pair->priority;
	figures = evaluation_figures(placing->basis->evaluation, placing->settings, queue->scheme,
				     pair->association);
	return (double)pair->priority + MAX(weight, 1) * (figures ? figures->factor : 0);
}

/* Returns a key for a number: the greater of two numbers has the smaller key. Read as an integer,
 * the bits of a double grow with its distance from 0, and a negative one has the greatest bit. The
 * low bits of whole numbers are all 0, also in the key, which saves digits to sort by. */
static uint64_t key_of_number(double number)
{
	const uint64_t sign_bit = UINT64_C(1) << 63;
	uint64_t bits;
	bool is_negative;

	memcpy(&bits, &number, sizeof(bits));
	is_negative = bits & sign_bit;
	return is_negative ? bits : sign_bit - bits;
}

/* What pairs are sorted by after the ids of their jobs; the last counts most. */
enum sort_by { BY_SUBMISSION, BY_PRIORITY, BY_PARTITION, SORTS };

/* Returns a key by which older jobs go first; or jobs with a higher priority within their
 * partition; or partitions with a higher PriorityJobFactor. */
static uint64_t sort_key(const struct placing *placing, const struct pending_pair *pair,
			 enum sort_by by)
{
	if (by == BY_SUBMISSION)
		return (uint64_t)pair->submitted;
	return key_of_number(by == BY_PRIORITY ? priority_in_partition(placing, pair)
					       : queue_of(placing, pair)->priority);
}

/* Returns the digit of a key whose lowest bit is the bit `shift`. */
static size_t digit_of(uint64_t key, int shift)
{
	return key >> shift & (DIGIT_VALUES - 1);
}

/* Sorts by one digit of the keys, that from the bit `shift` on: counts the pairs with each value of
 * the digit, adds these counts up to the index at which the pairs with each value begin, and moves
 * each pair to the next index of its value. */
static void sort_by_digit(struct placing *placing, int shift)
{
	struct queued_pair *from = placing->queued;
	uint32_t begin[DIGIT_VALUES + 1] = { 0 };	/* at first, begin[value + 1] is a count */

	for (size_t i = 0; i < placing->count; i++)
		begin[digit_of(from[i].key, shift) + 1]++;
	for (size_t value = 1; value < DIGIT_VALUES; value++)
		begin[value] += begin[value - 1];
	for (size_t i = 0; i < placing->count; i++)
		placing->spare[begin[digit_of(from[i].key, shift)]++] = from[i];
	placing->queued = placing->spare;
	placing->spare = from;
}

/* Sorts by the present keys: by each of their digits, from the least significant to the most. Pairs
 * with equal keys keep their order. Each digit begins at the lowest bit that differs between keys
 * and is in no digit yet, so that bits which are the same in all keys are left out. */
static void sort_by_key(struct placing *placing)
{
	uint64_t differing = 0;
	bool is_sorted = true;

	for (size_t i = 1; i < placing->count; i++) {
		differing |= placing->queued[i].key ^ placing->queued[0].key;
		is_sorted &= placing->queued[i].key >= placing->queued[i - 1].key;
	}
	while (!is_sorted && differing) {
		int shift = __builtin_ctzll(differing);

		differing &= ~((uint64_t)(DIGIT_VALUES - 1) << shift);
		sort_by_digit(placing, shift);
	}
}

/* Lists the pairs that get a place, with the job's id as their key. A job whose association is not
 * in the tree yet gets no place. */
static void list_pairs(struct placing *placing)
{
	const struct pending *pending = placing->pending;
	const struct associations *associations = placing->basis->associations;

	for (uint32_t i = 0; i < pending->pair_count; i++) {
		const struct pending_queue *queue = queue_of(placing, &pending->pair[i]);
		uint32_t node;

		if ((queue->is_pooled || queue->orders_jobs) &&
		    associations_find(associations, pending->pair[i].association, &node) &&
		    fathom_tree_kind(associations->tree, node) == FATHOM_USER)
			placing->queued[placing->count++] = (struct queued_pair){
				.key = pending->pair[i].job, .row = i, .node = node };
	}
}

/* Puts the pairs into queue order: by partition; then by priority, submission, and id of the job.
 * As each sort keeps the order of equal pairs, it sorts by the last of these first. Mostly pairs
 * are listed by id, so that the first sort has nothing to do. */
static void sort_pairs(struct placing *placing)
{
	list_pairs(placing);
	sort_by_key(placing);
	for (enum sort_by by = 0; by < SORTS; by++) {
		for (size_t i = 0; i < placing->count; i++)
			placing->queued[i].key =
				sort_key(placing, pair_of(placing, &placing->queued[i]), by);
		sort_by_key(placing);
	}
}

/* ---- the turns that slot pools give to queues --------------------------------------- */

/* Returns whether there are slot pools whose division is known. */
static bool has_pools(const struct placing *placing)
{
	return placing->settings->pool_count && placing->basis->order;
}

/* Sets what a pool grants to its partitions. turns: by queue; the queue of a partition's own scope
 * has the number of the partition. Partitions that have gone since the division are left out. */
static void set_grants(const struct pool_division *division, const struct pending *pending,
		       struct fathom_pool_turns *turns)
{
	for (size_t i = 0; i < division->count; i++) {
		const struct fathom_pool_grant *grant = &division->grant[i];
		size_t partition = numbered_names_find(&pending->partitions,
						       pool_division_name(division, i));

		if (grant->queue->in_pool && partition != NAME_INDEX_NONE)
			turns[partition] = (struct fathom_pool_turns){
				.grant = grant, .use_priority = division->use_priority };
	}
}

/* Returns the CPUs that a run has on hosts of no scope: hosts of scopes take no part in pools. */
static uint64_t pooled_cpus(const struct fathom_run_rate *rate)
{
	uint64_t cpus = rate->tres[TRES_ARRAY_CPU], in_scopes = 0;

	for (uint32_t i = 0; i < rate->part_count; i++)
		in_scopes += rate->part[i].cpus;
	return cpus > in_scopes ? cpus - in_scopes : 0;
}

/* Returns the number of a run's partition in pending->partitions; UINT32_MAX: it is not known. */
static uint32_t partition_of(const struct pending *pending, const struct running *run)
{
	const char *name = run->run.id.partition;

	return name ? (uint32_t)numbered_names_find(&pending->partitions, name) : UINT32_MAX;
}

/* Sets the turns of queues: what pools grant to their partitions, and what their jobs hold. turns:
 * by queue, all 0 at first. They stay 0 for queues outside pools, and for queues of jobs that go by
 * another scope than their partition, as hosts of scopes take no part in pools. */
static void set_turns(const struct partition_order *order, const struct pending *pending,
		      struct fathom_pool_turns *turns)
{
	for (size_t i = 0; i < order->settings->pool_count; i++)
		set_grants(&order->pool[i], pending, turns);
	for (size_t i = 0; i < pending->run_count; i++) {
		uint32_t partition = partition_of(pending, &pending->run[i]);

		if (partition != UINT32_MAX && turns[partition].grant)
			turns[partition].held += pooled_cpus(&pending->run[i].run.rate);
	}
}

/* ---- what the library is given ------------------------------------------------------ */

/* Returns whether jobs of the scheme are placed by a tree. Call it after list_trees(). */
static bool has_tree(const struct placing *placing, size_t scheme)
{
	return placing->tree[scheme].policy;
}

/* Returns whether the i-th queue is served alone, and not with the other queues of its scheme, as
 * pools are divided queue by queue. Such a queue is in a pool; or it is in no scope, and shares
 * nodes with a pool. With UsePriorityInPool a queue of a pool is served as without the pool. */
static bool is_served_alone(const struct placing *placing, size_t i)
{
	const struct pending_queue *queue = &placing->pending->queue[i];
	const struct fathom_pool_turns *turns = &placing->turns[i];
	bool is_in_pool = turns->grant;

	return is_in_pool ? !turns->use_priority : queue->is_pooled && !queue->scheme;
}

/* Lists queues for the library. Those of one scheme are served as one, with the first of them as
 * their master, unless they are served alone or first come, first served. */
static void list_queues(struct placing *placing)
{
	const struct pending *pending = placing->pending;
	size_t master[placing->settings->scheme_count];	/* by scheme: its first queue; not set for a
							 * scheme without queues */

	for (size_t i = pending->queue_count; i-- > 0;)
		master[pending->queue[i].scheme] = i;
	for (size_t i = 0; i < pending->queue_count; i++) {
		size_t scheme = pending->queue[i].scheme;
		bool by_tree = has_tree(placing, scheme), alone = is_served_alone(placing, i);

		placing->tree_of[i] = by_tree ? scheme : FATHOM_FIRST_COME;
		placing->queue[i] = (struct fathom_served_queue){
			.priority = pending->queue[i].priority,
			.is_fairshare = by_tree || alone,
			.master = by_tree && !alone ? master[scheme] : FATHOM_NO_SET,
			.queue_first = placing->settings->scheme[scheme].scope->queue_first,
		};
	}
}

/* Returns the scope's own tree of a scheme with UserShares whose jobs have places; else NULL. */
static struct scope_tree *own_tree(const struct placing *placing, size_t scheme)
{
	return has_tree(placing, scheme) ? schemes_own_tree(placing->basis->schemes, scheme)
					     : NULL;
}

/* If the i-th job names a group, restricts the job to those of its leaves in `own` that belong to
 * the group, and adds these to placing->group_leaf. If the group is wrong, sets placing->fault, and
 * the job keeps all its leaves, or with WithoutShares=hold cannot start. own: the tree of the job's
 * scope. */
static void restrict_to_group(struct placing *placing, size_t i, struct scope_tree *own)
{
	const struct pending_pair *pair = pair_of(placing, &placing->queued[i]);
	struct fathom_pending_job *job = &placing->job[i];
	uint32_t *leaf = placing->group_leaf + placing->group_leaf_count;
	enum group_fault fault;
	size_t count;

	if (!pair->group || job->node == FATHOM_NO_NODE)
		return;
	count = share_leaves_of_group(&own->shares.leaves, own->shares.assigned,
				      placing->queued[i].node,
				      placing->pending->groups.name[pair->group - 1], leaf, &fault);
	placing->fault[i] = (uint8_t)fault;
	placing->group_leaf_count += count;
	if (count) {
		job->node = leaf[0];
		job->other_node = leaf + 1;
		job->other_count = count - 1;
	} else if (placing->settings->conf.value[CONF_WITHOUT_SHARES] == JOBS_ARE_HELD) {
		job->can_start = false;
	}
}

/* Lists pending jobs for the library, in queue order. */
static void list_pending_jobs(struct placing *placing)
{
	for (size_t i = 0; i < placing->count; i++) {
		uint32_t node = placing->queued[i].node;
		const struct pending_pair *pair = pair_of(placing, &placing->queued[i]);
		struct scope_tree *own = own_tree(placing, queue_of(placing, pair)->scheme);

		placing->job[i] = (struct fathom_pending_job){
			.queue = pair->queue, .node = node, .slots = pair->slots,
			.time_limit = pair->minutes * 60., .can_start = pair->can_start,
		};
		if (!own)
			continue;
		share_leaves_set_nodes(&own->shares.leaves, node, &placing->job[i]);
		restrict_to_group(placing, i, own);
	}
}

/* Lists the trees of schemes that place jobs. Returns -1 and *problem if one cannot be made. */
static int list_trees(struct placing *placing, struct fathom_error *problem)
{
	for (size_t i = 0; i < placing->settings->scheme_count; i++) {
		const struct scheme *scheme = &placing->settings->scheme[i];
		const struct fathom_tree *tree;

		if (!scheme_places_jobs(scheme))
			continue;
		tree = schemes_tree_holding(placing->basis->schemes, i, placing->pending->run,
					    placing->pending->run_count, problem);
		if (!tree)
			return -1;
		placing->tree[i] = (struct fathom_dispatch_tree){
			.policy = scheme->policy, .settings = &scheme->settings, .tree = tree };
	}
	return 0;
}

/* Returns an array for `count` elements of `size` bytes, which free_arrays() frees; NULL: out of
 * memory. count: may be 0. */
static void *allocate(struct placing *placing, size_t count, size_t size)
{
	return placing->memory[placing->memory_count++] = malloc((count + 1) * size);
}

/* Returns the most leaves that placing->group_leaf may get. Call it after list_trees(). */
static size_t most_group_leaves(const struct placing *placing)
{
	size_t jobs = 0, most = 0;

	for (size_t i = 0; i < placing->pending->pair_count; i++)
		jobs += placing->pending->pair[i].group != 0;
	for (size_t i = 0; jobs && i < placing->settings->scheme_count; i++) {
		const struct scope_tree *own = own_tree(placing, i);

		most = own ? MAX(most, share_tree_most_leaves(own->shares.assigned)) : most;
	}
	return jobs * most;
}

/* Makes all arrays but group_leaf. Returns -1 if out of memory. */
static int make_arrays(struct placing *placing)
{
	size_t pairs = placing->pending->pair_count, queues = placing->pending->queue_count;

	placing->queued = allocate(placing, pairs, sizeof(*placing->queued));
	placing->spare = allocate(placing, pairs, sizeof(*placing->spare));
	placing->tree = allocate(placing, placing->settings->scheme_count, sizeof(*placing->tree));
	placing->queue = allocate(placing, queues, sizeof(*placing->queue));
	placing->tree_of = allocate(placing, queues, sizeof(*placing->tree_of));
	placing->turns = allocate(placing, queues, sizeof(*placing->turns));
	placing->job = allocate(placing, pairs, sizeof(*placing->job));
	placing->place = allocate(placing, pairs, sizeof(*placing->place));
	placing->counted_at = allocate(placing, pairs, sizeof(*placing->counted_at));
	placing->fault = allocate(placing, pairs, sizeof(*placing->fault));
	for (size_t i = 0; i < placing->memory_count; i++)
		if (!placing->memory[i])
			return -1;
	memset(placing->tree, 0, placing->settings->scheme_count * sizeof(*placing->tree));
	memset(placing->fault, 0, pairs * sizeof(*placing->fault));
	memset(placing->turns, 0, queues * sizeof(*placing->turns));
	return 0;
}

/* Frees all arrays. */
static void free_arrays(struct placing *placing)
{
	while (placing->memory_count)
		free(placing->memory[--placing->memory_count]);
}

/* Merges the places that jobs have in the scopes with hosts into one order, in placing->place: a
 * job may have a place in several scopes, and HostRule says which one counts. Returns -1 and
 * *problem if out of memory. */
static int merge_by_host_rule(const struct placing *placing, struct fathom_error *problem)
{
	struct hosted_job *list = malloc((placing->count + 1) * sizeof(*list));
	int status = -1;

	for (size_t i = 0; list && i < placing->count; i++) {
		const struct pending_pair *pair = pair_of(placing, &placing->queued[i]);
		const struct pending_queue *queue = queue_of(placing, pair);

		list[i] = (struct hosted_job){
			/* `job` is one number for a job in a partition */
			.index = i, .job = (size_t)pair->job << 32 | queue->partition,
			.scope = queue->scheme, .place = placing->place[i],
			.may_start = placing->job[i].node != FATHOM_NO_NODE };
	}
	if (list)
		status = host_rule_merge(placing->settings->host_rule, list, placing->count,
					 placing->settings->scheme_count);
	for (size_t i = 0; !status && i < placing->count; i++)
		placing->place[list[i].index] = list[i].place;
	free(list);
	return status ? fathom_error_no_memory(problem) : 0;
}

/* Lets the library place the listed jobs. Returns -1 and *problem if that fails. */
static int dispatch_all(struct placing *placing, struct fathom_error *problem)
{
	const struct fathom_pending_jobs given = {
		.tree = placing->tree, .tree_count = placing->settings->scheme_count,
		.queue = placing->queue, .queue_count = placing->pending->queue_count,
		.tree_of = placing->tree_of,
		.job = placing->job, .job_count = placing->count,
		.counted_at = placing->counted_at,
		.turns = has_pools(placing) ? placing->turns : NULL,
	};

	return fathom_dispatch_places(&given, placing->place, problem);
}

/* Makes placing->places: pairs of pending jobs, without their places yet, and behind them jobs that
 * run. Returns -1 if out of memory. */
static int make_places(struct placing *placing)
{
	const struct pending *pending = placing->pending;
	struct placed_pair *placed;

	placing->places = places_create(placing->settings, placing->basis->associations,
					pending->pair_count + pending->run_count, placing->count);
	if (!placing->places)
		return -1;
	placed = placing->places->pair;
	for (size_t i = 0; i < pending->pair_count; i++) {
		const struct pending_pair *pair = &pending->pair[i];

		*placed++ = (struct placed_pair){
			.job = pair->job, .partition = queue_of(placing, pair)->partition,
			.can_start = pair->can_start };
	}
	for (size_t i = 0; i < pending->run_count; i++) {
		const struct running *run = &pending->run[i];

		*placed++ = (struct placed_pair){ .job = (uint32_t)run->run.id.job,
						  .partition = partition_of(pending, run),
						  .leaf = run->run.id.leaf };
	}
	return 0;
}

/* Sets placing->place of all pairs. Returns -1 and *problem if that fails. */
static int find_places(struct placing *placing, struct fathom_error *problem)
{
	const struct partition_order *order = placing->basis->order;

	if (make_arrays(placing))
		return fathom_error_no_memory(problem);
	sort_pairs(placing);
	/* where running jobs count in scopes' own trees; nothing is charged */
	for (size_t i = 0; i < placing->settings->scheme_count; i++)
		schemes_find_leaves(placing->basis->schemes, i, placing->pending->run,
				    placing->pending->run_count);
	if (list_trees(placing, problem))
		return -1;
	placing->group_leaf = allocate(placing, most_group_leaves(placing),
				       sizeof(*placing->group_leaf));
	if (!placing->group_leaf)
		return fathom_error_no_memory(problem);
	if (has_pools(placing))
		set_turns(order, placing->pending, placing->turns);
	list_queues(placing);
	list_pending_jobs(placing);
	if (dispatch_all(placing, problem))
		return -1;
	return order && order->has_choices ? merge_by_host_rule(placing, problem) : 0;
}

/* ---- the places that are published ----------------------------------------------------- */

/* Notes the place of the i-th pair in queue order. If its job can start, notes it also as the last
 * place of its user, which jobs of the user that come later get for the time being. */
static void note_place(const struct placing *placing, size_t i)
{
	const struct queued_pair *queued = &placing->queued[i];
	struct placed_pair *placed = &placing->places->pair[queued->row];
	size_t scheme = placing->pending->queue[placing->job[i].queue].scheme, node = queued->node;
	struct scope_tree *own = own_tree(placing, scheme);

	placed->place = (uint32_t)placing->place[i];
	placed->group_fault = placing->fault[i];
	if (own) {
		node = placing->counted_at[i];
		placed->leaf = share_leaves_key(&own->shares.leaves, queued->node, node);
	}
	if (placing->job[i].can_start && node != FATHOM_NO_NODE)
		places_note_last(placing->places, scheme, own, node, placed->place);
}

struct places *place_jobs(const struct placing_basis *basis, struct pending *pending,
			  struct fathom_error *problem)
{
	struct placing placing = { .basis = basis, .pending = pending,
				   .settings = schemes_settings(basis->schemes) };
	int status = find_places(&placing, problem);

	if (!status && make_places(&placing))
		status = fathom_error_no_memory(problem);
	for (size_t i = 0; !status && i < placing.count; i++)
		note_place(&placing, i);
	if (!status && places_complete(placing.places, &pending->partitions))
		status = fathom_error_no_memory(problem);
	free_arrays(&placing);
	if (!status)
		return placing.places;
	shared_release(placing.places);
	return NULL;
}

bool place_jobs_any(const struct settings *settings)
{
	for (size_t i = 0; i < settings->scheme_count; i++)
		if (scheme_places_jobs(&settings->scheme[i]))
			return true;
	return settings->pool_count;
}

/* ---- warnings ---------------------------------------------------------------------------- */

void place_jobs_warn(const struct places *places, const struct places *before, bool *weight_told)
{
	const struct settings *settings = places->settings;
	const struct fathom_weights *weight = &settings->priority.weight;
	bool has_others = weight->age || weight->assoc || weight->job_size || weight->partition ||
			  weight->qos || settings->tres_weight;

	if (!before || before->settings != settings) {
		*weight_told = false;
		if (has_others && !settings->formula)
			info(LOG_PREFIX "jobs are placed in LSF's order of dispatch, but other "
					"weights than PriorityWeightFairshare change the order");
	}
	if (*weight_told || settings->formula || weight->fairshare >= places->placed_count)
		return;
	*weight_told = true;
	info(LOG_PREFIX "warning: PriorityWeightFairshare=%u is less than the number of pending "
			"jobs, %zu: jobs with different places get the same priority",
	     weight->fairshare, places->placed_count);
}
