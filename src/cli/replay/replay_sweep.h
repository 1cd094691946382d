/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays as tasks of a Slurm job array: each task does one of the replays that one command would
 * do side by side, and writes its result into a folder, whole or not at all. The results of all
 * tasks are then collected. Tasks without a result are submitted again.
 */
#pragma once

#include "cli/replay/replay_run.h"

/* Checks whether tasks can be submitted, before anything is written. */
void replay_sweep_check(const struct replay_options *options);
/* Writes the batch script and submits the tasks that have no result. */
void replay_sweep_submit(const struct replay_options *options);
/* Makes standard output the result of the task. False: it has one already. */
bool replay_sweep_begin_task(const struct replay_options *options);
/* Prints the results of all tasks as one JSON. Returns the exit status; EXIT_NO: some are
 * missing. */
int replay_sweep_collect(const struct replay_options *options);
