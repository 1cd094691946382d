/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs of a file to rows with factors and priorities. */
#ifndef EVALUATE_JOB_EVALUATE_H
#define EVALUATE_JOB_EVALUATE_H

#include "core/snapshot.h"
#include "evaluate/job_list.h"
#include "evaluate/jobs.h"
#include "fathom.h"
#include "policy/settings_layout.h"

/* By what priorities are worked out. */
struct job_rule {
	const struct snapshot *snapshot;	/* NULL: no tree */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	const double *told_factor;	/* by node, in place of the policy's; or NULL */
	const char *formula;	/* NULL: the policy's way */
	double scale;		/* of the formula */
};

/* A job whose association the tree has not has no factor and no priority, where
 * these count. Names in *list are those of jobs. -1: the text is about the formula if the
 * code is EINVAL or ENOSYS; else ENOMEM. */
int job_list_evaluate(struct job_list *list, struct jobs *jobs, const struct job_rule *rule,
		      struct fathom_warnings *warnings, struct fathom_error *error);
/* Of a user without shares, as the plugin has it: no factors, and priority 1,
 * as 0 would be a hold that nobody has placed. */
void job_list_leave_last(struct job_list *list, struct job_row *row);
/* The weighted sum, of rows that were read with their factors. */
void job_list_sum(struct job_list *list);
/* Where a formula is in force, what it gave to rows whose sum that is; what the
 * site adds is not told then. */
void job_list_find_formula(struct job_list *list);
/* That of one row, with another weighted fair-share factor; of NAN: NAN. */
double job_list_sum_with(const struct job_list *list, size_t index, double fairshare);

#endif
