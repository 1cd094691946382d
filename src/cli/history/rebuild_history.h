/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom history --rebuild: adds the days before the first one, from records of jobs. */
#pragma once

#include "cli/option_values.h"

/* What options ask for. */
struct rebuild_request {
	struct input_names files;	/* of --from: records of jobs, and maybe a tree */
	const char *scope;		/* of --scope: whose tree it is; NULL: there is only one */
	struct policy_list policies;	/* of --policy, one at most; empty: the site's */
	struct sets sets;		/* of --set: settings of the policy, and half_life */
};

/* Adds the figures at the beginning of each day, from the day after the first job's start to the
 * day before the first one that the history has; if it has no days, to today. Prints how many days
 * were added. The tree is that of the files, else that of the running cluster. name: path of the
 * history; NULL: that of the running cluster. */
void rebuild_history(const struct rebuild_request *request, const char *name);
