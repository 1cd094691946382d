/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many CPUs of each group of nodes will be free at what time, by what runs and by reservations:
 * a list of steps, each of which lasts until the time of the next one. */
#pragma once

#include "replay/node_sets.h"

/* Times that differ by less are the same instant: sums of times in fractions of a second round. */
#define INSTANT 1e-6

/* Start with all members but the number of groups 0. */
struct profile {
	double *time;		/* by step: when it begins; the last step holds for ever */
	int64_t *free;		/* by step, then by group */
	size_t groups;
	size_t count;		/* steps; 0: profile_begin() was not called yet */
	size_t time_room, free_room;
	/* The latest end of a part that has become free since the caller set this to -INFINITY.
	 * From then on, nothing has become free. */
	double freed;
};

/* A job's CPUs by group, from `begin` until `end`. */
struct profile_part {
	double begin, end;
	const uint32_t *cpus;
};

/* Begins the profile anew: `free`, by group, are free from `now` on. */
void profile_begin(struct profile *profile, double now, const int64_t *free);
/* Moves the begin of the profile to `now`, and forgets what was before. */
void profile_go_on(struct profile *profile, double now);
/* Adds CPUs to those that are free from `time` on, which must not be before the last step. cpus: by
 * group. */
void profile_append(struct profile *profile, double time, const uint32_t *cpus);
/* Adds a job's CPUs to those that are free (sign 1), or takes them away (sign -1). */
void profile_add(struct profile *profile, const struct profile_part *part, int sign);
/* Returns the first time, not before `from`, from which `cpus` of a node set are free for `length`
 * seconds. Sets available[], by group of the set, to how many of the group are free all that time.
 * INFINITY: never, as the set does not have so many. */
double profile_find(const struct profile *profile, double from, double length, uint32_t cpus,
		    const struct node_set *set, int64_t *available);
/* Searches an earlier time for a job with a reservation, on a machine with one group: returns the
 * first time, not before `from` and before both `reserved` and `until`, from which `cpus` are free
 * for `length` seconds; else `reserved`. The reservation, from `reserved` for `length` seconds,
 * must be in the profile; its CPUs count as free for the job. reserved: INFINITY: the job has
 * none. */
double profile_find_earlier(const struct profile *profile, double from, double length,
			    uint32_t cpus, double reserved, double until);
