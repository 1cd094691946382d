/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classic fair share made independent of depth (PriorityFlags=DEPTH_OBLIVIOUS). A usage
 * ratio is usage over shares: 1 is on target, above 1 is more than the share. The ratio R of
 * a member follows from that of its account and from its local ratio, which compares it with
 * its siblings:
 *
 *	R       = R_parent * R_local^k
 *	R_local = the member's usage / its shares / R_level
 *	R_level = usage of all siblings / the account's shares
 *	k       = 1 / (1 + (5 ln R_parent)^2)	if R_parent and R_local are on two sides of 1
 *	k       = 1				if not
 *
 * On two sides of 1 means that one has used too much and the other too little. Then k weakens
 * R_local, so that a member does not rise far above its account, nor fall far below it.
 *
 * An account has used twice its share (R_parent 2), and in it two members with equal shares
 * have used three quarters and one quarter of that:
 *	the first:  R_local 1.5, on the same side: k = 1, R = 2 * 1.5 = 3
 *	the second: R_local 0.5, on the other side: k = 1 / (1 + (5 ln 2)^2) = 0.077,
 *		    R = 2 * 0.5^0.077 = 1.9; it would be 2 * 0.5 = 1 with k = 1
 * Source: Slurm, "Depth-Oblivious Fair-share Factor".
 */
#include "policy/policy.h"

#include <math.h>
#include <string.h>

#define STEEPNESS 5.0	/* the 5 in k: how fast k falls when R_parent moves away from 1 */

enum { DAMPENING_FACTOR };				/* settings */
enum { USAGE_RATIO, PARENT_RATIO, LOCAL_RATIO, K };	/* columns */

/* What all members of one level have in common. */
struct level_ratios {
	uint32_t parent;			/* the account; 0: of no level yet */
	double parent_share, parent_usage;	/* its normalised shares, its effective usage */
	double parent_ratio;			/* R_parent */
	double level_ratio;			/* R_level */
	double k;	/* for members whose R_local is on the other side of 1 than R_parent */
};

/* Returns the ratios of the level below an account. level_usage: by account, the normalised usage
 * of all members of its level. */
static struct level_ratios level_of(const struct fathom_tree *tree,
				    const struct fathom_result *result,
				    const double *level_usage, uint32_t parent)
{
	struct level_ratios level = {
		.parent = parent,
		.parent_share = tree->norm_shares[parent],
		.parent_usage = result->effective_usage[parent],
	};
	double scaled_log;	/* 5 ln R_parent */

	level.parent_ratio = level.parent_usage / level.parent_share;
	level.level_ratio = level_usage[parent] / level.parent_share;
	scaled_log = STEEPNESS * log(level.parent_ratio);
	level.k = 1 / (1 + scaled_log * scaled_log);
	return level;
}

/* Returns whether one ratio is above 1 and the other below. */
static bool on_two_sides(double a, double b)
{
	return (a > 1 && b < 1) || (a < 1 && b > 1);
}

/* Fills the columns of a node that is compared with its siblings. */
static void evaluate_ratios(const struct fathom_tree *tree, const struct level_ratios *level,
			    size_t node, struct fathom_result *result)
{
	double share = tree->norm_shares[node], usage = result->norm_usage[node];
	double local_ratio = usage / share / level->level_ratio;
	double k = on_two_sides(level->parent_ratio, local_ratio) ? level->k : 1;
	double ratio = level->parent_ratio * (k < 1 ? pow(local_ratio, k) : local_ratio);

	result->effective_usage[node] = ratio * share;
	result->column[USAGE_RATIO][node] = ratio;
	result->column[PARENT_RATIO][node] = level->parent_ratio;
	result->column[LOCAL_RATIO][node] = local_ratio;
	result->column[K][node] = k;
}

/* Fills the columns of a node that is not compared with its siblings: a child of the root, a
 * node with shares `parent`, a node without usage or shares. effective: its effective usage. */
static void evaluate_plain(const struct fathom_tree *tree, size_t node, double effective,
			   struct fathom_result *result)
{
	double share = tree->norm_shares[node];

	result->effective_usage[node] = effective;
	result->column[USAGE_RATIO][node] = share > 0 ? effective / share : NAN;
	result->column[PARENT_RATIO][node] = NAN;
	result->column[LOCAL_RATIO][node] = NAN;
	result->column[K][node] = NAN;
}

