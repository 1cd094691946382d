/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of jobs with their factors that sprio gets. */
#ifndef SLURM_SPRIO_LIST_H
#define SLURM_SPRIO_LIST_H

#include "base/compat.h"
#include "jobs/job_priority.h"

/* Which jobs the request asks for; NULL: all. */
struct sprio_list_filter {
	compat_list job_ids, users;	/* of uint32_t * */
	char *partitions;		/* names, comma separated */
};

/* One object for each job, partition and QOS that `uid` may see; NULL: none. Takes job, node,
 * part and QOS read in slices, unless slurmctld has taken them (COMPAT_LIST_IS_LOCKED). The
 * caller holds no other lock of assoc_mgr's. */
compat_list sprio_list_create(struct fairshare *fairshare, const struct settings *settings,
			      const struct sprio_list_filter *filter, uid_t uid);

#endif
