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

#define MOST_COLUMNS_COMPARED 16	/* that are printed side by side */
#define LABEL_SIZE 256		/* bytes, with the NUL; a longer label is cut */

/* A policy and its settings. */
struct candidate {
	const struct fathom_policy *policy;	/* NULL: the default one */
	struct sets sets;		/* without half-lives */
	size_t half_life;		/* which one of those that are given; 0: none is */
	size_t usage;			/* which one of those that jobs are added up to */
	int scheduler;			/* of a replay: replay_scheduler_at() */
	const char *sharing;		/* of a replay of several clusters: "global" or "separate";
					 * NULL: of one, or it changes nothing */
	bool is_global;			/* usage counts in all clusters */
	char label[LABEL_SIZE];		/* how a table names it; "" if it is the only one */
};

struct candidates {
	struct policy_list policies;	/* of --policy */
	struct sets sets;		/* of --set */
	struct candidate *item;
	size_t count;		/* 1 or more */
	size_t room;
	size_t usage_count;	/* of different usages */
};

/* Settings that are none of a policy but hold for all. */
struct general_settings {
	bool (*has)(const char *key);
	/* Returns the name of the one that is most like the key; NULL: none is like it. */
	const char *(*similar)(const char *key);
};

/* Makes the items from the values of --policy and --set. Each policy gets the settings that it has.
 * general: NULL if the command has none; most: how many there may be. */
void candidates_create(struct candidates *candidates, const struct general_settings *general,
		       size_t most);
/* Returns whether --policy or --set is given. */
bool candidates_given(const struct candidates *candidates);
/* Returns how to add up jobs for each candidate, see accounting_rules_of(). standard: name of the
 * policy if neither options nor files name one; or NULL. */
struct accounting_rules candidates_accounting_rules(const struct candidates *candidates,
						    const char *standard, uint64_t states);
