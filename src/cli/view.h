/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --view TOOL: a command prints what another tool prints, and takes that tool's options behind
 * "--". A view only prints: it refuses options with which the tool writes.
 *
 *	fathom shares --view pbsfs -- -g scott
 *
 * This header has what all views need.
 */
#pragma once

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/print_text.h"
#include "memory/need_memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct evaluated_tree;
struct flux_accounts;
struct job_list;
struct pool_division;
struct tree_options;
struct tree_source;

/* A view; constant. A command calls the first function that a view has of those that print. */
struct view {
	const char *tool;	/* the value of --view */
	const char *policy;	/* under which a file is evaluated; NULL: as without a view */
	const struct option_table *options;	/* the tool's */
	size_t size;		/* of the tool's struct of options */
	/* Checks what the options say together. NULL: any may stand together. */
	void (*check)(void *options);
	/* Prints running clusters as they are, without --from, --policy, --set and --scope.
	 * clusters: comma-separated; NULL: the local one. */
	void (*print_clusters)(const void *options, const char *clusters);
	/* Prints rows of flux-accounting. A database is printed as it is, unless --policy or --set
	 * evaluates its tree; the rows of other trees are made. source: where they come from. */
	void (*print_accounts)(const void *options, const struct flux_accounts *accounts,
			       const char *source);
	void (*print_source)(const void *options, const struct tree_source *source,
			     const struct tree_options *how);
	bool all_scopes;	/* the source has all trees that files describe */
	bool with_queues;	/* it also has the queues; a tree is not needed then */
	void (*print_tree)(const void *options, const struct tree_source *source,
			   const struct evaluated_tree *tree);
	void (*print_jobs)(const void *options, const struct job_list *list);
	bool as_sent;		/* jobs of a running cluster as it sends them to sprio */
	bool all_states;	/* jobs in all states, not only those that are pending */
	void (*print_pools)(const void *options, const struct pool_division *pool, size_t count);
};

/* The views of a command, NULL at the end. */
typedef const struct view *const view_list[];

/* A view that was asked for. */
struct chosen_view {
	const struct view *view;	/* NULL: none */
	void *options;		/* those of the tool */
	char name[64];		/* for messages, such as "shares --view sshare --" */
};

/* The arguments of a command: its own, and those of the tool. */
struct view_arguments {
	int own;		/* number of argv[] up to "--" */
	int argc;		/* of the tool; argv[0] is "--" */
	char **argv;
};

/* Splits arguments at the first "--". */
struct view_arguments view_split(int argc, char **argv);
/* Finds the value of --view among the command's views, and reads the options of the tool. value:
 * NULL: it was not given. */
void view_choose(struct chosen_view *chosen, const char *command, view_list views,
		 const char *value, const struct view_arguments *arguments);
/* The error that a view has options in place of those of the command that choose what is
 * printed. */
_Noreturn void view_refuse_own(const struct view *view);
/* Prints the help of --view on stdout: the command's views. */
void help_views(view_list views);

/* Rows that the options of each view have. */
#define VIEW_OPTIONS                                                                         \
	{ 0, "version", NULL, "print the version of fathom", option_version, 0, 0 },           \
	{ 0, "help", NULL, "print this help", option_help, 0, 0 }

/* An option with which the tool writes: is refused. */
option_setter view_refuse_writing;
