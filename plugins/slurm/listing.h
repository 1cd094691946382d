/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sprio's list. */
#ifndef SLURM_LISTING_H
#define SLURM_LISTING_H

#include "compat.h"
#include "job_priority.h"

/* Which jobs the request asks for; NULL: all. */
struct listing_filter {
	compat_list job_ids, users;	/* of uint32_t * */
	char *partitions;		/* names, comma separated */
};

/* One object a job and partition that `uid` may see, or NULL if there is none.
 * The caller holds job, node, part read. */
compat_list listing_create(struct fairshare *fairshare, const struct settings *settings,
			   const struct listing_filter *filter, uid_t uid);

#endif
