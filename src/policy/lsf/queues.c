/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which LSF serves queues: a place for each queue. Queues with the
 * same place are served as one. Example:
 *
 *	queue	priority  kind			place
 *	a	40	  fair share		0
 *	b	30	  first come		1	(shared by all first-come
 *	c	30	  fair share		2	 queues of one priority)
 *	d	30	  first come		1
 *
 * Source: LSF, "Jobs from equal priority queues", "Cross-queue user-based
 * fairshare" (FAIRSHARE_QUEUES, DISPATCH_ORDER).
 */
#include "core/error.h"
#include "fathom.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_PLACE SIZE_MAX	/* no place has been assigned yet */

/* ---- places --------------------------------------------------------------------- */

/* Compares pointers to two queues of one array for qsort(): the higher priority first; of equal
 * ones the first in the array. */
static int compare_served(const void *x, const void *y)
{
	const struct fathom_served_queue *a = *(const struct fathom_served_queue *const *)x;
	const struct fathom_served_queue *b = *(const struct fathom_served_queue *const *)y;

	if (a->priority != b->priority)
		return a->priority < b->priority ? 1 : -1;
	return (a > b) - (a < b);
}

/* The places that are assigned while queues are visited from the highest priority down. */
struct places {
	size_t next;		/* the next free place */
	size_t first_come;	/* place of this priority's first-come queues, or NO_PLACE */
	size_t *of_set;		/* by master queue: place of its cross-queue set, or NO_PLACE */
};

/* Returns the member of *places that holds the place which a queue shares with others; NULL:
 * the queue has a place of its own. */
static size_t *shared_place(struct places *places, const struct fathom_served_queue *queue)
{
	if (queue->master != FATHOM_NO_SET)
		return &places->of_set[queue->master];
	return queue->is_fairshare ? NULL : &places->first_come;
}

/* Returns the place of the next queue: the one that it shares, which is assigned if it has not been
 * yet, or a new one. shared: from shared_place(). */
static size_t assign_place(struct places *places, size_t *shared)
{
	if (!shared)
		return places->next++;
	if (*shared == NO_PLACE)
		*shared = places->next++;
	return *shared;
}

/* Forgets the places that only queues of one priority share: that of first-come queues, and
 * those of sets that are served queue first. sorted: the queues of that priority. */
static void end_priority(struct places *places, const struct fathom_served_queue *const *sorted,
			 size_t count)
{
	places->first_come = NO_PLACE;
	for (size_t i = 0; i < count; i++)
		if (sorted[i]->master != FATHOM_NO_SET && sorted[i]->queue_first)
			places->of_set[sorted[i]->master] = NO_PLACE;
}

/* Checks that all master queues exist. -1: EINVAL. */
static int check_masters(const struct fathom_served_queue *queues, size_t count,
			 struct fathom_error *error)
{
	for (size_t i = 0; i < count; i++)
		if (queues[i].master != FATHOM_NO_SET && queues[i].master >= count)
			return fathom_error_set_row(error, EINVAL, i, "master queue %zu does not "
						    "exist, must be less than %zu",
						    queues[i].master, count);
	return 0;
}

/* Sets place[] of all queues, from the highest priority down. sorted, places->of_set: scratch
 * memory, `count` long; sorted gets the queues in this order. */
static void assign_places(struct places *places, const struct fathom_served_queue *queues,
			  const struct fathom_served_queue **sorted, size_t count, size_t *place)
{
	size_t first = 0;	/* the first queue of this priority, in `sorted` */

	for (size_t i = 0; i < count; i++) {
		sorted[i] = &queues[i];
		places->of_set[i] = NO_PLACE;
	}
	qsort(sorted, count, sizeof(*sorted), compare_served);
	for (size_t i = 0; i < count; i++) {
		const struct fathom_served_queue *queue = sorted[i];

		if (queue->priority != sorted[first]->priority) {
			end_priority(places, sorted + first, i - first);
			first = i;
		}
		place[queue - queues] = assign_place(places, shared_place(places, queue));
	}
}

int fathom_queue_places(const struct fathom_served_queue *queues, size_t count, size_t *place,
			struct fathom_error *error)
{
	const struct fathom_served_queue **sorted;
	struct places places = { .first_come = NO_PLACE };
	int status = 0;

	if (check_masters(queues, count, error))
		return -1;
	sorted = malloc((count + 1) * sizeof(*sorted));
	places.of_set = malloc((count + 1) * sizeof(*places.of_set));
	if (sorted && places.of_set)
		assign_places(&places, queues, sorted, count, place);
	else
		status = fathom_error_set(error, ENOMEM, "%zu queues: out of memory", count);
	free(sorted);
	free(places.of_set);
	return status;
}

/* ---- priorities within the range of a set ------------------------------------------ */

/* Returns a queue outside the set of a master queue whose priority lies within the range of the
 * set; `count`: there is none. */
static size_t find_within(const struct fathom_served_queue *queues, size_t count, size_t master)
{
	double low = queues[master].priority, high = low;
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		if (queues[i].master != master)
			continue;
		low = queues[i].priority < low ? queues[i].priority : low;
		high = queues[i].priority > high ? queues[i].priority : high;
	}
	while (found < count && (queues[found].master == master || queues[found].priority < low ||
				 queues[found].priority > high))
		found++;
	return found;
}

/* Looks at each set whose master names itself, and that is not served queue first. */
bool fathom_queue_within_set(const struct fathom_served_queue *queues, size_t count, size_t *queue,
			     size_t *master)
{
	for (*master = 0; *master < count; ++*master) {
		if (queues[*master].master != *master || queues[*master].queue_first)
			continue;
		*queue = find_within(queues, count, *master);
		if (*queue < count)
			return true;
	}
	return false;
}

/* ---- the queue first, then the user ------------------------------------------------ */

/*
 * Where the queue decides before the user, queues of equal priority are a class, and each
 * class gets a range of factors above that of the class below it. With two classes:
 *
 *	class	user's factor	factor with the queue first
 *	0	0 to 1		0     to 0.498
 *	1	0 to 1		0.502 to 1
 *
 * The gap between two ranges, as a part of a range, keeps classes apart when priorities are
 * cut to whole numbers.
 */
#define CLASS_GAP (1.0 / 128)

/* Compares doubles for qsort(), the least first. */
static int compare_numbers(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* Returns the index of a priority in a sorted array, by binary search. The array must have it. */
static size_t find_class(const double *sorted, size_t count, double priority)
{
	size_t low = 0, high = count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (sorted[middle] > priority)
			high = middle;
		else
			low = middle;
	}
	return low;
}

size_t fathom_queue_classes(const double *priority, size_t count, size_t *class_of)
{
	double *sorted = malloc((count + 1) * sizeof(*sorted));
	size_t classes = 0;

	if (!sorted)
		return 0;
	memcpy(sorted, priority, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare_numbers);
	/* keep each priority once: its index is the class */
	for (size_t i = 0; i < count; i++)
		if (!classes || sorted[i] != sorted[classes - 1])
			sorted[classes++] = sorted[i];
	for (size_t i = 0; i < count; i++)
		class_of[i] = find_class(sorted, classes, priority[i]);
	free(sorted);
	return classes;
}

double fathom_queue_first_factor(double factor, size_t queue_class, size_t class_count)
{
	const double step = 1 + CLASS_GAP;

	return ((double)queue_class * step + factor) / ((double)(class_count - 1) * step + 1);
}
