/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the list of jobs with the terms of their priorities that sprio shows. */
#pragma once

#include "base/compat.h"
#include "jobs/job_priority.h"

/* The jobs that the request asks for. NULL stands for all. */
struct sprio_list_filter {
	compat_list job_ids, users;	/* of uint32_t * */
	char *partitions;		/* names, separated by commas */
};

/* Returns a list of rows, one for each job, partition and QOS that `uid` may see, which the caller
 * frees; NULL: there is no such row, or out of memory, which is logged. Takes job, node and part
 * read in slices, and QOS read within; in releases with SLURM_LOCKS_FACTORS_LIST the caller holds
 * these locks. The caller holds no other lock of assoc_mgr's. */
compat_list sprio_list_create(struct results *results, const struct settings *settings,
			      const struct sprio_list_filter *filter, uid_t uid);
