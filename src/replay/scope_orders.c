/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes one priority for each pending job from the orders of all scopes:
 *
 *	order_scopes	each scope orders its own jobs by its policy and usage, which gives each job
 *			a factor; that of jobs without places becomes their priority, by the policy
 *			in force
 *	place_jobs	jobs that have places (see job_orders.h) are sorted queue by queue in
 *			LSF's order of service, within a queue as their scope orders them; then
 *			slot pools let them take turns
 *	use_places	the factor of a job's place becomes its priority, by the policy in force
 *
 * Scopes are numbered as in the rules, from 1; number 0 is the jobs of no scope. A queue of LSF is
 * a partition here.
 */
#include "replay/job_orders.h"

#define NOT_SERVED SIZE_MAX	/* in scopes->served */
#define SERVED_LAST SIZE_MAX	/* in placed_job.served, of jobs without shares: behind all */
#define SEQUENCE_BITS 48	/* of a job's number; the bits above hold its partition's rank */

/* Returns the number of the scope of a job's partition; 0: none. */
static uint32_t scope_of(const struct scopes *scopes, const struct replay_job *job)
{
	return scopes->rules->partition[job->partition].scope;
}

/* Returns whether the jobs of a scope go first come, first served. */
static bool is_first_come(const struct scopes *scopes, const struct scope_jobs *scope)
{
	bool is_of_none = scope == &scopes->scope[NO_SCOPE];

	return policy_is_first_come(scope->rules.policy) ||
	       (is_of_none && scopes->rules->others_first_come);
}

/* ---- create ---------------------------------------------------------------------------- */

/* Makes the order of a scope's jobs, with a copy of the tree. If there are scopes or pools, the
 * order gives the factor of each job instead of a priority, so that jobs of several scopes can be
 * compared. The order of the jobs of no scope must have been made before the others. */
static void create_order(struct scopes *scopes, struct scope_jobs *scope,
			 const struct fathom_tree *tree)
{
	job_order_create(&scope->order, &scope->rules, tree);
	if (!scopes->are_used)
		return;
	scope->order.places_jobs &= !is_first_come(scopes, scope);
	/* the factors of all jobs are needed, not only of those that a scheduler asks for */
	scope->order.takes_turns = scope->order.dispatched.by_users = false;
	scope->order.gives_factors = true;
	/* the policy in force says which columns a formula has, and how factors become
	 * priorities */
	scope->order.columns = &scopes->scope[NO_SCOPE].order.tree;
	scope->order.by_flux = scopes->scope[NO_SCOPE].order.by_flux;
	scope->order.flux = scopes->scope[NO_SCOPE].order.flux;
}

/* Returns the rules by which the jobs of a scope are ordered among themselves: if there are scopes
 * or pools, without Slurm's weights, which then count only when all jobs are ordered together. own:
 * what is set for the scope; NULL: for the jobs of no scope. */
static struct replay_rules rules_of(const struct scopes *scopes, const struct replay_scope *own)
{
	struct replay_rules rules = *scopes->rules;

	if (scopes->are_used)
		rules.priority = NULL;
	if (!own)
		return rules;
	rules.policy = own->policy;
	rules.settings = own->settings;
	rules.used = own->used;
	rules.formula = own->formula;
	rules.entities = own->entities;
	return rules;
}

/* Makes scope `number`; only the jobs of no scope go by the usage of the tree. The scopes before
 * this one must have been made. */
static void create_scope(struct scopes *scopes, size_t number, const struct fathom_tree *tree)
{
	struct scope_jobs *scope = &scopes->scope[number];
	const struct replay_scope *own = number ? &scopes->rules->scope[number - 1] : NULL;

	scope->rules = rules_of(scopes, own);
	scopes->count = number + 1;
	if (own && own->tree)
		tree = own->tree;
	charge_book_create(&scope->book, &scope->rules, tree, (uint32_t)number,
			   own ? own->leaves : NULL);
	create_order(scopes, scope, tree);
	if (!own)
		return;
	scope->order.leaves = scope->order.dispatched.leaves = own->leaves;
	/* the copied tree may have the usage of all jobs, which does not count for the scope */
	for (size_t node = 0; node < scope->book.nodes; node++)
		fathom_tree_set_own_usage(scope->order.tree.copy, node, 0);
}

