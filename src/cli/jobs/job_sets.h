/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --set of fathom prio: settings of slurm.conf, of the policy, and of formulas. */
#pragma once

#include "cli/candidates.h"
#include "jobs/job_evaluate.h"

/* Those of slurm.conf, and of formulas. */
extern const struct general_settings job_sets_general;
/* Apply the keys of slurm.conf, which may choose the policy, and then all others. */
void job_sets_apply_slurm(const struct sets *sets, struct job_settings *settings);
void job_sets_apply_rest(const struct sets *sets, struct job_rule *rule);
