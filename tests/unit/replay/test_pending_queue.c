/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Queues of some hundred jobs, against a search and a sort that look at each of them. */
#include "../unit.h"

#include "replay/replay_private.h"

#define STEPS 300
#define PRIORITIES 8	/* so few that many are equal */

static unsigned draw(unsigned values)
{
	return (unsigned)rand() % values;
}

static bool goes_before(const struct pending *a, const struct pending *b)
{
	return a->priority != b->priority ? a->priority > b->priority : a->sequence < b->sequence;
}

static void add_jobs(struct pending_queue *queue, uint64_t *sequence)
{
	for (unsigned i = draw(30); i; i--) {
		const struct pending added = {
			.priority = draw(PRIORITIES), .estimate = draw(1000), .cpus = 1 + draw(64),
			.sequence = (*sequence)++, .slot = 1,
		};

		pending_queue_add(queue, &added);
	}
}

static bool change_priorities(struct pending_queue *queue)
{
	bool changes = !draw(10);

	for (size_t i = 0; changes && i < queue->count; i++)
		queue->job[i].priority = draw(PRIORITIES);
	return changes;
}

static void assert_order(const struct pending_queue *queue)
{
	for (size_t i = 1; i < queue->count; i++)
		ck_assert(goes_before(&queue->job[i - 1], &queue->job[i]));
}

/* Sizes are whole numbers, so that nothing is rounded, and the search is exact. */
static size_t search(const struct pending_queue *queue, size_t first,
		     const struct pending_limits *limits)
{
	for (; first < queue->count; first++) {
		const struct pending *job = &queue->job[first];

		if (job->slot != NO_SLOT && job->cpus <= limits->cpus &&
		    (job->cpus <= limits->spare || job->estimate <= limits->estimate))
			break;
	}
	return first;
}

static void start_jobs(struct pending_queue *queue)
{
	const struct pending_limits limits = { draw(70), draw(10), draw(500) };
	unsigned most = draw(25);

	for (size_t i = 0; i < queue->count; i++) {
		size_t found = pending_queue_find(queue, i, &limits);

		ck_assert_uint_eq(found, search(queue, i, &limits));
		i = found;
		if (i < queue->count && most && most--)
			pending_queue_mark(queue, i);
	}
}

static void assert_least(const struct pending_queue *queue)
{
	uint32_t least = UINT32_MAX;
	size_t waiting = 0;

	for (size_t i = 0; i < queue->count; i++) {
		waiting += queue->job[i].slot != NO_SLOT;
		if (queue->job[i].slot != NO_SLOT && queue->job[i].cpus < least)
			least = queue->job[i].cpus;
	}
	ck_assert_uint_eq(pending_queue_waiting(queue), waiting);
	ck_assert(!waiting || queue->least_cpus == least);
}

TEST(long_queues_are_as_short_ones)
{
	struct pending_queue queue = { NULL };
	uint64_t sequence = 0;

	srand(1);
	for (int i = 0; i < STEPS; i++) {
		add_jobs(&queue, &sequence);
		pending_queue_sort(&queue, change_priorities(&queue));
		assert_order(&queue);
		start_jobs(&queue);
		if (draw(2))
			pending_queue_tidy(&queue);
		else
			pending_queue_compact(&queue);
		pending_queue_tidy(&queue);
		assert_least(&queue);
	}
}
