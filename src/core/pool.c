/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots of a pool, given to its queues by share and demand.
 * Source: LSF, queue-based fairshare (SLOT_POOL, SLOT_SHARE).
 */
#include "core/error.h"
#include "fathom.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-9	/* a share that is whole but for this is not rounded up */

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t fathom_pool_deserved(uint64_t slots, double share)
{
	double exact = (double)slots * share / 100;

	return exact > 1 ? (uint64_t)ceil(exact - ROUNDING) : exact > 0;
}

/* ---- the order of service ------------------------------------------------------ */

/* Queues as configured are one array: an address tells which came first. */
static int by_priority(const struct fathom_pool_queue *a, const struct fathom_pool_queue *b)
{
	if (a->priority != b->priority)
		return a->priority < b->priority ? 1 : -1;
	return (a > b) - (a < b);
}

static int compare_priority(const void *x, const void *y)
{
	const struct fathom_pool_grant *a = x, *b = y;

	return by_priority(a->queue, b->queue);
}

/* Of queues of the pool alone. */
static int compare_used(const void *x, const void *y)
{
	const struct fathom_pool_queue *a = *(const struct fathom_pool_queue *const *)x;
	const struct fathom_pool_queue *b = *(const struct fathom_pool_queue *const *)y;
	double a_used = a->used / a->share, b_used = b->used / b->share;

	return a_used != b_used ? (a_used > b_used) - (a_used < b_used) : by_priority(a, b);
}

/* Queues outside keep their place by priority; those of the pool share the
 * other places by what they have used. */
static int order_service(const struct fathom_pool_queue *queues, size_t count,
			 struct fathom_pool_grant *grants)
{
	const struct fathom_pool_queue **pooled = malloc((count + 1) * sizeof(*pooled));
	size_t pooled_count = 0;

	if (!pooled)
		return -1;
	for (size_t i = 0; i < count; i++) {
		grants[i] = (struct fathom_pool_grant){ .queue = &queues[i] };
		if (queues[i].in_pool)
			pooled[pooled_count++] = &queues[i];
	}
	qsort(grants, count, sizeof(*grants), compare_priority);
	qsort(pooled, pooled_count, sizeof(*pooled), compare_used);
	for (size_t i = count; i-- > 0;)
		if (grants[i].queue->in_pool)
			grants[i].queue = pooled[--pooled_count];
	free(pooled);
	return 0;
}

/* ---- rounds -------------------------------------------------------------------- */

static uint64_t unmet(const struct fathom_pool_grant *grant)
{
	return least(grant->queue->demand, grant->queue->limit) - grant->got;
}

/* What is free on the hosts, and of that, what the pool may yet take. */
struct left {
	uint64_t hosts, pool;
};

/* Each queue at its place, once. Queues outside take all that they can; where
 * that is the pool's, those of the pool behind them divide what is left of it. */
static void first_round(struct left *left, struct fathom_pool_grant *grants, size_t count)
{
	uint64_t start = left->pool;

	for (size_t i = 0; i < count; i++) {
		struct fathom_pool_grant *grant = &grants[i];
		const struct fathom_pool_queue *queue = grant->queue;

		if (queue->in_pool) {
			grant->got = least(unmet(grant),
					   least(fathom_pool_deserved(start, queue->share),
						 left->pool));
			left->pool -= grant->got;
		} else {
			grant->got = least(unmet(grant), left->hosts);
		}
		left->hosts -= grant->got;
		if (left->pool > left->hosts)
			start = left->pool = left->hosts;
	}
}

/* A queue of the pool that wants more, and what it takes in a round. */
struct active {
	struct fathom_pool_grant *grant;
	uint64_t each;
};

/* Keeps those that want more; `start` is what the next round divides. */
static size_t next_round(struct active *active, size_t count, uint64_t start)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct fathom_pool_grant *grant = active[i].grant;

		if (unmet(grant))
			active[kept++] = (struct active){
				grant, fathom_pool_deserved(start, grant->queue->share) };
	}
	return kept;
}

static uint64_t take(const struct active *active, uint64_t rounds)
{
	uint64_t product;

	if (__builtin_mul_overflow(active->each, rounds, &product))
		product = UINT64_MAX;
	return least(product, unmet(active->grant));
}

/* What all take in so many rounds; beyond `most` it does not matter how much. */
static uint64_t take_all(const struct active *active, size_t count, uint64_t rounds, uint64_t most)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count && sum <= most; i++)
		sum += least(take(&active[i], rounds), most + 1);
	return sum;
}

/* Whether that many rounds are whole, and the last of them is as the first. */
static bool rounds_alike(const struct active *active, size_t count, uint64_t left, uint64_t rounds)
{
	uint64_t last;

	if (take_all(active, count, rounds, left) > left)
		return false;
	last = rounds > 1 ? left - take_all(active, count, rounds - 1, left) : left;
	for (size_t i = 0; i < count && last < left; i++)
		if (fathom_pool_deserved(last, active[i].grant->queue->share) != active[i].each)
			return false;
	return true;
}

/* Rounds that can be done at once, as each is like the one before it; 0: not
 * even the next one is whole. */
static uint64_t count_alike(const struct active *active, size_t count, uint64_t left)
{
	uint64_t low = 0, high = 1;

	while (high <= left && rounds_alike(active, count, left, high)) {
		low = high;
		high *= 2;
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (middle <= left && rounds_alike(active, count, left, middle))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* What queues leave goes to those that want more, round by round. */
static void later_rounds(struct left *left, struct active *active, size_t count)
{
	while (left->pool && (count = next_round(active, count, left->pool))) {
		uint64_t rounds = count_alike(active, count, left->pool);

		for (size_t i = 0; i < count; i++) {
			uint64_t got = least(take(&active[i], rounds ? rounds : 1), left->pool);

			active[i].grant->got += got;
			left->pool -= got;
		}
	}
}

int fathom_pool_allocate(const struct fathom_pool *pool, const struct fathom_pool_queue *queues,
			 size_t count, struct fathom_pool_grant *grants, uint64_t *left,
			 struct fathom_error *error)
{
	struct active *active = malloc((count + 1) * sizeof(*active));
	size_t active_count = 0;
	uint64_t slots = least(pool->slots, pool->max_slots);
	struct left rest = { .hosts = pool->slots, .pool = slots };

	if (!active || order_service(queues, count, grants)) {
		free(active);
		return fathom_error_set(error, ENOMEM, "%zu queues: out of memory", count);
	}
	first_round(&rest, grants, count);
	for (size_t i = 0; i < count; i++)
		if (grants[i].queue->in_pool)
			active[active_count++].grant = &grants[i];
	if (!pool->use_priority)
		later_rounds(&rest, active, active_count);
	free(active);
	for (size_t i = 0; i < count; i++) {
		struct fathom_pool_grant *grant = &grants[i];

		if (!grant->queue->in_pool)
			continue;
		grant->deserved = fathom_pool_deserved(slots, grant->queue->share);
		grant->lent = grant->got > grant->deserved ? grant->got - grant->deserved : 0;
	}
	*left = rest.pool;
	return 0;
}
