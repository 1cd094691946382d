/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work that may hang, as a file system or slurmdbd may never answer: neither passes nor the
 * shutdown of slurmctld may wait for it then. Each time the work is due, a new thread does it; no
 * other begins while one is under way. A thread that has not ended at shutdown is abandoned: it
 * frees its context itself if it ever gets an answer.
 *
 *	if (background_may_begin(background)) {
 *		... change the context ...
 *		problem = background_begin(background);
 *	}
 */
#pragma once

#include "base/lock_order.h"

#include <stdbool.h>

/* The functions of a kind of work. */
struct background_work {
	/* Does the work, in the thread and without the lock. */
	void (*run)(void *context);
	/* Called under the lock when run() has ended, unless the thread is abandoned. */
	void (*conclude)(void *context);
	/* Called under the lock when a pass, or the shutdown, finds that the work has not ended. */
	void (*late)(void *context);
	/* Calls background_clear() and frees the context; without the lock. */
	void (*destroy)(void *context);
};

/* A member of the context, which has what the work needs and makes. */
struct background {
	const struct background_work *work;
	void *context;			/* the argument of the functions of `work` */
	struct ordered_lock lock;
	pthread_cond_t ended;		/* waits by the monotonic clock */
	/* guarded by `lock` */
	enum { BACKGROUND_IDLE, BACKGROUND_UNDER_WAY, BACKGROUND_ABANDONED } state;
	bool was_skipped;		/* background_may_begin() came while the work was under
					 * way */
};

void background_init(struct background *background, const struct background_work *work,
		     void *context);
/* Frees what background_init() has made; not the context. */
void background_clear(struct background *background);

/* Returns whether no work is under way, so that the caller may change the context and begin. If
 * work is under way, calls work->late(). */
bool background_may_begin(struct background *background);
/* Starts the thread. Returns 0; or an errno, and no thread runs. */
int background_begin(struct background *background);
/* Returns whether the thread is abandoned: slurmctld has ended, and the work must change nothing
 * any more. background: a struct background; the type suits callbacks. */
bool background_is_abandoned(void *background);
/* Waits at most five seconds for work that is under way. Then destroys the context; or if the work
 * is still under way, abandons the thread, which will do so. */
void background_end(struct background *background);
