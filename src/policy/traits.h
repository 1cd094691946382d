/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What policies have in common with each other and with Slurm. Code outside this
 * folder asks for these traits and knows no policy, setting or column by its name.
 */
#pragma once

#include "fathom.h"

#define POLICY_HAS_NONE SIZE_MAX	/* in place of the index of a setting or column */

/* What a setting is for, if not only for its own policy. */
enum setting_role {
	SETTING_OF_POLICY,		/* for its own policy only */
	SETTING_DAMPENING_FACTOR,	/* FairShareDampeningFactor of slurm.conf */
	SETTING_TIE_MODE,		/* an enum tie_mode */
	SETTING_UNKNOWN_SHARES,		/* shares of PBS's group "unknown" */
	SETTING_ENTITY,			/* whom PBS charges */
	SETTING_ADJUSTMENT_FACTOR	/* weight of LSF's adjustment */
};

/* Which siblings tie, and how Fair Tree treats them: as Slurm documents, as its plugin does, or as
 * flux-accounting does. See fair_tree.c. */
enum tie_mode { TIE_DOCUMENTED, TIE_SLURM, TIE_FLUX };

#define LEVEL_FS_WITHOUT_USAGE 0x1p64	/* under TIE_FLUX, level fair share in place of infinity */

/* What a column holds. The last three have the values of a column that all policies
 * have, under another system's name. */
enum column_role {
	COLUMN_OF_POLICY,		/* a figure that no other policy has */
	COLUMN_LEVEL_FS,		/* LevelFS of sshare: siblings are compared by it */
	COLUMN_SIBLING_PRIORITY,	/* another figure by which siblings are compared */
	COLUMN_OPTIONAL,		/* a figure that only some settings show */
	COLUMN_PLACE,			/* place among all users; the factor follows from it */
	COLUMN_RANK,			/* a COLUMN_PLACE that is the rank by factor */
	COLUMN_NORM_SHARES,
	COLUMN_EFFECTIVE_USAGE,
	COLUMN_FACTOR
};

/* Whom PBS charges: values of the setting with SETTING_ENTITY. */
enum fairshare_entity { ENTITY_EUSER, ENTITY_EGROUP, ENTITY_ACCOUNT_NAME, ENTITY_QUEUE,
			ENTITY_EGROUP_EUSER };

/* The word in PriorityFlags of slurm.conf that chooses a policy. */
enum priority_flag { FLAG_OF_NONE, FLAG_FAIR_TREE, FLAG_DEPTH_OBLIVIOUS, FLAG_NO_FAIR_TREE };

/* Returns the index of the policy's setting with this role, or POLICY_HAS_NONE. */
size_t policy_setting_with(const struct fathom_policy *policy, enum setting_role role);
/* Returns the index of the policy's setting with this name, in any of the spellings that
 * fathom_setting_named() knows, or POLICY_HAS_NONE. */
size_t policy_setting_named(const struct fathom_policy *policy, const char *name);
/* Sets the setting with this role, unless the policy has none. value: within its range. */
void policy_set(const struct fathom_policy *policy, struct fathom_settings *settings,
		enum setting_role role, double value);

/* Returns the index of the policy's column with this role, or POLICY_HAS_NONE. */
size_t policy_column_with(const struct fathom_policy *policy, enum column_role role);
/* Returns the index of the policy's column with this name, or POLICY_HAS_NONE. */
size_t policy_column_named(const struct fathom_policy *policy, const char *name);
/* Returns whether the policy places users, so that the factor follows from the place. */
bool policy_ranks_users(const struct fathom_policy *policy);
/* Returns the role of a column; index: below fathom_policy_column_count(). */
enum column_role policy_column_role(const struct fathom_policy *policy, size_t index);

/* Returns whether the column is shown unless it is asked for by its name. */
bool policy_shows_column(const struct fathom_policy *policy, const struct fathom_settings *settings,
			 size_t index);

/* What the figure of a comparison says about a node. */
enum compared_figure {
	FIGURE_RATIO,		/* usage over shares: 1 is on target, more is above the share */
	FIGURE_INVERSE_RATIO,	/* shares over usage: 1 is on target, less is above the share */
	FIGURE_PLAIN		/* it has no target: only figures of siblings can be compared */
};

/* How a policy puts two users in order; constant. */
struct policy_comparison {
	/* Siblings are compared, level by level from the root: users below the better one go first.
	 * false: the users' own figures decide, wherever in the tree they are. */
	bool is_walked;
	enum compared_figure figure;
	/* Index of the policy's own column with the figure, if it is walked; else POLICY_HAS_NONE:
	 * the figure is effective usage over normalised shares, and fathom explain says where it
	 * grows from an account to its members. */
	size_t column;
	bool less_is_better;
	/* The figure also counts what is not usage, so that siblings whose usage decays alike may
	 * change places. */
	bool has_offset;
	const char *name;	/* of the figure, for a heading */
	const char *meaning;	/* a clause */
};

/* Returns how the policy compares users; NULL: it has no fair share. */
const struct policy_comparison *policy_comparison(const struct fathom_policy *policy,
						  const struct fathom_settings *settings);

#define POLICY_USES_USAGE (-1)	/* in place of an enum fathom_resource */

/* Returns the enum fathom_resource that the policy counts in place of usage in this tree, or
 * POLICY_USES_USAGE. */
int policy_usage_resource(const struct fathom_policy *policy, const struct fathom_tree *tree);
/* Sets a node to what `from`, a copy of the tree, has there after `seconds` without jobs: usage
 * decays, and what jobs hold ends. site: the site's half-life of usage in seconds, 0: no decay.
 * Call fathom_tree_settle() afterwards. -1: ENOMEM. */
int policy_set_idle(const struct fathom_policy *policy, const struct fathom_settings *settings,
		    struct fathom_tree *tree, const struct fathom_tree *from, size_t node,
		    double seconds, double site, struct fathom_error *error);

/* Decay in steps: after each period usage is multiplied by the factor. */
struct policy_steps {
	double period;		/* seconds; 0: usage decays evenly, not in steps */
	double factor;		/* above 0, below 1; 1 if the period is 0 */
};

/* Returns the steps in which the system that the policy is from decays usage. Even decay by
 * fathom_policy_half_life() gives the same at the end of each step. */
struct policy_steps policy_steps(const struct fathom_policy *policy,
				 const struct fathom_settings *settings);

/* Returns whether running jobs hold something that the policy counts, see fathom_policy_hold(). */
bool policy_counts_holdings(const struct fathom_policy *policy);
/* Returns whether the policy has no fair share: jobs go in queue order. */
bool policy_is_first_come(const struct fathom_policy *policy);
/* Returns the policy without fair share; the table has one. */
const struct fathom_policy *policy_first_come(void);
/* Returns whether a scope of this policy may have user share assignments of its own. */
bool policy_takes_user_shares(const struct fathom_policy *policy);
/* Returns whether the factor is 2^(-effective usage / shares / dampening factor). */
bool policy_is_damped(const struct fathom_policy *policy);
/* Returns the policy that the flag chooses, one of the table; flag: any but FLAG_OF_NONE. */
const struct fathom_policy *policy_of_flag(enum priority_flag flag);
/* Returns the flag that chooses the policy, or FLAG_OF_NONE. */
enum priority_flag policy_flag(const struct fathom_policy *policy);
