/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives the jobs of a trace to several replays at once. The trace is read once; its jobs are put
 * into blocks, and threads give each block to each replay. A replay gets its blocks one after the
 * other, so its result does not depend on the number of threads.
 */
#ifndef CLI_REPLAY_THREADS_H
#define CLI_REPLAY_THREADS_H

#include "cli/replay/replay_run.h"

#define MOST_THREADS 256

/* How many replays were done before these, and how many there are in all, for the progress. */
struct replay_part {
	size_t done, total;
};

/* Reads the trace once more. threads: 1 to MOST_THREADS. */
void replay_threads_run(struct replay_runs *runs, struct replay_input *input, size_t threads,
			const struct replay_part *part);

#endif
