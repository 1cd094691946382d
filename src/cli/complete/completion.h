/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The word of a command line that fathom complete completes, and how words are offered for it. Of
 * "fathom shares --policy=classic,lsf", the option's value is completed item by item:
 *
 *	words		"shares", "--policy=classic,lsf"
 *	before		"--policy=classic,"
 *	part		"lsf"
 *	printed		"--policy=classic,lsf", a tab, and what the policy is
 *
 * before_length says where `before` ends, as the part stands behind it in the same word.
 */
#pragma once

#include "cli/command.h"
#include "cli/options.h"

#include <stddef.h>

#define NO_OPTION ""	/* in place of the option's name: the word is an operand */

struct completion {
	const struct command *command;		/* NULL: the word is the command itself */
	const struct option_table *options;	/* the command's; behind "--" the view's */
	const struct view *view;		/* of --view, if the word is behind "--"; or NULL */
	char **words;				/* words[0] is the command's name */
	int count;				/* of words; the last one is completed */
	const char *before;			/* what the last word has before the part */
	size_t before_length;			/* bytes; 0: nothing, and `before` is not set */
	const char *part;			/* the end of the last word, which is completed */
	const char *behind;			/* what a name needs behind it, "="; or NULL */
	bool *has_offered;			/* set by offer(), when it prints a word */
};

/* Prints `before`, a word and its description, if the word begins with the part. Upper and lower
 * case count as equal. description: may be NULL. */
void offer(const struct completion *completion, const char *word, const char *description);
/* Returns a copy in which the first `length` bytes of the part belong to `before`. */
struct completion completion_after(const struct completion *completion, size_t length);
/* Returns a copy whose part is the last item of a comma-separated list. */
struct completion completion_of_item(const struct completion *completion);
/* Returns the value of the next option --NAME before the last word, from *word on, and moves *word
 * behind the option; NULL: there are no more. name: without "--". */
const char *completion_value(const struct completion *completion, const char *name, int *word);

/* Returns the row of a long option; NULL: there is no such option. name: without "--", `length`
 * bytes long. */
const struct option_row *find_long(const struct option_table *table, const char *name,
				   size_t length);
/* Returns the row of a short option; NULL: there is no such option. */
const struct option_row *find_letter(const struct option_table *table, char letter);

/* ---- offer_names.c: what other commands print ------------------------------------------- */

/* Those for lists complete the last item of a comma-separated list. Names are those of the files of
 * --from among the words, else of the running cluster. */

/* Offers the columns that --helpformat of the command, or of its view, prints; for a list. */
void offer_columns(const struct completion *completion);
/* Offers the names in a column, such as "User", of the command's rows; for a list. */
void offer_names(const struct completion *completion, const char *column);
/* Offers accounts, and users; behind "ACCOUNT/" the users of the account. */
void offer_owners(const struct completion *completion);
/* Offers the numbers of all jobs, for a list; other commands than prio are about pending ones. */
void offer_jobs(const struct completion *completion);
/* Offers the numbers of the caller's pending jobs. */
void offer_own_jobs(const struct completion *completion);
/* Offers the queues, host partitions or host groups that a view of LSF prints. */
void offer_places(const struct completion *completion);
/* Offers the scopes of fathom.conf that have a tree. */
void offer_scopes(const struct completion *completion);
/* Offers the clusters that slurmdbd knows; for a list. */
void offer_clusters(const struct completion *completion);

/* ---- offer_values.c --------------------------------------------------------------------- */

/* Offers values of an option, or operands if the row's name is NO_OPTION. row: has an argument.
 * Returns EXIT_DONE; EXIT_NO: offers nothing, as the value is the name of a file, which shells
 * complete themselves. */
int offer_value(const struct completion *completion, const struct option_row *row);
