/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the pending jobs of a cluster have waited. */
#pragma once

#include "jobs/jobs.h"

#include <jansson.h>

/*
 * Returns what the page shows of the pending jobs:
 *
 *	{"jobs": 7, "others": 2, "quantiles": [60, ...],
 *	 "accounts": [{"account": "physics", "jobs": 4, "cpus": 64, "wait": 90, "longest": 120},
 *		      ...]}
 *
 * jobs: those that could start; others: those that are held, depend on other jobs, begin later, or
 * have no submit time. All else is of the former: what 0, 1, ... 100 percent of them have waited at
 * most since they were submitted, in seconds; CPUs in all; the mean and the longest wait. A job
 * array that is pending as one job counts as one.
 */
json_t *report_pending(const struct jobs *jobs);
