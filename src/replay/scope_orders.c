/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each scope has an order of its own. Where jobs have places, these are merged queue by queue, and
 * slot pools take their turns; then the factor of the place, or of the scope, becomes a priority.
 */
#include "replay/scope_orders.h"

#include "memory/need_memory.h"
#include "policy/traits.h"

#include <math.h>
#include <stdlib.h>

#define SEQUENCE_BITS 48	/* of jobs before it; those above hold the rank of its partition */

static uint32_t scope_of(const struct scopes *scopes, const struct replay_job *job)
{
	return scopes->rules->partition[job->partition].scope;
}

static bool is_first_come(const struct scopes *scopes, const struct scope_jobs *scope)
{
	return policy_is_first_come(scope->rules.policy) ||
	       (scope == scopes->at && scopes->rules->others_first_come);
}

/* ---- create ---------------------------------------------------------------------------- */

/* Makes an order that tells the factor of each job, so that jobs of scopes can be compared. */
static void create_order(struct scopes *scopes, struct scope_jobs *scope,
			 const struct fathom_tree *tree)
{
	job_order_create(&scope->order, &scope->rules, tree);
	scope->order.places_jobs &= !is_first_come(scopes, scope);
	scope->order.takes_turns = false;
	scope->order.gives_factors = true;
	scope->order.columns = &scopes->at->order.tree;
	/* the policy in force says how factors become priorities */
	scope->order.by_flux = scopes->at->order.by_flux;
	scope->order.flux = scopes->at->order.flux;
}

/* A new scope starts with no usage. */
static void create_scope(struct scopes *scopes, size_t number, const struct fathom_tree *tree)
{
	struct scope_jobs *scope = &scopes->at[number];
	const struct replay_scope *rule = number ? &scopes->rules->scope[number - 1] : NULL;

	scope->rules = *scopes->rules;
	scope->rules.priority = NULL;
	scopes->count = number + 1;
	if (!rule) {
		create_order(scopes, scope, tree);
		return;
	}
	scope->rules.policy = rule->policy;
	scope->rules.settings = rule->settings;
	scope->rules.used = rule->used;
	scope->rules.formula = rule->formula;
	scope->rules.entities = rule->entities;
	if (rule->tree)
		tree = rule->tree;
	charge_book_create(&scope->book, &scope->rules, tree);
	create_order(scopes, scope, tree);
	charge_book_set_scope(&scope->book, (uint32_t)number, rule->leaves);
	scope->order.leaves = scope->order.dispatched.leaves = rule->leaves;
	for (size_t node = 0; node < scope->book.nodes; node++)
		fathom_tree_set_own_usage(scope->order.tree.copy, node, 0);
}

/* Returns whether a partition is served by itself, as pools are divided queue by queue: it is in a
 * pool, or in no scope and shares nodes with a pool. UsePriorityInPool lets jobs go as without the
 * pool. */
static bool is_single(const struct scopes *scopes, size_t number)
{
	const struct replay_partition *partition = &scopes->rules->partition[number];

	if (partition->pool)
		return !scopes->rules->pool[partition->pool - 1].use_priority;
	return !partition->scope && slot_pools_has(&scopes->pools, (uint32_t)number);
}

/* Other partitions of one scope are served as one, unless it is first come, first served. */
static void find_service(struct scopes *scopes)
{
	const struct replay_rules *rules = scopes->rules;
	struct fathom_served_queue *queue = need_zeros(rules->partition_count, sizeof(*queue));
	size_t *master = need_zeros(scopes->count, sizeof(*master));

	scopes->served = need_zeros(rules->partition_count, sizeof(*scopes->served));
	for (size_t i = 0; i < scopes->count; i++)
		master[i] = FATHOM_NO_SET;
	for (size_t i = 0; i < rules->partition_count; i++) {
		uint32_t scope = rules->partition[i].scope;
		bool is_fairshare = scopes->at[scope].order.places_jobs;
		bool single = is_single(scopes, i);

		if (is_fairshare && master[scope] == FATHOM_NO_SET)
			master[scope] = i;
		queue[i] = (struct fathom_served_queue){
			.priority = rules->partition[i].queue.partition_factor,
			.is_fairshare = is_fairshare || single,
			.master = single ? FATHOM_NO_SET : master[scope],
		};
	}
	need_done(fathom_queue_places(queue, rules->partition_count, scopes->served, NULL));
	need_free(queue);
	need_free(master);
}

