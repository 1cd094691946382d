/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which leaves of a share tree serve a user's jobs. fathom/lsf.h has the rest of the tree. A user
 * may have several leaves: by the user's own assignment, and by each "group@" or group that
 * contains the user.
 */
#pragma once

#include "fathom.h"

/* A leaf that serves a user. */
struct share_leaf {
	uint32_t node;	/* of the share tree */
	uint32_t key;	/* tells the leaf from other leaves of the user; not 0. It stays the same
			 * when the tree is made anew, as long as the user comes to the leaf by
			 * the same groups */
};

/* Returns how many leaves the user with the most leaves has. */
size_t share_tree_most_leaves(const struct fathom_share_tree *tree);
/*
 * Lists the leaves at which the jobs of a user in an account may count, in the order of nodes.
 * If the account has the name of a group that the user is in, or this name in small letters, lists
 * only the leaves that serve the user as a member of this group, and no leaf if the group has
 * subgroups. leaf: room for share_tree_most_leaves(). Returns how many leaves are listed; 0: such
 * jobs have no shares. Quick for many users of one account after another. Only one thread at a time
 * may call it for a tree.
 */
size_t share_tree_list_leaves(struct fathom_share_tree *tree, const char *user,
			      const char *account, struct share_leaf *leaf);

/* What is wrong with the group that a job names by the words fairshare=GROUP. */
enum group_fault {
	GROUP_RIGHT,
	GROUP_UNSEEN,		/* the words have not been checked yet */
	GROUP_UNKNOWN,		/* there is no such group */
	GROUP_HAS_SUBGROUPS,
	GROUP_WITHOUT_USER,	/* the user is not in the group */
	GROUP_WITHOUT_SHARES,	/* it gives the user no shares for jobs of the account */
};

/* Returns a clause about the group; NULL for GROUP_RIGHT. */
const char *group_fault_text(enum group_fault fault);

/* Returns the number of a user, for share_leaves.user; UINT32_MAX: the tree has no such user. */
uint32_t share_tree_user(const struct fathom_share_tree *tree, const char *name);

#define NO_SHARE_LEAF UINT32_MAX	/* in place of an index of a leaf */

/* The leaves that serve each association. */
struct share_leaves {
	/* By association: the index of its first leaf in `node` and `key`; its leaves end where
	 * those of the next association begin, so there is one more index. */
	uint32_t *first;
	uint32_t *node, *key;	/* by leaf, as in struct share_leaf */
	uint32_t *user;		/* by association: share_tree_user() of its user */
};

/* Returns how many leaves serve an association; 0: its user has no shares. */
static inline uint32_t share_leaves_count(const struct share_leaves *leaves, uint32_t association)
{
	return leaves->first[association + 1] - leaves->first[association];
}

/* Sets node, other_node and other_count of a job to the leaves that serve its association. */
void share_leaves_set_nodes(const struct share_leaves *leaves, uint32_t association,
			    struct fathom_pending_job *job);
/* Returns the key of the association's leaf with this node; 0: it has no such leaf. */
uint32_t share_leaves_key(const struct share_leaves *leaves, uint32_t association, size_t node);

/* Lists the nodes of those leaves of an association that serve its user as a member of the group,
 * for a job that names the group. node: room for share_tree_most_leaves(). Returns how many nodes
 * are listed; 0: *fault tells why, else it is GROUP_RIGHT. Only one thread at a time may call it
 * for a tree. */
size_t share_leaves_of_group(const struct share_leaves *leaves, struct fathom_share_tree *tree,
			     uint32_t association, const char *group, uint32_t *node,
			     enum group_fault *fault);

/* Returns the association's leaf with the greatest factor, as an index of `node` and `key`; of
 * equal ones the first. NO_SHARE_LEAF: the association has no leaf. factor: by node of the tree. */
uint32_t share_leaves_best(const struct share_leaves *leaves, uint32_t association,
			   const double *factor);
/* Returns the node of the tree that is charged for a run which counts at the association's leaf
 * with this key. If it has no such leaf, as for the key 0, returns the node of its first leaf;
 * without leaves, the root. */
uint32_t share_leaves_charged(const struct share_leaves *leaves, uint32_t association,
			      uint32_t key);
/* Frees all arrays and sets the members to NULL. */
void share_leaves_clear(struct share_leaves *leaves);
