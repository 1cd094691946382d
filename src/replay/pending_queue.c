/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that wait: a sorted part, and behind it the newcomers, which are inserted when the order is
 * asked for:
 *
 *	9 7 4 | 8 1	priorities of three jobs in order, and of two newcomers
 *	9 7 4   . 1	the last newcomer goes behind 4: the others stay
 *	9 8 7 4   1	8 goes behind 9: 7 and 4 move by 1, as one newcomer is left
 */
#include "replay/replay_state.h"

#include "replay/heap.h"

#define BLOCK 32	/* jobs whose sizes are compared with limits together */
#define MANY 16		/* if more than 1/16 of the queue have started, it is compacted */

/* ---- sizes ----------------------------------------------------------------------------- */

/* Returns the greatest float that is not above a value. */
static float round_down(double value)
{
	float rounded = (float)value;

	return (double)rounded > value ? nextafterf(rounded, -INFINITY) : rounded;
}

/* Returns the least float that is not below a value. */
static float round_up(double value)
{
	return -round_down(-value);
}

/* Copies the size of the job at a place to `cpus` and `estimate`. */
static void copy_size(struct pending_queue *queue, size_t place)
{
	const struct pending *pending = &queue->job[place];

	queue->cpus[place] = pending->slot == NO_SLOT ? INFINITY : round_down(pending->cpus);
	queue->estimate[place] = round_down(pending->estimate);
}

/* Copies the sizes of all jobs, after they have moved. */
static void copy_sizes(struct pending_queue *queue)
{
	for (size_t i = 0; i < queue->count; i++)
		copy_size(queue, i);
}

/* Counts a job in least_cpus and with_least. */
static void note_cpus(struct pending_queue *queue, uint32_t cpus)
{
	if (cpus < queue->least_cpus)
		queue->with_least = 0;
	if (cpus <= queue->least_cpus) {
		queue->least_cpus = cpus;
		queue->with_least++;
	}
}

/* Makes room in an array of sizes for whole blocks of at least `count` sizes, and returns the
 * array, which may have moved. Sizes behind the last job are read, but what they are does not
 * count, because pending_queue_find() stops at the end; new ones are INFINITY. */
static float *make_blocks(float *size, size_t *room, size_t count)
{
	size_t before = *room;

	size = need_room(size, room, (count + BLOCK - 1) / BLOCK * BLOCK, sizeof(*size));
	for (size_t i = before; i < *room; i++)
		size[i] = INFINITY;
	return size;
}

/* Makes room for `count` jobs and their sizes. */
static void make_room(struct pending_queue *queue, size_t count)
{
	queue->job = need_room(queue->job, &queue->room, count, sizeof(*queue->job));
	queue->cpus = make_blocks(queue->cpus, &queue->cpus_room, count);
	queue->estimate = make_blocks(queue->estimate, &queue->estimate_room, count);
}

void pending_queue_add(struct pending_queue *queue, const struct pending *pending)
{
	make_room(queue, queue->count + 1);
	if (!pending_queue_waiting(queue))
		queue->least_cpus = UINT32_MAX;
	note_cpus(queue, pending->cpus);
	queue->job[queue->count++] = *pending;
	copy_size(queue, queue->count - 1);
}

/* ---- order ----------------------------------------------------------------------------- */

/* Returns whether a struct pending goes before another one. */
static bool goes_before(const void *one, const void *other)
{
	const struct pending *a = one, *b = other;

	if (a->tier != b->tier)
		return a->tier > b->tier;
	return a->priority != b->priority ? a->priority > b->priority : a->sequence < b->sequence;
}

/* Returns the end of the run that begins at `begin`: the jobs from there on that are in order, as
 * many as are. If begin is `count` or more, so that no job is left, returns `count`. */
static size_t end_of_run(const struct pending *jobs, size_t begin, size_t count)
{
	size_t end = begin + 1;

	while (end < count && !goes_before(&jobs[end], &jobs[end - 1]))
		end++;
	return end < count ? end : count;
}