/* Returns whether a partition is served by itself, not together with others of its scope: it is in
 * a pool, which is divided queue by queue, or is in no scope and shares nodes with a pool. With
 * UsePriorityInPool, jobs go as they would without the pool. index: of the partition. */
static bool is_single(const struct scopes *scopes, size_t index)
{
	const struct replay_partition *partition = &scopes->rules->partition[index];

	if (partition->pool)
		return !scopes->rules->pool[partition->pool - 1].use_priority;
	return partition->scope == NO_SCOPE && slot_pools_has(&scopes->pools, (uint32_t)index);
}

/* Returns whether a partition has hosts of scope `number`. */
static bool has_hosts_of(const struct replay_rules *rules,
			 const struct replay_partition *partition, size_t number)
{
	for (size_t i = 0; rules->scope_of_group && i < partition->group_count; i++)
		if (rules->scope_of_group[partition->group[i]] == number)
			return true;
	return false;
}

/* Returns whether jobs of a partition may go by scope `number`: by the partition's own scope, or by
 * no scope if that has none; unless the host rule is FIRST, also by any scope that has some of its
 * hosts. */
static bool may_go_by(const struct replay_rules *rules, const struct replay_partition *partition,
		      size_t number)
{
	if (partition->scope == number)
		return true;
	return rules->host_rule != HOST_RULE_FIRST && number != NO_SCOPE &&
	       has_hosts_of(rules, partition, number);
}

/* Returns the element of scopes->served for scope `number` and a partition, given by its index. */
static size_t *served_by(const struct scopes *scopes, size_t number, size_t partition)
{
	return &scopes->served[number * scopes->rules->partition_count + partition];
}

/* The queues for which LSF's order of service is computed: one for each partition and each scope
 * that its jobs may go by. The queues of a scope are a cross-queue set. */
struct service {
	struct fathom_served_queue *queue;
	size_t **place;		/* by queue: the element of scopes->served that gets its place */
	size_t *master;		/* by scope: index of its first queue, the master of its set;
				 * FATHOM_NO_SET: it has no queue yet, or makes no set */
	size_t count;		/* queues so far */
};

/* Adds the queue of a partition, given by its index, and scope `number`. The partitions of one
 * scope are served as one queue, except those that is_single() tells, and those of a scope without
 * an order of dispatch. */
static void add_queue(const struct scopes *scopes, struct service *service, size_t partition,
		      size_t number)
{
	bool is_fairshare = scopes->scope[number].order.places_jobs;
	bool single = is_single(scopes, partition);
	size_t *master = &service->master[number];

	if (is_fairshare && *master == FATHOM_NO_SET)
		*master = service->count;
	service->queue[service->count] = (struct fathom_served_queue){
		.priority = scopes->rules->partition[partition].queue.partition_factor,
		.is_fairshare = is_fairshare || single,
		.master = single ? FATHOM_NO_SET : *master,
	};
	service->place[service->count++] = served_by(scopes, number, partition);
}

/* Returns an array whose elements all have one value. */
static size_t *need_filled(size_t count, size_t value)
{
	size_t *array = need_zeros(count, sizeof(*array));

	for (size_t i = 0; i < count; i++)
		array[i] = value;
	return array;
}

/* Computes LSF's order of service, and sets `served` and has_choices by it. All scopes and pools
 * must have been made. */
static void find_service(struct scopes *scopes)
{
	const struct replay_rules *rules = scopes->rules;
	size_t count = scopes->count * rules->partition_count;
	struct service service = { .queue = need_zeros(count, sizeof(*service.queue)),
				   .place = need_zeros(count, sizeof(*service.place)),
				   .master = need_filled(scopes->count, FATHOM_NO_SET) };
	size_t *place = need_zeros(count, sizeof(*place));

	scopes->served = need_filled(count, NOT_SERVED);
	for (size_t i = 0; i < rules->partition_count; i++)
		for (size_t number = 0; number < scopes->count; number++)
			if (may_go_by(rules, &rules->partition[i], number))
				add_queue(scopes, &service, i, number);
	scopes->has_choices = service.count > rules->partition_count;
	need_done(fathom_queue_places(service.queue, service.count, place, NULL));
	for (size_t i = 0; i < service.count; i++)
		*service.place[i] = place[i];
}

