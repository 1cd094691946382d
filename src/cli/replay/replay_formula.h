/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formula of a site that gives jobs their priorities in a replay (fathom.conf: Formula). */
#pragma once

#include "cli/replay/replay_frame.h"

/* Compiles run->formula_text for the run's policy, unless there is none; run->slurm must be
 * complete. A field that the trace does not tell is refused. */
void replay_formula_create(struct replay_run *run);
/* Says what the formula could not compute. */
void replay_formula_report(const struct replay_run *run);
