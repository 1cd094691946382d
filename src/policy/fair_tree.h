/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The algorithm of Fair Tree, which the policies fair-tree and flux share. */
#pragma once

#include "policy/policy.h"

enum { FAIR_TREE_LEVEL_FS, FAIR_TREE_RANK, FAIR_TREE_COLUMN_COUNT };
#define FAIR_TREE_COLUMN_ROLES \
	{ [FAIR_TREE_LEVEL_FS] = COLUMN_LEVEL_FS, [FAIR_TREE_RANK] = COLUMN_RANK }

/* Members of struct fathom_policy that both policies have. */
extern const struct fathom_column fair_tree_columns[FAIR_TREE_COLUMN_COUNT];
extern const struct policy_comparison fair_tree_comparison;
size_t fair_tree_scratch_size(const struct fathom_tree *tree);

/* Fills all columns of the result, see fathom_policy.evaluate. mode: which siblings tie, and how
 * the walk treats them. */
void fair_tree_evaluate(const struct fathom_tree *tree, enum tie_mode mode,
			struct fathom_result *result);