void scopes_create(struct scopes *scopes, const struct replay_rules *rules,
		   const struct node_sets *sets, const struct fathom_tree *tree)
{
	*scopes = (struct scopes){ .rules = rules,
				   .are_used = rules->scope_count || rules->pool_count };
	scopes->scope = need_zeros(rules->scope_count + 1, sizeof(*scopes->scope));
	scopes->has_places = rules->pool_count > 0;
	for (size_t i = 0; i <= rules->scope_count; i++) {
		create_scope(scopes, i, tree);
		scopes->has_places |= scopes->scope[i].order.places_jobs;
	}
	if (!scopes->are_used)
		return;
	slot_pools_create(&scopes->pools, rules, sets);
	find_service(scopes);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

void scopes_begin(struct scopes *scopes, double time)
{
	for (size_t i = 0; i < scopes->count; i++)
		charge_book_begin(&scopes->scope[i].book, time);
	scopes->pools.time = time;
}

void scopes_share(struct scopes *scopes, const struct scopes *other, double weight)
{
	for (size_t i = 0; i < scopes->count; i++)
		charge_book_share(&scopes->scope[i].book, &other->scope[i].book, weight);
}

/* Returns the moment `all` with the charge book of scope `number`. */
static struct replay_moment moment_of(const struct scopes *scopes, size_t number,
				      const struct replay_moment *all)
{
	struct replay_moment moment = *all;

	moment.book = &scopes->scope[number].book;
	return moment;
}

void scopes_note(struct scopes *scopes, const struct replay_moment *moment)
{
	if (!scopes->pools.count)	/* scopes_refresh() places jobs by what is held then */
		return;
	slot_pools_count(&scopes->pools, moment->jobs, moment->machine);
	scopes->must_place = true;
	for (size_t i = 0; i < scopes->count; i++) {
		const struct replay_moment own = moment_of(scopes, i, moment);
		struct job_order *order = &scopes->scope[i].order;

		if (order->places_jobs)
			dispatched_jobs_note(&order->dispatched, &order->tree, &own);
	}
}

void scopes_charge(struct scopes *scopes, const struct replay_moment *moment, size_t first)
{
	for (size_t i = first; i < scopes->count; i++)
		charge_book_pass(&scopes->scope[i].book, moment->jobs, moment->machine,
				 moment->now);
}

void scopes_reset(struct scopes *scopes, double now)
{
	for (size_t i = 0; i < scopes->count; i++) {
		charge_book_reset(&scopes->scope[i].book, now);
		order_tree_forget(&scopes->scope[i].order.tree);
	}
}

void scopes_pass(struct scopes *scopes, const struct replay_moment *moment,
		 const struct pending_queue *waiting)
{
	for (size_t i = 0; i < scopes->count; i++) {
		scopes->scope[i].order.tree.pass = moment->now;
		scopes->scope[i].order.is_stale = true;
	}
	scopes_note(scopes, moment);
	slot_pools_divide(&scopes->pools, moment->jobs, waiting, moment->now);
}

void scopes_end(struct scopes *scopes, const struct current_jobs *jobs, uint32_t slot)
{
	for (size_t i = 0; i < scopes->count; i++)
		if (charge_book_counts(&scopes->scope[i].book, jobs, slot))
			charge_book_end(&scopes->scope[i].book, jobs, slot);
}

/* Returns the key of the leaf at which the job in a slot was placed last; 0: it had no place, or
 * its scope has no shares of its own. */
static uint32_t leaf_of_place(const struct scopes *scopes, const struct replay_job *job,
			      uint32_t slot)
{
	const uint32_t *leaf = scopes->scope[scope_of(scopes, job)].order.dispatched.leaf;

	return leaf ? leaf[slot] : 0;
}

uint32_t scopes_find_leaf(struct scopes *scopes, const struct replay_moment *moment, uint32_t slot)
{
	const struct replay_job *job = &moment->jobs->job[slot].given;
	uint32_t leaf = scopes->are_used ? leaf_of_place(scopes, job, slot) : 0;

	for (size_t i = 1; !leaf && i < scopes->count; i++) {
		const struct replay_moment own = moment_of(scopes, i, moment);
		struct job_order *order = &scopes->scope[i].order;

		if (order->leaves && charge_book_counts(own.book, own.jobs, slot))
			leaf = job_order_best_leaf(order, &own, job->node);
	}
	return leaf;
}

/* Where jobs are dispatched, those of one user go in queue order: by the priority of their
 * partition, then by submission. Both are put into one number, pending->sequence. */
void scopes_add(struct scopes *scopes, const struct replay_job *job, const struct pending *pending)
{
	for (size_t i = 0; scopes->are_used && i < scopes->count; i++) {
		uint64_t rank = scopes->rules->partition[job->partition].rank;
		struct pending added = *pending;

		if (*served_by(scopes, i, job->partition) == NOT_SERVED)
			continue;
		if (scopes->scope[i].order.places_jobs)
			added.sequence += rank << SEQUENCE_BITS;
		pending_queue_add(&scopes->scope[i].queue, &added);
	}
}

void scopes_compact(struct scopes *scopes, const struct current_jobs *jobs)
{
	for (size_t i = 0; i < scopes->count; i++) {
		struct pending_queue *queue = &scopes->scope[i].queue;

		for (size_t j = 0; j < queue->count; j++)
			if (!isnan(jobs->job[queue->job[j].slot].start))
				pending_queue_mark(queue, j);
		pending_queue_compact(queue);
	}
}

/* ---- the order of all jobs ----------------------------------------------------------------- */

/* Returns the factor of a job by scope `number`, in which jobs also go by the class of their
 * partition. own_factor: by the scope's order, without the class; NEVER is returned as it is. */
static double factor_of(const struct scopes *scopes, size_t number, const struct replay_job *job,
			double own_factor)
{
	const struct replay_partition *partition = &scopes->rules->partition[job->partition];
	double factor = is_first_come(scopes, &scopes->scope[number]) ? 1 : own_factor;
	size_t classes = number ? scopes->rules->scope[number - 1].classes : 0;

	if (!classes || factor == NEVER)
		return factor;
	return fathom_queue_first_factor(factor, partition->queue_class, classes);
}

/* Returns the priority of a job with a factor, by the policy in force; for NEVER: NEVER. */
static double priority_by_factor(const struct scopes *scopes, const struct replay_job *job,
				 double factor)
{
	const struct scope_jobs *scope = &scopes->scope[scope_of(scopes, job)];

	if (factor == NEVER)
		return NEVER;
	return job_order_priority(&scope->order, scopes->rules, job, factor);
}

/* Returns whether the job has shares by which the scope can order it: false only if the scope has
 * shares of its own, but none for the job. */
static bool has_shares(const struct scope_jobs *scope, const struct replay_job *job)
{
	return !scope->order.leaves || share_leaves_count(scope->order.leaves, job->node);
}

/* Returns whether a job has a place, as job_orders.h says under "scope_orders.c": by its scope,
 * which has an order of dispatch or goes first come, first served; or because its partition is in a
 * slot pool or shares nodes with one. */
static bool is_placed(const struct scopes *scopes, const struct scope_jobs *scope,
		      const struct replay_job *job)
{
	if (!scopes->has_places)
		return false;
	return slot_pools_has(&scopes->pools, job->partition) || scope->order.places_jobs ||
	       is_first_come(scopes, scope);
}

/* Returns the number by which the jobs of a queue without an order of dispatch are ordered, the
 * greatest first: Slurm's sum with the weighted factor; or the factor alone, if there are no
 * weights, or if there is a formula, which is computed from the place later. In a first-come scope
 * the factor does not count. */
static double queue_priority(const struct scopes *scopes, const struct scope_jobs *scope,
			     const struct replay_job *job, double factor)
{
	const struct replay_rules *rules = scopes->rules;
	double fairshare = is_first_come(scopes, scope) ? 0 : factor;

	if (!rules->priority || rules->job_formula)
		return fairshare;
	return job_order_priority(&scope->order, rules, job, 0) +
	       rules->priority->weight.fairshare * fairshare;
}

/* Adds the job at a place in the queue of scope `number` to the jobs with places. The queue must be
 * in order. */
static void add_placed(struct scopes *scopes, size_t number, size_t place,
		       const struct current_jobs *jobs)
{
	const struct scope_jobs *scope = &scopes->scope[number];
	const struct pending *pending = &scope->queue.job[place];
	const struct replay_job *job = &jobs->job[pending->slot].given;
	bool is_served = has_shares(scope, job);
	bool policy_lets_it = pending->priority != NEVER || is_first_come(scopes, scope);
	struct placed_jobs *placed = &scopes->placed;

	placed->job = need_room(placed->job, &placed->room, placed->count + 1,
				sizeof(*placed->job));
	placed->job[placed->count++] = (struct placed_job){
		.served = is_served ? *served_by(scopes, number, job->partition) : SERVED_LAST,
		.priority = scope->order.places_jobs
				    ? -(double)place	/* as they stand in the queue */
				    : queue_priority(scopes, scope, job, pending->priority),
		.sequence = jobs->job[pending->slot].sequence, .slot = pending->slot,
		.scope = (uint32_t)number, .partition = job->partition, .cpus = job->cpus,
		.may_start = is_served && policy_lets_it,
	};
}

/* Returns the number of the scope by which jobs of a partition go under HOST_RULE_FREE: the first
 * in fathom.conf that has a free host of the partition; if none has, the partition's own. */
static size_t scope_with_room(const struct replay_rules *rules, const struct machine *machine,
			      const struct replay_partition *partition)
{
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < partition->group_count; i++) {
		uint32_t group = partition->group[i], scope = rules->scope_of_group[group];

		if (machine->group_free[group] > 0 && scope != NO_SCOPE && scope < first)
			first = scope;
	}
	return first == SIZE_MAX ? partition->scope : first;
}

