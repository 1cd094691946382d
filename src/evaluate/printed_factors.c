/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds two things that can be wrong with a tree from the text of sshare:
 *
 *  - Without -a the text lacks other users, so that accounts have usage but no users.
 *  - The cluster may run another policy than the one that is evaluated. Then the evaluated
 *    factors differ from the printed ones, and those of the other policy do not.
 */
#include "evaluate/printed_factors.h"

#include "jobs/need_trees.h"
#include "policy/traits.h"

#include <math.h>
#include <string.h>

/* Bounds for the fraction of users whose factor differs from the printed one. Between the two, the
 * text may just be old. */
#define SUSPICIOUS 0.5	/* if more differ, another policy is looked for */
#define GOOD_FIT 0.1	/* if fewer differ, it is the policy of the cluster */
/* Factors that differ by less are equal: sshare prints factors with six decimals, but usage, from
 * which the factor is computed again, in whole seconds. */
#define PRINTED_TOLERANCE 1e-3

/* ---- users that are missing ---------------------------------------------------- */

/* An account keeps the usage of deleted users, so a few accounts that have usage but no children
 * mean nothing. Users seem to be missing if all users in the text have one name, or if more
 * accounts are bare like that than have users. */
bool printed_lacks_users(const struct snapshot *snapshot)
{
	const struct fathom_tree *tree = snapshot->tree;
	const char *user = NULL;	/* name of the first user */
	bool has_others = false;	/* there are users with another name */
	size_t bare = 0, inhabited = 0;
	size_t last = SIZE_MAX;		/* account of the user before */

	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		const char *name = snapshot_name(snapshot, node);
		size_t account = fathom_tree_parent(tree, node);

		if (fathom_tree_kind(tree, node) == FATHOM_ACCOUNT) {
			bare += !fathom_tree_child_count(tree, node) &&
				fathom_tree_usage(tree, node) > 0;
			continue;
		}
		user = user ? user : name;
		has_others |= strcmp(name, user) != 0;
		inhabited += account != last;	/* children of one account are side by side */
		last = account;
	}
	return bare && (!has_others || bare > inhabited);
}

/* ---- another policy --------------------------------------------------------------- */

/* Returns the fraction of the users with a printed FairShare for which the policy gives
 * another one. For a policy that ranks users, half a rank is a difference. 0: no user has a
 * FairShare. */
static double fraction_that_differs(const struct snapshot *snapshot,
				const struct fathom_policy *policy,
				const struct fathom_settings *settings)
{
	const struct fathom_tree *tree = snapshot->tree;
	double half_rank = 0.5 / (double)fathom_tree_user_count(tree);
	bool ranks = policy_ranks_users(policy);
	double tolerance = ranks ? fmin(half_rank, PRINTED_TOLERANCE) : PRINTED_TOLERANCE;
	struct fathom_result *result = need_result(policy, tree);
	size_t different = 0, users = 0;

	fathom_evaluate(result, tree, settings);
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		double printed = snapshot->printed_factor[node];

		if (fathom_tree_kind(tree, node) != FATHOM_USER || isnan(printed))
			continue;
		users++;
		different += !(fabs(fathom_result_factor(result)[node] - printed) < tolerance);
	}
	return users ? (double)different / (double)users : 0;
}

/* Puts the policy into *best if fewer users differ under it than *least, a fraction, which then
 * becomes theirs. Tries ties as Slurm documents them, and as its own plugin treats them. */
static void consider(const struct snapshot *snapshot, const struct fathom_policy *policy,
		     double *least, struct printed_policy *best)
{
	static const enum tie_mode modes[] = { TIE_DOCUMENTED, TIE_SLURM };
	bool has_ties = policy_setting_with(policy, SETTING_TIE_MODE) != POLICY_HAS_NONE;
	struct fathom_settings settings = fathom_settings_standard(policy);

	for (size_t i = 0; i < (has_ties ? sizeof(modes) / sizeof(*modes) : 1); i++) {
		double fraction;

		policy_set(policy, &settings, SETTING_TIE_MODE, modes[i]);
		fraction = fraction_that_differs(snapshot, policy, &settings);
		if (!(fraction < *least))
			continue;
		*least = fraction;
		*best = (struct printed_policy){ policy, settings };
	}
}

bool printed_find_other(const struct snapshot *snapshot, const struct fathom_policy *policy,
			const struct fathom_settings *settings, struct printed_policy *other)
{
	double least = GOOD_FIT;

	*other = (struct printed_policy){ 0 };
	if (!(fraction_that_differs(snapshot, policy, settings) > SUSPICIOUS))
		return false;
	for (size_t i = 0; i < fathom_policy_count(); i++)
		if (policy_flag(fathom_policy_at(i)) != FLAG_OF_NONE)
			consider(snapshot, fathom_policy_at(i), &least, other);
	return other->policy;
}
