/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why slurmctld does not start a job, apart from its priority. Include compat.h first. */
#pragma once

#include "live/live_limits.h"

/* Returns a clause about the job, such as "waits for reservation tuesday"; NULL: nothing but other
 * jobs is in its way, or it is not known. partition: of those that it asks for. Within
 * libslurm_ask(). */
const char *live_reason(const slurm_job_info_t *info, const char *partition,
			struct live_limits *limits);
