/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schedulers: which pending jobs start at an instant. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct replay;

struct replay_scheduler {
	const char *name;	/* for --scheduler */
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

extern const struct replay_scheduler replay_scheduler_easy, replay_scheduler_conservative,
	replay_scheduler_none, replay_scheduler_strict, replay_scheduler_trace;
/* All schedulers, and behind them NULL. */
extern const struct replay_scheduler *const replay_schedulers[];
