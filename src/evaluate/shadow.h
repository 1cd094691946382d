/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the ranks of users under the policy in force and under the shadow policy. */
#ifndef EVALUATE_SHADOW_H
#define EVALUATE_SHADOW_H

#include "evaluate/evaluated_tree.h"

struct shadow {
	struct evaluated_tree tree;	/* under the shadow policy */
	/* by node: rank by factor among all users, 1 is the best; NAN for accounts */
	double *rank, *shadow_rank;
};

/* -1: ENOMEM. */
int shadow_create(struct shadow *shadow, const struct evaluated_tree *in_force,
		  const struct tree_scheme *scheme, struct fathom_error *error);
void shadow_clear(struct shadow *shadow);
/* Returns by how many ranks the shadow policy moves a user up; NAN for an account. */
double shadow_change(const struct shadow *shadow, size_t node);

#endif
