/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may happen in slurmctld while a pass or a request is under way. */
#ifndef HOST_EVENTS_H
#define HOST_EVENTS_H

#include "controller/host.h"

enum {
	EVENT_WAKES = 1 << 0,	/* the thread, for another pass */
	EVENT_COMES_BETWEEN = 1 << 1,	/* before or after the pass makes a difference */
	EVENT_IS_NOT_SAVED = 1 << 2,	/* until the next pass; a crash before undoes it */
	EVENT_WANTS_LIMITS = 1 << 3,	/* without them nobody hears of it */
	EVENT_TAKES_TIME = 1 << 4,	/* and is not over when the pass begins */
	EVENT_SPOILS_USAGE = 1 << 5,	/* slurmctld itself leaves wrong sums behind */
};

struct event {
	const char *name;
	void (*happen)(void);
	unsigned flags;
};

extern const struct event events[];
extern const size_t event_count;

/* Before host_open, and after it. */
void events_grow(void);
void events_populate(void);

#endif
