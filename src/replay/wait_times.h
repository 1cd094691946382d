/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The distribution of wait times. Memory grows with the number of different times, which are whole
 * seconds in most traces. */
#pragma once

#include "fathom.h"

struct wait_count {
	double wait;
	uint64_t count;
};

/* Start with all members 0. */
struct wait_times {
	struct wait_count *at;
	size_t count, room;
	size_t merged;		/* number of times that are sorted and different */
	uint64_t total;
};

/* Adds a wait time, seconds. */
void wait_times_add(struct wait_times *times, double wait);
/* Sorts the times; call it before wait_times_quantile(). */
void wait_times_settle(struct wait_times *times);
/* Returns the least time that `part` of all, 0 to 1, do not exceed (nearest rank). NAN: there are
 * no times. */
double wait_times_quantile(const struct wait_times *times, double part);
