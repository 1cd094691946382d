/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree with the figures of a policy. */
#ifndef EVALUATE_EVALUATED_TREE_H
#define EVALUATE_EVALUATED_TREE_H

#include "core/snapshot.h"
#include "fathom.h"
#include "json/shares.h"
#include "policy/settings_layout.h"

/* What is evaluated, and what of it somebody has told. */
struct tree_scheme {
	const struct snapshot *snapshot;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct json_columns told;	/* NULL: not */
};

struct evaluated_tree {
	const struct snapshot *snapshot;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct fathom_result *result;
	struct json_columns columns;	/* each as told, or the result's */
	bool is_told, column_is_told[FATHOM_MAX_COLUMNS];
};

/* Evaluates the snapshot. -1: ENOMEM. */
int evaluated_tree_create(struct evaluated_tree *tree, const struct tree_scheme *scheme,
			  struct fathom_error *error);
void evaluated_tree_clear(struct evaluated_tree *tree);

#endif
