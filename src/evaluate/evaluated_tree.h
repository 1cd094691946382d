/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree with the figures of a policy, and one tree under several policies. */
#pragma once

#include "core/snapshot.h"
#include "fathom.h"
#include "json/shares.h"
#include "policy/settings_layout.h"

/* What to evaluate, and figures that a cluster has computed already. */
struct tree_scheme {
	const struct snapshot *snapshot;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct json_columns recorded;	/* figures of the cluster; where a column is NULL, it is
					 * evaluated */
	bool is_partial;	/* the tree lacks users, so that recorded factors give no ranks */
};

/* A tree with all columns of a policy. */
struct evaluated_tree {
	const struct snapshot *snapshot;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct fathom_result *result;
	struct json_columns columns;	/* those of `recorded`, else of `result` */
	const double *rank;	/* by node: of users by factor, see need_ranks(); NAN: none */
	bool is_recorded;	/* the factor is a figure of the cluster, not evaluated */
	bool column_is_recorded[FATHOM_MAX_COLUMNS];	/* the policy's own column is a figure of
							 * the cluster */
	/* of a comparison: */
	const char *label;	/* how a table names it */
};

/* Evaluates the snapshot, which must stay as long as the tree. */
void evaluated_tree_create(struct evaluated_tree *tree, const struct tree_scheme *scheme);

/* Returns whether a node is the account or below it. */
bool tree_is_below(const struct fathom_tree *tree, size_t node, size_t account);

/* One tree under several policies, or under one policy with several settings. All trees have the
 * same associations in the same order. */
struct comparison {
	struct evaluated_tree *tree;	/* the others are compared with the first */
	size_t count;
};

/* Makes room for `count` trees; the caller evaluates them. */
void comparison_create(struct comparison *comparison, size_t count);

/* Returns by how many ranks a user moves up from the first tree to tree `which`; NAN for an
 * account, or if a rank is not known. */
double comparison_change(const struct comparison *comparison, size_t which, size_t node);
/* Returns whether two trees have the same factors. */
bool comparison_is_equal(const struct comparison *comparison, size_t one, size_t other);

/* A copy of a tree, in which changes are tried. */
struct tried_tree {
	const struct evaluated_tree *of;
	struct fathom_tree *tree;
	struct fathom_result *result;
};

/* Returns a copy of a tree, which must live as long. */
struct tried_tree tried_tree_create(const struct evaluated_tree *of);
/* Lets a node and all below it be idle for `seconds`, from the state of the original: usage decays,
 * and what jobs hold ends. site: the site's half-life of usage in seconds; 0: no decay. */
void tried_tree_set_idle(struct tried_tree *tried, size_t idle, double seconds, double site);
/* Evaluates the tree as it is now. Returns the factors by node, valid until the next call. */
const double *tried_tree_evaluate(struct tried_tree *tried);
