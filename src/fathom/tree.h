/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of associations: accounts and users, the share of the machine that
 * each was promised, and what each has used.
 *
 *	row	parent	shares	own usage
 *	root	-	-	0	-> norm_shares 1
 *	physics	root	60	0	-> 60 / (60 + 40) = 0.6
 *	ada	physics	1	1200	-> 0.6 x 1 / 1 = 0.6
 *	maths	root	40	800	-> 0.4
 *
 * After changing shares, usage or resources, call fathom_tree_settle().
 */
#ifndef FATHOM_TREE_H
#define FATHOM_TREE_H

#include "fathom/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_SHARES_PARENT UINT32_MAX	/* FairShare=parent */

enum fathom_kind {
	FATHOM_ACCOUNT,		/* may have children */
	FATHOM_USER		/* a user in the account that is its parent */
};

/* One association. Rows are in any order; exactly one is the root. */
struct fathom_row {
	int64_t id;		/* unique */
	int64_t parent_id;	/* ignored for the root */
	bool is_root;
	enum fathom_kind kind;	/* users have no children; the root is an account */
	uint32_t raw_shares;	/* or FATHOM_SHARES_PARENT; ignored for the root */
	double usage;		/* billing TRES seconds, decayed to now; without the usage
				 * of children; 0 or more, finite */
};

/*
 * Nodes are numbered from 0 in breadth-first order: node 0 is the root, a parent
 * comes before its children, siblings stand side by side in the order of rows.
 * The numbers stay the same as long as the tree exists.
 */
struct fathom_tree;

/* ---- creating a tree ------------------------------------------------------- */

/* Makes a settled tree from `count` rows, which it copies. NULL: ENOMEM; EINVAL
 * for no rows or too many, no root or several, a root that is a user, a
 * duplicate id, an unknown parent, a user as parent, a cycle, or usage that is
 * negative or not finite. error->row is the wrong row, or FATHOM_NO_ROW if no
 * single row is wrong. */
struct fathom_tree *fathom_tree_create(const struct fathom_row *rows, size_t count,
				       struct fathom_error *error);
/* Copies a tree with all its columns. NULL: ENOMEM. */
struct fathom_tree *fathom_tree_copy(const struct fathom_tree *tree, struct fathom_error *error);
/* Frees a tree; NULL is allowed. */
void fathom_tree_destroy(struct fathom_tree *tree);

/* ---- nodes ----------------------------------------------------------------- */

/* Returns the number of nodes, which is the number of rows: 1 or more. */
size_t fathom_tree_count(const struct fathom_tree *tree);
/* Returns how many nodes are users. */
size_t fathom_tree_user_count(const struct fathom_tree *tree);
/* Returns the node that was made from row number `row` (from 0). */
size_t fathom_tree_node_of_row(const struct fathom_tree *tree, size_t row);
/* Returns the nodes of all rows: an array by row, of fathom_tree_count() values, which
 * belongs to the tree. */
const uint32_t *fathom_tree_nodes_of_rows(const struct fathom_tree *tree);
/* Returns the id of the node's row. */
int64_t fathom_tree_id(const struct fathom_tree *tree, size_t node);
/* Returns the node's parent; for the root: 0. */
size_t fathom_tree_parent(const struct fathom_tree *tree, size_t node);
/* Returns the node's first child. Children have consecutive numbers. For a node
 * without children the result has no meaning. */
size_t fathom_tree_first_child(const struct fathom_tree *tree, size_t node);
/* Returns the number of the node's children, without grandchildren. */
size_t fathom_tree_child_count(const struct fathom_tree *tree, size_t node);
/* Returns whether the node is an account or a user. */
enum fathom_kind fathom_tree_kind(const struct fathom_tree *tree, size_t node);

/* ---- shares ---------------------------------------------------------------- */

/* Returns the node's configured shares, or FATHOM_SHARES_PARENT; for the root: 1. */
uint32_t fathom_tree_raw_shares(const struct fathom_tree *tree, size_t node);
/* Sets the node's shares; settle afterwards. For the root it does nothing. */
void fathom_tree_set_raw_shares(struct fathom_tree *tree, size_t node, uint32_t raw_shares);
/* Returns the node's fs parent: the nearest ancestor whose shares are not
 * FATHOM_SHARES_PARENT; for the root: 0. All nodes with the same fs parent form a
 * level: their shares are parts of one sum. */
size_t fathom_tree_fs_parent(const struct fathom_tree *tree, size_t node);
/* Returns the node's shares over the sum of its level's shares, 0 to 1. For a node
 * whose shares are FATHOM_SHARES_PARENT: the value of its fs parent; for the root: 1. */
