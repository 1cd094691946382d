/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work that may hang, as a file system or slurmdbd may never answer: neither passes nor the
 * shutdown of slurmctld may wait for it then. A thread of its own does each piece. While one is
 * under way no other begins. A thread that does not come to an end at shutdown is abandoned: it
 * frees its things if it ever gets an answer.
 */
#pragma once

#include "base/lock_order.h"

#include <stdbool.h>

struct background_work {
	void (*run)(void *context);		/* without the lock */
	/* These hold the lock. conclude: after run(), unless abandoned; late: a pass, or the
	 * shutdown, finds that the work has not ended. */
	void (*conclude)(void *context);
	void (*late)(void *context);
	void (*destroy)(void *context);		/* calls background_clear() and frees the context */
};

struct background {
	const struct background_work *work;
	void *context;			/* of its functions */
	struct ordered_lock lock;
	pthread_cond_t ended;		/* waits by the monotonic clock */
	/* guarded by `lock` */
	enum { BACKGROUND_IDLE, BACKGROUND_UNDER_WAY, BACKGROUND_ABANDONED } state;
	bool was_skipped;		/* a pass came while this work was under way */
};

void background_init(struct background *background, const struct background_work *work,
		     void *context);
void background_clear(struct background *background);

/* Returns whether the last work has ended, so that the context may be changed. */
bool background_may_begin(struct background *background);
/* Starts a thread. Returns 0 or an errno; then no thread runs. */
int background_begin(struct background *background);
/* Asked by the work: must it change nothing any more, as slurmctld has ended? */
bool background_is_abandoned(void *background);
/* Waits at most five seconds for work that is under way, and destroys the context. */
void background_end(struct background *background);
