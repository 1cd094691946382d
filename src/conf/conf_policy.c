/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What fathom.conf says goes before what slurm.conf says, and a scope's line goes before
 * both: with FairShareDampeningFactor=4 in slurm.conf, DampeningFactor=2 in fathom.conf and
 * DampeningFactor=3 on a scope's line, the factor is 3 in that scope and 2 elsewhere.
 */
#include "conf/conf_policy.h"

double conf_value(const struct fathom_conf *conf, enum conf_setting setting, double slurm)
{
	bool in_slurm = slurm >= conf_setting(setting)->low;	/* false for NAN */

	return in_slurm && !conf->given[setting] ? slurm : conf->value[setting];
}

enum priority_flag conf_flag(const struct conf_slurm *slurm)
{
	if (slurm->has_fair_tree)
		return FLAG_FAIR_TREE;
	return slurm->has_depth_oblivious ? FLAG_DEPTH_OBLIVIOUS : FLAG_NO_FAIR_TREE;
}

const struct fathom_policy *conf_policy_in_force(const struct fathom_conf *conf,
						 const struct conf_slurm *slurm)
{
	const struct fathom_policy *policy = conf_policy(conf);

	return policy ? policy : policy_of_flag(conf_flag(slurm));
}

/* DampeningFactor in fathom.conf sets this of all policies that have such a setting, so one of them
 * is asked. */
double conf_dampening_factor(const struct fathom_conf *conf, const struct conf_slurm *slurm)
{
	const struct fathom_policy *damped = policy_of_flag(FLAG_NO_FAIR_TREE);
	size_t factor = policy_setting_with(damped, SETTING_DAMPENING_FACTOR);
	const bool *given;
	const struct fathom_settings *settings = conf_policy_settings(conf, damped, &given);

	if (given[factor])
		return settings->value[factor];
	return slurm->dampening_factor > 0 ? slurm->dampening_factor : 1;
}

struct fathom_settings conf_settings(const struct fathom_conf *conf, const struct conf_slurm *slurm,
				     const struct fathom_policy *policy)
{
	struct fathom_settings settings = *conf_policy_settings(conf, policy, NULL);

	policy_set(policy, &settings, SETTING_DAMPENING_FACTOR, conf_dampening_factor(conf, slurm));
	return settings;
}

struct fathom_settings conf_scope_settings(const struct fathom_conf *conf,
					   const struct conf_slurm *slurm,
					   const struct conf_scope *scope,
					   const struct fathom_policy *policy)
{
	struct fathom_settings settings = conf_settings(conf, slurm, policy);

	/* A key of another policy has no effect; conf_check_pairs() tells the user of it. The
	 * values were checked as they were read, so no error is expected. */
	for (size_t i = 0; i < scope->pair_count; i++)
		fathom_settings_set(policy, &settings, scope->pair[i].key, scope->pair[i].value,
				    NULL);
	return settings;
}
