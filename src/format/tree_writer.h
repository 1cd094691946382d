/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tools of the writers of trees. The checks fail by wrong_at(), about no document, if the tree has
 * something that the format cannot have. format: its name in the error. */
#pragma once

#include "core/snapshot.h"

#include <stdio.h>

struct tree_writer {
	FILE *out;
	const struct snapshot *snapshot;
	size_t count;		/* nodes for which put() was called before */
	void *context;		/* for put(), any data of the format */
};

/* Calls put() for each node, depth first; depth: 0 for the root. */
void tree_writer_run(struct tree_writer *writer,
		     void (*put)(struct tree_writer *writer, size_t node, size_t depth));
/* Checks that the name of a node has none of the characters `refused`, does not begin with one of
 * `at_start`, and is not empty. */
void tree_writer_check_name(const struct tree_writer *writer, size_t node, const char *name,
			    const char *refused, const char *at_start, const char *format);
/* Checks that no two accounts have the same name, and that no account has the root's, for a format
 * that names accounts without their parents. root: what the format calls the root. */
void tree_writer_check_accounts(const struct tree_writer *writer, const char *root,
				const char *format);
/* Checks that no account has a user twice, for several partitions, for a format without them. */
void tree_writer_check_users(const struct tree_writer *writer, const char *format);
/* Checks that a node's shares are a number and not "parent"; the root's do not matter. */
void tree_writer_check_shares(const struct tree_writer *writer, size_t node, const char *format);
/* Returns whether a node has own resources. */
bool tree_writer_has_resource(const struct fathom_tree *tree, size_t node);
/* Returns whether a node has own usage or own resources. */
bool tree_writer_has_usage(const struct fathom_tree *tree, size_t node);
/* Returns "account" or "user". */
const char *tree_writer_kind(const struct tree_writer *writer, size_t node);
