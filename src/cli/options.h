/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of a sub-command from one table, which is also its help. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stddef.h>

struct option_row {
	char letter;		/* 0: has none */
	const char *name;
	const char *argument;	/* what help calls it; NULL: takes none */
	const char *help;	/* NULL: works, but is not told of */
	/* value: NULL without argument. Not 0: stops, and is returned. */
	int (*take)(void *context, const char *value);
};

/* Hands each option to its `take`; operands are wrong. Returns what stopped
 * it, EXIT_WRONG after a complaint, or 0. */
int options_parse(int argc, char **argv, const struct option_row *rows, size_t count,
		  void *context);
void options_help(const struct option_row *rows, size_t count);

#endif
