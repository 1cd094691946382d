/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The distribution of wait times. Memory grows with the number of different times, which are whole
 * seconds in most traces. */
#pragma once

#include "fathom.h"

struct wait_count {
	double wait;		/* seconds */
	uint64_t count;		/* jobs that waited so long */
};

/* Start with all members 0. */
struct wait_times {
	struct wait_count *at;
	size_t count, room;
	size_t merged;		/* the first of them, which are sorted and different */
	uint64_t total;		/* jobs */
};

/* Adds the wait time of a job, in seconds. */
void wait_times_add(struct wait_times *times, double wait);
/* Sorts and merges all times; call it before wait_times_quantile(). */
void wait_times_settle(struct wait_times *times);
/* Returns the shortest time that a part of all jobs did not exceed (nearest rank). percent: 0 to
 * 100; 50: the median. NAN: there are no times. */
double wait_times_quantile(const struct wait_times *times, unsigned percent);
