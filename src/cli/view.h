/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --view TOOL: a command prints what another tool prints, and takes that tool's options behind
 * "--". */
#ifndef CLI_VIEW_H
#define CLI_VIEW_H

#include <stdbool.h>

/* The arguments of a command: its own, and those of the tool. */
struct view_arguments {
	int own;		/* number of argv[] up to "--" */
	int argc;		/* of the tool; argv[0] names the view for messages */
	char **argv;
};

/* Splits arguments at the first "--". name: of the view for messages, such as
 * "shares --view sshare --". */
struct view_arguments view_split(int argc, char **argv, const char *name);
/* Checks the value of --view, NULL if it was not given, against the command's only view. Sets
 * *chosen. Returns 0, or EXIT_WRONG after printing an error. */
int view_choose(const struct view_arguments *arguments, const char *value, const char *only,
		bool *chosen);

#endif
