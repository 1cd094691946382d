/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many CPUs of each group of nodes are free when: from each step's time until that of the
 * next. */
#pragma once

#include "replay/node_sets.h"

/* Times that differ by less are the same instant: sums of times in fractions of a second round. */
#define INSTANT 1e-6

/* Start with all members but the number of groups 0. */
struct profile {
	double *time;		/* by step; the last one holds for ever */
	int64_t *free;		/* by step and group */
	size_t groups;
	size_t count, time_room, free_room;
	double freed;		/* the latest end of a part that has become free, since the caller
				 * set this to -INFINITY; behind it a search finds nothing new */
};

/* A job's CPUs by group, from `begin` until `end`. */
struct profile_part {
	double begin, end;
	const uint32_t *cpus;
};

/* Sets the profile to `free`, by group, from `now` on. */
void profile_begin(struct profile *profile, double now, const int64_t *free);
/* Forgets what was before `now`. */
void profile_go_on(struct profile *profile, double now);
/* Adds CPUs to those that are free from `time` on, which is no earlier than the last step. */
void profile_append(struct profile *profile, double time, const uint32_t *cpus);
/* Adds a job's CPUs to those that are free (sign 1), or takes them (-1). */
void profile_add(struct profile *profile, const struct profile_part *part, int sign);
/* Returns the first instant from `from` on at which `cpus` of a node set are free for `length`
 * seconds. available: gets how many of each of its groups are free. */
double profile_find(const struct profile *profile, double from, double length, uint32_t cpus,
		    const struct node_set *set, int64_t *available);
/* Like profile_find(), on a single group, for a job that has a reservation from `reserved` on,
 * whose CPUs are not free in the profile; INFINITY: it has none. Only instants before `until` are
 * searched. Returns `reserved` if none of them before `reserved` will do. */
double profile_find_earlier(const struct profile *profile, double from, double length,
			    uint32_t cpus, double reserved, double until);
