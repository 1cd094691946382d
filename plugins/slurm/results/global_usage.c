/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "results/global_usage.h"

#include "base/log.h"

#include <math.h>
#include <stdlib.h>

/* ---- life ------------------------------------------------------------------------------ */

static void destroy_cluster(void *object)
{
	struct global_cluster *cluster = object;

	fathom_node_index_release(cluster->map);
	free(cluster->entry);
	free(cluster);
}

struct global_cluster *global_cluster_create(time_t time, struct fathom_node_index *map,
					     size_t most)
{
	struct global_cluster *cluster = shared_create(sizeof(*cluster), destroy_cluster);

	if (!cluster)
		return NULL;
	cluster->time = time;
	cluster->map = fathom_node_index_share(map);
	cluster->entry = malloc((most + 1) * sizeof(*cluster->entry));
	if (cluster->entry)
		return cluster;
	shared_release(cluster);
	return NULL;
}

static void destroy(void *object)
{
	struct global_usage *global = object;

	for (size_t i = 0; global->line && i < global->settings->conf.global.count; i++) {
		shared_release(global->line[i].cluster);
		free(global->line[i].problem);
	}
	free(global->line);
	free(global->sum);
	fathom_node_index_release(global->map);
	shared_release(global->settings);
	free(global);
}

struct global_usage *global_usage_create(const struct settings *settings)
{
	struct global_usage *global = shared_create(sizeof(*global), destroy);

	if (!global)
		return NULL;
	global->settings = shared_reference(settings);
	global->line = calloc(settings->conf.global.count + 1, sizeof(*global->line));
	if (global->line)
		return global;
	shared_release(global);
	return NULL;
}

/* ---- use ------------------------------------------------------------------------------- */

/* The age of the usage in seconds; a clock that is ahead of ours a little makes none. */
static double age_of(const struct global_cluster *cluster, time_t now)
{
	return fmax(difftime(now, cluster->time), 0);
}

/* What a second of the cluster's usage counts. */
static double factor_of(const struct global_usage *global, size_t line, double half_life,
			time_t now)
{
	return global->settings->conf.global.share[line].weight *
	       fathom_decay(age_of(global->line[line].cluster, now), half_life);
}

void global_usage_add(const struct global_usage *global, size_t line,
		      const struct fathom_node_index *map, double half_life, time_t now,
		      double *sum)
{
	const struct global_cluster *cluster = global->line[line].cluster;
	double factor;

	if (!cluster)
		return;
	factor = factor_of(global, line, half_life, now);
	for (size_t i = 0; i < cluster->count; i++) {
		const struct global_entry *entry = &cluster->entry[i];
		uint32_t node = cluster->map == map ? entry->node :
			fathom_node_index_heir(map, entry->association, entry->account);

		sum[node] += factor * entry->usage;
	}
}

double global_usage_total(const struct global_usage *global, size_t line, double half_life,
			  time_t now)
{
	const struct global_cluster *cluster = global->line[line].cluster;
	double total = 0;

	for (size_t i = 0; cluster && i < cluster->count; i++)
		total += cluster->entry[i].usage;
	return total > 0 ? total * factor_of(global, line, half_life, now) : 0;
}

void global_usage_add_up(struct global_usage *global, struct fathom_node_index *map, size_t count,
			 time_t now)
{
	global->sum = calloc(count, sizeof(*global->sum));
	global->map = fathom_node_index_share(map);
	global->count = count;
	global->time = now;
	for (size_t i = 0; global->sum && i < global->settings->conf.global.count; i++)
		global_usage_add(global, i, map, global->settings->half_life, now, global->sum);
}

/* Adds the clusters up at another time or by another half-life. */
static void add_all(const struct global_usage *global, const struct associations *associations,
		    double half_life, time_t now, double *sum)
{
	bool is_known = global->sum && global->map == associations->map && now >= global->time &&
			!(fabs(half_life - global->settings->half_life) > 0);
	double factor = is_known ? fathom_decay(difftime(now, global->time), half_life) : 0;

	for (size_t node = 0; is_known && node < global->count; node++)
		sum[node] = factor * global->sum[node];
	for (size_t i = 0; !is_known && i < global->settings->conf.global.count; i++)
		global_usage_add(global, i, associations->map, half_life, now, sum);
}

double *global_usage_sum(const struct global_usage *global, const struct associations *associations,
			 double half_life, time_t now)
{
	double *sum;

	if (!global)
		return NULL;
	sum = calloc(associations->node_count, sizeof(*sum));
	if (!sum)
		error(LOG_PREFIX "out of memory; usage of other clusters does not count in this "
				 "pass");
	if (!now)	/* of usage that nobody could restore yet */
		now = time(NULL);
	if (sum)
		add_all(global, associations, half_life, now, sum);
	return sum;
}

bool global_usage_is_stale(const struct global_usage *global, size_t line, time_t now)
{
	const struct global_cluster *cluster = global->line[line].cluster;

	return cluster &&
	       age_of(cluster, now) > global->settings->conf.global.share[line].max_age;
}
