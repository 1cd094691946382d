/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live/live_private.h"

#define ALL_CLUSTERS "all"	/* libslurm's word in place of names */

struct visit {
	void (*use)(void *context, const char *name);
	void *context;
};

static void visit_cluster(void *context)
{
	const struct visit *visit = context;

	visit->use(visit->context, working_cluster_rec->name);
}

static void visit_clusters(void *context)
{
	libslurm_each_cluster(ALL_CLUSTERS, visit_cluster, context);
}

void live_clusters_each(void (*use)(void *context, const char *name), void *context)
{
	libslurm_ask("", visit_clusters, &(struct visit){ use, context });
}
