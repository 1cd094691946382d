/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many CPUs are free when: from each step's time until that of the next. */
#ifndef REPLAY_PROFILE_H
#define REPLAY_PROFILE_H

#include "fathom.h"

/* Times that differ by less are the same instant: sums of times in fractions of a second round. */
#define INSTANT 1e-6

struct profile_step {
	double time;
	int64_t free;
};

/* Start with all members 0. */
struct profile {
	struct profile_step *step;	/* the last one holds for ever */
	size_t count, room;
};

/* Sets the profile to `free` from `now` on. -1: ENOMEM. */
int profile_begin(struct profile *profile, double now, uint64_t free, struct fathom_error *error);
/* Drops what lies before now. */
void profile_forget(struct profile *profile, double now);
/* Adds CPUs, of any sign, to those free from `begin` until `end`. -1: ENOMEM. */
int profile_add(struct profile *profile, double begin, double end, int64_t cpus,
		struct fathom_error *error);
/* Returns the first instant from `from` on at which so many CPUs are free for so long. */
double profile_find(const struct profile *profile, double from, double length, int64_t cpus);
void profile_clear(struct profile *profile);

#endif
