/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and turns of the decay thread. A wait ends at the earliest time at which a turn is due,
 * or at a request; then choose_turn() says which turn it is.
 */
#include "run/timer.h"

#include "base/compat.h"

/* The least seconds from the end of a turn to the next pass. Without this pause, passes that take
 * longer than PriorityCalcPeriod would follow each other at once. */
#define PAUSE_LEAST 0.6
#define PLACES_PERIOD 1		/* the least seconds between two turns that place jobs */

/* Returns the time `seconds` after the time `at`, both by base/monotonic.h. */
static int64_t seconds_after(int64_t at, double seconds)
{
	return at + (int64_t)(seconds * MONOTONIC_SECOND);
}

void timer_init(struct timer *timer)
{
	*timer = (struct timer){ .requests = 0 };
	ordered_lock_init(&timer->lock, LOCK_TIMER);
	monotonic_condition_init(&timer->wake);
}

void timer_clear(struct timer *timer)
{
	ordered_lock_destroy(&timer->lock);
	pthread_cond_destroy(&timer->wake);
}

void timer_request(struct timer *timer, unsigned requests)
{
	ordered_lock_take(&timer->lock);
	if (requests & ~timer->requests)	/* at least one is new */
		slurm_cond_signal(&timer->wake);
	timer->requests |= requests;
	ordered_lock_release(&timer->lock);
}

/* ---- turns; the caller holds the lock --------------------------------------------- */

/* Returns whether places are requested, and may be found before any other turn is due. */
static bool places_come_first(const struct timer *timer)
{
	return timer->requests & TIMER_PLACES &&
	       timer->next_places < MIN(timer->next_charge, timer->next_pass);
}

/* Returns when the next turn is due, by the monotonic clock, if nothing else is requested. */
static int64_t end_of_wait(const struct timer *timer)
{
	if (timer->requests & TIMER_PASS_SOON)
		return timer->soonest;
	if (places_come_first(timer))
		return timer->next_places;
	return MIN(timer->next_charge, timer->next_pass);
}

/* Returns the turn that is due. A pass is due if one of the two clocks says so: the wall clock may
 * have been set back, and the monotonic clock stands still while the machine sleeps. */
static enum turn_kind choose_turn(const struct timer *timer, time_t now)
{
	bool is_due = timer->begun >= timer->next_pass ||
		      difftime(now, timer->pass_begun) >= timer->period;

	if (timer->requests & TIMER_END)
		return TURN_END;
	if (timer->requests & (TIMER_PASS | TIMER_PASS_SOON) || is_due)
		return TURN_PASS;
	return places_come_first(timer) ? TURN_PLACES : TURN_CHARGE;
}

struct timer_turn timer_wait(struct timer *timer)
{
	struct timer_turn turn;
	int timed_out = 0;

	ordered_lock_take(&timer->lock);
	/* a request may make the next turn due earlier, so each wait has an end of its own */
	while (!(timer->requests & (TIMER_PASS | TIMER_END)) && !timed_out)
		timed_out = ordered_lock_wait(&timer->lock, &timer->wake, end_of_wait(timer));
	timer->begun = monotonic_now();
	turn.now = time(NULL);
	turn.requests = timer->requests;
	turn.kind = timer->kind = choose_turn(timer, turn.now);
	/* a turn that only charges leaves the places to a later one */
	timer->requests &= turn.kind == TURN_CHARGE ? TIMER_PLACES : 0;
	if (turn.kind == TURN_PASS)
		timer->pass_begun = turn.now;
	ordered_lock_release(&timer->lock);
	return turn;
}

void timer_plan(struct timer *timer, double period, double charge_period)
{
	int64_t now = monotonic_now();

	ordered_lock_take(&timer->lock);
	timer->period = period;
	timer->soonest = seconds_after(now, PAUSE_LEAST);
	if (timer->kind == TURN_PASS)
		timer->next_pass = MAX(seconds_after(timer->begun, period), timer->soonest);
	if (timer->kind != TURN_CHARGE)
		timer->next_places = seconds_after(now, PLACES_PERIOD);
	if (timer->kind != TURN_PLACES)
		timer->next_charge = charge_period > 0 ? seconds_after(now, charge_period)
						       : timer->next_pass;
	ordered_lock_release(&timer->lock);
}
