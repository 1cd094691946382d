/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of a sub-command from one table, which is also its help. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stddef.h>

#define DONE (-1)	/* from an option: all is said, status 0 */

struct option_row;

/* Stores in `member`; value: NULL without argument. Not 0: stops, and is returned. */
typedef int option_taker(const struct option_row *row, void *member, const char *value);

struct option_row {
	char letter;		/* 0: has none */
	const char *name;
	const char *argument;	/* what help calls it; NULL: takes none */
	const char *help;	/* NULL: works, but is not told of */
	option_taker *take;
	size_t offset;		/* of the member, in the struct of the command's options */
	int choice;		/* what option_choice stores */
};

struct option_table {
	const struct option_row *rows;
	size_t count;
	const char *usage;		/* help before the options */
	void (*help_more)(void);	/* after them; or NULL */
};

/* Stores each option in `options`; operands are wrong. Returns what stopped
 * it, EXIT_WRONG after a complaint, or 0. */
int options_parse(int argc, char **argv, const struct option_table *table, void *options);

/* By the type of the member. */
option_taker option_flag;	/* bool, set to true */
option_taker option_choice;	/* int, set to the row's choice */
option_taker option_text;	/* const char * */
option_taker option_version;	/* without one */
option_taker option_help;	/* without one */

/* Rows that each command has. */
#define COMMON_OPTIONS                                                                       \
	{ 'V', "version", NULL, "the release, and what was built in", option_version, 0, 0 }, \
	{ 0, "help", NULL, "this text", option_help, 0, 0 },                                  \
	{ 0, "usage", NULL, NULL, option_help, 0, 0 }

#endif
