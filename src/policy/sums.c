/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How policies add up runs over time: by the functions in a policy's `sums`, else as Slurm does,
 * in billing TRES seconds.
 *
 *	stretch		a part of a run, in which its size does not change
 *	accrue		adds a stretch to the sums of an association, decayed until the time `seen`
 *	hold		adds what a run holds as long as it runs, which does not decay (lsf)
 *	set		puts an association's sums and holdings into its node of the tree
 */
#include "policy/policy.h"

const char *fathom_sum_name(enum fathom_sum sum)
{
	static const char *const names[FATHOM_SUM_COUNT] = {
		[FATHOM_SUM_USAGE] = "usage",
		[FATHOM_SUM_CPU_TIME] = "cpu_time",
		[FATHOM_SUM_HIST_RUN_TIME] = "hist_run_time",
	};

	return names[sum];
}

/* ---- billing TRES seconds -------------------------------------------------- */

/* Adds what Slurm charges for the stretch, decayed until `seen`. */
static void accrue_billing(const struct fathom_settings *settings, double half_life,
			   const struct fathom_stretch *stretch, double seen,
			   struct fathom_sums *sums)
{
	(void)settings;	/* settings of the policy, which Slurm's usage does not depend on */
	sums->value[FATHOM_SUM_USAGE] +=
		stretch->factor * stretch->billing *
		fathom_decayed_seconds(stretch->begin, stretch->end, seen, half_life);
}

static const struct policy_sums billing_sums = { .accrue = accrue_billing };

/* Returns how the policy adds up runs. */
static const struct policy_sums *sums_of(const struct fathom_policy *policy)
{
	return policy->sums ? policy->sums : &billing_sums;
}

struct policy_steps policy_steps(const struct fathom_policy *policy,
				 const struct fathom_settings *settings)
{
	static const struct policy_steps evenly = { 0, 1 };

	return sums_of(policy)->steps ? sums_of(policy)->steps(settings) : evenly;
}

/* ---- any policy ------------------------------------------------------------ */

bool fathom_policy_keeps_sums(const struct fathom_policy *policy)
{
	return policy->sums;
}

bool fathom_policy_has_own_usage(const struct fathom_policy *policy)
{
	/* without set(), fathom_policy_set_sums() makes FATHOM_SUM_USAGE the node's usage */
	return policy->sums && !policy->sums->set;
}

double fathom_policy_half_life(const struct fathom_policy *policy,
			       const struct fathom_settings *settings, double site)
{
	return sums_of(policy)->half_life ? sums_of(policy)->half_life(settings) : site;
}

void fathom_policy_accrue(const struct fathom_policy *policy,
			  const struct fathom_settings *settings, double half_life,
			  const struct fathom_stretch *stretch, double seen,
			  struct fathom_sums *sums)
{
	sums_of(policy)->accrue(settings, half_life, stretch, seen, sums);
}

bool policy_counts_holdings(const struct fathom_policy *policy)
{
	return sums_of(policy)->hold;
}

void fathom_policy_hold(const struct fathom_policy *policy, const struct fathom_settings *settings,
			double half_life, const struct fathom_stretch *stretch,
			struct fathom_holdings *holdings)
{
	if (sums_of(policy)->hold)
		sums_of(policy)->hold(settings, half_life, stretch, holdings);
}

int fathom_policy_set_sums(const struct fathom_policy *policy, struct fathom_tree *tree,
			   size_t node, const struct fathom_sums *sums,
			   const struct fathom_holdings *holdings, struct fathom_error *error)
{
	if (sums_of(policy)->set)
		return sums_of(policy)->set(tree, node, sums, holdings, error);
	fathom_tree_set_own_usage(tree, node, sums->value[FATHOM_SUM_USAGE]);
	return 0;
}
