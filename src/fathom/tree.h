/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of associations: shares, usage and resources. */
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

/* One association as read, in any order; exactly one row is the root. */
struct fathom_row {
	int64_t id;		/* unique */
	int64_t parent_id;	/* not looked at for the root */
	bool is_root;
	enum fathom_kind kind;	/* users have no children, the root is an account */
	uint32_t raw_shares;	/* or FATHOM_SHARES_PARENT; not looked at for the root */
	double usage;		/* own decayed usage >= 0, billing seconds */
};

/*
 * Associations in breadth-first order: node 0 is the root, a parent comes
 * before its children, siblings are contiguous and in the order of the rows.
 */
struct fathom_tree;

/* NULL: ENOMEM, or EINVAL for no rows, several roots or none, a duplicate id,
 * an unknown parent, a user as parent, a cycle, usage that is negative or not
 * a number; error->row names the row. */
struct fathom_tree *fathom_tree_create(const struct fathom_row *rows, size_t count,
				       struct fathom_error *error);
/* Another one just like it. NULL: ENOMEM. */
struct fathom_tree *fathom_tree_copy(const struct fathom_tree *tree, struct fathom_error *error);
void fathom_tree_destroy(struct fathom_tree *tree);

size_t fathom_tree_count(const struct fathom_tree *tree);
size_t fathom_tree_user_count(const struct fathom_tree *tree);
size_t fathom_tree_node_of_row(const struct fathom_tree *tree, size_t row);
int64_t fathom_tree_id(const struct fathom_tree *tree, size_t node);
size_t fathom_tree_parent(const struct fathom_tree *tree, size_t node);	/* root: 0 */
size_t fathom_tree_first_child(const struct fathom_tree *tree, size_t node);
size_t fathom_tree_child_count(const struct fathom_tree *tree, size_t node);
enum fathom_kind fathom_tree_kind(const struct fathom_tree *tree, size_t node);
uint32_t fathom_tree_raw_shares(const struct fathom_tree *tree, size_t node);	/* root: 1 */
double fathom_tree_own_usage(const struct fathom_tree *tree, size_t node);
double fathom_tree_usage(const struct fathom_tree *tree, size_t node);	/* children included */

/* Nearest ancestor whose shares are not "parent"; of the root: 0. */
size_t fathom_tree_fs_parent(const struct fathom_tree *tree, size_t node);
/* Shares over the level's, the product of these up to the root. */
double fathom_tree_level_share(const struct fathom_tree *tree, size_t node);
double fathom_tree_norm_shares(const struct fathom_tree *tree, size_t node);

/* What the jobs of a node use and hold, where a policy looks at more than
 * usage. Source: LSF, "Default dynamic priority formula". */
enum fathom_resource {
	FATHOM_CPU_TIME,		/* seconds, decayed */
	FATHOM_RUN_TIME,		/* seconds, of running jobs */
	FATHOM_HIST_RUN_TIME,		/* seconds, of finished jobs, decayed */
	FATHOM_COMMITTED_RUN_TIME,	/* seconds, asked for by running jobs */
	FATHOM_JOB_SLOTS,		/* in use and reserved */
	FATHOM_MEMORY,			/* in use by started jobs, in a unit of the caller's */
	FATHOM_ADJUSTMENT		/* what a site adds, of any sign */
};

size_t fathom_resource_count(void);

const char *fathom_resource_name(enum fathom_resource resource);	/* a key of JSON */

/* Changes in place; settle before the next evaluation. */
void fathom_tree_set_raw_shares(struct fathom_tree *tree, size_t node, uint32_t raw_shares);
void fathom_tree_set_own_usage(struct fathom_tree *tree, size_t node, double usage);
/* The first value of a resource, be it 0, makes a column for all nodes: -1:
 * ENOMEM. What is no number, or below 0 where that cannot be, becomes 0. */
int fathom_tree_set_own_resource(struct fathom_tree *tree, size_t node,
				 enum fathom_resource resource, double amount,
				 struct fathom_error *error);
bool fathom_tree_has_resource(const struct fathom_tree *tree, enum fathom_resource resource);
/* 0 where the tree has no such column. */
double fathom_tree_own_resource(const struct fathom_tree *tree, size_t node,
				enum fathom_resource resource);
double fathom_tree_resource(const struct fathom_tree *tree, size_t node,
			    enum fathom_resource resource);	/* children included */
/* Brings derived columns up to date: levels and normalised shares if any
 * shares changed, usage summed bottom up. Linear; cannot fail. */
void fathom_tree_settle(struct fathom_tree *tree);

/* ---- nodes by id ----------------------------------------------------------- */

/* Finds the nodes of one tree; never changes, so that any number of threads may
 * ask at a time. */
struct fathom_node_index;

/* NULL: out of memory. The tree is not needed afterwards. */
struct fathom_node_index *fathom_node_index_create(const struct fathom_tree *tree);
/* One more user of the same index; each releases it, in any thread. */
struct fathom_node_index *fathom_node_index_share(struct fathom_node_index *index);
void fathom_node_index_release(struct fathom_node_index *index);
/* False: there is no such id (or no index), *node stays. */
bool fathom_node_index_find(const struct fathom_node_index *index, int64_t id, uint32_t *node);
/* The node that gets what is an association's: its own, else its account's,
 * else the root. */
uint32_t fathom_node_index_heir(const struct fathom_node_index *index, int64_t id, int64_t account);
/* Asks for the memory that a search for the id reads. */
void fathom_node_index_prefetch(const struct fathom_node_index *index, int64_t id);

#ifdef __cplusplus
}
#endif
#endif
