/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schedulers: which pending jobs start at an instant. */
#pragma once

#include "fathom.h"

struct replay;

struct replay_scheduler {
	const char *name;
	const char *summary;
	/* Each pending job has a reservation, so that each cycle needs the order of all jobs. */
	bool reserves_all;
	/* Jobs start when the trace says, and are in that order. */
	bool keeps_starts;
	/* Starts jobs by replay_start_job(). */
	void (*cycle)(struct replay *replay);
	/* Notes that a job ends now; NULL: it need not know. */
	void (*note_end)(struct replay *replay, uint32_t slot);
};

size_t replay_scheduler_count(void);
const struct replay_scheduler *replay_scheduler_at(size_t index);
/* NULL: no scheduler has this name. */
const struct replay_scheduler *replay_scheduler_find(const char *name);

#define SCHEDULER(name) extern const struct replay_scheduler replay_scheduler_##name;
#include "replay/schedulers.h"
#undef SCHEDULER
