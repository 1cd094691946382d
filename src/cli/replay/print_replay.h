/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the figures of replays side by side. */
#ifndef CLI_PRINT_REPLAY_H
#define CLI_PRINT_REPLAY_H

#include "cli/replay/replay_results.h"

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

#endif
