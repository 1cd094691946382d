/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What policies have in common with each other and with Slurm. Code outside this
 * folder asks for these traits and knows no policy, setting or column by its name.
 */
#ifndef POLICY_TRAITS_H
#define POLICY_TRAITS_H

#include "fathom.h"

#define POLICY_HAS_NONE SIZE_MAX

/* What a setting is for, beyond its own policy. */
enum setting_role {
	SETTING_OF_POLICY,		/* nothing */
	SETTING_DAMPENING_FACTOR,	/* FairShareDampeningFactor of slurm.conf */
	SETTING_TIE_MODE,		/* an enum tie_mode */
	SETTING_UNKNOWN_SHARES,		/* shares of PBS's group "unknown" */
	SETTING_ENTITY,			/* whom PBS charges */
	SETTING_ADJUSTMENT_FACTOR	/* weight of LSF's adjustment */
};

enum tie_mode { TIE_DOCUMENTED, TIE_SLURM, TIE_FLUX };

/* What a column holds. The last three have the values of a column that all policies
 * have, under another system's name. */
enum column_role {
	COLUMN_OF_POLICY,		/* a figure that no other policy has */
	COLUMN_LEVEL_FS,		/* LevelFS of sshare: siblings are compared by it */
	COLUMN_SIBLING_PRIORITY,	/* another figure by which siblings are compared */
	COLUMN_PLACE,			/* place among all users, of which the factor is made */
	COLUMN_NORM_SHARES,
	COLUMN_EFFECTIVE_USAGE,
	COLUMN_FACTOR
};

/* The word in PriorityFlags of slurm.conf that chooses a policy. */
enum priority_flag { FLAG_OF_NONE, FLAG_FAIR_TREE, FLAG_DEPTH_OBLIVIOUS, FLAG_NO_FAIR_TREE };

/* Returns the index of the policy's setting with this role, or POLICY_HAS_NONE. */
size_t policy_setting_with(const struct fathom_policy *policy, enum setting_role role);
/* Sets it, unless the policy has no such setting. value: within the setting's range. */
void policy_set(const struct fathom_policy *policy, struct fathom_settings *settings,
		enum setting_role role, double value);

/* Returns the index of the policy's column with this role, or POLICY_HAS_NONE. */
size_t policy_column_with(const struct fathom_policy *policy, enum column_role role);
/* Returns the role of a column; index: below fathom_policy_column_count(). */
enum column_role policy_column_role(const struct fathom_policy *policy, size_t index);

/* Returns whether the policy has no fair share: jobs go in queue order. */
bool policy_is_first_come(const struct fathom_policy *policy);
/* Returns whether the factor is 2^(-effective usage / shares / dampening factor). */
bool policy_is_damped(const struct fathom_policy *policy);
/* Returns the policy that the flag chooses; not of FLAG_OF_NONE. */
const struct fathom_policy *policy_of_flag(enum priority_flag flag);
/* Returns the flag that chooses the policy, or FLAG_OF_NONE. */
enum priority_flag policy_flag(const struct fathom_policy *policy);

#endif
