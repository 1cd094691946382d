/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that a replay writes beside its figures: --schedule and --out FOLDER. */
#ifndef CLI_REPLAY_FILES_H
#define CLI_REPLAY_FILES_H

#include "cli/replay/replay_run.h"

/* Notes a start in the schedule of a run, which is the context. */
void schedule_note_start(const struct replay_job *job, double start, void *context);
/* Each returns 0, or EXIT_WRONG after printing an error. */

/* Writes the schedules of all runs into a file, whole or not at all. */
int schedule_write(const struct replay_runs *runs, const char *path);
/* Writes users.csv and accounts.csv into a folder. */
int replay_tables_write(const struct replay_runs *runs, const char *folder);
/* Returns the figures of each node with those of all nodes below it, to be freed. NULL: ENOMEM. */
struct node_figures *account_figures(const struct replay_run *run);
/* Writes a field of CSV: in quotes if it needs them. */
void csv_put(FILE *out, const char *text);

#endif
