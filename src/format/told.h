/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees with figures that somebody else has computed from them. */
#ifndef FORMAT_TOLD_H
#define FORMAT_TOLD_H

#include "core/snapshot.h"
#include "fathom.h"
#include "json/shares.h"
#include "policy/settings_layout.h"

/* One row of figures: the common ones, then the policy's own. */
enum { TOLD_USAGE, TOLD_NORM_SHARES, TOLD_NORM_USAGE, TOLD_EFFECTIVE_USAGE, TOLD_FACTOR,
       TOLD_OWN };
#define TOLD_MOST (TOLD_OWN + FATHOM_MAX_COLUMNS)

struct told {
	struct snapshot snapshot;
	const struct fathom_policy *policy;	/* NULL: nothing is told */
	struct fathom_settings settings;
	struct json_columns columns;	/* NULL: not told; NAN: there is no such value */
	double *values;			/* what these point into: TOLD_MOST columns */
};

/* Partitions with a tree of their own usage. */
struct told_scope {
	char *name;
	struct told told;
};

/* Of one pass, on the same associations in the same order. */
struct told_pass {
	char *cluster;			/* or NULL */
	struct told in_force, shadow;
	struct told_scope *scope;
	size_t scope_count;
};

/* Makes room for `count` nodes, each of its figures NAN. What is not to be
 * told, the caller sets NULL in columns. -1: ENOMEM. */
int told_create_columns(struct told *told, size_t count, struct fathom_error *error);
/* Column `which` of the room, to be filled. */
double *told_column(const struct told *told, size_t count, size_t which);
/* Policy, settings and figures, to the nodes of a tree with other nodes of the
 * same ids; of one that `from` does not have, the tree's usage alone is known.
 * -1: ENOMEM, *to stays. */
int told_copy_to(struct told *to, const struct fathom_tree *tree, const struct told *from,
		 struct fathom_error *error);
/* What LSF's policy looks at, likewise. */
int told_give_resources(struct fathom_tree *tree, const struct fathom_tree *from,
			struct fathom_error *error);
void told_clear(struct told *told);
void told_free_scopes(struct told_scope *scope, size_t count);
void told_pass_clear(struct told_pass *pass);

#endif
