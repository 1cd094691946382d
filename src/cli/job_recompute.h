/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs whose factors the controller told, as they would be otherwise. */
#ifndef CLI_JOB_RECOMPUTE_H
#define CLI_JOB_RECOMPUTE_H

#include "cli/option_values.h"
#include "format/job_list.h"
#include "format/live.h"

/*
 * Fair-share factors of the cluster's tree under the policy, and weights that
 * are set; a priority that an administrator has set stays. *policy NULL: that
 * in force; it becomes the one that was evaluated, NULL if the factors are
 * those that were told. The list's rows must be all that were told. EXIT_WRONG
 * after a complaint, or 0.
 */
int job_list_recompute(struct job_list *list, const struct live *live, const struct sets *sets,
		       const struct fathom_policy **policy);

#endif
