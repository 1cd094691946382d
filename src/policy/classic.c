/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slurm's first fair-share algorithm (PriorityFlags=NO_FAIR_TREE): usage of an
 * account's other members counts against each member by its share. Effective usage is a member's
 * usage plus its share of what the rest of its account has used; the factor is
 * 2^(-effective usage / normalised shares). Two members with equal shares of an account that has
 * half of all shares and 0.6 of all usage:
 *
 *	member	used	effective usage			factor
 *	ada	0.5	0.5 + (0.6 - 0.5) / 2 = 0.55	2^(-0.55 / 0.25)
 *	bob	0.1	0.1 + (0.6 - 0.1) / 2 = 0.35	2^(-0.35 / 0.25)
 *
 * The effective usage of a child of the root, such as this account, is its usage.
 * Source: Slurm, "Classic Fairshare Algorithm".
 */
#include "policy/policy.h"

enum { DAMPENING_FACTOR };

static void evaluate(const struct fathom_tree *tree, const double *settings,
		     struct fathom_result *result)
{
	const bool empty_is_account = true;

	result->norm_shares = tree->norm_shares;
	policy_sweep(tree, policy_slope(settings[DAMPENING_FACTOR]), empty_is_account, result);
	policy_exponentials(tree, result->factor);
}

static const struct policy_comparison by_ratio = {
	.figure = FIGURE_RATIO, .column = POLICY_HAS_NONE, .less_is_better = true,
	.name = "Used/Share",
	.meaning = "usage, with a part of that of the accounts above, over the share",
};

static const struct fathom_setting settings[] = {
	[DAMPENING_FACTOR] = POLICY_DAMPENING_FACTOR,
};

const struct fathom_policy policy_classic = {
	.name = "classic",
	.summary = "Slurm's first algorithm: 2^(-effective usage / shares)",
	.flag = FLAG_NO_FAIR_TREE,
	.settings = settings,
	.setting_count = sizeof(settings) / sizeof(*settings),
	.setting_role = { [DAMPENING_FACTOR] = SETTING_DAMPENING_FACTOR },
	.comparison = &by_ratio,
	.evaluate = evaluate,
};