/* Returns whether jobs of a partition go by scope `number` now: under HOST_RULE_FREE, they go only
 * by the scope with free hosts; else by each scope that they may go by. */
static bool counts_now(const struct scopes *scopes, const struct machine *machine, size_t number,
		       size_t partition)
{
	if (!scopes->has_choices || scopes->rules->host_rule != HOST_RULE_FREE)
		return true;
	return scope_with_room(scopes->rules, machine, &scopes->rules->partition[partition]) ==
	       number;
}

/* Sets the priority of a job without a place to its priority by scope `number`, unless the job
 * already has one by an earlier scope that the host rule prefers. pending: in the scope's queue. */
static void set_priority(struct scopes *scopes, size_t number, const struct pending *pending,
			 const struct replay_job *job)
{
	double factor = factor_of(scopes, number, job, pending->priority);
	double priority = priority_by_factor(scopes, job, factor);
	double *best = &scopes->priority[pending->slot];

	if (isnan(*best) || host_rule_prefers(scopes->rules->host_rule, priority, *best))
		*best = priority;
}

/* Sets priorities of the jobs of scope `number` that have no places, and adds the others to
 * `placed`. Its queue must be in order. */
static void use_order(struct scopes *scopes, size_t number, const struct replay_moment *moment)
{
	const struct scope_jobs *scope = &scopes->scope[number];

	for (size_t i = 0; i < scope->queue.count; i++) {
		const struct pending *pending = &scope->queue.job[i];
		const struct replay_job *job = &moment->jobs->job[pending->slot].given;

		if (!counts_now(scopes, moment->machine, number, job->partition))
			continue;
		if (is_placed(scopes, scope, job))
			add_placed(scopes, number, i, moment->jobs);
		else
			set_priority(scopes, number, pending, job);
	}
}

