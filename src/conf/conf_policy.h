/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which policy is in force and with which settings: fathom.conf and slurm.conf together. */
#pragma once

#include "conf/conf.h"
#include "policy/traits.h"

/* What slurm.conf says, as far as the meaning of fathom.conf depends on it. */
struct conf_slurm {
	bool has_fair_tree, has_depth_oblivious;	/* of PriorityFlags, as Slurm reads them */
	double dampening_factor;	/* FairShareDampeningFactor; 0 counts as 1 */
	bool resets_usage;	/* PriorityUsageResetPeriod is not NONE */
	bool hides_usage;	/* PrivateData has usage: users only see their own */
};

/* Returns the value of a general setting: that of fathom.conf; if the file does not give it,
 * `slurm`, the value of slurm.conf; else the default. slurm: NAN or below the setting's range:
 * slurm.conf does not give it. */
double conf_value(const struct fathom_conf *conf, enum conf_setting setting, double slurm);
/* Returns the flag of PriorityFlags that chooses the policy if fathom.conf names none. FAIR_TREE
 * goes before DEPTH_OBLIVIOUS; NO_FAIR_TREE stands for the absence of both. */
enum priority_flag conf_flag(const struct conf_slurm *slurm);
/* Returns the policy that fathom.conf names, else the one that PriorityFlags choose. */
const struct fathom_policy *conf_policy_in_force(const struct fathom_conf *conf,
						 const struct conf_slurm *slurm);
/* Returns the dampening factor: fathom.conf's, else slurm.conf's. It matters even if the
 * policy in force has no such setting, because sshare computes with it. */
double conf_dampening_factor(const struct fathom_conf *conf, const struct conf_slurm *slurm);
/* Returns the settings of a policy outside scopes, by fathom.conf and slurm.conf. */
struct fathom_settings conf_settings(const struct fathom_conf *conf, const struct conf_slurm *slurm,
				     const struct fathom_policy *policy);
/* Returns the settings of a policy in a scope: those on the scope's line, the others as
 * conf_settings() returns them. */
struct fathom_settings conf_scope_settings(const struct fathom_conf *conf,
					   const struct conf_slurm *slurm,
					   const struct conf_scope *scope,
					   const struct fathom_policy *policy);
