/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --set where jobs are: settings of the policy, of slurm.conf, and of formulas. */
#ifndef CLI_JOB_SETS_H
#define CLI_JOB_SETS_H

#include "cli/option_values.h"
#include "evaluate/job_evaluate.h"

/* Those of slurm.conf, which may choose the policy; then all others. Each
 * returns EXIT_WRONG after a complaint, or 0. */
int job_sets_take_slurms(const struct sets *sets, struct job_settings *settings);
int job_sets_take_rest(const struct sets *sets, struct job_rule *rule);

#endif
