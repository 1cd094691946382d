/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/profile.h"

#include "core/array.h"
#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int profile_begin(struct profile *profile, double now, uint64_t free, struct fathom_error *error)
{
	struct profile_step *grown = array_grow(profile->step, &profile->room, 1, sizeof(*grown));

	if (!grown)
		return fathom_error_no_memory(error);
	profile->step = grown;
	grown[0] = (struct profile_step){ now, (int64_t)free };
	profile->count = 1;
	return 0;
}

/* Returns the last step that begins at or before `time`, which the first one does. */
static size_t step_at(const struct profile *profile, double time)
{
	size_t low = 0, high = profile->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (profile->step[middle].time <= time + INSTANT)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void profile_forget(struct profile *profile, double now)
{
	size_t first = step_at(profile, now);

	memmove(profile->step, profile->step + first,
		(profile->count - first) * sizeof(*profile->step));
	profile->count -= first;
	profile->step[0].time = fmax(profile->step[0].time, now);
}

/* Makes a step begin at `time`; *at: its index. -1: out of memory. */
static int split(struct profile *profile, double time, size_t *at)
{
	struct profile_step *grown;
	size_t before = step_at(profile, time);

	*at = before;
	if (fabs(profile->step[before].time - time) <= INSTANT)
		return 0;
	grown = array_grow(profile->step, &profile->room, profile->count + 1, sizeof(*grown));
	if (!grown)
		return -1;
	profile->step = grown;
	*at = before + 1;
	memmove(grown + *at + 1, grown + *at, (profile->count - *at) * sizeof(*grown));
	grown[*at] = (struct profile_step){ time, grown[before].free };
	profile->count++;
	return 0;
}

/* Removes a step that is like the one before it. */
static void join(struct profile *profile, size_t at)
{
	if (!at || at >= profile->count || profile->step[at].free != profile->step[at - 1].free)
		return;
	profile->count--;
	memmove(profile->step + at, profile->step + at + 1,
		(profile->count - at) * sizeof(*profile->step));
}

int profile_add(struct profile *profile, double begin, double end, int64_t cpus,
		struct fathom_error *error)
{
	size_t first, last;

	if (end - begin <= INSTANT)
		return 0;
	if (split(profile, begin, &first) || split(profile, end, &last))
		return fathom_error_no_memory(error);
	for (size_t i = first; i < last; i++)
		profile->step[i].free += cpus;
	join(profile, last);
	join(profile, first);
	return 0;
}

double profile_find(const struct profile *profile, double from, double length, int64_t cpus)
{
	size_t i = step_at(profile, from);
	double begin = fmax(profile->step[i].time, from);

	for (size_t at = i; at < profile->count; at++) {
		if (profile->step[at].free < cpus) {
			begin = INFINITY;
			continue;
		}
		begin = isinf(begin) ? profile->step[at].time : begin;
		if (at + 1 == profile->count ||
		    profile->step[at + 1].time >= begin + length - INSTANT)
			return begin;
	}
	return INFINITY;
}

void profile_clear(struct profile *profile)
{
	free(profile->step);
	*profile = (struct profile){ NULL };
}
