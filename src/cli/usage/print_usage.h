/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the usage of a tree: of each account and user, and what is an account's own. */
#ifndef CLI_PRINT_USAGE_H
#define CLI_PRINT_USAGE_H

#include "cli/shown_tree.h"

/* How a table is printed. */
struct usage_form {
	bool no_header, parsable;
};

/* Returns 0, or EXIT_WRONG after printing an error. */
int print_usage(const struct shown_tree *shown, const struct usage_form *form);

#endif
