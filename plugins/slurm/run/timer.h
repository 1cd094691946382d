/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells the decay thread when to work. A turn is a full pass; or between two passes, where that is
 * needed, one that only charges jobs or only places pending ones. A pass is due every
 * PriorityCalcPeriod, or earlier when another thread requests one.
 *
 *	while ((turn = timer_wait(&timer)).kind != TURN_END) {
 *		...
 *		timer_plan(&timer, period, charge_period);
 *	}
 */
#pragma once

#include "base/lock_order.h"

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* What other threads request; bits of a mask. */
enum timer_request {
	TIMER_PASS = 1,		/* a full pass, at once */
	TIMER_PASS_SOON = 2,	/* a full pass, 0.6 s after the last turn or later */
	TIMER_PLACES = 4,	/* places of pending jobs, then priorities and marks of holds, at
				 * most once a second */
	TIMER_END = 8,		/* the end of the thread */
	/* only together with TIMER_PASS: */
	TIMER_RESET = 16,	/* a reset of usage with PriorityUsageResetPeriod=NOW */
	TIMER_SETTINGS = 32,	/* a new reading of the files of settings */
};

enum turn_kind {
	TURN_PASS,		/* does all that the other turns do */
	TURN_PLACES,		/* places pending jobs */
	TURN_CHARGE,		/* charges ended jobs */
	TURN_END,
};

/* A turn, as the decay thread gets it. */
struct timer_turn {
	enum turn_kind kind;
	unsigned requests;	/* bits of enum timer_request: made since the turn before began */
	time_t now;		/* when the turn began, by the wall clock */
};

/* The requests of other threads, and when the next turns are due. */
struct timer {
	struct ordered_lock lock;	/* guards all that follows; not held during a turn */
	pthread_cond_t wake;	/* signalled on a request; waits by the monotonic clock */
	unsigned requests;	/* bits of enum timer_request: those that no turn has taken yet */
	enum turn_kind kind;	/* kind of the last turn, or of the present one */
	int64_t begun;		/* when that turn began, by base/monotonic.h */
	int64_t next_pass, next_charge, next_places;	/* when these turns are due, by the same
							 * clock */
	int64_t soonest;	/* the earliest time for the next pass, by the same clock */
	time_t pass_begun;	/* when the last pass began, by the wall clock */
	double period;		/* seconds from pass to pass */
};

/* Makes a timer by which a pass is due at once. */
void timer_init(struct timer *timer);
void timer_clear(struct timer *timer);	/* nobody waits or requests any more */

/* Adds requests, of enum timer_request, and wakes the thread if one of them is new. Any thread may
 * call it, with any locks of Slurm's. */
void timer_request(struct timer *timer, unsigned requests);
/* Waits until a turn is due, and returns it with the requests that were made until then. Later
 * requests are for the next turn. */
struct timer_turn timer_wait(struct timer *timer);
/* Sets when the next turns are due; call it at the end of a turn. period: seconds from the begin of
 * a pass to that of the next; charge_period: seconds until a turn that only charges jobs, 0: there
 * is none. */
void timer_plan(struct timer *timer, double period, double charge_period);
