/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs start when they have started in the trace, on a machine that has room for all of them: what
 * was the usage of each user, by the rules of another site? */
#include "replay/replay_private.h"

#include <math.h>
#include <string.h>

/* Starts a job that takes no CPU of any node: there may be none. */
static int start_job(struct replay *replay, size_t at, struct fathom_error *error)
{
	uint32_t *taken = current_jobs_taken(&replay->jobs, replay->queue.at[at].slot);

	memset(taken, 0, replay->jobs.groups * sizeof(*taken));
	return replay_start_job(replay, at, error);
}

static int cycle_trace(struct replay *replay, struct fathom_error *error)
{
	size_t i = 0;

	for (; i < replay->queue.count; i++) {
		if (replay->jobs.at[replay->queue.at[i].slot].job.start > replay->now)
			break;
		if (start_job(replay, i, error))
			return -1;
	}
	replay->wake_up = i < replay->queue.count
				  ? replay->jobs.at[replay->queue.at[i].slot].job.start : INFINITY;
	return 0;
}

const struct replay_scheduler replay_scheduler_trace = {
	.name = "trace",
	.summary = "each job starts when it did in the trace",
	.keeps_starts = true,
	.cycle = cycle_trace,
};
