/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the tree that options name, for commands that evaluate it as a whole. A function of the
 * command then evaluates and shows it, because a tree ends with the call that has read it.
 */
#pragma once

#include "cli/tree_comparison.h"

/* Evaluates a tree and shows it. */
typedef void tree_shower(void *context, const struct tree_source *source);

/* What options say of the tree, and what is done with it. */
struct tree_request {
	struct input_names files;	/* those of --from */
	struct tree_options how;
	const char *scope;	/* whose tree is wanted; NULL: the main one */
	bool all_scopes;	/* without it: all trees are wanted */
	bool with_queues;	/* queues are wanted, too */
	const struct queue_list *queues;	/* those of the running cluster */
	tree_shower *show;
	void *context;
};

/* Reads the files, and shows the tree that they describe together. */
void tree_request_read_files(const struct tree_request *request);
/* Reads one file, which is open, in place of those of --from, and shows the tree that it describes.
 * The caller clears the file. */
void tree_request_read_input(const struct tree_request *request, struct document *input);
/* Shows the tree of a running cluster; warns of figures that may mislead. */
void tree_request_show_live(const struct tree_request *request, const struct live *live);

/* Returns the format of one of the files. With several, --format is that of the tree. NULL: it is
 * unknown. */
const struct format *tree_format_of(const struct input_names *files, const struct document *input);
