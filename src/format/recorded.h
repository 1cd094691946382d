/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of a tree that were computed elsewhere and recorded: by the plugin in its
 * FiguresFile, or by slurmctld in its answer to sshare. */
#pragma once

#include "core/snapshot.h"
#include "fathom.h"
#include "json/figures.h"
#include "policy/settings_layout.h"

/* The figures of a node: those that all policies have, then the policy's own. */
enum {
	RECORDED_USAGE,
	RECORDED_NORM_SHARES,
	RECORDED_NORM_USAGE,
	RECORDED_EFFECTIVE_USAGE,
	RECORDED_FACTOR,
	RECORDED_OWN
};
/* Room for the figures of a node under any policy. */
#define RECORDED_MOST (RECORDED_OWN + FATHOM_MAX_COLUMNS)

/* A tree with its figures. */
struct recorded {
	struct snapshot snapshot;
	const struct fathom_policy *policy;	/* NULL: no figures are recorded */
	struct fathom_settings settings;
	/* A column is NULL if it is not recorded, and NAN for a node that has no such value. */
	struct json_columns columns;
	double *values;			/* RECORDED_MOST arrays by node, one behind another, to
					 * which the columns point */
};

/* A scope of fathom.conf, which has a tree of its own. */
struct recorded_scope {
	struct scope_head head;
	struct recorded recorded;
};

/* The usage of other clusters in the tree of the policy in force. */
struct recorded_global {
	const struct json_global_cluster *cluster;	/* usage.count of them */
	struct json_global_usage usage;		/* count 0: no other cluster's usage counts */
};

/* All trees of one pass. They have the same associations in the same order, except those of scopes
 * with UserShares. */
struct recorded_pass {
	const char *cluster;		/* or NULL */
	/* what was wrong with fathom.conf, and what was in force instead; or NULL */
	const char *fault;
	struct recorded in_force, shadow;	/* shadow.policy: NULL: no shadow policy */
	struct recorded_global global;
	struct recorded_scope *scope;
	size_t scope_count;
};

/* Makes all columns of recorded->policy for `count` nodes, all values NAN. The caller sets columns
 * to NULL that are not recorded. */
void recorded_create_columns(struct recorded *recorded, size_t count);
/* Returns the array of a column, to be filled. count: of nodes. column: RECORDED_USAGE and so on,
 * or RECORDED_OWN + index of the policy's column. */
double *recorded_column(const struct recorded *recorded, size_t count, size_t column);
/* Makes *to the policy, settings and figures of `from` for the nodes of `tree`, matched by id. A
 * node whose id `from` does not have gets only its usage in `tree`; its other figures are NAN.
 * to->snapshot stays empty. */
void recorded_copy_to(struct recorded *to, const struct fathom_tree *tree,
		      const struct recorded *from);
/* Returns the usage of other clusters, which is by node of `from`, by node of `tree`, matched by
 * id; NAN for a node whose id `from` does not have. */
struct recorded_global recorded_global_of(const struct fathom_tree *tree,
					  const struct recorded_global *global,
					  const struct fathom_tree *from);
/* Copies the own resources of `from` to the nodes of `tree` with the same id. Settles the tree. */
void recorded_give_resources(struct fathom_tree *tree, const struct fathom_tree *from);
/* Sets the own usage of all nodes so that the sum over a node and all below it is `usage`, by node.
 * A node with NAN gets no own usage; for its parent NAN counts as 0. Settles the tree. */
void recorded_give_usage(struct fathom_tree *tree, const double *usage);
/* Sets the own amounts of a resource of all nodes so that the sum over a node and all below it is
 * `total`, by node. NAN counts as 0. Settles the tree. */
void recorded_give_resource(struct fathom_tree *tree, enum fathom_resource resource,
			    const double *total);
