/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live/compat.h"

#include "live/live_clusters.h"

#include "live/libslurm.h"

#define ALL_CLUSTERS "all"	/* libslurm's word in place of names */

struct visit {
	void (*use)(void *context, const char *name);
	void *context;
};

static int visit_cluster(void *context)
{
	const struct visit *visit = context;

	visit->use(visit->context, working_cluster_rec->name);
	return 0;
}

int live_clusters_each(void (*use)(void *context, const char *name), void *context,
		       struct fathom_error *error)
{
	struct visit visit = { use, context };
	int status;

	if (libslurm_begin("", error))
		return -1;
	status = libslurm_each_cluster(ALL_CLUSTERS, visit_cluster, &visit, error);
	libslurm_end();
	return status;
}