void scopes_create(struct scopes *scopes, const struct replay_rules *rules,
		   const struct node_sets *sets, const struct fathom_tree *tree)
{
	*scopes = (struct scopes){ .rules = rules };
	if (!rules->scope_count && !rules->pool_count)
		return;
	scopes->at = need_zeros(rules->scope_count + 1, sizeof(*scopes->at));
	scopes->has_places = rules->pool_count > 0;
	for (size_t i = 0; i <= rules->scope_count; i++) {
		create_scope(scopes, i, tree);
		scopes->has_places |= scopes->at[i].order.places_jobs;
	}
	slot_pools_create(&scopes->pools, rules, sets);
	find_service(scopes);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

void scopes_begin(struct scopes *scopes, double time)
{
	for (size_t i = 1; i < scopes->count; i++)
		charge_book_begin(&scopes->at[i].book, time);
	scopes->pools.time = time;
}

/* Returns the moment with the usage of a scope. */
static struct replay_moment moment_of(const struct scopes *scopes, size_t number,
				      const struct replay_moment *all)
{
	struct replay_moment moment = *all;

	if (number)
		moment.book = &scopes->at[number].book;
	return moment;
}

void scopes_note(struct scopes *scopes, const struct replay_moment *moment)
{
	if (!scopes->pools.count)
		return;
	slot_pools_count(&scopes->pools, moment->jobs, moment->machine);
	scopes->must_place = true;
	for (size_t i = 0; i < scopes->count; i++) {
		const struct replay_moment own = moment_of(scopes, i, moment);

		job_order_note_holdings(&scopes->at[i].order, &own);
	}
}

void scopes_charge(struct scopes *scopes, const struct replay_moment *moment)
{
	for (size_t i = 1; i < scopes->count; i++)
		charge_book_pass(&scopes->at[i].book, moment->jobs, moment->machine, moment->now);
}

void scopes_reset(struct scopes *scopes, double now)
{
	for (size_t i = 0; i < scopes->count; i++) {
		if (i)
			charge_book_reset(&scopes->at[i].book, now);
		order_tree_forget(&scopes->at[i].order.tree);
	}
}

void scopes_pass(struct scopes *scopes, const struct replay_moment *moment,
		 const struct pending_queue *waiting)
{
	for (size_t i = 0; i < scopes->count; i++)
		job_order_pass(&scopes->at[i].order, moment->now);
	scopes_note(scopes, moment);
	slot_pools_divide(&scopes->pools, moment->jobs, waiting, moment->now);
}

void scopes_end(struct scopes *scopes, const struct current_jobs *jobs, uint32_t slot)
{
	for (size_t i = 1; i < scopes->count; i++)
		if (charge_book_counts(&scopes->at[i].book, jobs, slot))
			charge_book_end(&scopes->at[i].book, jobs, slot);
}

uint32_t scopes_find_leaf(struct scopes *scopes, const struct replay_moment *moment, uint32_t slot)
{
	const struct replay_job *job = &moment->jobs->at[slot].job;
	const uint32_t *placed = scopes->count ? scopes->at[scope_of(scopes, job)]
							 .order.dispatched.leaf : NULL;
	uint32_t leaf = placed ? placed[slot] : 0;

	for (size_t i = 1; !leaf && i < scopes->count; i++) {
		const struct replay_moment own = moment_of(scopes, i, moment);
		struct job_order *order = &scopes->at[i].order;

		if (order->leaves && charge_book_counts(own.book, own.jobs, slot))
			leaf = job_order_best_leaf(order, &own, job->node);
	}
	return leaf;
}

/* The jobs of one user are in queue order: by the priority of their partition, then by
 * submission. */
void scopes_add(struct scopes *scopes, const struct replay_job *job, const struct pending *pending)
{
	const struct replay_partition *partition = &scopes->rules->partition[job->partition];
	struct pending added = *pending;

	if (!scopes->count)
		return;
	if (scopes->at[partition->scope].order.places_jobs)
		added.sequence += (uint64_t)partition->rank << SEQUENCE_BITS;
	pending_queue_add(&scopes->at[partition->scope].queue, &added);
}

void scopes_compact(struct scopes *scopes, const struct current_jobs *jobs)
{
	for (size_t i = 0; i < scopes->count; i++) {
		struct pending_queue *queue = &scopes->at[i].queue;

		for (size_t j = 0; j < queue->count; j++)
			if (!isnan(jobs->at[queue->at[j].slot].start))
				pending_queue_mark(queue, j);
		pending_queue_compact(queue);
	}
}

/* ---- the order of all jobs ----------------------------------------------------------------- */

/* Returns the factor of a job by its scope. */
static double factor_of(const struct scopes *scopes, const struct replay_job *job, double priority)
{
	const struct replay_partition *partition = &scopes->rules->partition[job->partition];
	const struct replay_scope *rule =
		partition->scope ? &scopes->rules->scope[partition->scope - 1] : NULL;
	double factor = is_first_come(scopes, &scopes->at[partition->scope]) ? 1 : priority;

	return rule && rule->classes && factor >= 0
		       ? fathom_queue_first_factor(factor, partition->class_of, rule->classes)
		       : factor;
}

/* Returns the priority of a job by its factor; below 0: the policy does not let it start. */
static double priority_by_factor(const struct scopes *scopes, const struct replay_job *job,
				 double factor)
{
	const struct scope_jobs *scope = &scopes->at[scope_of(scopes, job)];

	return factor < 0 ? factor
			  : job_order_rate(&scope->order, scopes->rules, job, factor);
}

/* Returns whether the scope has shares of its own, but none for the job. */
static bool has_no_shares(const struct scope_jobs *scope, const struct replay_job *job)
{
	const struct share_leaves *leaves = scope->order.leaves;

	return leaves && leaves->first[job->node] == leaves->first[job->node + 1];
}

/* In a slot pool, and where partitions share its nodes, jobs have places under every policy. */
static bool is_placed(const struct scopes *scopes, const struct scope_jobs *scope,
		      const struct replay_job *job)
{
	return scopes->has_places && (slot_pools_has(&scopes->pools, job->partition) ||
				      scope->order.places_jobs ||
				      is_first_come(scopes, scope));
}

/* Returns what orders the jobs of a queue that has no order of dispatch itself: Slurm's sum, or the
 * factor. Fair share does not count first come, first served; nothing else does with a formula. */
static double queue_priority(const struct scopes *scopes, const struct scope_jobs *scope,
			     const struct replay_job *job, double factor)
{
	const struct replay_rules *rules = scopes->rules;
	double fairshare = is_first_come(scopes, scope) ? 0 : factor;

	if (!rules->priority || rules->job_formula)
		return fairshare;
	return job_order_rate(&scope->order, rules, job, 0) +
	       rules->priority->weight.fairshare * fairshare;
}

/* Adds the job at this place of its scope's queue, which is in order, to those with places. */
static void add_placed(struct scopes *scopes, const struct scope_jobs *scope, size_t at,
		       const struct current_jobs *jobs)
{
	const struct pending *pending = &scope->queue.at[at];
	const struct current_job *job = &jobs->at[pending->slot];
	bool is_last = has_no_shares(scope, &job->job);
	struct placed_jobs *placed = &scopes->placed;

	placed->at = need_room(placed->at, &placed->room, placed->count + 1, sizeof(*placed->at));
	placed->at[placed->count++] = (struct placed_job){
		.served = is_last ? SIZE_MAX : scopes->served[job->job.partition],
		.priority = scope->order.places_jobs
				    ? -(double)at
				    : queue_priority(scopes, scope, &job->job, pending->priority),
		.sequence = job->sequence, .slot = pending->slot,
		.partition = job->job.partition, .cpus = job->job.cpus,
		.may_start = !is_last && (pending->priority >= 0 || is_first_come(scopes, scope)),
	};
}

/* Sets priorities of a scope's jobs that have no places, and lists those that have. */
static void rate(struct scopes *scopes, const struct scope_jobs *scope,
		 const struct current_jobs *jobs)
{
	for (size_t i = 0; i < scope->queue.count; i++) {
		const struct pending *pending = &scope->queue.at[i];
		const struct replay_job *job = &jobs->at[pending->slot].job;

		if (!is_placed(scopes, scope, job))
			scopes->priority[pending->slot] = priority_by_factor(
				scopes, job, factor_of(scopes, job, pending->priority));
		else
			add_placed(scopes, scope, i, jobs);
	}
}

static void rate_all(struct scopes *scopes, const struct replay_moment *moment)
{
	scopes->placed.count = 0;
	for (size_t i = 0; i < scopes->count; i++) {
		const struct replay_moment own = moment_of(scopes, i, moment);
		struct scope_jobs *scope = &scopes->at[i];

		job_order_refresh(&scope->order, &own, SIZE_MAX, &scope->queue);
		rate(scopes, scope, moment->jobs);
	}
}

static int compare(const void *x, const void *y)
{
	const struct placed_job *a = x, *b = y;

	if (a->served != b->served)
		return a->served < b->served ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

static void place_jobs(struct placed_jobs *placed, struct slot_pools *pools)
{
	struct fathom_pool_turns *turns = slot_pools_turns(pools);

	placed->order = need_room(placed->order, &placed->order_room, placed->count,
				  sizeof(*placed->order));
	placed->pooled = need_room(placed->pooled, &placed->pooled_room, placed->count,
				   sizeof(*placed->pooled));
	if (placed->count)
		qsort(placed->at, placed->count, sizeof(*placed->at), compare);
	for (size_t i = 0; i < placed->count; i++) {
		const struct placed_job *job = &placed->at[i];

		placed->order[i] = i;
		placed->pooled[i] = (struct fathom_pool_job){
			job->may_start ? job->partition : pools->rules->partition_count,
			job->cpus };
	}
	if (turns)
		need_done(fathom_pool_dispatch(turns, placed->pooled, placed->count,
					       placed->order, NULL));
}

/* Sets priorities of the jobs that have places. */
static void rate_placed(struct scopes *scopes, const struct current_jobs *jobs)
{
	struct placed_jobs *placed = &scopes->placed;

	place_jobs(placed, &scopes->pools);
	for (size_t i = 0; i < placed->count; i++) {
		const struct placed_job *job = &placed->at[placed->order[i]];

		scopes->priority[job->slot] = priority_by_factor(
			scopes, &jobs->at[job->slot].job,
			job->may_start ? fathom_place_factor(i + 1, placed->count) : -1);
	}
}

void scopes_refresh(struct scopes *scopes, const struct replay_moment *moment,
		    struct pending_queue *queue)
{
	scopes->priority = need_room(scopes->priority, &scopes->priority_room, moment->jobs->used,
				     sizeof(*scopes->priority));
	if (scopes->pools.count && !scopes->must_place)
		return;
	scopes->must_place = false;
	rate_all(scopes, moment);
	if (scopes->has_places)
		rate_placed(scopes, moment->jobs);
	for (size_t i = 0; i < queue->count; i++)
		queue->at[i].priority = scopes->priority[queue->at[i].slot];
	pending_queue_sort(queue, true);
}
