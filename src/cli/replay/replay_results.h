/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays in rounds: so many at the same time that memory does not grow with their number. What is
 * printed of a replay is kept when its round is over: figures for the table, and text in a file
 * without a name for JSON.
 */
#pragma once

#include "cli/replay/replay_files.h"
#include "cli/replay/replay_run.h"

#define MOST_THREADS 256

struct replay_summary {
	char name[RUN_NAME_SIZE];
	const char *cluster;	/* NULL: there is one */
	const struct fathom_policy *policy;
	const struct replay_scheduler *scheduler;
	struct replay_figures figures;	/* the numbers alone: no list */
};

struct replay_results {
	struct replay_summary *summary;	/* by candidate */
	size_t count;
	FILE *json;		/* objects with commas between them; NULL: not wanted */
	struct replay_files files;
};

/* Replays all candidates, or that of the task, and says which jobs were left out. */
void replay_results_create(struct replay_results *results, const struct replay_plan *plan);

/* Says of which policies the settings have changed nothing. */
void replay_results_report(const struct replay_results *results);

/* ---- printing ---------------------------------------------------------------------------- */

/* A column of numbers: a member of struct replay_figures. */
struct figure_column {
	const char *heading, *key, *meaning;	/* key: in JSON */
	size_t offset;
	double factor;		/* by which the shown number is multiplied */
	int decimals;
	int hides;
};

/* All columns; the heading after the last is NULL. */
extern const struct figure_column replay_columns[];
double replay_figure(const struct figure_column *column, const struct replay_figures *figures);

/* Prints a table with a row for each replay. */
void print_replay(const struct replay_results *results, const struct replay_options *options);
/* Prints what the columns of the table mean, for the help. */
void print_replay_columns(void);
/* Prints all figures as JSON; fathom-replay(1) describes the keys. */
void print_replay_json(const struct replay_results *results, const struct replay_plan *plan);
