/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains the place of a user in a tree: who is ahead, what has cost it, and where the paths of
 * two users part. */
#ifndef EVALUATE_EXPLAIN_TREE_H
#define EVALUATE_EXPLAIN_TREE_H

#include "evaluate/evaluated_tree.h"
#include "policy/traits.h"

#define EXPLAIN_NONE SIZE_MAX

/* A tree as somebody sees it. */
struct explained_tree {
	const struct evaluated_tree *tree;
	const bool *hidden;	/* by node: must not be seen; NULL: all may be seen */
	/* The tree lacks users and usage that the policy counts. Only recorded figures are right:
	 * no ranks, costs or changes can be told. */
	bool is_partial;
};

/* Returns how the policy compares users; NULL: it has no fair share. */
const struct policy_comparison *explain_comparison(const struct explained_tree *of);
/* Returns the figure by which the policy compares a node; NAN: not known. */
double explain_figure(const struct explained_tree *of, size_t node);
/* Returns how many times its share a node has used, by that figure; NAN if the figure has no
 * target. INFINITY: it has no share. */
double explain_times_share(const struct explained_tree *of, size_t node);
/* Returns whether jobs of `one` go before those of `other` by factors that differ by more than
 * rounding. */
bool explain_factor_is_greater(double one, double other);

/* The nodes from the root to a node; nodes that must not be seen are left out. */
struct explained_path {
	size_t *node;	/* the caller frees it */
	size_t count;
};

struct explained_path explained_path_create(const struct explained_tree *of, size_t node);

/* The place of a user among all users that may be seen, by factor. Equal factors share a rank,
 * and the ranks after it are skipped. */
struct explained_place {
	size_t rank;		/* 1 is the best; 0: it is not known */
	size_t of;		/* EXPLAIN_NONE: not known */
	size_t sharing;		/* other users with the same rank */
	size_t ahead;		/* the user with the next greater factor, or EXPLAIN_NONE */
};

struct explained_place explain_place(const struct explained_tree *of, size_t user);

/* The node on a path that costs its user most. */
struct explained_cost {
	size_t node;		/* EXPLAIN_NONE: nothing costs */
	size_t by;		/* the user below it with the most usage, or EXPLAIN_NONE */
	double part;		/* that user's part of its usage, 0 to 1 */
	size_t users;		/* who go first because of it; 0 if the policy does not walk */
};

/* Finds it: under a policy that walks the tree, the node whose better siblings have most users;
 * under any other, the node that raises usage over share most above that of its account. Of a
 * partial tree, none is found. */
struct explained_cost explain_cost(const struct explained_tree *of, size_t user);

/* Returns whether a node is the account or below it. */
bool explain_is_below(const struct fathom_tree *tree, size_t node, size_t account);

/* Where the paths of two users part: a node of each path, both at the same level below the account
 * that both paths share. */
struct explained_parting {
	size_t who, whom;	/* the two nodes */
	size_t below;		/* the account */
	bool is_tie;		/* the policy takes them as equal, and so all nodes above them */
	bool is_hidden;		/* a node of the paths below the account must not be seen, so that
				 * this is not known */
};

/* Finds the pair that decides. Under a policy that walks the tree, it is the first whose figures
 * differ. Under any other, usage over share of both users is followed down from the account that
 * both share, and it is the pair at which the difference grows most. */
struct explained_parting explain_parting(const struct explained_tree *of, size_t who, size_t whom);

#endif
