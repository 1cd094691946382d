/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the tree that options name, for commands that evaluate it as a whole. A function of the
 * command then evaluates and shows it, because the tree is only valid during the call that reads
 * it.
 *
 *	struct tree_request request = { .files = files, .show = show_tree, .context = &options };
 *
 *	candidates_create(&request.how.candidates, NULL, 1);	even if nothing is evaluated
 *	tree_request_read_files(&request);	calls show_tree(&options, source)
 */
#pragma once

#include "cli/tree_comparison.h"

/* Evaluates a tree and shows it. context: request->context; source: valid during the call. */
typedef void tree_shower(void *context, const struct tree_source *source);

/* What options say of the tree, and what is done with it. */
struct tree_request {
	struct input_names files;	/* those of --from */
	struct tree_options how;	/* how the tree is evaluated */
	const char *scope;	/* the scope whose tree is wanted; NULL: the main tree */
	bool all_scopes;	/* if `scope` is NULL, and files describe a tree for each scope: all
				 * of them are wanted, as source->part */
	bool usage_only;	/* its factors do not matter, so nothing is remarked about them */
	bool with_queues;	/* queues are wanted, too; a tree is not needed then */
	const struct queue_list *queues;	/* of the running cluster; NULL: not wanted */
	tree_shower *show;
	void *context;		/* for show() */
};

/* Reads the files, and shows the tree that they describe together, or all trees. Refuses files
 * without a tree. */
void tree_request_read_files(const struct tree_request *request);
/* Reads one file, which is open, in place of those of --from, and shows its tree. Refuses a file
 * without a tree. The caller clears the file. */
void tree_request_read_input(const struct tree_request *request, struct document *input);
/* Shows the tree of a running cluster, or of its scope; warns of figures that may mislead. */
void tree_request_show_live(const struct tree_request *request, const struct live *live);

/* Returns the format of one of the files: that of --format, else the recognised one. With several
 * files --format is the tree's, so that a file recognised as another kind keeps its format. NULL:
 * it is unknown. */
const struct format *tree_format_of(const struct input_names *files, const struct document *input);
