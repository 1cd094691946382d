/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the clusters that slurmdbd knows. */
#include "live/live_private.h"

#define ALL_CLUSTERS "all"	/* libslurm's word in place of names */

/* The arguments of live_clusters_each(). */
struct name_visit {
	void (*use)(void *context, const char *name);
	void *context;
};

/* For libslurm_each_cluster(). */
static void visit_cluster(void *context)
{
	const struct name_visit *visit = context;

	visit->use(visit->context, working_cluster_rec->name);
}

/* For libslurm_ask(). context: a struct name_visit. */
static void visit_clusters(void *context)
{
	libslurm_each_cluster(ALL_CLUSTERS, visit_cluster, context);
}

void live_clusters_each(void (*use)(void *context, const char *name), void *context)
{
	libslurm_ask("", visit_clusters, &(struct name_visit){ use, context });
}
