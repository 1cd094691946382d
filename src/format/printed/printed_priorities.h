/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs with their priorities, as fathom prio --json has printed them. */
#pragma once

#include "format/format.h"
#include "jobs/job_list.h"

/* Returns whether a file has this content. */
bool printed_priorities_recognize(const struct document *input);
/* Reads the jobs; of several policies, those of the first. The weights are those by which the
 * factors became terms; of a factor that is 0 for all jobs, 0. */
void printed_priorities_read(struct document *input, struct job_list *list);
