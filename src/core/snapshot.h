/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree, the names of its nodes, and the time it is true at. */
#ifndef CORE_SNAPSHOT_H
#define CORE_SNAPSHOT_H

#include "fathom.h"

#define SNAPSHOT_NO_TEXT SIZE_MAX

struct snapshot {
	struct fathom_tree *tree;
	bool has_time;
	int64_t time;			/* seconds since 1970, UTC */
	char *text;			/* names, each with its NUL */
	size_t *name, *partition;	/* by node: place in text; partition: or SNAPSHOT_NO_TEXT */
	size_t *listed;			/* nodes in another order of siblings, or NULL */
	double *printed_factor;		/* by node: FairShare in sshare's text, or NAN; or NULL */
};

void snapshot_clear(struct snapshot *snapshot);

const char *snapshot_name(const struct snapshot *snapshot, size_t node);
/* Of a user's association; NULL: none. */
const char *snapshot_partition(const struct snapshot *snapshot, size_t node);
/* The account that a node stands for or belongs to. */
const char *snapshot_account(const struct snapshot *snapshot, size_t node);

/* Nodes with parents before their children and each subtree in one piece,
 * siblings as they are listed, or as in the input. order, depth (root: 0): one
 * a node. -1: ENOMEM. */
int snapshot_depth_first(const struct snapshot *snapshot, size_t *order, size_t *depth,
			 struct fathom_error *error);

#endif
