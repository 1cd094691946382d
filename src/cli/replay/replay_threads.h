/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives the jobs of a trace to several replays at once. The trace is read once; its jobs are put
 * into blocks, and threads give each block to each replay. A replay gets its blocks one after the
 * other, so its result does not depend on the number of threads.
 */
#ifndef CLI_REPLAY_THREADS_H
#define CLI_REPLAY_THREADS_H

#include "cli/replay/replay_run.h"

/* Returns 0, or EXIT_WRONG after printing an error. threads: 1 or more. */
int replay_threads_run(struct replay_runs *runs, struct replay_input *input, size_t threads);

#endif
