/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the decay thread works: a full pass each period, or as soon as somebody wants one, and
 * between two passes, where needed, a round that only charges jobs, or places pending jobs.
 *
 *	while (timer_wait(&timer, &round)) {
 *		full = timer_begin_round(&timer, &round, period);
 *		...
 *		timer_plan(&timer, &round, period, charge_period);
 *	}
 */
#ifndef SLURM_TIMER_H
#define SLURM_TIMER_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

struct timer {
	pthread_mutex_t lock;	/* of all that follows; never held during work */
	pthread_cond_t wake;	/* on the monotonic clock */
	bool shut_down, pass_wanted, reset_wanted;
	bool pass_wanted_soon;	/* not before `soonest` */
	bool places_wanted;	/* not before `next_places` */
	/* on the monotonic clock */
	struct timespec next_pass, next_charge, next_places, soonest;
	time_t pass_begun;	/* on the wall clock */
};

struct timer_round {
	struct timespec begun;	/* on the monotonic clock */
	time_t now;		/* on the wall clock */
	bool full;		/* a pass, which does all that the others do */
	bool places;		/* pending jobs are placed; if neither, ended jobs are charged */
	bool reset;		/* a reset was wanted since the last round */
};

void timer_init(struct timer *timer);
void timer_clear(struct timer *timer);

/* Ends the wait for the next round with a full pass. */
void timer_want_pass(struct timer *timer, bool reset);
/* Makes the next round a full pass, after the least pause between two passes. */
void timer_want_pass_soon(struct timer *timer);
/* Makes pending jobs be placed, but at most once a second. */
void timer_want_places(struct timer *timer);
/* Ends the wait; timer_wait() returns false from now on. */
void timer_shut_down(struct timer *timer);

/* Waits until a round is due. A wish that comes after this call gets another round. False: the
 * timer has been shut down. */
bool timer_wait(struct timer *timer, struct timer_round *round);
/* Decides whether the round is a full pass: one is wanted, or `period` seconds have gone by. */
bool timer_begin_round(struct timer *timer, struct timer_round *round, double period);
/* Sets when the next round is due. charge_period: seconds until a round that only charges jobs;
 * 0: none before the next pass. */
void timer_plan(struct timer *timer, const struct timer_round *round, double period,
		double charge_period);

#endif
