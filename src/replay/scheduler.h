/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schedulers: which pending jobs start at an instant. */
#pragma once

#include "fathom.h"

struct replay;

struct replay_scheduler {
	const char *name;	/* for --scheduler */
	const char *summary;	/* a clause, for lists of schedulers */
	/* Of each node set, the first job that does not fit has a reservation. */
	bool reserves_first;
	/* Each pending job has a reservation, so that each cycle needs the order of all jobs. */
	bool reserves_all;
	/* Jobs start when they did in the trace; the queue is a heap of these times. */
	bool keeps_starts;
	/* Starts pending jobs now, by replay_start_job() or replay_start_at(). */
	void (*cycle)(struct replay *replay);
	/* Notes that the job in a slot ends now, while the slot still has the job; NULL: the
	 * scheduler need not know. */
	void (*note_end)(struct replay *replay, uint32_t slot);
};

/* Returns how many schedulers there are. */
size_t replay_scheduler_count(void);
/* Returns a scheduler; index: below replay_scheduler_count(). */
const struct replay_scheduler *replay_scheduler_at(size_t index);
/* Returns the scheduler of this name; NULL: there is none. */
const struct replay_scheduler *replay_scheduler_find(const char *name);

#define SCHEDULER(name) extern const struct replay_scheduler replay_scheduler_##name;
#include "replay/schedulers.h"
#undef SCHEDULER
