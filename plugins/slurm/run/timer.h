/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells the decay thread when to work. A turn is a full pass or, where needed between two passes,
 * only charges jobs or places pending ones. A pass is due every PriorityCalcPeriod, or earlier when
 * another thread requests one.
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

/* What threads request. */
enum timer_request {
	TIMER_PASS = 1,		/* a full pass, at once */
	TIMER_PASS_SOON = 2,	/* a full pass, 0.6 s after the last turn or later */
	TIMER_PLACES = 4,	/* that pending jobs be placed, at most once a second */
	TIMER_END = 8,		/* that the thread end */
	/* beside TIMER_PASS: */
	TIMER_RESET = 16,	/* a reset of usage with PriorityUsageResetPeriod=NOW */
	TIMER_SETTINGS = 32,	/* that the files of settings be read again */
};

enum turn_kind {
	TURN_PASS,		/* does all that the others do */
	TURN_PLACES,		/* places pending jobs */
	TURN_CHARGE,		/* charges ended jobs */
	TURN_END,
};

struct timer_turn {
	enum turn_kind kind;
	unsigned requests;	/* enum timer_request: since the turn before began */
	time_t now;		/* when it began, by the wall clock */
};

struct timer {
	struct ordered_lock lock;	/* guards all that follows; not held during a turn */
	pthread_cond_t wake;	/* waits by the monotonic clock */
	unsigned requests;	/* enum timer_request: those that no turn has taken yet */
	enum turn_kind kind;	/* of the last turn */
	int64_t begun;		/* the last turn, in nanoseconds of the monotonic clock */
	int64_t next_pass, next_charge, next_places;	/* by the same clock */
	int64_t soonest;	/* for the next pass */
	time_t pass_begun;	/* the last pass, by the wall clock */
	double period;		/* of passes, seconds */
};

void timer_init(struct timer *timer);
void timer_clear(struct timer *timer);

/* requests: of enum timer_request. */
void timer_request(struct timer *timer, unsigned requests);
/* Waits until a turn is due. What is requested after this call is for the next turn. */
struct timer_turn timer_wait(struct timer *timer);
/* Sets when the next turns are due, at the end of a turn. period: seconds from pass to pass;
 * charge_period: until a turn that only charges jobs; 0: there is none. */
void timer_plan(struct timer *timer, double period, double charge_period);
