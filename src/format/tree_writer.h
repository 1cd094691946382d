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

/* How often a file of a format can have a user in one account. */
enum user_rule {
	USER_ONCE,
	USER_ONCE_BY_PARTITION,	/* once for each partition, and once without a partition */
	USER_ONCE_WITH_USAGE	/* the same, but the file leaves out who has no usage */
};

/* Checks that no account has a user more often. Text of sshare may have a user several times
 * without telling partitions, and in LSF a user may have several shares. */
void tree_writer_check_users(const struct tree_writer *writer, const char *format,
			     enum user_rule rule);
/* Checks that a node's shares are a number and not "parent"; the root's do not matter. */
void tree_writer_check_shares(const struct tree_writer *writer, size_t node, const char *format);
/* Returns whether a node has own usage or own resources. */
bool tree_writer_has_usage(const struct fathom_tree *tree, size_t node);
/* Returns "account" or "user". */
const char *tree_writer_kind(const struct tree_writer *writer, size_t node);

/* Bits of format->keeps: what a file of the format can keep of a tree. */
enum tree_detail {
	KEEPS_USAGE = 1 << 0,
	KEEPS_FRACTIONS = 1 << 1,	/* of the usage, which else is rounded to seconds */
	KEEPS_PARENT_SHARES = 1 << 2,	/* FairShare=parent */
	KEEPS_PARTITIONS = 1 << 3,	/* of associations */
	KEEPS_EMPTY_ACCOUNTS = 1 << 4,	/* accounts without members */
	KEEPS_RESOURCES = 1 << 5,	/* amounts for LSF's priority */
	KEEPS_TIME = 1 << 6,
	KEEPS_DEFAULTS = 1 << 7,	/* default accounts of users */
	KEEPS_CAPITALS = 1 << 8,	/* in names of accounts */
	KEEPS_UNKNOWN_SHARES = 1 << 9,	/* of PBS's group "unknown" */
	KEEPS_OTHER_DEFAULTS = 1 << 10,	/* default accounts in which users have no association */
	KEEPS_ALL = (1 << 11) - 1
};

/* Calls note() with a text for each detail that the tree has and the format does not keep, such as
 * "the usage of 4 nodes". */
void tree_details_lost(const struct snapshot *snapshot, unsigned keeps,
		       void (*note)(void *context, const char *text), void *context);
