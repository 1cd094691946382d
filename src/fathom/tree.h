/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of associations: who may use how much of the machine, and has used
 * how much.
 *
 *	row	parent	shares	own usage
 *	root	-	-	0	-> norm_shares 1
 *	physics	root	60	0	-> 60 / (60 + 40) = 0.6
 *	ada	physics	1	1200	-> 0.6 x 1 / 1 = 0.6
 *	maths	root	40	800	-> 0.4
 *
 * After a change of shares, usage or resources call fathom_tree_settle().
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

enum fathom_kind { FATHOM_ACCOUNT, FATHOM_USER };

/* One association. Rows are in any order; exactly one is the root. */
struct fathom_row {
	int64_t id;		/* unique */
	int64_t parent_id;	/* ignored for the root */
	bool is_root;
	enum fathom_kind kind;	/* users have no children; the root is an account */
	uint32_t raw_shares;	/* or FATHOM_SHARES_PARENT; ignored for the root */
	double usage;		/* its own, without that of children: 0 or more, finite;
				 * billing TRES seconds, decayed to now */
};

/*
 * Nodes are numbered from 0 in breadth-first order: node 0 is the root, a parent
 * comes before its children, siblings stand side by side in the order of rows.
 * The numbers stay the same as long as the tree exists.
 */
struct fathom_tree;

/* ---- making one ------------------------------------------------------------ */

/* Makes a settled tree of `count` rows, which it copies. NULL: ENOMEM; EINVAL
 * for no rows or too many, no root or several, a root that is a user, a
 * duplicate id, an unknown parent, a user as parent, a cycle, or usage that is
 * negative or not finite. error->row names the row. */
struct fathom_tree *fathom_tree_create(const struct fathom_row *rows, size_t count,
				       struct fathom_error *error);
/* Copies a tree with all its columns. NULL: ENOMEM. */
struct fathom_tree *fathom_tree_copy(const struct fathom_tree *tree, struct fathom_error *error);
/* Frees a tree; NULL is allowed. */
void fathom_tree_destroy(struct fathom_tree *tree);

/* ---- its shape ------------------------------------------------------------- */

/* Returns the number of nodes: that of rows, 1 or more. */
size_t fathom_tree_count(const struct fathom_tree *tree);
/* Returns how many of them are users. */
size_t fathom_tree_user_count(const struct fathom_tree *tree);
/* Returns the node that row number `row` (from 0) has become. */
size_t fathom_tree_node_of_row(const struct fathom_tree *tree, size_t row);
/* Returns the id that the row had. */
int64_t fathom_tree_id(const struct fathom_tree *tree, size_t node);
/* Returns the parent; of the root: 0. */
size_t fathom_tree_parent(const struct fathom_tree *tree, size_t node);
/* Returns the first of the node's children, which are numbered one after the
 * other. Of a node without children it means nothing. */
size_t fathom_tree_first_child(const struct fathom_tree *tree, size_t node);
/* Returns the number of children, without their own. */
size_t fathom_tree_child_count(const struct fathom_tree *tree, size_t node);
/* Returns whether the node is an account or a user. */
enum fathom_kind fathom_tree_kind(const struct fathom_tree *tree, size_t node);

/* ---- shares ---------------------------------------------------------------- */

/* Returns the shares as configured, or FATHOM_SHARES_PARENT; of the root: 1. */
uint32_t fathom_tree_raw_shares(const struct fathom_tree *tree, size_t node);
/* Sets them; settle afterwards. The root's cannot be set. */
void fathom_tree_set_raw_shares(struct fathom_tree *tree, size_t node, uint32_t raw_shares);
/* Returns the nearest ancestor whose shares are not FATHOM_SHARES_PARENT; of
 * the root: 0. All nodes that have the same one are a level: their shares are
 * parts of one sum. */
size_t fathom_tree_fs_parent(const struct fathom_tree *tree, size_t node);
/* Returns shares over the sum of the level's, 0 to 1; of a node whose shares
 * are FATHOM_SHARES_PARENT that of its fs parent; of the root: 1. */
