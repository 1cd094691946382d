/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays in rounds: so many at the same time that memory does not grow with their number. What is
 * printed of a replay is kept when its round is over: figures for the table, and text in a file
 * without a name for JSON.
 */
#ifndef CLI_REPLAY_RESULTS_H
#define CLI_REPLAY_RESULTS_H

#include "cli/replay/replay_files.h"
#include "cli/replay/replay_run.h"

struct replay_summary {
	char name[RUN_NAME_SIZE];
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

#endif
