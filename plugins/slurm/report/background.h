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

/* The functions of a kind of work; context: what background_create() has returned. */
struct background_work {
	/* Does the work, in the thread and without the lock. */
	void (*run)(void *context);
	/* Called under the lock when run() has ended, unless the thread is abandoned. */
	void (*conclude)(void *context);
	/* Called under the lock when a pass, or the shutdown, finds that the work has not ended. */
	void (*late)(void *context);
	/* Frees what the context owns, without the lock. */
	void (*clear)(void *context);
};

/* The first member of the context, which has what the work needs and makes. */
struct background {
	const struct background_work *work;
	struct ordered_lock lock;
	pthread_cond_t ended;		/* waits by the monotonic clock */
	/* guarded by `lock` */
	enum { BACKGROUND_IDLE, BACKGROUND_UNDER_WAY, BACKGROUND_ABANDONED } state;
	bool was_skipped;		/* background_may_begin() came while the work was under
					 * way */
};

/* Returns a context of `size` bytes, all 0 behind its struct background; NULL: out of memory. */
void *background_create(const struct background_work *work, size_t size);
/* Returns whether no work is under way, so that the caller may change the context and begin. If
 * work is under way, calls work->late(). */
bool background_may_begin(struct background *background);
/* Starts the thread. Returns 0; or an errno, and no thread runs. */
int background_begin(struct background *background);
/* Returns whether the thread is abandoned: slurmctld has ended, and the work must change nothing
 * any more. background: a struct background; the type suits callbacks. */
bool background_is_abandoned(void *background);
/* Waits at most five seconds for work that is under way. Then frees the context; or if the work is
 * still under way, abandons the thread, which will do so. Does nothing with NULL. */
void background_end(void *context);
