/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps for each partition of a pool what its jobs hold and have used, also for partitions outside
 * that share nodes with the pool; and lets the library divide the pool (policy/lsf/pool.c). Hosts
 * of scopes take no part in pools.
 */
#include "replay/job_orders.h"

/* ---- create ---------------------------------------------------------------------------- */

/* Returns whether a group of nodes is in no scope. */
static bool is_free_of_scopes(const struct slot_pools *pools, uint32_t group)
{
	return !pools->rules->scope_of_group || !pools->rules->scope_of_group[group];
}

/* Returns whether a group of nodes takes part in a pool: it is one of the pool's, and of no
 * scope. */
static bool has_group(const struct slot_pools *pools, const struct slot_pool *pool, uint32_t group)
{
	for (size_t i = 0; i < pool->nodes->count; i++)
		if (pool->nodes->group[i] == group)
			return is_free_of_scopes(pools, group);
	return false;
}

/* Returns how many CPUs or nodes of a partition take part in a pool. by_group: how many CPUs or
 * nodes each group has. */
static uint64_t sum_shared(const struct slot_pools *pools, const struct slot_pool *pool,
			   const struct replay_partition *partition, const uint64_t *by_group)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < partition->group_count; i++)
		if (has_group(pools, pool, partition->group[i]))
			sum += by_group[partition->group[i]];
	return sum;
}

/* Returns how many CPUs of the pool the jobs of a partition may hold; FATHOM_NO_LIMIT: all. shared:
 * CPUs of the nodes that the partition shares with the pool; outside the pool it takes no more. */
static uint64_t limit_of(const struct slot_pools *pools, const struct slot_pool *pool,
			 const struct replay_partition *partition, uint64_t shared)
{
	const uint64_t *group_nodes = pools->rules->group_nodes;
	uint64_t most = partition->pool ? FATHOM_NO_LIMIT : shared, by_nodes;

	if (!partition->most_cpus || !group_nodes)
		return most;
	by_nodes = sum_shared(pools, pool, partition, group_nodes) * partition->most_cpus;
	return by_nodes < most ? by_nodes : most;
}

/* Adds partition `number` to a pool, unless it is in another pool, or is in none and shares no
 * nodes. */
static void add_member(struct slot_pools *pools, struct slot_pool *pool, uint32_t number,
		       const struct node_sets *sets)
{
	const struct replay_partition *partition = &pools->rules->partition[number];
	bool is_own = partition->pool && pool == &pools->pool[partition->pool - 1];
	uint64_t shared = sum_shared(pools, pool, partition, sets->group_cpus);

	pool->member_of[number] = NO_MEMBER;
	if (!is_own && (partition->pool || !shared))
		return;
	pool->member_of[number] = pool->count;
	pool->member[pool->count].partition = number;
	if (is_own)
		pool->rule.slots = shared;
	pool->queue[pool->count] = (struct fathom_pool_queue){
		.in_pool = is_own, .share = is_own ? partition->slot_share : 0,
		.limit = limit_of(pools, pool, partition, shared),
		.priority = partition->queue.partition_factor,
	};
	pool->count++;
}

/* Returns the nodes of pool `number` of the rules, from 0: those of its first partition, as all its
 * partitions have the same. */
static const struct node_set *nodes_of(const struct slot_pools *pools, size_t number,
				       const struct node_sets *sets)
{
	size_t i = 0;

	while (pools->rules->partition[i].pool != number + 1)
		i++;
	return node_set_of(sets, i);
}

/* Makes pool `number` of the rules, from 0, with all partitions that use its nodes. */
static void create_pool(struct slot_pools *pools, size_t number, const struct node_sets *sets)
{
	const struct replay_rules *rules = pools->rules;
	struct slot_pool *pool = &pools->pool[number];

	*pool = (struct slot_pool){
		.nodes = nodes_of(pools, number, sets),
		.rule = { .max_slots = rules->pool[number].max_slots,
			  .use_priority = rules->pool[number].use_priority },
		.member = need_zeros(rules->partition_count, sizeof(*pool->member)),
		.queue = need_zeros(rules->partition_count, sizeof(*pool->queue)),
		.grant = need_zeros(rules->partition_count, sizeof(*pool->grant)),
		.member_of = need_zeros(rules->partition_count, sizeof(*pool->member_of)),
	};
	pools->count = number + 1;
	for (uint32_t i = 0; i < rules->partition_count; i++)
		add_member(pools, pool, i, sets);
}

