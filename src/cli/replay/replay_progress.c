/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/replay_progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WIDTH 30	/* characters of the bar */
#define FIRST 1.0	/* seconds before it is shown */
#define PERIOD 0.2	/* seconds between changes */

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void replay_progress_begin(struct replay_progress *progress, size_t total)
{
	*progress = (struct replay_progress){ .total = total, .begin = now(),
					      .is_terminal = isatty(STDERR_FILENO) };
}

void replay_progress_add(struct replay_progress *progress, size_t steps)
{
	char bar[WIDTH + 1];
	double time, part;

	progress->done += steps;
	if (!progress->is_terminal || !progress->total)
		return;
	time = now();
	if (time - progress->begin < FIRST || time - progress->shown < PERIOD)
		return;
	part = (double)progress->done / (double)progress->total;
	part = part < 1 ? part : 1;
	memset(bar, ' ', WIDTH);
	memset(bar, '#', (size_t)(part * WIDTH));
	bar[WIDTH] = '\0';
	fprintf(stderr, "\r[%s] %3.0f %%", bar, 100 * part);
	progress->shown = time;
	progress->is_shown = true;
}

void replay_progress_end(struct replay_progress *progress)
{
	if (progress->is_shown)
		fprintf(stderr, "\r%*s\r", WIDTH + 8, "");
	progress->is_shown = false;
}
