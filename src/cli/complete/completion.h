/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The word of a command line that fathom complete completes, and how words are offered for it. */
#pragma once

#include "cli/command.h"
#include "cli/options.h"

#include <stddef.h>

#define NO_OPTION ""	/* in place of the option's name: the word is an operand */

struct completion {
	const struct command *command;		/* NULL: the word is the command itself */
	/* Those of the command, or behind "--" those of the view. */
	const struct option_table *options;
	const struct view *view;		/* the one that --view names, or NULL */
	char **words;				/* words[0] is the command's name */
	int count;				/* the last word is completed */
	/* What stands before the part that is completed, such as "--policy=lsf,", in a text that
	 * may go on; its length is before_length. */
	const char *before;
	size_t before_length;
	const char *part;
};

/* Prints a word, and a description unless it is NULL, if the word begins with the part. Upper and
 * lower case count as equal. */
void offer(const struct completion *completion, const char *word, const char *description);
/* Returns the completion of what comes `length` bytes after the beginning of the part. */
struct completion completion_after(const struct completion *completion, size_t length);
/* Returns the completion of the last item of a list, which commas separate. */
struct completion completion_of_item(const struct completion *completion);

/* Offers what other commands print: columns of --helpformat, names of the cluster or of --from. */
void offer_columns(const struct completion *completion);
void offer_names(const struct completion *completion, const char *column);	/* such as User */
void offer_jobs(const struct completion *completion);
void offer_own_jobs(const struct completion *completion);	/* pending, of the caller */
void offer_places(const struct completion *completion);	/* of LSF's views: queues and so on */
void offer_scopes(const struct completion *completion);
void offer_clusters(const struct completion *completion);

/* Offers values of an option. Returns EXIT_NO if the value is the name of a file. */
int offer_value(const struct completion *completion, const struct option_row *row);