/* Merges two runs into `to`: from[0] to from[middle - 1], and from[middle] to from[count - 1]. */
static void merge(const struct pending *from, size_t middle, size_t count, struct pending *to)
{
	size_t left = 0, right = middle;

	for (size_t i = 0; i < count; i++) {
		bool take_right = left == middle ||
				  (right < count && goes_before(&from[right], &from[left]));

		to[i] = from[take_right ? right++ : left++];
	}
}

/* Exchanges the jobs and the spare array. */
static void swap_spare(struct pending_queue *queue)
{
	struct pending *job = queue->job;
	size_t room = queue->room;

	queue->job = queue->spare;
	queue->room = queue->spare_room;
	queue->spare = job;
	queue->spare_room = room;
}

/* Sorts `job` by merging pairs of neighbouring runs until there is one. There are few runs, because
 * jobs of one user mostly stand side by side. */
static void sort_runs(struct pending_queue *queue)
{
	size_t count = queue->count;

	while (end_of_run(queue->job, 0, count) < count) {
		for (size_t begin = 0, end; begin < count; begin = end) {
			size_t middle = end_of_run(queue->job, begin, count);

			end = end_of_run(queue->job, middle, count);
			merge(queue->job + begin, middle - begin, end - begin,
			      queue->spare + begin);
		}
		swap_spare(queue);
	}
}

/* Returns the place that a new job has to get among the first `count` jobs, which are in order. */
static size_t place_of(const struct pending_queue *queue, const struct pending *added, size_t count)
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (goes_before(added, &queue->job[middle]))
			count = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Moves the jobs from `from` until `end` by `by` places towards the end, with their sizes. */
static void move(struct pending_queue *queue, size_t from, size_t end, size_t by)
{
	memmove(queue->job + from + by, queue->job + from, (end - from) * sizeof(*queue->job));
	memmove(queue->cpus + from + by, queue->cpus + from, (end - from) * sizeof(*queue->cpus));
	memmove(queue->estimate + from + by, queue->estimate + from,
		(end - from) * sizeof(*queue->estimate));
}

/* Inserts the newcomers, which are in order themselves, the last one first. So each sorted job
 * moves only once, by the number of newcomers that go before it. */
static void insert_newcomers(struct pending_queue *queue)
{
	size_t unmoved = queue->sorted, added = queue->count - queue->sorted;

	memcpy(queue->spare, queue->job + unmoved, added * sizeof(*queue->job));
	for (; added; added--) {
		const struct pending *last = &queue->spare[added - 1];
		size_t place = place_of(queue, last, unmoved);

		move(queue, place, unmoved, added);
		queue->job[place + added - 1] = *last;
		copy_size(queue, place + added - 1);
		unmoved = place;
	}
}

/* Returns whether no job has to move. has_changed: see pending_queue_sort(). */
static bool is_in_order(const struct pending_queue *queue, bool has_changed)
{
	size_t first = has_changed || !queue->sorted ? 0 : queue->sorted - 1;

	return end_of_run(queue->job, first, queue->count) == queue->count;
}

/* For qsort(): no two jobs are equal, as each has another sequence. */
static int compare(const void *a, const void *b)
{
	return goes_before(a, b) ? -1 : 1;
}

/* Sorts all jobs if priorities have changed, else inserts the newcomers. `spare` must have room. */
static void put_in_order(struct pending_queue *queue, bool has_changed)
{
	struct pending *newcomers = queue->job + queue->sorted;
	size_t added = queue->count - queue->sorted;

	if (has_changed) {
		sort_runs(queue);
		copy_sizes(queue);
		return;
	}
	if (end_of_run(newcomers, 0, added) < added)
		qsort(newcomers, added, sizeof(*newcomers), compare);
	insert_newcomers(queue);
}

void pending_queue_sort(struct pending_queue *queue, bool has_changed)
{
	if (!is_in_order(queue, has_changed)) {
		queue->spare = need_room(queue->spare, &queue->spare_room, queue->count,
					 sizeof(*queue->spare));
		put_in_order(queue, has_changed);
		queue->unmoved = 0;
	}
	queue->sorted = queue->count;
	queue->turns_left = NO_TURNS;
}

