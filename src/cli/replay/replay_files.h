/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that a replay writes beside its figures: --schedule and --out FOLDER. */
#ifndef CLI_REPLAY_FILES_H
#define CLI_REPLAY_FILES_H

#include "cli/out_file.h"
#include "cli/replay/replay_run.h"

#include <limits.h>

/* Notes a start in the schedule of a run, which is the context. */
void schedule_note_start(const struct replay_job *job, double start, void *context);

/* They get rows after each round, and appear whole when the last round is over. */
struct replay_files {
	struct out_file schedule, users, accounts;	/* without a stream: not wanted */
	char users_path[PATH_MAX], accounts_path[PATH_MAX];
};

/* Each returns 0, or EXIT_WRONG after printing an error. Discard the files in any case. */

/* schedule, folder: NULL if not wanted. */
int replay_files_begin(struct replay_files *files, const char *schedule, const char *folder);
/* Adds the rows of replays that are over. */
int replay_files_add(struct replay_files *files, const struct replay_runs *runs);
int replay_files_publish(struct replay_files *files);
void replay_files_discard(struct replay_files *files);

/* Returns the figures of each node with those of all nodes below it, to be freed. NULL: ENOMEM. */
struct node_figures *account_figures(const struct replay_run *run);
/* Makes the path of a file in a folder; path: PATH_MAX bytes. Returns 0, or EXIT_WRONG after
 * printing an error. */
int folder_path(char *path, const char *folder, const char *name);
/* Writes a field of CSV: in quotes if it needs them. */
void csv_put(FILE *out, const char *text);

#endif
