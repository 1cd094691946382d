/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Divides the slots of a pool among its queues by share and demand.
 *
 * Each lap offers every queue its share of the slots that are left when the lap begins, rounded
 * up; a queue takes no more than it wants. Laps go on until no slots are left
 * or no queue wants more. Example, 10 slots:
 *
 *	queue	share	wants	lap 1	lap 2	gets
 *	a	50 %	10	5	1	6	(1 more than its share: lent)
 *	b	30 %	1	1	-	1
 *	c	20 %	10	2	1	3	(1 lent)
 *	left		10	2	0
 *
 * Source: LSF, queue-based fairshare (SLOT_POOL, SLOT_SHARE).
 */
#include "core/error.h"
#include "fathom.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define ROUNDING 1e-9	/* a share that exceeds a whole number by less is not rounded up */

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t fathom_pool_deserved(uint64_t slots, double share)
{
	double exact = (double)slots * share / 100;

	if (exact > 1)
		return (uint64_t)ceil(exact - ROUNDING);
	return exact > 0 ? 1 : 0;
}

/* ---- the order of service ------------------------------------------------------ */

/* Compares two queues of one array: the higher priority first; of equal ones the first in the
 * array. */
static int compare_queues(const struct fathom_pool_queue *a, const struct fathom_pool_queue *b)
{
	if (a->priority != b->priority)
		return a->priority < b->priority ? 1 : -1;
	return (a > b) - (a < b);
}

/* Compares grants by the priority of their queues. */
static int compare_priority(const void *x, const void *y)
{
	const struct fathom_pool_grant *a = x, *b = y;

	return compare_queues(a->queue, b->queue);
}

/* Compares pointers to queues of the pool by use over share, the least first. Their shares are
 * above 0. */
static int compare_used(const void *x, const void *y)
{
	const struct fathom_pool_queue *a = *(const struct fathom_pool_queue *const *)x;
	const struct fathom_pool_queue *b = *(const struct fathom_pool_queue *const *)y;
	double a_used = a->used / a->share, b_used = b->used / b->share;

	return a_used != b_used ? (a_used > b_used) - (a_used < b_used) : compare_queues(a, b);
}

/* Sets the queues of grants[] in the order of service: all by priority, then the queues of the pool
 * exchanged among the positions that they have, by use over share. -1: out of memory. */
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
	if (count)	/* the array may be NULL */
		qsort(grants, count, sizeof(*grants), compare_priority);
	qsort(pooled, pooled_count, sizeof(*pooled), compare_used);
	for (size_t i = count; i-- > 0;)
		if (grants[i].queue->in_pool)
			grants[i].queue = pooled[--pooled_count];
	free(pooled);
	return 0;
}

/* ---- laps -------------------------------------------------------------------- */

/* Returns how many slots a queue wants and may have beyond those that it got. */
static uint64_t unmet_demand(const struct fathom_pool_grant *grant)
{
	return least(grant->queue->demand, grant->queue->limit) - grant->got;
}

/* Numbers of slots that no queue has got yet. */
struct slots_left {
	uint64_t hosts;		/* of all hosts */
	uint64_t pool;		/* how many of `hosts` queues of the pool may get */
};

/* Serves each queue once, in order. A queue outside the pool is offered all free slots. If it
 * leaves less than the pool has, later queues divide what is left. */
static void serve_first_lap(struct slots_left *left, struct fathom_pool_grant *grants, size_t count)
{
	uint64_t divided = left->pool;	/* the slots that queues get shares of */

	for (size_t i = 0; i < count; i++) {
		struct fathom_pool_grant *grant = &grants[i];
		const struct fathom_pool_queue *queue = grant->queue;
		uint64_t offer = left->hosts;	/* for a queue outside the pool */

		if (queue->in_pool)
			offer = least(fathom_pool_deserved(divided, queue->share), left->pool);
		grant->got = least(unmet_demand(grant), offer);
		left->pool -= queue->in_pool ? grant->got : 0;
		left->hosts -= grant->got;
		if (left->pool > left->hosts)
			divided = left->pool = left->hosts;
	}
}

/* A queue of the pool that still wants slots. */
struct active_queue {
	struct fathom_pool_grant *grant;
	uint64_t offer;		/* slots that the present lap offers it */
};

/* Drops the queues that want no more, and sets what a lap that begins with `start` slots offers the
 * others. Returns how many queues are left. */
static size_t begin_lap(struct active_queue *active, size_t count, uint64_t start)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct fathom_pool_grant *grant = active[i].grant;

		if (unmet_demand(grant))
			active[kept++] = (struct active_queue){
				grant, fathom_pool_deserved(start, grant->queue->share) };
	}
	return kept;
}

/* Returns the slots that a queue takes in `laps` laps with the same offer. */
static uint64_t taken_in(const struct active_queue *active, uint64_t laps)
{
	uint64_t product;

	if (__builtin_mul_overflow(active->offer, laps, &product))
		product = UINT64_MAX;
	return least(product, unmet_demand(active->grant));
}

/* Returns the slots that all queues take in `laps` laps with the same offers; if they are more than
 * `most`, some number above `most`. */
static uint64_t all_taken_in(const struct active_queue *active, size_t count, uint64_t laps,
			     uint64_t most)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count && sum <= most; i++)
		sum += least(taken_in(&active[i], laps), most + 1);
	return sum;
}