void pending_queue_take_turns(struct pending_queue *queue)
{
	queue->sorted = queue->unmoved = queue->count;
	queue->turns_left = pending_queue_waiting(queue);
	queue->unfit = 0;
}

/* ---- the queue as a heap ------------------------------------------------------------------- */

void pending_queue_push(struct pending_queue *queue, const struct pending *pending)
{
	queue->job = need_room(queue->job, &queue->room, queue->count + 1, sizeof(*queue->job));
	heap_push(queue->job, queue->count++, pending, sizeof(*pending), goes_before);
}

void pending_queue_pop(struct pending_queue *queue)
{
	heap_pop(queue->job, --queue->count, sizeof(*queue->job), goes_before);
}

/* ---- what may start ---------------------------------------------------------------------- */

/* struct pending_limits, rounded up as sizes are rounded down: so no job within the limits is
 * missed. */
struct rounded_limits {
	float cpus, spare, estimate;
};

/* Returns whether the job at a place may be within the limits. */
static bool is_within(const struct pending_queue *queue, size_t place,
		      const struct rounded_limits *limits)
{
	float cpus = queue->cpus[place];

	return (cpus <= limits->cpus) &
	       ((cpus <= limits->spare) | (queue->estimate[place] <= limits->estimate));
}

/* Returns whether any job of the block from `first` on may be within the limits. Neither this nor
 * is_within() has branches, so that the compiler can compare several jobs at a time. */
static bool has_any(const struct pending_queue *queue, size_t first,
		    const struct rounded_limits *limits)
{
	unsigned found = 0;

	for (size_t i = 0; i < BLOCK; i++)
		found |= is_within(queue, first + i, limits);
	return found;
}

size_t pending_queue_find(const struct pending_queue *queue, size_t first,
			  const struct pending_limits *limits)
{
	const struct rounded_limits rounded = { round_up(limits->cpus), round_up(limits->spare),
						round_up(limits->estimate) };
	size_t i = first;

	while (i < queue->count) {
		if (i % BLOCK == 0 && !has_any(queue, i, &rounded))
			i += BLOCK;
		else if (is_within(queue, i, &rounded))
			return i;
		else
			i++;
	}
	return queue->count;
}

bool pending_queue_take_turn(struct pending_queue *queue, const struct pending_limits *limits)
{
	queue->unfit = pending_queue_find(queue, queue->unfit, limits);
	if (queue->unfit == queue->count || !queue->turns_left)
		return false;
	queue->turns_left--;
	return true;
}

/* ---- jobs that have started ---------------------------------------------------------------- */

void pending_queue_mark(struct pending_queue *queue, size_t place)
{
	queue->job[place].slot = NO_SLOT;
	queue->cpus[place] = INFINITY;
	queue->started++;
	queue->with_least -= queue->job[place].cpus == queue->least_cpus;
}

/* Computes least_cpus and with_least anew. */
static void find_least_cpus(struct pending_queue *queue)
{
	queue->least_cpus = UINT32_MAX;
	for (size_t i = 0; i < queue->count; i++)
		if (queue->job[i].slot != NO_SLOT)
			note_cpus(queue, queue->job[i].cpus);
}

void pending_queue_compact(struct pending_queue *queue)
{
	size_t kept = 0, sorted = 0;

	if (!queue->started)
		return;
	for (size_t i = 0; i < queue->count; i++) {
		if (queue->job[i].slot == NO_SLOT)
			continue;
		sorted += i < queue->sorted;
		queue->job[kept++] = queue->job[i];
	}
	queue->count = kept;
	queue->sorted = sorted;
	queue->started = queue->unmoved = 0;
	copy_sizes(queue);
}

void pending_queue_tidy(struct pending_queue *queue)
{
	if (queue->started > queue->count / MANY)
		pending_queue_compact(queue);
	if (!queue->with_least)
		find_least_cpus(queue);
}

size_t pending_queue_waiting(const struct pending_queue *queue)
{
	return queue->count - queue->started;
}
