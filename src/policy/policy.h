/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a policy is, for the files of this folder. */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include "core/tree_private.h"
#include "fathom.h"

#include <math.h>

/* Columns of node_count doubles; NAN: the node has no such value. */
struct fathom_result {
	const struct fathom_policy *policy;
	const double *norm_shares;	/* one of the tree's columns */
	double *norm_usage, *effective_usage, *factor;
	double *column[FATHOM_MAX_COLUMNS];
	void *scratch;
};

struct fathom_policy {
	const char *name;
	const char *alias;	/* a second name, or NULL */
	const char *summary;
	const struct fathom_setting *settings;
	size_t setting_count;
	const struct fathom_column *columns;
	size_t column_count;
	/* Bytes of scratch memory an evaluation wants; NULL: none. */
	size_t (*scratch_size)(const struct fathom_tree *tree);
	/* Fills every column of `result`. Linear (plus sorting siblings), no
	 * allocation, no recursion; cannot fail. */
	void (*evaluate)(const struct fathom_tree *tree, const double *settings,
			 struct fathom_result *result);
};

#define POLICY(name) extern const struct fathom_policy policy_##name;
#include "policy/policies.h"
#undef POLICY

/* Steps that several policies share. */

/* U of every node: usage over the root's, 0 if there is none, at most 1. */
void policy_norm_usage(const struct fathom_tree *tree, double *norm_usage);
/* FairShareDampeningFactor, first setting of classic and depth-oblivious. */
#define POLICY_DAMPENING_FACTOR                                                           \
	{ .name = "dampening_factor", .type = FATHOM_NUMBER, .low = 0, .low_open = true,  \
	  .high = INFINITY, .standard = 1, .unit = "",                                    \
	  .meaning = "divides the exponent: greater values weaken the effect of usage" }
/* F = 2^(-(U_E/S)/d); "parent" nodes have their fs parent's; the root NAN. */
void policy_exponential_factor(const struct fathom_tree *tree, const double *effective_usage,
			       double dampening_factor, double *factor);

#endif
