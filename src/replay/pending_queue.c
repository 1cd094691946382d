/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/pending_queue.h"

#include "core/array.h"
#include "core/error.h"
#include "replay/current_jobs.h"

#include <stdlib.h>
#include <string.h>

int pending_queue_add(struct pending_queue *queue, const struct pending *pending,
		      struct fathom_error *error)
{
	struct pending *grown = array_grow(queue->at, &queue->room, queue->count + 1,
					   sizeof(*grown));

	if (!grown)
		return fathom_error_no_memory(error);
	queue->at = grown;
	if (!queue->count || pending->cpus < queue->least_cpus)
		queue->least_cpus = pending->cpus;
	grown[queue->count++] = *pending;
	return 0;
}

static bool goes_before(const struct pending *a, const struct pending *b)
{
	return a->priority != b->priority ? a->priority > b->priority : a->sequence < b->sequence;
}

static int compare(const void *a, const void *b)
{
	return goes_before(a, b) ? -1 : 1;
}

static bool is_sorted(const struct pending *at, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (goes_before(&at[i], &at[i - 1]))
			return false;
	return true;
}

/* Puts the element behind `count` sorted ones into its place. */
static void insert(struct pending *at, size_t count)
{
	struct pending added = at[count];
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (goes_before(&added, &at[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	memmove(at + low + 1, at + low, (count - low) * sizeof(added));
	at[low] = added;
}

bool pending_queue_sort(struct pending_queue *queue)
{
	size_t sorted = queue->sorted;
	bool same = is_sorted(queue->at, sorted);

	queue->sorted = queue->count;
	if (same && is_sorted(queue->at + sorted, queue->count - sorted) &&
	    (!sorted || sorted == queue->count ||
	     !goes_before(&queue->at[sorted], &queue->at[sorted - 1])))
		return false;
	if (same && queue->count - sorted < 16)
		for (; sorted < queue->count; sorted++)
			insert(queue->at, sorted);
	else
		qsort(queue->at, queue->count, sizeof(*queue->at), compare);
	return true;
}

void pending_queue_mark(struct pending_queue *queue, size_t at)
{
	queue->at[at].slot = NO_SLOT;
	queue->started++;
}

void pending_queue_compact(struct pending_queue *queue)
{
	size_t kept = 0, sorted = 0;

	if (!queue->started)
		return;
	queue->least_cpus = UINT32_MAX;
	for (size_t i = 0; i < queue->count; i++) {
		if (queue->at[i].slot == NO_SLOT)
			continue;
		sorted += i < queue->sorted;
		if (queue->at[i].cpus < queue->least_cpus)
			queue->least_cpus = queue->at[i].cpus;
		queue->at[kept++] = queue->at[i];
	}
	queue->count = kept;
	queue->sorted = sorted;
	queue->started = 0;
}

void pending_queue_clear(struct pending_queue *queue)
{
	free(queue->at);
	*queue = (struct pending_queue){ NULL };
}