/* Lets all scopes order their jobs, and calls use_order() for each. A job may be in the queues of
 * several scopes. */
static void order_scopes(struct scopes *scopes, const struct replay_moment *moment)
{
	scopes->placed.count = 0;
	for (size_t i = 0; i < moment->jobs->used; i++)
		scopes->priority[i] = NAN;
	for (size_t i = 0; i < scopes->count; i++) {
		const struct replay_moment own = moment_of(scopes, i, moment);
		struct scope_jobs *scope = &scopes->scope[i];

		/* factors are compared between scopes, so even jobs of a single user need theirs */
		job_order_refresh(&scope->order, &own, SIZE_MAX, &scope->queue);
		use_order(scopes, i, moment);
	}
}

/* Compares two jobs that have places: by the order of service, then by the order within a queue. */
static int compare_placed(const void *x, const void *y)
{
	const struct placed_job *a = x, *b = y;

	if (a->served != b->served)
		return a->served < b->served ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority > b->priority ? -1 : 1;
	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* Sorts the jobs that have places, and sets placed->order: as they are sorted, changed by the turns
 * of slot pools. Jobs that may not start take no turns: for the pools, their partition is one
 * behind the last, which is in no pool. */
static void place_jobs(struct placed_jobs *placed, struct slot_pools *pools)
{
	struct fathom_pool_turns *turns = slot_pools_turns(pools);
	size_t no_pool = pools->rules->partition_count;

	placed->order = need_room(placed->order, &placed->order_room, placed->count,
				  sizeof(*placed->order));
	placed->pooled = need_room(placed->pooled, &placed->pooled_room, placed->count,
				   sizeof(*placed->pooled));
	if (placed->count)
		qsort(placed->job, placed->count, sizeof(*placed->job), compare_placed);
	for (size_t i = 0; i < placed->count; i++) {
		const struct placed_job *job = &placed->job[i];

		placed->order[i] = i;
		placed->pooled[i] = (struct fathom_pool_job){
			.queue = job->may_start ? job->partition : no_pool, .slots = job->cpus };
	}
	if (turns)
		need_done(fathom_pool_dispatch(turns, placed->pooled, placed->count,
					       placed->order, NULL));
}

/* Sorts placed->order by the host rule. A job may stand in it once for each of several scopes; then
 * all its entries get next to each other, where the rule says. */
static void merge_by_host_rule(struct scopes *scopes)
{
	struct placed_jobs *placed = &scopes->placed;

	placed->hosted = need_room(placed->hosted, &placed->hosted_room, placed->count,
				   sizeof(*placed->hosted));
	for (size_t i = 0; i < placed->count; i++) {
		const struct placed_job *job = &placed->job[placed->order[i]];

		placed->hosted[i] = (struct hosted_job){ .index = placed->order[i],
							 .job = job->slot, .scope = job->scope,
							 .may_start = job->may_start, .place = i };
	}
	need_done(host_rule_merge(scopes->rules->host_rule, placed->hosted, placed->count,
				  scopes->count));
	for (size_t i = 0; i < placed->count; i++)
		placed->order[i] = placed->hosted[i].index;
}

/* Sets the priorities of the jobs that have places; NEVER: no scope lets the job start. */
static void use_places(struct scopes *scopes, const struct current_jobs *jobs)
{
	struct placed_jobs *placed = &scopes->placed;

	place_jobs(placed, &scopes->pools);
	if (scopes->has_choices && scopes->rules->host_rule != HOST_RULE_FREE)
		merge_by_host_rule(scopes);
	for (size_t i = 0; i < placed->count; i++) {
		const struct placed_job *job = &placed->job[placed->order[i]];
		double *priority = &scopes->priority[job->slot];
		double factor = fathom_place_factor(i + 1, placed->count);

		if (job->may_start)
			*priority = priority_by_factor(scopes, &jobs->job[job->slot].given, factor);
		else if (isnan(*priority))	/* no scope before has set it */
			*priority = NEVER;
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
	order_scopes(scopes, moment);
	if (scopes->has_places)
		use_places(scopes, moment->jobs);
	for (size_t i = 0; i < queue->count; i++)
		queue->job[i].priority = scopes->priority[queue->job[i].slot];
	pending_queue_sort(queue, true);
}
