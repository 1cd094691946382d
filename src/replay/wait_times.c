/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps a sorted list of different times with their counts, and behind it the times that were added
 * since. wait_times_settle() merges these into the list:
 *
 *	5, 0, 5 added and settled	0 (1) 5 (2)			merged 2, count 2
 *	7, 0 added			0 (1) 5 (2) 7 (1) 0 (1)		merged 2, count 4
 *	settled				0 (2) 5 (2) 7 (1)		merged 3, count 3
 */
#include "replay/replay_figures.h"

#include "memory/need_memory.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_NEW 4096	/* times that are added before they are merged */

/* Orders struct wait_count by time, the shortest first. */
static int compare(const void *a, const void *b)
{
	const struct wait_count *left = a, *right = b;

	return (left->wait > right->wait) - (left->wait < right->wait);
}

void wait_times_settle(struct wait_times *times)
{
	size_t kept = 0;

	if (times->merged == times->count)
		return;
	qsort(times->entry, times->count, sizeof(*times->entry), compare);
	for (size_t i = 0; i < times->count; i++)
		if (kept && times->entry[kept - 1].wait == times->entry[i].wait)
			times->entry[kept - 1].count += times->entry[i].count;
		else
			times->entry[kept++] = times->entry[i];
	times->count = times->merged = kept;
}

/* Returns whether it is time to merge: as many times have been added as are merged. So the work of
 * all merges together grows little faster than the number of times. */
static bool is_full(const struct wait_times *times)
{
	size_t added = times->count - times->merged;

	return added >= LEAST_NEW && added >= times->merged;
}

void wait_times_add(struct wait_times *times, double wait)
{
	if (is_full(times))
		wait_times_settle(times);
	times->entry = need_room(times->entry, &times->room, times->count + 1,
				 sizeof(*times->entry));
	times->entry[times->count++] = (struct wait_count){ wait, 1 };
	times->total++;
}

double wait_times_quantile(const struct wait_times *times, unsigned percent)
{
	/* rounded up, at least 1; in integers, because as doubles 7 % of 100 is above 7 */
	uint64_t rank = percent ? (percent * times->total + 99) / 100 : 1, before = 0;

	for (size_t i = 0; i < times->count; i++) {
		before += times->entry[i].count;
		if (before >= rank)
			return times->entry[i].wait;
	}
	return NAN;
}
