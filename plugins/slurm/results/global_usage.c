/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage of other clusters: keeps it by cluster, and adds it up for the trees of this cluster. */
#include "results/global_usage.h"

#include "base/log.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

/* ---- life ------------------------------------------------------------------------------ */

/* Frees usage of a cluster, which may not have all members; for shared_create(). */
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

/* Frees usage of all clusters, which may not have all members; for shared_create(). */
static void destroy(void *object)
{
	struct global_usage *global = object;

	for (size_t i = 0; global->line && i < global->settings->conf.global.count; i++) {
		shared_release(global->line[i].cluster);
		free(global->line[i].problem);
	}
	free(global->line);
	for (size_t i = 0; i < global->sum_count; i++)
		free(global->sum[i].by_node);
	free(global->sum);
	fathom_node_index_release(global->map);
	shared_release(global->settings);
	free(global);
}

struct global_usage *global_usage_create(const struct settings *settings,
					 const struct global_usage *last)
{
	struct global_usage *global = shared_create(sizeof(*global), destroy);
	const struct conf_global_shares *shares = &settings->conf.global;

	if (!global)
		return NULL;
	global->settings = shared_reference(settings);
	global->line = calloc(shares->count + 1, sizeof(*global->line));
	if (!global->line) {
		shared_release(global);
		return NULL;
	}
	for (size_t i = 0; i < shares->count; i++) {
		const struct global_line *line =
			global_usage_line(last, shares->share[i].cluster);

		if (line)
			global->line[i].cluster = shared_reference(line->cluster);
	}
	return global;
}

struct global_line *global_usage_line(const struct global_usage *global, const char *cluster)
{
	const struct conf_global_shares *shares = global ? &global->settings->conf.global : NULL;

	for (size_t i = 0; shares && i < shares->count; i++)
		if (!strcasecmp(shares->share[i].cluster, cluster))
			return &global->line[i];
	return NULL;
}

/* ---- use ------------------------------------------------------------------------------- */

/* Returns the age of a cluster's usage in seconds; 0 if its clock is ahead of ours. */
static double age_of(const struct global_cluster *cluster, time_t now)
{
	return fmax(difftime(now, cluster->time), 0);
}

/* Returns what a second of a line's cluster counts now: its Weight, decayed since the cluster's
 * time. The cluster must be known. */
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

	if (!cluster)
		return 0;
	for (size_t i = 0; i < cluster->count; i++)
		total += cluster->entry[i].usage;
	return total * factor_of(global, line, half_life, now);
}

/* Returns what all clusters give by node, as it was added up with this half-life; NULL: it was not
 * added up. */
static const double *find_sum(const struct global_usage *global, double half_life)
{
	for (size_t i = 0; i < global->sum_count; i++)
		if (global->sum[i].half_life == half_life)
			return global->sum[i].by_node;
	return NULL;
}

/* Adds what all clusters give to sum[], which is by node of the tree of `map`. */
static void add_all(const struct global_usage *global, const struct fathom_node_index *map,
		    double half_life, time_t now, double *sum)
{
	for (size_t i = 0; i < global->settings->conf.global.count; i++)
		global_usage_add(global, i, map, half_life, now, sum);
}

/* Adds up what all clusters give with a half-life, unless that is done or out of memory. */
static void add_up_by(struct global_usage *global, double half_life)
{
	struct global_sum *sum = &global->sum[global->sum_count];

	if (find_sum(global, half_life) ||
	    !(sum->by_node = calloc(global->count, sizeof(*sum->by_node))))
		return;
	sum->half_life = half_life;
	add_all(global, global->map, half_life, global->time, sum->by_node);
	global->sum_count++;
}

void global_usage_add_up(struct global_usage *global, struct fathom_node_index *map, size_t count,
			 time_t now)
{
	const struct settings *settings = global->settings;

	global->map = fathom_node_index_share(map);
	global->count = count;
	global->time = now ? now : time(NULL);
	global->sum = calloc(settings->scheme_count + 1, sizeof(*global->sum));
	if (!global->sum)
		return;
	add_up_by(global, settings->half_life);
	for (size_t i = 0; i < settings->scheme_count; i++)
		add_up_by(global, fathom_policy_half_life(settings->scheme[i].policy,
							  &settings->scheme[i].settings,
							  settings->half_life));
}

/* Mostly the sum that was added up when usage was read has only to be decayed from then to now. */
double *global_usage_sum(const struct global_usage *global, const struct associations *associations,
			 double half_life, time_t now)
{
	const double *added_up = NULL;
	double *sum, factor;

	if (!global)
		return NULL;
	sum = calloc(associations->node_count, sizeof(*sum));
	if (!sum)
		error(LOG_PREFIX "out of memory; usage of other clusters does not count in this "
				 "pass");
	if (!now)
		now = time(NULL);
	if (global->map == associations->map && now >= global->time)
		added_up = find_sum(global, half_life);
	factor = added_up ? fathom_decay(difftime(now, global->time), half_life) : 0;
	for (size_t node = 0; sum && added_up && node < global->count; node++)
		sum[node] = factor * added_up[node];
	if (sum && !added_up)	/* the tree has changed since, for example */
		add_all(global, associations->map, half_life, now, sum);
	return sum;
}

bool global_usage_is_stale(const struct global_usage *global, size_t line, time_t now)
{
	const struct global_cluster *cluster = global->line[line].cluster;

	return cluster &&
	       age_of(cluster, now) > global->settings->conf.global.share[line].max_age;
}
