/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks of a sweep that wait or run in the cluster, as squeue tells. */
#ifndef CLI_REPLAY_SWEEP_QUEUE_H
#define CLI_REPLAY_SWEEP_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

#define SWEEP_JOB_NAME_SIZE 64

/* Writes the name of the jobs of a sweep: "fathom-replay-", and a number made of the folder's
 * path. */
void sweep_job_name(const char *folder, char name[SWEEP_JOB_NAME_SIZE]);
/* Sets queued[] of the tasks that jobs of this name have. */
void sweep_queue_read(const char *job_name, bool *queued, size_t tasks);

#endif
