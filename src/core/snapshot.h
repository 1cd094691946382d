/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A snapshot: a tree, the names of its nodes, and the time at which it was taken. */
#pragma once

#include "fathom.h"

#define SNAPSHOT_NO_TEXT SIZE_MAX	/* in place of an offset: there is no such text */

/* By what the node of a job, or of usage, is found in a tree. */
enum found_by {
	FOUND_BY_ASSOCIATION,	/* by the names of user, account and partition, as in Slurm */
	/* by one name alone: */
	FOUND_BY_USER, FOUND_BY_ACCOUNT, FOUND_BY_PARTITION,
	FOUND_BY_GROUP		/* which jobs do not tell, so that no node is found */
};

/* How users of jobs, and users of other trees, are found in a tree. All members 0: as in Slurm. */
struct association_rule {
	enum found_by by;
	/* Account of the tree that stands for users, or other entities, that are not found. NULL:
	 * no account does. */
	const char *strangers;
	/* If not NULL, decides instead of `by`: returns the node for a user in an account, which
	 * may be empty, and a partition, which may be NULL; SIZE_MAX: there is no such node. */
	size_t (*find)(const void *context, const char *user, const char *account,
		       const char *partition);
	const void *context;	/* for find() */
};

/* Start with all members 0. It owns all that it points to, but for the members of `rule`. */
struct snapshot {
	struct fathom_tree *tree;
	bool has_time;
	int64_t time;			/* seconds since 1970, UTC */
	bool has_half_life;		/* usage was added up from jobs, so its decay is known: */
	double half_life;		/* of the decay when usage was added up; seconds, 0: no
					 * decay */
	char *text;			/* all names, each with its NUL */
	size_t text_length, text_room;	/* while names are added: bytes in use, and bytes that
					 * there is room for */
	size_t *name;			/* by node: offset in `text` */
	size_t *partition;		/* by node: offset in `text`, or SNAPSHOT_NO_TEXT */
	size_t *default_account;	/* the same, of a user; NULL: none is known */
	size_t *listed;			/* nodes in the order to show siblings; NULL: the tree's */
	struct association_rule rule;
	double *printed_factor;		/* by node: FairShare in sshare's output, or NAN; or NULL */
};

/* Frees all that the snapshot holds and sets all its members to 0. */
void snapshot_clear(struct snapshot *snapshot);

/* Adds a name to snapshot->text, which may move. Returns its offset there; SNAPSHOT_NO_TEXT if out
 * of memory, and nothing has changed. */
size_t snapshot_add_text(struct snapshot *snapshot, const char *text);

/* Returns the name of an account or user. */
const char *snapshot_name(const struct snapshot *snapshot, size_t node);
/* Returns the partition of a user's association; NULL: it is for all partitions. */
const char *snapshot_partition(const struct snapshot *snapshot, size_t node);
/* Returns the default account of an association's user; NULL: it is not known. */
const char *snapshot_default_account(const struct snapshot *snapshot, size_t node);
/* Returns the name of an account, or of the account that a user belongs to. */
const char *snapshot_account(const struct snapshot *snapshot, size_t node);

/* Lists the nodes depth first: parents before their children, each subtree in one piece,
 * siblings in the order of `listed`. order: the nodes; depth: by node, 0 for the root, or NULL;
 * both have fathom_tree_count() elements. -1: ENOMEM. */
int snapshot_depth_first(const struct snapshot *snapshot, size_t *order, size_t *depth,
			 struct fathom_error *error);
