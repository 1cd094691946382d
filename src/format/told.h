/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of a tree that were computed elsewhere and recorded: by the plugin in its
 * FiguresFile, or by slurmctld in its answer to sshare. */
#ifndef FORMAT_TOLD_H
#define FORMAT_TOLD_H

#include "core/snapshot.h"
#include "fathom.h"
#include "json/shares.h"
#include "policy/settings_layout.h"

/* The figures of a node: those that all policies have, then the policy's own. */
enum { TOLD_USAGE, TOLD_NORM_SHARES, TOLD_NORM_USAGE, TOLD_EFFECTIVE_USAGE, TOLD_FACTOR,
       TOLD_OWN };
#define TOLD_MOST (TOLD_OWN + FATHOM_MAX_COLUMNS)

struct told {
	struct snapshot snapshot;
	const struct fathom_policy *policy;	/* NULL: no figures are recorded */
	struct fathom_settings settings;
	struct json_columns columns;	/* NULL: not recorded; NAN: a node has no such value */
	double *values;			/* the columns' arrays: TOLD_MOST columns */
};

/* A scope of fathom.conf: partitions that are evaluated in a tree of their own. */
struct told_scope {
	char *name;
	struct told told;
};

/* All trees of one pass. They have the same associations in the same order. */
struct told_pass {
	char *cluster;			/* or NULL */
	struct told in_force, shadow;
	struct told_scope *scope;
	size_t scope_count;
};

/* Makes the columns for `count` nodes, all values NAN. The caller sets columns to NULL that
 * are not recorded. -1: ENOMEM. */
int told_create_columns(struct told *told, size_t count, struct fathom_error *error);
/* Returns the array of column `which`, to be filled. */
double *told_column(const struct told *told, size_t count, size_t which);
/* Copies policy, settings and figures to the nodes of `tree`, by id. A node whose id `from`
 * does not have gets only the tree's usage. -1: ENOMEM, *to is unchanged. */
int told_copy_to(struct told *to, const struct fathom_tree *tree, const struct told *from,
		 struct fathom_error *error);
/* Copies the resources of `from` to the nodes of `tree`, by id. -1: ENOMEM. */
int told_give_resources(struct fathom_tree *tree, const struct fathom_tree *from,
			struct fathom_error *error);
void told_clear(struct told *told);
void told_free_scopes(struct told_scope *scope, size_t count);
void told_pass_clear(struct told_pass *pass);

#endif
