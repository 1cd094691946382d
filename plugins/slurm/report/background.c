/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/background.h"

#include "base/monotonic.h"

#include <stdlib.h>

#define SHUTDOWN_WAIT 5		/* seconds to wait at shutdown for unfinished work */

void *background_create(const struct background_work *work, size_t size)
{
	struct background *background = calloc(1, size);

	if (!background)
		return NULL;
	background->work = work;
	ordered_lock_init(&background->lock, LOCK_BACKGROUND);
	monotonic_condition_init(&background->ended);
	return background;
}

/* Frees the context, whose first member is `background`. */
static void destroy_context(struct background *background)
{
	background->work->clear(background);
	ordered_lock_destroy(&background->lock);
	pthread_cond_destroy(&background->ended);
	free(background);
}

/* The thread's function: does the work, and then concludes it, or destroys the context if it was
 * abandoned meanwhile. */
static void *do_work(void *argument)
{
	struct background *background = argument;
	bool abandoned;

	background->work->run(background);
	ordered_lock_take(&background->lock);
	abandoned = background->state == BACKGROUND_ABANDONED;
	if (!abandoned)
		background->work->conclude(background);
	background->state = BACKGROUND_IDLE;
	slurm_cond_signal(&background->ended);
	ordered_lock_release(&background->lock);
	if (abandoned)
		destroy_context(background);
	return NULL;
}

bool background_may_begin(struct background *background)
{
	bool is_under_way;

	ordered_lock_take(&background->lock);
	is_under_way = background->state == BACKGROUND_UNDER_WAY;
	if (is_under_way)
		background->work->late(background);
	background->was_skipped = is_under_way;
	ordered_lock_release(&background->lock);
	return !is_under_way;
}

int background_begin(struct background *background)
{
	pthread_t id;
	int problem;

	background->state = BACKGROUND_UNDER_WAY;	/* no thread runs yet: without the lock */
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

void background_end(void *context)
{
	int64_t until = monotonic_now() + SHUTDOWN_WAIT * MONOTONIC_SECOND;
	struct background *background = context;
	bool is_under_way;
	int status = 0;

	if (!background)
		return;
	ordered_lock_take(&background->lock);
	while (background->state == BACKGROUND_UNDER_WAY && !status)
		status = ordered_lock_wait(&background->lock, &background->ended, until);
	is_under_way = background->state == BACKGROUND_UNDER_WAY;
	if (is_under_way) {
		background->work->late(background);
		background->state = BACKGROUND_ABANDONED;
	}
	ordered_lock_release(&background->lock);
	if (!is_under_way)
		destroy_context(background);
}