/* Fills norm_usage[] by node, and level_usage[] by fs parent, the sum over the level. Summing up
 * the level again for each member would take time quadratic in its width. */
static void sum_levels(const struct fathom_tree *tree, double *norm_usage, double *level_usage)
{
	memset(level_usage, 0, tree->node_count * sizeof(*level_usage));
	norm_usage[0] = policy_norm_usage_of(tree->usage, 0);
	for (size_t node = 1; node < tree->node_count; node++) {
		norm_usage[node] = policy_norm_usage_of(tree->usage, node);
		if (!tree_uses_parent_shares(tree, node))
			level_usage[tree->fs_parent[node]] += norm_usage[node];
	}
}

/* Fills the columns of a node. *level: the last level that was needed; becomes that of this node if
 * the node is compared with its siblings. Siblings are side by side, so most often both are the
 * same. */
static void evaluate_node(const struct fathom_tree *tree, size_t node, struct level_ratios *level,
			  struct fathom_result *result)
{
	const double *norm_usage = result->norm_usage, *effective = result->effective_usage;
	uint32_t account = tree->fs_parent[node];

	if (tree_uses_parent_shares(tree, node)) {
		evaluate_plain(tree, node, account ? effective[account] : norm_usage[node], result);
		result->column[USAGE_RATIO][node] = result->column[USAGE_RATIO][account];
		return;
	}
	if (!account || !(norm_usage[node] > 0) || !(tree->norm_shares[node] > 0)) {
		evaluate_plain(tree, node, norm_usage[node], result);
		return;
	}
	if (account != level->parent)
		*level = level_of(tree, result, result->scratch, account);
	if (level->parent_usage > 0)
		evaluate_ratios(tree, level, node, result);
	else
		evaluate_plain(tree, node, norm_usage[node], result);
}

/* Returns the bytes that level_usage needs, see sum_levels(). */
static size_t scratch_size(const struct fathom_tree *tree)
{
	return tree->node_count * sizeof(double);
}

/* Fills all columns. Parents come before their children, so one sweep over the nodes suffices. */
static void evaluate(const struct fathom_tree *tree, const double *settings,
		     struct fathom_result *result)
{
	double slope = policy_slope(settings[DAMPENING_FACTOR]), *factor = result->factor;
	struct level_ratios level = { 0 };

	result->norm_shares = tree->norm_shares;
	sum_levels(tree, result->norm_usage, result->scratch);
	evaluate_plain(tree, 0, 1, result);
	for (size_t node = 1; node < tree->node_count; node++) {
		evaluate_node(tree, node, &level, result);
		factor[node] = policy_exponent(tree, node, tree->norm_shares[node],
					       result->effective_usage[node], slope, factor);
	}
	policy_exponentials(tree, factor);
}

static const struct policy_comparison by_ratio = {
	.figure = FIGURE_RATIO, .column = POLICY_HAS_NONE, .less_is_better = true,
	.name = "Used/Share",
	.meaning = "usage over the share, drawn towards that of the account",
};

static const struct fathom_setting settings[] = {
	[DAMPENING_FACTOR] = POLICY_DAMPENING_FACTOR,
};

static const struct fathom_column columns[] = {
	[USAGE_RATIO] = { "usage_ratio", "UsageRatio", FATHOM_COLUMN_NUMBER, "ratio",
			  "effective usage over normalised shares; 1 = on target" },
	[PARENT_RATIO] = { "parent_ratio", "ParentRatio", FATHOM_COLUMN_NUMBER, "ratio",
			   "the account's usage ratio" },
	[LOCAL_RATIO] = { "local_ratio", "LocalRatio", FATHOM_COLUMN_NUMBER, "ratio",
			  "usage over shares, compared with the siblings together" },
	[K] = { "k", "k", FATHOM_COLUMN_NUMBER, "exponent",
		"weight of the local ratio; below 1 where it and the account's differ in "
		"direction" },
};

const struct fathom_policy policy_depth_oblivious = {
	.name = "depth-oblivious",
	.alias = "depth_oblivious",
	.summary = "classic, with an account's standing carried down the tree",
	.flag = FLAG_DEPTH_OBLIVIOUS,
	.settings = settings,
	.setting_count = sizeof(settings) / sizeof(*settings),
	.setting_role = { [DAMPENING_FACTOR] = SETTING_DAMPENING_FACTOR },
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(*columns),
	.scratch_size = scratch_size,
	.comparison = &by_ratio,
	.evaluate = evaluate,
};
