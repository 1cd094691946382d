/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the figures of replays side by side. */
#ifndef CLI_PRINT_REPLAY_H
#define CLI_PRINT_REPLAY_H

#include "cli/replay/replay_results.h"

struct replay_look {
	bool parsable, no_header;
};

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
void print_replay(const struct replay_results *results, const struct replay_look *look);
/* Prints what the columns of the table mean, for the help. */
void print_replay_columns(void);
/* Prints all figures as JSON; fathom-replay(1) describes the keys. Returns 0, or
 * EXIT_WRONG after printing an error. */
int print_replay_json(const struct replay_results *results, const struct replay_frame *frame,
		      const struct replay_input *input);
/* Writes the objects of replays that are over, for print_replay_json(). Returns the same. */
int put_replays_json(FILE *out, const struct replay_runs *runs, bool is_first);

#endif
