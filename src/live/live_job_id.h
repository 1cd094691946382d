/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which job of the running cluster has the id of a task or of a component. */
#pragma once

#include <stdint.h>

/* Finds the job with the id that squeue prints: "10_3", "10_[1-5%2]", "10+1", or a number. Tasks of
 * an array wait as one job until they are split off. -1: none that the caller may see. */
int64_t live_job_named(const char *word);