void slot_pools_create(struct slot_pools *pools, const struct replay_rules *rules,
		       const struct node_sets *sets)
{
	*pools = (struct slot_pools){ .rules = rules };
	if (!rules->pool_count)
		return;
	pools->pool = need_zeros(rules->pool_count, sizeof(*pools->pool));
	pools->wanted = need_zeros(rules->partition_count, sizeof(*pools->wanted));
	pools->turns = need_zeros(rules->partition_count + 1, sizeof(*pools->turns));
	for (size_t i = 0; i < rules->pool_count; i++)
		create_pool(pools, i, sets);
}

/* ---- what jobs hold -------------------------------------------------------------------------- */

/* Returns what a pool keeps for a partition; NULL: the partition does not use it. */
static struct slot_member *find_member(const struct slot_pool *pool, uint32_t partition)
{
	size_t member = pool->member_of[partition];

	return member == NO_MEMBER ? NULL : &pool->member[member];
}

/* Adds the CPUs of a running job in a pool to what its partition holds. */
static void add_running(const struct slot_pools *pools, struct slot_pool *pool,
			const struct replay_job *job, const uint32_t *taken)
{
	struct slot_member *member = find_member(pool, job->partition);

	for (size_t i = 0; member && i < pool->nodes->count; i++)
		if (is_free_of_scopes(pools, pool->nodes->group[i]))
			member->held += taken[pool->nodes->group[i]];
}

void slot_pools_count(struct slot_pools *pools, const struct current_jobs *jobs,
		      const struct machine *machine)
{
	for (size_t i = 0; i < pools->count; i++) {
		struct slot_pool *pool = &pools->pool[i];

		for (size_t j = 0; j < pool->count; j++)
			pool->member[j].held = 0;
		for (size_t j = 0; j < machine->count; j++) {
			uint32_t slot = machine->ending[j].slot;

			add_running(pools, pool, &jobs->job[slot].given,
				    current_jobs_taken(jobs, slot));
		}
	}
}

/* ---- divide ---------------------------------------------------------------------------------- */

/* Counts the CPUs that pending jobs want, by partition. */
static void add_up_wanted(struct slot_pools *pools, const struct current_jobs *jobs,
			  const struct pending_queue *waiting)
{
	for (size_t i = 0; i < pools->rules->partition_count; i++)
		pools->wanted[i] = 0;
	for (size_t i = 0; i < waiting->count; i++)
		if (waiting->job[i].slot != NO_SLOT)
			pools->wanted[jobs->job[waiting->job[i].slot].given.partition] +=
				waiting->job[i].cpus;
}

/* Brings what a partition has used forward from the last pass to `now`. Passes are skipped only
 * while no job runs: so what was held at the last pass was held for one period at most. */
static void renew_use(const struct slot_pools *pools, struct pool_use *use, double now)
{
	double half_life = pools->rules->half_life;
	double next = fmin(now, pools->time + pools->rules->calc_period);

	use->seconds = pool_used_until(use, pools->time, next, half_life) *
		       fathom_decay(now - next, half_life);
}

/* Divides one pool at a pass. */
static void divide(struct slot_pools *pools, struct slot_pool *pool, double now)
{
	uint64_t left;

	for (size_t i = 0; i < pool->count; i++) {
		struct slot_member *member = &pool->member[i];

		renew_use(pools, &member->use, now);
		member->use.in_use = member->held;
		pool->queue[i].used = member->use.seconds;
		pool->queue[i].demand = member->held + pools->wanted[member->partition];
	}
	need_done(fathom_pool_allocate(&pool->rule, pool->queue, pool->count, pool->grant, &left,
				       NULL));
	for (size_t i = 0; i < pool->count; i++)
		pool->member[pool->grant[i].queue - pool->queue].grant = i;
}

void slot_pools_divide(struct slot_pools *pools, const struct current_jobs *jobs,
		       const struct pending_queue *waiting, double now)
{
	if (pools->count)
		add_up_wanted(pools, jobs, waiting);
	for (size_t i = 0; i < pools->count; i++)
		divide(pools, &pools->pool[i], now);
	pools->time = now;
}

/* ---- places ---------------------------------------------------------------------------------- */

bool slot_pools_has(const struct slot_pools *pools, uint32_t partition)
{
	for (size_t i = 0; i < pools->count; i++)
		if (find_member(&pools->pool[i], partition))
			return true;
	return false;
}

struct fathom_pool_turns *slot_pools_turns(struct slot_pools *pools)
{
	for (size_t i = 0; i < pools->count; i++) {
		const struct slot_pool *pool = &pools->pool[i];

		for (size_t j = 0; j < pool->count; j++)
			if (pool->queue[j].in_pool)
				pools->turns[pool->member[j].partition] =
					(struct fathom_pool_turns){
						&pool->grant[pool->member[j].grant],
						pool->member[j].held, pool->rule.use_priority };
	}
	return pools->turns;
}
