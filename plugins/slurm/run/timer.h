/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells the decay thread when to work. A turn is a full pass or, where needed between two passes,
 * only charges jobs or places pending ones. A pass is due every PriorityCalcPeriod, or earlier when
 * another thread requests one.
 *
 *	while (timer_wait(&timer, &turn)) {
 *		full = timer_begin_turn(&timer, &turn, period);
 *		...
 *		timer_plan(&timer, &turn, period, charge_period);
 *	}
 */
#ifndef SLURM_TIMER_H
#define SLURM_TIMER_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

struct timer {
	pthread_mutex_t lock;	/* guards all that follows; not held during a turn */
	pthread_cond_t wake;	/* waits by the monotonic clock */
	/* what other threads have requested since the last turn began */
	bool shut_down;
	bool pass_wanted;	/* at once */
	bool pass_wanted_soon;	/* at `soonest` */
	bool places_wanted;	/* at `next_places` */
	bool reset_wanted;	/* with PriorityUsageResetPeriod=NOW */
	/* when turns are due, by the monotonic clock */
	struct timespec next_pass, next_charge, next_places;
	struct timespec soonest;	/* for the next pass */
	time_t pass_begun;	/* the last one, by the wall clock */
};

struct timer_turn {
	struct timespec begun;	/* by the monotonic clock */
	time_t now;		/* when it began, by the wall clock */
	bool full;		/* a full pass, which does all that the others do */
	bool places;		/* places pending jobs; if neither, charges ended jobs */
	bool reset;		/* a reset has been requested since the last turn */
};

void timer_init(struct timer *timer);
void timer_clear(struct timer *timer);

/* Requests a full pass at once; reset: with a reset of usage, if the settings have one. */
void timer_want_pass(struct timer *timer, bool reset);
/* Requests a full pass, 0.6 s after the last turn or later. */
void timer_want_pass_soon(struct timer *timer);
/* Requests that pending jobs be placed, at most once a second. */
void timer_want_places(struct timer *timer);
/* Makes timer_wait() return false from now on. */
void timer_shut_down(struct timer *timer);

/* Waits until a turn is due. What is requested after this call is for the next turn. False: the
 * timer has been shut down. */
bool timer_wait(struct timer *timer, struct timer_turn *turn);
/* Decides whether the turn is a full pass: one has been requested, or the last one began `period`
 * seconds ago. */
bool timer_begin_turn(struct timer *timer, struct timer_turn *turn, double period);
/* Sets when the next turns are due. charge_period: seconds until a turn that only charges jobs;
 * 0: there is none. */
void timer_plan(struct timer *timer, const struct timer_turn *turn, double period,
		double charge_period);

#endif
