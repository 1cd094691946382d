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

struct recorded {
	struct snapshot snapshot;
	const struct fathom_policy *policy;	/* NULL: no figures are recorded */
	struct fathom_settings settings;
	struct json_columns columns;	/* NULL: not recorded; NAN: a node has no such value */
	double *values;			/* the columns' arrays: RECORDED_MOST columns */
};

/* A scope of fathom.conf: partitions that are evaluated in a tree of their own. */
struct recorded_scope {
	struct scope_head head;
	struct recorded recorded;
};

/* What counts from other clusters in the tree of the policy in force. */
struct recorded_global {
	const struct json_global_cluster *cluster;
	struct json_global_usage usage;		/* of as many clusters; 0: none counts */
};

/* All trees of one pass. They have the same associations in the same order, except those of scopes
 * with UserShares. */
struct recorded_pass {
	const char *cluster;		/* or NULL */
	/* what was wrong with fathom.conf, and what was in force; or NULL */
	const char *fault;
	struct recorded in_force, shadow;
	struct recorded_global global;
	struct recorded_scope *scope;
	size_t scope_count;
};

/* Makes the columns for `count` nodes, all values NAN. The caller sets columns to NULL that
 * are not recorded. */
void recorded_create_columns(struct recorded *recorded, size_t count);
/* Returns the array of column `which`, to be filled. */
double *recorded_column(const struct recorded *recorded, size_t count, size_t which);
/* Copies policy, settings and figures to the nodes of `tree`, by id. A node whose id `from`
 * does not have gets only the tree's usage. */
void recorded_copy_to(struct recorded *to, const struct fathom_tree *tree,
		      const struct recorded *from);
/* Copies the usage of other clusters to the nodes of `tree`, by id; NAN for a node whose id `from`
 * does not have. */
struct recorded_global recorded_global_of(const struct fathom_tree *tree,
					  const struct recorded_global *global,
					  const struct fathom_tree *from);
/* Copies the resources of `from` to the nodes of `tree`, by id. */
void recorded_give_resources(struct fathom_tree *tree, const struct fathom_tree *from);
/* Sets the own usage of all nodes so that sums over a node and all below it are `usage`, by node.
 * NAN counts as the sum of the children. Settles the tree. */
void recorded_give_usage(struct fathom_tree *tree, const double *usage);
/* Sets the own amounts of a resource of all nodes so that sums over a node and all below it are
 * `total`, by node. NAN counts as 0. Settles the tree. */
void recorded_give_resource(struct fathom_tree *tree, enum fathom_resource resource,
			    const double *total);
