/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/scope_orders.h"

#include "core/array.h"
#include "core/error.h"
#include "policy/traits.h"

#include <math.h>
#include <stdlib.h>

#define SEQUENCE_BITS 48	/* of jobs before it; those above hold the rank of its partition */

static uint32_t scope_of(const struct scopes *scopes, const struct replay_job *job)
{
	return scopes->rules->partition[job->partition].scope;
}

/* ---- create and clear ------------------------------------------------------------------ */

/* A new scope starts with no usage. */
static struct fathom_tree *copy_without_usage(const struct fathom_tree *tree,
					      struct fathom_error *error)
{
	struct fathom_tree *copy = fathom_tree_copy(tree, error);

	for (size_t node = 0; copy && node < fathom_tree_count(copy); node++) {
		fathom_tree_set_own_usage(copy, node, 0);
		for (size_t i = 0; i < fathom_resource_count(); i++)
			if (fathom_tree_has_resource(copy, (enum fathom_resource)i))
				fathom_tree_set_own_resource(copy, node, (enum fathom_resource)i,
							     0, NULL);
	}
	if (copy)
		fathom_tree_settle(copy);
	return copy;
}

/* Makes an order that tells the factor of each job, so that jobs of scopes can be compared. */
static int create_order(struct scopes *scopes, struct scope_jobs *scope,
			const struct fathom_tree *tree, struct fathom_error *error)
{
	if (job_order_create(&scope->order, &scope->rules, tree, error))
		return -1;
	scope->order.takes_turns = false;
	scope->order.gives_factors = true;
	scope->order.columns = &scopes->at->order.tree;
	/* the policy in force says how factors become priorities */
	scope->order.by_flux = scopes->at->order.by_flux;
	scope->order.flux = scopes->at->order.flux;
	return 0;
}

static int create_scope(struct scopes *scopes, size_t number, const struct fathom_tree *tree,
			struct fathom_error *error)
{
	struct scope_jobs *scope = &scopes->at[number];
	const struct replay_scope *rule = number ? &scopes->rules->scope[number - 1] : NULL;

