/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What policies look at over time, for whoever adds it up. */
#include "policy/policy.h"

const char *fathom_input_name(enum fathom_input input)
{
	static const char *const names[FATHOM_INPUT_COUNT] = {
		[FATHOM_INPUT_USAGE] = "usage",
		[FATHOM_INPUT_CPU_TIME] = "cpu_time",
		[FATHOM_INPUT_HIST_RUN_TIME] = "hist_run_time",
	};

	return names[input];
}

/* ---- usage as Slurm has it ------------------------------------------------- */

static double site_half_life(const double *settings, double site)
{
	(void)settings;
	return site;
}

static void accrue_billing(const struct fathom_settings *settings, double half_life,
			   const struct fathom_run *run, double seen, struct fathom_inputs *inputs)
{
	(void)settings;
	inputs->value[FATHOM_INPUT_USAGE] += run->factor * run->billing *
					     fathom_charge(run->begin, run->end, seen, half_life);
}

static const struct policy_inputs usage = { .half_life = site_half_life,
					     .accrue = accrue_billing };

static const struct policy_inputs *inputs_of(const struct fathom_policy *policy)
{
	return policy->inputs ? policy->inputs : &usage;
}

/* ---- of any policy --------------------------------------------------------- */

bool fathom_policy_has_inputs(const struct fathom_policy *policy)
{
	return policy->inputs;
}

bool fathom_policy_has_own_usage(const struct fathom_policy *policy)
{
	return policy->inputs && !policy->inputs->set;
}

double fathom_policy_half_life(const struct fathom_policy *policy,
			       const struct fathom_settings *settings, double site)
{
	return inputs_of(policy)->half_life(settings->value, site);
}

void fathom_policy_accrue(const struct fathom_policy *policy,
			  const struct fathom_settings *settings, double half_life,
			  const struct fathom_run *run, double seen, struct fathom_inputs *inputs)
{
	inputs_of(policy)->accrue(settings, half_life, run, seen, inputs);
}

void fathom_policy_hold(const struct fathom_policy *policy, const struct fathom_settings *settings,
			double half_life, const struct fathom_run *run,
			struct fathom_holdings *holdings)
{
	if (inputs_of(policy)->hold)
		inputs_of(policy)->hold(settings->value, half_life, run, holdings);
}

int fathom_policy_set_inputs(const struct fathom_policy *policy, struct fathom_tree *tree,
			     size_t node, const struct fathom_inputs *inputs,
			     const struct fathom_holdings *holdings, struct fathom_error *error)
{
	if (inputs_of(policy)->set)
		return inputs_of(policy)->set(tree, node, inputs, holdings, error);
	fathom_tree_set_own_usage(tree, node, inputs->value[FATHOM_INPUT_USAGE]);
	return 0;
}
