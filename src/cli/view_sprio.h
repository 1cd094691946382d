/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom prio --view sprio: the options and the output of Slurm's sprio, to the letter. */
#ifndef CLI_VIEW_SPRIO_H
#define CLI_VIEW_SPRIO_H

#include "cli/options.h"
#include "evaluate/job_list.h"

struct sprio_options {
	const char *format, *order;
	char *jobs, *users, *partitions;	/* comma-separated; NULL: all */
	bool all, plain, weights, no_header, ignored;
};

extern const struct option_table sprio_option_table;

/* Reads sprio's options, argv[0] being none. Returns 0, DONE, or EXIT_WRONG after printing an
 * error. Clear the options in each case. */
int sprio_options_parse(struct sprio_options *options, int argc, char **argv);
void sprio_options_clear(struct sprio_options *options);
/* Prints jobs as sprio does. Returns EXIT_DONE, or EXIT_WRONG after printing an error. */
int sprio_print(const struct sprio_options *options, const struct job_list *list);

#endif
