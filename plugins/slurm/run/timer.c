/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/timer.h"

#include "base/compat.h"

/* Seconds from the end of a turn to the next pass. Without it, passes that take longer than
 * PriorityCalcPeriod would follow each other without a pause. */
#define PAUSE_LEAST 0.6
#define PLACES_PERIOD 1		/* seconds between two turns that place jobs, or more */

/* ---- clocks ------------------------------------------------------------------ */

static struct timespec after(struct timespec at, double seconds)
{
	at.tv_sec += (time_t)seconds;
	at.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
	if (at.tv_nsec >= 1000000000) {
		at.tv_nsec -= 1000000000;
		at.tv_sec++;
	}
	return at;
}

static struct timespec monotonic_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static struct timespec later(struct timespec a, struct timespec b)
{
	return is_before(&a, &b) ? b : a;
}

static bool is_past(const struct timespec *at)
{
	struct timespec now = monotonic_now();

	return !is_before(&now, at);
}

/* ---- life -------------------------------------------------------------------- */

void timer_init(struct timer *timer)
{
	pthread_condattr_t monotonic;

	*timer = (struct timer){ 0 };
	pthread_mutex_init(&timer->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&timer->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

void timer_clear(struct timer *timer)
{
	pthread_mutex_destroy(&timer->lock);
	pthread_cond_destroy(&timer->wake);
}

/* ---- requests of other threads ------------------------------------------------ */

void timer_want_pass(struct timer *timer, bool reset)
{
	slurm_mutex_lock(&timer->lock);
	timer->pass_wanted = true;
	timer->reset_wanted |= reset;
	slurm_cond_signal(&timer->wake);
	slurm_mutex_unlock(&timer->lock);
}

void timer_want_pass_soon(struct timer *timer)
{
	slurm_mutex_lock(&timer->lock);
	if (!timer->pass_wanted_soon)
		slurm_cond_signal(&timer->wake);
	timer->pass_wanted_soon = true;
	slurm_mutex_unlock(&timer->lock);
}

void timer_want_places(struct timer *timer)
{
	slurm_mutex_lock(&timer->lock);
	if (!timer->places_wanted)
		slurm_cond_signal(&timer->wake);
	timer->places_wanted = true;
	slurm_mutex_unlock(&timer->lock);
}

void timer_shut_down(struct timer *timer)
{
	slurm_mutex_lock(&timer->lock);
	timer->shut_down = true;
	slurm_cond_signal(&timer->wake);
	slurm_mutex_unlock(&timer->lock);
}

/* ---- turns ------------------------------------------------------------------ */

/* Whether jobs are to be placed before any other turn is due. */
static bool places_come_first(const struct timer *timer)
{
	return timer->places_wanted && is_before(&timer->next_places, &timer->next_charge) &&
	       is_before(&timer->next_places, &timer->next_pass);
}

/* Returns when to end the wait if nothing else is requested. */
static const struct timespec *next_time(const struct timer *timer)
{
	if (timer->pass_wanted_soon)
		return &timer->soonest;
	if (places_come_first(timer))
		return &timer->next_places;
	return is_before(&timer->next_charge, &timer->next_pass) ? &timer->next_charge
								 : &timer->next_pass;
}

/* Ends at next_time(), or at once if another thread requests a pass or the shutdown. The caller
 * holds the lock. */
static void wait_until_due(struct timer *timer)
{
	int status = 0;

	while (!timer->shut_down && !timer->pass_wanted && !status)
		status = pthread_cond_timedwait(&timer->wake, &timer->lock, next_time(timer));
}

bool timer_wait(struct timer *timer, struct timer_turn *turn)
{
	bool shut_down;

	slurm_mutex_lock(&timer->lock);
	wait_until_due(timer);
	shut_down = timer->shut_down;
	*turn = (struct timer_turn){
		.begun = monotonic_now(),
		.now = time(NULL),
		.full = timer->pass_wanted || timer->pass_wanted_soon,
		.places = places_come_first(timer),
		.reset = timer->reset_wanted,
	};
	timer->pass_wanted = timer->pass_wanted_soon = timer->reset_wanted = false;
	timer->places_wanted &= !turn->places;
	slurm_mutex_unlock(&timer->lock);
	return !shut_down;
}

/* By one of the two clocks: the wall clock may have been set back, and the monotonic clock stands
 * still while the machine sleeps. */
static bool is_pass_due(const struct timer *timer, double period)
{
	return is_past(&timer->next_pass) ||
	       difftime(time(NULL), timer->pass_begun) >= period;
}

bool timer_begin_turn(struct timer *timer, struct timer_turn *turn, double period)
{
	slurm_mutex_lock(&timer->lock);
	turn->full = turn->full || is_pass_due(timer, period);
	if (turn->full) {
		timer->pass_begun = turn->now;
		timer->places_wanted = false;
	}
	slurm_mutex_unlock(&timer->lock);
	return turn->full;
}

void timer_plan(struct timer *timer, const struct timer_turn *turn, double period,
		double charge_period)
{
	struct timespec now = monotonic_now();

	slurm_mutex_lock(&timer->lock);
	timer->soonest = after(now, PAUSE_LEAST);
	if (turn->full)
		timer->next_pass = later(after(turn->begun, period), timer->soonest);
	if (turn->full || turn->places)
		timer->next_places = after(now, PLACES_PERIOD);
	if (turn->full || !turn->places)
		timer->next_charge = charge_period > 0 ? after(now, charge_period)
						       : timer->next_pass;
	slurm_mutex_unlock(&timer->lock);
}
