/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays as tasks of a Slurm job array: each task does one of the replays that one command would
 * do side by side, and writes its result into a folder, whole or not at all. The results of all
 * tasks are then collected. Tasks without a result are submitted again.
 */
#ifndef CLI_REPLAY_SWEEP_H
#define CLI_REPLAY_SWEEP_H

#include "cli/replay/replay_run.h"

struct replay_sweep {
	const char *folder;
	size_t tasks;		/* one for each candidate */
	size_t at_once;		/* how many may run at the same time */
	char *const *arguments;	/* of fathom, as they were given, up to a NULL */
	const char *record;	/* see sweep_record_create() */
};

/* Each returns an exit status, after printing an error if there is one. */

/* Checks whether tasks can be submitted, before anything is written. */
int replay_sweep_check(const struct replay_sweep *sweep);
/* Writes the batch script and submits the tasks that have no result. */
int replay_sweep_submit(const struct replay_sweep *sweep);
/* Makes standard output the result of a task. *is_done: it has one already. */
int replay_sweep_begin_task(const struct replay_sweep *sweep, size_t task, bool *is_done);
/* Prints the results of all tasks as one JSON; EXIT_NO: some are missing. */
int replay_sweep_collect(const struct replay_sweep *sweep);

#endif