/* Returns whether `left` slots suffice for `laps` laps, and the last of these laps offers each
 * queue as much as the first. */
static bool are_laps_equal(const struct active_queue *active, size_t count, uint64_t left,
			   uint64_t laps)
{
	uint64_t last;		/* slots with which the last lap begins */

	if (all_taken_in(active, count, laps, left) > left)
		return false;
	last = laps > 1 ? left - all_taken_in(active, count, laps - 1, left) : left;
	for (size_t i = 0; i < count && last < left; i++)
		if (fathom_pool_deserved(last, active[i].grant->queue->share) != active[i].offer)
			return false;
	return true;
}

/* Returns how many equal laps come next; 0: the slots do not suffice for one. Equal laps are
 * served in one step, so that a pool of 2^53 slots takes no longer than a small one. The
 * number is doubled until the laps are no longer equal, and then found by bisection. */
static uint64_t count_equal_laps(const struct active_queue *active, size_t count, uint64_t left)
{
	uint64_t low = 0, high = 1;

	while (high <= left && are_laps_equal(active, count, left, high)) {
		low = high;
		high *= 2;
	}
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (middle <= left && are_laps_equal(active, count, left, middle))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Divides the slots that the first lap left, until no slots are left or no queue wants more. If the
 * slots do not suffice for a whole lap, queues get their offers in order until no slots are left.
 * active: all queues of the pool, in the order of service. */
static void serve_later_laps(struct slots_left *left, struct active_queue *active, size_t count)
{
	while (left->pool && (count = begin_lap(active, count, left->pool))) {
		uint64_t laps = count_equal_laps(active, count, left->pool);

		for (size_t i = 0; i < count; i++) {
			uint64_t got = least(taken_in(&active[i], laps ? laps : 1), left->pool);

			active[i].grant->got += got;
			left->pool -= got;
		}
	}
}

/* Sets what each queue of the pool deserves of its slots, and what it got beyond that. */
static void fill_deserved(struct fathom_pool_grant *grants, size_t count, uint64_t slots)
{
	for (size_t i = 0; i < count; i++) {
		struct fathom_pool_grant *grant = &grants[i];

		if (!grant->queue->in_pool)
			continue;
		grant->deserved = fathom_pool_deserved(slots, grant->queue->share);
		grant->lent = grant->got > grant->deserved ? grant->got - grant->deserved : 0;
	}
}

int fathom_pool_allocate(const struct fathom_pool *pool, const struct fathom_pool_queue *queues,
			 size_t count, struct fathom_pool_grant *grants, uint64_t *left,
			 struct fathom_error *error)
{
	struct active_queue *active = malloc((count + 1) * sizeof(*active));
	size_t active_count = 0;
	uint64_t slots = least(pool->slots, pool->max_slots);
	struct slots_left unused = { .hosts = pool->slots, .pool = slots };

	if (!active || order_service(queues, count, grants)) {
		free(active);
		return fathom_error_set(error, ENOMEM, "%zu queues: out of memory", count);
	}
	serve_first_lap(&unused, grants, count);
	for (size_t i = 0; i < count; i++)
		if (grants[i].queue->in_pool)
			active[active_count++].grant = &grants[i];
	if (!pool->use_priority)
		serve_later_laps(&unused, active, active_count);
	free(active);
	fill_deserved(grants, count, slots);
	*left = unused.pool;
	return 0;
}

/* ---- the order of dispatch ------------------------------------------------------ */

#define WITHIN (-1)	/* turn of a job that comes while its queue holds less than it got */

/* The turn of a job that comes when its queue holds what it got, or more: the least number goes
 * first, of equal numbers the first job. */
struct turn {
	double number;		/* what the queue holds beyond what it got, over its share */
	size_t job;		/* index of the job */
};

/* Returns WITHIN or the number of the turn of a queue's next job, and adds the job's slots to what
 * the queue holds. Equal quotients come out equal, because each is rounded only once. */
static double next_turn(struct fathom_pool_turns *queue, uint64_t slots)
{
	const struct fathom_pool_grant *grant = queue->grant;
	uint64_t held = queue->held;

	queue->held += slots;
	if (!grant || held < grant->got)
		return WITHIN;
	return queue->use_priority ? 0 : (double)(held - grant->got) / grant->queue->share;
}

/* Compares turns for qsort(). */
static int compare_turns(const void *x, const void *y)
{
	const struct turn *a = x, *b = y;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

int fathom_pool_dispatch(struct fathom_pool_turns *queues, const struct fathom_pool_job *jobs,
			 size_t count, size_t *order, struct fathom_error *error)
{
	struct turn *beyond = malloc((count + 1) * sizeof(*beyond));
	size_t within = 0, beyond_count = 0;

	if (!beyond)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < count; i++) {
		double turn = next_turn(&queues[jobs[i].queue], jobs[i].slots);

		if (turn == WITHIN)
			order[within++] = i;
		else
			beyond[beyond_count++] = (struct turn){ turn, i };
	}
	qsort(beyond, beyond_count, sizeof(*beyond), compare_turns);
	for (size_t i = 0; i < beyond_count; i++)
		order[within + i] = beyond[i].job;
	free(beyond);
	return 0;
}