	scope->rules = *scopes->rules;
	scope->rules.priority = NULL;
	scopes->count = number + 1;
	if (!rule)
		return create_order(scopes, scope, tree, error);
	scope->rules.policy = rule->policy;
	scope->rules.settings = rule->settings;
	scope->rules.used = rule->used;
	scope->rules.formula = rule->formula;
	scope->rules.entities = rule->entities;
	if (rule->tree)
		tree = rule->tree;
	if (charge_book_create(&scope->book, &scope->rules, tree, error) ||
	    create_order(scopes, scope, tree, error))
		return -1;
	charge_book_set_scope(&scope->book, (uint32_t)number, rule->leaves);
	job_order_set_leaves(&scope->order, rule->leaves);
	return 0;
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
static int find_service(struct scopes *scopes, struct fathom_error *error)
{
	const struct replay_rules *rules = scopes->rules;
	struct fathom_served_queue *queue = calloc(rules->partition_count, sizeof(*queue));
	size_t *master = calloc(scopes->count, sizeof(*master));
	int status = -1;

	scopes->served = calloc(rules->partition_count, sizeof(*scopes->served));
	for (size_t i = 0; queue && master && i < scopes->count; i++)
		master[i] = FATHOM_NO_SET;
	for (size_t i = 0; queue && master && i < rules->partition_count; i++) {
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
	if (!queue || !master || !scopes->served)
		fathom_error_no_memory(error);
	else
		status = fathom_queue_places(queue, rules->partition_count, scopes->served, error);
	free(queue);
	free(master);
	return status;
}

int scopes_create(struct scopes *scopes, const struct replay_rules *rules,
		  const struct node_sets *sets, const struct fathom_tree *tree,
		  struct fathom_error *error)
{
	struct fathom_tree *unused;
	int status = 0;

	*scopes = (struct scopes){ .rules = rules };
	if (!rules->scope_count && !rules->pool_count)
		return 0;
	scopes->at = calloc(rules->scope_count + 1, sizeof(*scopes->at));
	if (!scopes->at)
		return fathom_error_no_memory(error);
	unused = copy_without_usage(tree, error);
	if (!unused)
		return -1;
	for (size_t i = 0; !status && i <= rules->scope_count; i++)
		status = create_scope(scopes, i, i ? unused : tree, error);
	fathom_tree_destroy(unused);
	scopes->has_places = rules->pool_count > 0;
	for (size_t i = 0; i < scopes->count; i++)
		scopes->has_places |= scopes->at[i].order.places_jobs;
	return status || slot_pools_create(&scopes->pools, rules, sets, error)
		       ? -1 : find_service(scopes, error);
}

void scopes_clear(struct scopes *scopes)
{
	for (size_t i = 0; i < scopes->count; i++) {
		charge_book_clear(&scopes->at[i].book);
		job_order_clear(&scopes->at[i].order);
		pending_queue_clear(&scopes->at[i].queue);
	}
	slot_pools_clear(&scopes->pools);
	placed_jobs_clear(&scopes->placed);
	free(scopes->at);
	free(scopes->served);
	free(scopes->priority);
	*scopes = (struct scopes){ NULL };
}

/* ---- jobs ---------------------------------------------------------------------------------- */

void scopes_begin(struct scopes *scopes, double time)
{
	for (size_t i = 1; i < scopes->count; i++)
		charge_book_begin(&scopes->at[i].book, time);
	slot_pools_begin(&scopes->pools, time);
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

int scopes_note(struct scopes *scopes, const struct replay_moment *moment,
		struct fathom_error *error)
{
	if (!scopes->pools.count)
		return 0;
	slot_pools_count(&scopes->pools, moment->jobs, moment->machine);
	scopes->must_place = true;
	for (size_t i = 0; i < scopes->count; i++) {
		const struct replay_moment own = moment_of(scopes, i, moment);

		if (job_order_note_holdings(&scopes->at[i].order, &own, error))
			return -1;
	}
	return 0;
}

int scopes_charge(struct scopes *scopes, const struct replay_moment *moment,
		  struct fathom_error *error)
{
	for (size_t i = 1; i < scopes->count; i++)
		if (charge_book_pass(&scopes->at[i].book, moment->jobs, moment->machine,
				     moment->now, error))
			return -1;
	return 0;
}

int scopes_reset(struct scopes *scopes, double now, struct fathom_error *error)
{
	for (size_t i = 0; i < scopes->count; i++) {
		if (i)
			charge_book_reset(&scopes->at[i].book, now);
		if (job_order_forget(&scopes->at[i].order, error))
			return -1;
	}
	return 0;
}

int scopes_pass(struct scopes *scopes, const struct replay_moment *moment,
		const struct pending_queue *waiting, struct fathom_error *error)
{
	for (size_t i = 0; i < scopes->count; i++)
		job_order_pass(&scopes->at[i].order, moment->now);
	return scopes_note(scopes, moment, error) ||
			       slot_pools_divide(&scopes->pools, moment->jobs, waiting,
						 moment->now, error)
		       ? -1 : 0;
}

int scopes_end(struct scopes *scopes, const struct current_jobs *jobs, uint32_t slot,
	       struct fathom_error *error)
{
	for (size_t i = 1; i < scopes->count; i++)
		if (charge_book_counts(&scopes->at[i].book, jobs, slot) &&
		    charge_book_end(&scopes->at[i].book, jobs, slot, error))
			return -1;
	return 0;
}

/* Returns the key of the leaf at which a job was placed; 0: its scope does not place it at one. */
static uint32_t placed_leaf(const struct scopes *scopes, const struct current_jobs *jobs,
			    uint32_t slot)
{
	uint32_t scope = scope_of(scopes, &jobs->at[slot].job);

	return job_order_placed_leaf(&scopes->at[scope].order, slot);
}

int scopes_find_leaf(struct scopes *scopes, const struct replay_moment *moment, uint32_t slot,
		     uint32_t *leaf, struct fathom_error *error)
{
	*leaf = scopes->count ? placed_leaf(scopes, moment->jobs, slot) : 0;
	for (size_t i = 1; !*leaf && i < scopes->count; i++) {
		const struct replay_moment own = moment_of(scopes, i, moment);
		struct job_order *order = &scopes->at[i].order;

		if (order->leaves && charge_book_counts(own.book, own.jobs, slot) &&
		    job_order_best_leaf(order, &own, own.jobs->at[slot].job.node, leaf, error))
			return -1;
	}
	return 0;
}

/* The jobs of one user are in queue order: by the priority of their partition, then by
 * submission. */
int scopes_add(struct scopes *scopes, const struct replay_job *job, const struct pending *pending,
	       struct fathom_error *error)
{
	const struct replay_partition *partition = &scopes->rules->partition[job->partition];
	struct pending added = *pending;

	if (!scopes->count)
		return 0;
	if (scopes->at[partition->scope].order.places_jobs)
		added.sequence += (uint64_t)partition->rank << SEQUENCE_BITS;
	return pending_queue_add(&scopes->at[partition->scope].queue, &added, error);
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
	double factor = policy_is_first_come(scopes->at[partition->scope].rules.policy) ? 1
											: priority;

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
				      policy_is_first_come(scope->rules.policy));
}

/* Returns what orders the jobs of a queue that has no order of dispatch itself: Slurm's sum, or the
 * factor. Fair share does not count first come, first served; nothing else does with a formula. */
static double queue_priority(const struct scopes *scopes, const struct scope_jobs *scope,
			     const struct replay_job *job, double factor)
{
	const struct replay_rules *rules = scopes->rules;
	double fairshare = policy_is_first_come(scope->rules.policy) ? 0 : factor;

	if (!rules->priority || rules->job_formula)
		return fairshare;
	return job_order_rate(&scope->order, rules, job, 0) +
	       rules->priority->weight.fairshare * fairshare;
}

/* Adds the job at this place of its scope's queue, which is in order, to those with places. */
static int add_placed(struct scopes *scopes, const struct scope_jobs *scope, size_t at,
		      const struct current_jobs *jobs, struct fathom_error *error)
{
	const struct pending *pending = &scope->queue.at[at];
	const struct current_job *job = &jobs->at[pending->slot];
	bool is_last = has_no_shares(scope, &job->job);
	const struct placed_job placed = {
		.served = is_last ? SIZE_MAX : scopes->served[job->job.partition],
		.priority = scope->order.places_jobs
				    ? -(double)at
				    : queue_priority(scopes, scope, &job->job, pending->priority),
		.sequence = job->sequence, .slot = pending->slot,
		.partition = job->job.partition, .cpus = job->job.cpus,
		.may_start = !is_last && pending->priority >= 0,
	};

	return placed_jobs_add(&scopes->placed, &placed, error);
}

/* Sets priorities of a scope's jobs that have no places, and lists those that have. */
static int rate(struct scopes *scopes, const struct scope_jobs *scope,
		const struct current_jobs *jobs, struct fathom_error *error)
{
	for (size_t i = 0; i < scope->queue.count; i++) {
		const struct pending *pending = &scope->queue.at[i];
		const struct replay_job *job = &jobs->at[pending->slot].job;

		if (!is_placed(scopes, scope, job))
			scopes->priority[pending->slot] = priority_by_factor(
				scopes, job, factor_of(scopes, job, pending->priority));
		else if (add_placed(scopes, scope, i, jobs, error))
			return -1;
	}
	return 0;
}

static int rate_all(struct scopes *scopes, const struct replay_moment *moment,
		    struct fathom_error *error)
{
	scopes->placed.count = 0;
	for (size_t i = 0; i < scopes->count; i++) {
		const struct replay_moment own = moment_of(scopes, i, moment);
		struct scope_jobs *scope = &scopes->at[i];

		if (job_order_refresh(&scope->order, &own, SIZE_MAX, &scope->queue, error) ||
		    rate(scopes, scope, moment->jobs, error))
			return -1;
	}
	return 0;
}

/* Sets priorities of the jobs that have places. */
static int rate_placed(struct scopes *scopes, const struct current_jobs *jobs,
		       struct fathom_error *error)
{
	struct placed_jobs *placed = &scopes->placed;

	if (placed_jobs_place(placed, &scopes->pools, error))
		return -1;
	for (size_t i = 0; i < placed->count; i++) {
		const struct placed_job *job = &placed->at[placed->order[i]];

		scopes->priority[job->slot] = priority_by_factor(
			scopes, &jobs->at[job->slot].job,
			job->may_start ? fathom_place_factor(i + 1, placed->count) : -1);
	}
	return 0;
}

int scopes_refresh(struct scopes *scopes, const struct replay_moment *moment,
		   struct pending_queue *queue, struct fathom_error *error)
{
	double *grown = array_grow(scopes->priority, &scopes->priority_room, moment->jobs->used,
				   sizeof(*grown));

	if (!grown)
		return fathom_error_no_memory(error);
	scopes->priority = grown;
	if (scopes->pools.count && !scopes->must_place)
		return 0;
	scopes->must_place = false;
	if (rate_all(scopes, moment, error) ||
	    (scopes->has_places && rate_placed(scopes, moment->jobs, error)))
		return -1;
	for (size_t i = 0; i < queue->count; i++)
		queue->at[i].priority = scopes->priority[queue->at[i].slot];
	return pending_queue_sort(queue, true, error);
}
