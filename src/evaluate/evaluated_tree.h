/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree with the figures of a policy; one tree under several policies; and copies of a tree in
 * which changes are tried. */
#pragma once

#include "core/snapshot.h"
#include "fathom.h"
#include "json/shares.h"
#include "policy/settings_layout.h"

/* A tree with all columns of a policy. */
struct evaluated_tree {
	/* set by the caller: */
	const struct snapshot *snapshot;	/* must live as long */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	/* columns that a cluster has computed; a column that is NULL is evaluated */
	struct json_columns recorded;
	bool is_partial;	/* the tree lacks users, so that recorded factors give no ranks */
	const char *label;	/* in a comparison: the name of the tree in tables */
	/* set by evaluated_tree_evaluate(): */
	struct fathom_result *result;	/* what the policy computed, without recorded figures */
	struct json_columns columns;	/* recorded ones; those of `result` where there are none */
	/* by node: rank of a user by factor, 1 is the best; NAN: an account, or not known */
	const double *rank;
};

/* Computes all columns and ranks. Memory belongs to the command. */
void evaluated_tree_evaluate(struct evaluated_tree *evaluated);

/* Returns whether a node is `account` or below it. */
bool tree_is_below(const struct fathom_tree *tree, size_t node, size_t account);

/* One tree under several policies, or under one policy with several settings. All trees have the
 * same associations in the same order. */
struct comparison {
	struct evaluated_tree *tree;	/* the others are compared with the first */
	size_t count;
};

/* Returns by how many ranks a user is better in tree `which` than in the first; below 0: worse. NAN
 * for an account, or if a rank is not known. */
double comparison_change(const struct comparison *comparison, size_t which, size_t node);
/* Returns whether two trees, given by their indices, have the same factors. */
bool comparison_is_equal(const struct comparison *comparison, size_t one, size_t other);

/* How usage of a site gets less. */
struct usage_decay {
	double half_life;	/* seconds; 0: no decay */
	double reset;		/* seconds until all usage is reset (PriorityUsageResetPeriod); 0:
				 * never, or not known */
};

/* Sets all usage of a tree to 0, as a reset does; what running jobs hold stays. Call
 * fathom_tree_settle() afterwards. */
void tree_reset_usage(struct fathom_tree *tree);

/* ---- copies of a tree, in which changes are tried ---- */

/* Returns a copy of a tree without recorded figures, to be changed and evaluated. The original must
 * live as long, as the copy uses its names. */
struct evaluated_tree tried_tree_create(const struct evaluated_tree *original);
/* Sets the node `idle` and all below it to what they would be if they had been idle for `seconds`
 * since the state of the original: usage has decayed, and jobs hold nothing any more. half_life: of
 * the site's usage, seconds; 0: no decay. */
void tried_tree_set_idle(struct evaluated_tree *tried, const struct evaluated_tree *original,
			 size_t idle, double seconds, double half_life);
/* Settles the tree and computes all its columns, but no ranks. Returns the factors by node, valid
 * until the next call. */
const double *tried_tree_evaluate(struct evaluated_tree *tried);
