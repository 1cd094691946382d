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
struct pool_division;
struct shown_jobs;
struct tree_options;
struct tree_source;

/* A view; constant. It has one or two functions that print: a command calls the one for what it has
 * read. */
struct view {
	const char *tool;	/* the value of --view */
	const char *policy;	/* under which a file is evaluated; NULL: as without a view */
	const struct option_table *options;	/* the tool's */
	size_t size;		/* of the tool's struct of options, which all functions get */
	/* Checks and completes the options when all are read. NULL: there is nothing to check. */
	void (*check)(void *options);
	/* Prints running clusters as they are, without --from, --policy, --set and --scope.
	 * clusters: comma-separated; NULL: the local one. */
	void (*print_clusters)(const void *options, const char *clusters);
	/* Prints rows of flux-accounting: those of a database, or rows that are made of an
	 * evaluated tree, if --policy or --set is given or the tree is another. source: its
	 * name. */
	void (*print_accounts)(const void *options, const struct flux_accounts *accounts,
			       const char *source);
	/* Prints a source, and evaluates its trees itself, as `how` says. */
	void (*print_source)(const void *options, const struct tree_source *source,
			     const struct tree_options *how);
	bool all_scopes;	/* for print_source(): with all trees that files describe */
	bool with_queues;	/* for print_source(): with the queues; it then needs no tree */
	/* Prints a tree that has been evaluated. */
	void (*print_tree)(const void *options, const struct tree_source *source,
			   const struct evaluated_tree *tree);
	/* Prints jobs. shown: has no lines, and room for all rows of its list; gets the lines that
	 * were printed. */
	void (*print_jobs)(const void *options, struct shown_jobs *shown);
	bool as_sent;		/* for print_jobs(): jobs of a running cluster as it sends them to
				 * sprio */
	bool all_states;	/* for print_jobs(): jobs in all states, not only pending ones */
	/* Prints slot pools. */
	void (*print_pools)(const void *options, const struct pool_division *pool, size_t count);
};

/* The views of a command, NULL at the end. */
typedef const struct view *const view_list[];

/* A view that was asked for. */
struct chosen_view {
	const char *tool;	/* of --view; NULL: not given */
	const struct view *view;	/* NULL: none */
	void *options;		/* the tool's struct of options, filled */
};

/* Parses the arguments of a command as options_parse() does, up to the first "--"; then finds
 * `chosen->tool`, to which the table stores --view, among the views, and reads the tool's options
 * behind the "--". Refuses an unknown view, and options of a tool without --view. */
void view_parse(int argc, char **argv, const struct option_table *table, void *options,
		view_list views, struct chosen_view *chosen);
/* Refuses options of the command that choose what is printed: a view has options of its own. */
_Noreturn void view_refuse_own(const struct view *view);
/* Prints the help of --view on stdout: the command's views. */
void help_views(view_list views);

/* Rows of options that several views have. */
#define VIEW_OPTIONS                                                                         \
	{ 0, "version", NULL, "print the version of fathom", option_version, 0, 0 },           \
	{ 0, "help", NULL, "print this help", option_help, 0, 0 }

/* Refuses an option with which the tool writes. */
option_setter view_refuse_writing;
