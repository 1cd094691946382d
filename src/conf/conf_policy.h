/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which policy is in force and with which settings: fathom.conf and slurm.conf together. */
#pragma once

#include "conf/conf.h"
#include "policy/traits.h"

/* What slurm.conf says that decides what fathom.conf means. */
struct conf_slurm {
	bool has_fair_tree, has_depth_oblivious;	/* flags, as Slurm has read PriorityFlags */
	double dampening_factor;	/* FairShareDampeningFactor; 0 counts as 1 */
	bool resets_usage;	/* PriorityUsageResetPeriod is not NONE */
	bool hides_usage;	/* PrivateData has usage: users only see their own */
};

/* Returns a setting's value in fathom.conf, else `slurm`, that of slurm.conf, else the default.
 * slurm: NAN or below the setting's range if slurm.conf does not say. */
double conf_value(const struct fathom_conf *conf, enum conf_setting which, double slurm);
/* Returns the flag that chooses a policy: FAIR_TREE goes before DEPTH_OBLIVIOUS, and
 * NO_FAIR_TREE is the absence of both. */
enum priority_flag conf_flag(const struct conf_slurm *slurm);
/* Returns the policy that fathom.conf names, else the one that PriorityFlags choose. */
const struct fathom_policy *conf_policy_in_force(const struct fathom_conf *conf,
						 const struct conf_slurm *slurm);
/* Returns the dampening factor: fathom.conf's, else slurm.conf's. It counts even if the
 * policy in force has no such setting, because sshare computes with it. */
double conf_dampening_factor(const struct fathom_conf *conf, const struct conf_slurm *slurm);
/* Returns the settings of a policy. */
struct fathom_settings conf_settings(const struct fathom_conf *conf, const struct conf_slurm *slurm,
				     const struct fathom_policy *policy);
/* Returns the settings of a policy in a scope: what its line does not set is as for all. */
struct fathom_settings conf_scope_settings(const struct fathom_conf *conf,
					   const struct conf_slurm *slurm,
					   const struct conf_scope *scope,
					   const struct fathom_policy *policy);
