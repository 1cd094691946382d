/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What --policy and --set ask to see side by side. A column stands for a policy with one value
 * of each setting:
 *
 *	--policy classic,pbs			classic | pbs
 *	--set hist_hours=5 --set hist_hours=9	hist_hours=5 | hist_hours=9
 */
#pragma once

#include "cli/option_values.h"

#define MOST_COLUMNS_COMPARED 16	/* candidates that a table shows side by side */
#define LABEL_SIZE 256		/* bytes, with the NUL; a longer label is cut */

/* A policy and its settings. */
struct candidate {
	const struct fathom_policy *policy;	/* NULL: the default one */
	struct sets sets;		/* without half-lives */
	size_t half_life;		/* index in half_life[] of all --set; 0 if none is given */
	size_t usage;			/* see candidates_accounting_rules() */
	int scheduler;			/* of a replay: for replay_schedulers */
	const char *sharing;		/* in a replay of several clusters "global" or "separate";
					 * NULL: there is one cluster, or it changes nothing */
	bool is_global;			/* in a replay: usage counts in all clusters */
	char label[LABEL_SIZE];		/* how a table names it; "" if it is the only one */
};

struct candidates {
	struct policy_list policies;	/* of --policy */
	struct sets sets;		/* of --set */
	struct candidate *item;
	size_t count;		/* 1 or more */
	size_t room;
	size_t usage_count;	/* number of different usages of the items; 0: there are more than
				 * MOST_HALF_LIVES items, for which jobs are not added up */
};

/* Settings that belong to no policy but hold under all, such as slurm.conf's weights. */
struct general_settings {
	/* Returns whether there is a setting of this name. */
	bool (*has)(const char *key);
	/* Returns the name of the setting that is most like the key; NULL: none is like it. */
	const char *(*similar)(const char *key);
};

/* Makes the items from the values of --policy and --set. Each policy gets the settings that it has.
 * general: NULL if the command has none. Refuses more than `most` items, and settings that no
 * policy has. */
void candidates_create(struct candidates *candidates, const struct general_settings *general,
		       size_t most);
/* Returns whether --policy or --set is given. */
bool candidates_given(const struct candidates *candidates);
/* Returns how to add up jobs, by a half-life and a system rule for each usage: the usage of a
 * candidate is tree number candidate->usage of those that are read. states: see struct
 * accounting_rules. standard: name of the policy if neither options nor files name one; or NULL. */
struct accounting_rules candidates_accounting_rules(const struct candidates *candidates,
						    const char *standard, uint64_t states);
