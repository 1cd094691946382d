/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events in slurmctld that may come while a pass or a request is under way. */
#pragma once

#include "controller/host.h"

enum {
	EVENT_WAKES = 1 << 0,	/* it makes the plugin do another pass */
	EVENT_COMES_BETWEEN = 1 << 1,	/* its result depends on whether it precedes the pass */
	EVENT_IS_NOT_SAVED = 1 << 2,	/* a crash before the next pass undoes it */
	EVENT_WANTS_LIMITS = 1 << 3,	/* the plugin is told of it only under limits */
	EVENT_TAKES_TIME = 1 << 4,	/* it goes on when the pass begins */
	EVENT_SPOILS_USAGE = 1 << 5,	/* slurmctld itself leaves wrong sums behind */
};

struct event {
	const char *name;
	void (*happen)(void);
	unsigned flags;
};

extern const struct event events[];
extern const size_t event_count;

/* Make the cluster: call the first before host_open, the second after it. */
void events_grow(void);
void events_populate(void);
