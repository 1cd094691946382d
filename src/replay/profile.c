/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes and searches profiles. A profile is a list of steps. Example, one group of 10 CPUs, of
 * which a job has 6 until 100, and another one has 3 reserved from 100 until 150:
 *
 *	time	0	100	150
 *	free	4	7	10
 *
 * The first time from which 8 CPUs are free for 20 s is 150; for 5 CPUs and 60 s it is 100.
 */
#include "replay/replay_private.h"

/* Makes room for `count` steps. */
static void make_room(struct profile *profile, size_t count)
{
	profile->time = need_room(profile->time, &profile->time_room, count,
				  sizeof(*profile->time));
	profile->free = need_room(profile->free, &profile->free_room, count,
				  profile->groups * sizeof(*profile->free));
}

/* Returns the free CPUs at a step: an array by group, which the caller may change. */
static int64_t *step_free(const struct profile *profile, size_t step)
{
	return profile->free + step * profile->groups;
}

void profile_begin(struct profile *profile, double now, const int64_t *free)
{
	make_room(profile, 1);
	profile->time[0] = now;
	memcpy(profile->free, free, profile->groups * sizeof(*free));
	profile->count = 1;
	profile->freed = -INFINITY;
}

/* Returns the last step that begins at or before `time`; 0 if none does. */
static size_t step_at(const struct profile *profile, double time)
{
	size_t low = 0, high = profile->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (profile->time[middle] <= time + INSTANT)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Moves the steps from index `from` to the last one so that the first of them gets index `to`. The
 * caller makes room, and counts the steps. */
static void move_steps(struct profile *profile, size_t to, size_t from)
{
	size_t count = profile->count - from;

	memmove(profile->time + to, profile->time + from, count * sizeof(*profile->time));
	memmove(step_free(profile, to), step_free(profile, from),
		count * profile->groups * sizeof(*profile->free));
}

/* Returns the index of the step that begins at `time`. If there is none, divides the step within
 * which `time` lies. */
static size_t split(struct profile *profile, double time)
{
	size_t before = step_at(profile, time), at = before + 1;

	if (fabs(profile->time[before] - time) <= INSTANT)
		return before;
	make_room(profile, profile->count + 1);
	move_steps(profile, at + 1, at);
	profile->time[at] = time;
	memcpy(step_free(profile, at), step_free(profile, before),
	       profile->groups * sizeof(*profile->free));
	profile->count++;
	return at;
}

void profile_append(struct profile *profile, double time, const uint32_t *cpus)
{
	int64_t *free = step_free(profile, split(profile, time));

	for (size_t i = 0; i < profile->groups; i++)
		free[i] += cpus[i];
}

void profile_go_on(struct profile *profile, double now)
{
	size_t first = step_at(profile, now);

	move_steps(profile, 0, first);
	profile->count -= first;
	profile->time[0] = now;
}

/* Returns whether each group has as many free CPUs at a step as at the one before it. */
static bool is_like_the_one_before(const struct profile *profile, size_t at)
{
	const int64_t *free = step_free(profile, at), *before = step_free(profile, at - 1);

	for (size_t i = 0; i < profile->groups; i++)
		if (free[i] != before[i])
			return false;
	return true;
}

/* Removes a step if it is like the one before it. at: may be 0 or the number of steps; then nothing
 * is done. */
static void join(struct profile *profile, size_t at)
{
	if (!at || at >= profile->count || !is_like_the_one_before(profile, at))
		return;
	move_steps(profile, at, at + 1);
	profile->count--;
}

/* Adds CPUs to those of a group that are free at the steps from `first` on and before `end`. */
static void add_to_steps(struct profile *profile, size_t group, size_t first, size_t end,
			 int64_t cpus)
{
	int64_t *free = profile->free + group;

	for (size_t i = first * profile->groups; i < end * profile->groups; i += profile->groups)
		free[i] += cpus;
}

void profile_change(struct profile *profile, const struct profile_part *part,
		    enum profile_sign sign)
{
	size_t first, end;

	if (part->end - part->begin <= INSTANT)
		return;
	if (sign == PROFILE_FREE)
		profile->freed = fmax(profile->freed, part->end);
	first = split(profile, part->begin);
	end = split(profile, part->end);
	for (size_t group = 0; group < profile->groups; group++)
		if (part->cpus[group])
			add_to_steps(profile, group, first, end, sign * (int64_t)part->cpus[group]);
	join(profile, end);	/* before `first`: joining that moves the steps behind it */
	join(profile, first);
}

/* Reduces available[], by group of the set, to what is free at a step. Sets *kept to what it leaves
 * in all groups. Returns how many CPUs of the set are free at the step. */
static int64_t limit_to_step(const struct profile *profile, size_t step,
			     const struct node_set *set, int64_t *available, int64_t *kept)
{
	const int64_t *free = step_free(profile, step);
	int64_t sum = 0;

	*kept = 0;
	for (size_t i = 0; i < set->count; i++) {
		uint32_t group = set->group[i];

		sum += free[group];
		if (free[group] < available[group])
			available[group] = free[group];
		*kept += available[group];
	}
	return sum;
}

/* Returns 0 if `cpus` of a set are free from step `first` until the time `end`, in the same groups
 * all the time; available[] has how many of each group. Else returns the first later step from
 * which they may be free. */
static size_t try_from(const struct profile *profile, size_t first, double end, uint32_t cpus,
		       const struct node_set *set, int64_t *available)
{
	for (size_t i = 0; i < set->count; i++)
		available[set->group[i]] = INT64_MAX;
	for (size_t at = first; at < profile->count; at++) {
		int64_t kept, sum;

		if (at > first && profile->time[at] >= end - INSTANT)
			return 0;
		sum = limit_to_step(profile, at, set, available, &kept);
		if (kept >= cpus)
			continue;
		/* if the step itself has too few CPUs, no try may include it */
		return sum < cpus ? at + 1 : first + 1;
	}
	return 0;
}

double profile_find(const struct profile *profile, double from, double length, uint32_t cpus,
		    const struct node_set *set, int64_t *available)
{
	size_t at = step_at(profile, from);

	while (at < profile->count) {
		double begin = fmax(profile->time[at], from);
		size_t next = try_from(profile, at, begin + length, cpus, set, available);

		if (!next)
			return begin;
		at = next;
	}
	return INFINITY;
}

/* Returns the first of the steps from `first` on and before `end` at which `cpus` of the only group
 * are free; `end`: there is none. */
static size_t skip_busy(const struct profile *profile, size_t first, size_t end, uint32_t cpus)
{
	while (first < end && profile->free[first] < cpus)
		first++;
	return first;
}

/* Returns the first step that does not begin before `time`; the number of steps if all do. */
static size_t step_from(const struct profile *profile, double time)
{
	size_t at = step_at(profile, time);

	return at + (profile->time[at] < time - INSTANT);
}

/* Tries the steps at which the CPUs are free one by one, until they stay free for `length` from one
 * on. The next try begins behind the step at which they did not. */
double profile_find_earlier(const struct profile *profile, double from, double length,
			    uint32_t cpus, double reserved, double until)
{
	size_t step = step_at(profile, from), own = step_from(profile, reserved);
	size_t tries_end = until < reserved ? step_from(profile, until) : own;

	while ((step = skip_busy(profile, step, tries_end, cpus)) < tries_end) {
		double begin = fmax(profile->time[step], from);

		/* from step `own` on the job has the CPUs of its own reservation */
		while (step < own && profile->free[step] >= cpus) {
			step++;
			if (step == own || profile->time[step] >= begin + length - INSTANT)
				return begin;
		}
	}
	return reserved;
}
