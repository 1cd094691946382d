/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom history --rebuild: the days before the first one, from records of jobs. */
#pragma once

#include "cli/option_values.h"

struct rebuild_request {
	struct input_names files;
	struct policy_list policies;	/* the first one is wanted; none: the site's */
	struct sets sets;
};

/* Adds to a history the figures at the beginning of each day, from the first job to the first day
 * that it has, or to today. The tree is that of the files, else that of the running cluster. name:
 * the file; NULL: that of the running cluster. */
void rebuild_history(const struct rebuild_request *request, const char *name);
