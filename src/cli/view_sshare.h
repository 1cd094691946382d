/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom shares --view sshare: the options and the output of Slurm's sshare, to the letter. */
#ifndef CLI_VIEW_SSHARE_H
#define CLI_VIEW_SSHARE_H

#include "cli/options.h"

#include <stdbool.h>

struct sshare_list;

struct sshare_options {
	const char *clusters;
	char *columns;				/* comma-separated; NULL: the standard ones */
	char *accounts, *users;			/* comma-separated; NULL: all */
	bool all, all_columns, with_partition, users_only, no_header, ignored;
	int parsable;
};

extern const struct option_table sshare_option_table;

/* Reads sshare's options. Returns 0, DONE, or EXIT_WRONG after printing an error. Clear the options
 * in each case. */
int sshare_options_parse(struct sshare_options *options, int argc, char **argv);
void sshare_options_clear(struct sshare_options *options);
/* Prints associations as sshare does. Returns EXIT_DONE, or EXIT_WRONG after printing an
 * error. */
int sshare_print(const struct sshare_options *options, const struct sshare_list *list);

#endif