double fathom_tree_level_share(const struct fathom_tree *tree, size_t node);
/* Returns the part of the machine that the node was promised, 0 to 1: the product
 * of the level shares from the root down to the node.
 * Source: Slurm, "Classic Fairshare Algorithm". */
double fathom_tree_norm_shares(const struct fathom_tree *tree, size_t node);

/* ---- usage ----------------------------------------------------------------- */

/* Returns the node's own usage, as the row had it or as it was set last. */
double fathom_tree_own_usage(const struct fathom_tree *tree, size_t node);
/* Sets the node's own usage; settle afterwards. A negative value or NAN is set as 0.
 * Infinity is set as 1e300: more than any real usage, but sums stay finite. */
void fathom_tree_set_own_usage(struct fathom_tree *tree, size_t node, double usage);
/* Returns the usage of the node and of all nodes below it. */
double fathom_tree_usage(const struct fathom_tree *tree, size_t node);

/* ---- resources ------------------------------------------------------------- */

/* Amounts that the jobs of a node use or hold, for policies that need more than
 * usage. Source: LSF, "Default dynamic priority formula". */
enum fathom_resource {
	FATHOM_CPU_TIME,		/* seconds, decayed */
	FATHOM_RUN_TIME,		/* seconds, of running jobs */
	FATHOM_HIST_RUN_TIME,		/* seconds, of finished jobs, decayed */
	FATHOM_COMMITTED_RUN_TIME,	/* seconds that running jobs asked for */
	FATHOM_JOB_SLOTS,		/* slots in use and reserved */
	FATHOM_MEMORY,			/* in use by started jobs; the caller chooses the unit */
	FATHOM_ADJUSTMENT,		/* the site's adjustment, of any sign; see fathom/lsf.h */
	FATHOM_RESERVED_SLOTS		/* the part of FATHOM_JOB_SLOTS that is only reserved */
};

/* Returns how many resources this library knows. */
size_t fathom_resource_count(void);
/* Returns the resource's name, such as "cpu_time", the key in fathom's JSON. */
const char *fathom_resource_name(enum fathom_resource resource);
/* Sets a node's own amount of a resource; settle afterwards. A negative value or NAN
 * is set as 0, infinity as 1e300. But FATHOM_ADJUSTMENT may be negative, and is set
 * as 0 if it is not finite. The first call for a resource, even with 0, gives the
 * tree a column of it. -1: ENOMEM, nothing has changed. */
int fathom_tree_set_own_resource(struct fathom_tree *tree, size_t node,
				 enum fathom_resource resource, double amount,
				 struct fathom_error *error);
/* Returns whether an amount of the resource was ever set. */
bool fathom_tree_has_resource(const struct fathom_tree *tree, enum fathom_resource resource);
/* Returns the node's own amount; 0 if the tree has no column of the resource. */
double fathom_tree_own_resource(const struct fathom_tree *tree, size_t node,
				enum fathom_resource resource);
/* Returns the amount of the node and of all nodes below it; 0 if the tree has no
 * column of the resource. */
double fathom_tree_resource(const struct fathom_tree *tree, size_t node,
			    enum fathom_resource resource);

/* ---- after changes --------------------------------------------------------- */

/* Brings sums and normalised shares up to date. Takes time linear in the number
 * of nodes and allocates nothing. */
void fathom_tree_settle(struct fathom_tree *tree);

/* ---- nodes by id ------------------------------------------------------------- */

/* An index of one tree that finds nodes by the ids of their rows. It never changes,
 * so that any number of threads may use it at the same time. */
struct fathom_node_index;

/* Makes an index of a tree. It does not use the tree afterwards. The caller releases
 * it. NULL: out of memory. */
struct fathom_node_index *fathom_node_index_create(const struct fathom_tree *tree);
/* Adds an owner, who also has to release the index, and returns the same index. May
 * be called in any thread. */
struct fathom_node_index *fathom_node_index_share(struct fathom_node_index *index);
/* Removes an owner; without owners the index is freed. May be called in any
 * thread. NULL is allowed. */
void fathom_node_index_release(struct fathom_node_index *index);
/* Puts the node with this id into *node. False: the id is unknown or index is
 * NULL; *node is unchanged. */
bool fathom_node_index_find(const struct fathom_node_index *index, int64_t id, uint32_t *node);
/* Returns the node that gets the usage of an association. id: of the association;
 * account: the id of its account. It is the association's own node; if the tree does
 * not have that id, the account's node; if it does not have that either, the root. */
uint32_t fathom_node_index_heir(const struct fathom_node_index *index, int64_t id, int64_t account);
/* Tells the processor to load the memory that a search for the id reads. In a loop
 * over many ids, call it some ten searches ahead. */
void fathom_node_index_prefetch(const struct fathom_node_index *index, int64_t id);

#ifdef __cplusplus
}
#endif
#endif
