/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that a replay writes beside its figures: --schedule and --out FOLDER. */
#pragma once

#include "cli/out_file.h"
#include "cli/replay/replay_run.h"


/* Notes a start in the schedule of a run, which is the context. */
void schedule_note_start(const struct replay_job *job, double start, void *context);

/* They get rows after each round, and appear whole when the last round is over. */
struct replay_files {
	struct out_file schedule, users, accounts;	/* without a stream: not wanted */
	/* by cluster, or the only one, and node: the mean wait under the first policy; with the
	 * tables */
	double **first_wait;
};

/* schedule, folder: NULL if not wanted. files: zeros. */
void replay_files_begin(struct replay_files *files, const char *schedule, const char *folder,
			bool has_clusters);
/* Adds the rows of replays that are over. */
void replay_files_add(struct replay_files *files, const struct replay_runs *runs);
void replay_files_publish(struct replay_files *files);
/* Writes the objects of replays that are over, with commas between them, for
 * print_replay_json(). */
void put_replays_json(FILE *out, const struct replay_runs *runs, bool is_first);

/* Returns the figures of each node with those of all nodes below it. */
struct node_figures *account_figures(const struct replay_run *run);
/* Returns the path of a file in a folder. */
const char *folder_path(const char *folder, const char *name);
