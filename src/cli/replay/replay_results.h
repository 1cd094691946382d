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

/* What is wanted of the replays. */
struct replay_wishes {
	const char *schedule, *folder;	/* see replay_files_begin() */
	/* Writes the replays of a round as objects of JSON, with commas between them; NULL: not
	 * wanted. Returns 0, or EXIT_WRONG after printing an error. */
	int (*json)(FILE *out, const struct replay_runs *runs, bool is_first);
	size_t threads;		/* 1 or more */
	bool strict;		/* an error if a job is left out */
};

/* Replays `count` candidates from number `first` on, and says which jobs were left out. Returns 0,
 * or EXIT_WRONG after printing an error; clear the results in any case. */
int replay_results_create(struct replay_results *results, const struct replay_plan *plan,
			  struct replay_input *input, const struct replay_wishes *wishes,
			  size_t first, size_t count);
void replay_results_clear(struct replay_results *results);

#endif
