/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sshare without -a prints all accounts but the caller's users alone; and a
 * cluster has another policy than the one that is taken for a file.
 */
#include "cli/sshare_text.h"

#include "cli/complain.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Six decimals are printed, of usage in whole seconds. */
#define PRINTED_ALIKE 1e-3

/* ---- users that are missing ---------------------------------------------------- */

struct population {
	size_t bare;		/* accounts with usage and nobody below */
	size_t inhabited;	/* accounts with users */
	const char *user;	/* the first one */
	bool has_others;	/* users of another name */
};

static void count_account(const struct snapshot *snapshot, size_t node,
			  struct population *population)
{
	const struct fathom_tree *tree = snapshot->tree;
	size_t first = fathom_tree_first_child(tree, node);
	size_t end = first + fathom_tree_child_count(tree, node);
	bool has_user = false;

	if (first == end && fathom_tree_usage(tree, node) > 0)
		population->bare++;
	for (size_t child = first; child < end; child++) {
		const char *name = snapshot_name(snapshot, child);

		if (fathom_tree_kind(tree, child) != FATHOM_USER)
			continue;
		has_user = true;
		if (!population->user)
			population->user = name;
		population->has_others |= strcmp(name, population->user) != 0;
	}
	population->inhabited += has_user;
}

/* An account whose users are all gone keeps their usage: one is no sign yet,
 * unless nobody but one user is there at all. */
static bool lacks_users(const struct snapshot *snapshot)
{
	const struct fathom_tree *tree = snapshot->tree;
	struct population population = { 0 };

	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if (fathom_tree_kind(tree, node) == FATHOM_ACCOUNT)
			count_account(snapshot, node, &population);
	return population.bare &&
	       (!population.has_others || population.bare > population.inhabited);
}

/* ---- another policy --------------------------------------------------------------- */

/* Slurm's own, and what is to be given for them. */
static const struct { const char *policy, *tie_mode, *option; } others[] = {
	{ "classic", NULL, "--policy classic" },
	{ "depth-oblivious", NULL, "--policy depth-oblivious" },
	{ "fair-tree", "documented", "--set tie_mode=documented" },
	{ "fair-tree", "slurm", "--set tie_mode=slurm" },
};

/* The part of the users with a FairShare whose factor is another one; of a
 * policy of ranks, whose rank is. 0: there are none, or memory ran out. */
static double part_that_differs(const struct snapshot *snapshot,
				const struct fathom_policy *policy,
				const struct fathom_settings *settings)
{
	const struct fathom_tree *tree = snapshot->tree;
	double rank_alike = 0.5 / (double)fathom_tree_user_count(tree);
	bool ranks = policy_column_with(policy, COLUMN_PLACE) != POLICY_HAS_NONE;
	double alike = ranks ? fmin(rank_alike, PRINTED_ALIKE) : PRINTED_ALIKE;
	struct fathom_result *result = fathom_result_create(policy, tree, NULL);
	size_t differ = 0, users = 0;

	if (!result)
		return 0;
	fathom_evaluate(result, tree, settings);
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		double printed = snapshot->printed_factor[node];

		if (fathom_tree_kind(tree, node) != FATHOM_USER || isnan(printed))
			continue;
		users++;
		differ += !(fabs(fathom_result_factor(result)[node] - printed) < alike);
	}
	fathom_result_destroy(result);
	return users ? (double)differ / (double)users : 0;
}

/* Most users differ, and under the other policy hardly one: the option for it, or NULL. */
static const char *find_other(const struct snapshot *snapshot, const struct fathom_policy *policy,
			      const struct fathom_settings *settings)
{
	double least = 0.1;
	const char *option = NULL;

	if (!(part_that_differs(snapshot, policy, settings) > 0.5))
		return NULL;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		const struct fathom_policy *other = fathom_policy_find(others[i].policy);
		struct fathom_settings standard = fathom_settings_standard(other);
		double part;

		if (others[i].tie_mode)
			fathom_settings_set(other, &standard, "tie_mode", others[i].tie_mode, NULL);
		part = part_that_differs(snapshot, other, &standard);
		if (part < least) {
			least = part;
			option = others[i].option;
		}
	}
	return option;
}

/* ---- what is said -------------------------------------------------------------------- */

void sshare_text_warn(const char *name, const struct snapshot *snapshot,
		      const struct fathom_policy *policy, const struct fathom_settings *settings)
{
	const char *option;

	if (lacks_users(snapshot)) {
		remark("%s: users are missing below accounts with usage; the figures need all of "
		       "sshare -a -P", name);
		return;
	}
	option = policy ? find_other(snapshot, policy, settings) : NULL;
	if (option)
		remark("%s: its FairShare is not what %s gives; %s gives it", name,
		       fathom_policy_name(policy), option);
}
