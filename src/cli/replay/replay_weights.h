/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The weights of slurm.conf by which the factors of jobs are summed up. */
#pragma once

#include "cli/replay/replay_frame.h"

/* Says which weights of the site's slurm.conf do not count, an error if `strict`. */
void replay_report_weights(const struct replay_input *input, bool strict);
/* Checks that what --set has given a weight is known. */
void replay_weights_check(const struct replay_run *run);
/* Sets run->priority and the formula; run->slurm and the TRES of the site's jobs must be
 * complete. */
void replay_weights_set(struct replay_run *run, const struct replay_options *options);
