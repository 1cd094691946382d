/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/background.h"

#include "base/monotonic.h"

#define SHUTDOWN_WAIT 5		/* seconds to wait at shutdown for unfinished work */

void background_init(struct background *background, const struct background_work *work,
		     void *context)
{
	background->work = work;
	background->context = context;
	ordered_lock_init(&background->lock, LOCK_BACKGROUND);
	monotonic_condition_init(&background->ended);
}

void background_clear(struct background *background)
{
	ordered_lock_destroy(&background->lock);
	pthread_cond_destroy(&background->ended);
}

/* The thread's function: does the work, and then concludes it, or destroys the context if it was
 * abandoned meanwhile. */
static void *do_work(void *argument)
{
	struct background *background = argument;
	bool abandoned;

	background->work->run(background->context);
	ordered_lock_take(&background->lock);
	abandoned = background->state == BACKGROUND_ABANDONED;
	if (!abandoned)
		background->work->conclude(background->context);
	background->state = BACKGROUND_IDLE;
	slurm_cond_signal(&background->ended);
	ordered_lock_release(&background->lock);
	if (abandoned)
		background->work->destroy(background->context);
	return NULL;
}

bool background_may_begin(struct background *background)
{
	bool is_under_way;

	ordered_lock_take(&background->lock);
	is_under_way = background->state == BACKGROUND_UNDER_WAY;
	if (is_under_way)
		background->work->late(background->context);
	background->was_skipped = is_under_way;
	ordered_lock_release(&background->lock);
	return !is_under_way;
}

int background_begin(struct background *background)
{
	pthread_t id;
	int problem;

	background->state = BACKGROUND_UNDER_WAY;
	problem = pthread_create(&id, NULL, do_work, background);
	if (problem)
		background->state = BACKGROUND_IDLE;
	else
		pthread_detach(id);
	return problem;
}

bool background_is_abandoned(void *argument)
{
	struct background *background = argument;
	bool abandoned;

	ordered_lock_take(&background->lock);
	abandoned = background->state == BACKGROUND_ABANDONED;
	ordered_lock_release(&background->lock);
	return abandoned;
}

void background_end(struct background *background)
{
	int64_t until = monotonic_now() + SHUTDOWN_WAIT * MONOTONIC_SECOND;
	bool is_under_way;
	int status = 0;

	ordered_lock_take(&background->lock);
	while (background->state == BACKGROUND_UNDER_WAY && !status)
		status = ordered_lock_wait(&background->lock, &background->ended, until);
	is_under_way = background->state == BACKGROUND_UNDER_WAY;
	if (is_under_way) {
		background->work->late(background->context);
		background->state = BACKGROUND_ABANDONED;
	}
	ordered_lock_release(&background->lock);
	if (!is_under_way)
		background->work->destroy(background->context);
}