double fathom_tree_level_share(const struct fathom_tree *tree, size_t node);
/* Returns the node's part of the machine, 0 to 1: the product of level shares
 * from the root down. Source: Slurm, "Classic Fairshare Algorithm". */
double fathom_tree_norm_shares(const struct fathom_tree *tree, size_t node);

/* ---- usage ----------------------------------------------------------------- */

/* Returns the usage that the row had or that was set last. */
double fathom_tree_own_usage(const struct fathom_tree *tree, size_t node);
/* Sets it; settle afterwards. What is negative or not finite becomes 0. */
void fathom_tree_set_own_usage(struct fathom_tree *tree, size_t node, double usage);
/* Returns the usage of the node and of all below it. */
double fathom_tree_usage(const struct fathom_tree *tree, size_t node);

/* ---- resources ------------------------------------------------------------- */

/* What the jobs of a node use and hold, for a policy that looks at more than
 * usage. Source: LSF, "Default dynamic priority formula". */
enum fathom_resource {
	FATHOM_CPU_TIME,		/* seconds, decayed */
	FATHOM_RUN_TIME,		/* seconds, of running jobs */
	FATHOM_HIST_RUN_TIME,		/* seconds, of finished jobs, decayed */
	FATHOM_COMMITTED_RUN_TIME,	/* seconds, asked for by running jobs */
	FATHOM_JOB_SLOTS,		/* in use and reserved */
	FATHOM_MEMORY,			/* in use by started jobs; the caller chooses the unit */
	FATHOM_ADJUSTMENT		/* what a site adds, of any sign */
};

/* Returns how many resources this library knows. */
size_t fathom_resource_count(void);
/* Returns a name such as "cpu_time", the key in fathom's JSON. */
const char *fathom_resource_name(enum fathom_resource resource);
/* Sets a node's own amount; settle afterwards. What is not finite, or negative
 * (the adjustment may be), becomes 0. A tree has no column of a resource before
 * its first amount is set, be it 0. -1: ENOMEM, nothing has changed. */
int fathom_tree_set_own_resource(struct fathom_tree *tree, size_t node,
				 enum fathom_resource resource, double amount,
				 struct fathom_error *error);
/* Returns whether an amount of the resource has ever been set. */
bool fathom_tree_has_resource(const struct fathom_tree *tree, enum fathom_resource resource);
/* Returns the amount that was set; 0 if the tree has no such column. */
double fathom_tree_own_resource(const struct fathom_tree *tree, size_t node,
				enum fathom_resource resource);
/* Returns the sum over the node and all below it; 0 if there is no such column. */
double fathom_tree_resource(const struct fathom_tree *tree, size_t node,
			    enum fathom_resource resource);

/* ---- after changes --------------------------------------------------------- */

/* Brings sums and normalised shares up to date. Takes time linear in the number
 * of nodes and allocates nothing. */
void fathom_tree_settle(struct fathom_tree *tree);

/* ---- nodes by id ------------------------------------------------------------- */

/* Finds the nodes of one tree by the ids of their rows. It never changes, so that
 * any number of threads may use it at the same time. */
struct fathom_node_index;

/* Makes one for a tree, which is not needed afterwards. NULL: out of memory. */
struct fathom_node_index *fathom_node_index_create(const struct fathom_tree *tree);
/* Adds an owner and returns the same index. May be called in any thread. */
struct fathom_node_index *fathom_node_index_share(struct fathom_node_index *index);
/* Gives up one ownership, in any thread; the last one frees the index. NULL is
 * allowed. */
void fathom_node_index_release(struct fathom_node_index *index);
/* Puts the node with this id into *node. False: there is none, or index is
 * NULL; *node stays as it was. */
bool fathom_node_index_find(const struct fathom_node_index *index, int64_t id, uint32_t *node);
/* Returns the node that what belongs to an association goes to: its own, or if
 * there is none its account's, or else the root. */
uint32_t fathom_node_index_heir(const struct fathom_node_index *index, int64_t id, int64_t account);
/* Tells the processor to load the memory that a search for the id reads. Worth it
 * some ten searches ahead, in a loop over many ids. */
void fathom_node_index_prefetch(const struct fathom_node_index *index, int64_t id);

#ifdef __cplusplus
}
#endif
#endif
