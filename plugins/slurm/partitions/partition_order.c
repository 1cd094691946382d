/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/partition_order.h"

#include "base/log.h"

#include <math.h>
#include <stdlib.h>

void standings_create(struct standings *standings)
{
	pthread_mutex_init(&standings->lock, NULL);
}

void standings_destroy(struct standings *standings)
{
	settings_release(standings->settings);
	free(standings->of_queue);
	slot_uses_clear(&standings->uses);
	pthread_mutex_destroy(&standings->lock);
}

/* ---- DispatchOrder=QUEUE ----------------------------------------------------------- */

/* Partitions of one scope. */
struct members {
	size_t *at;		/* in settings->queue */
	double *priority;
	size_t *class_of;
	size_t count;
};

static void list_members(struct members *members, const struct settings *settings, size_t scheme)
{
	members->count = 0;
	for (size_t i = 0; i < settings->queue_count; i++) {
		const part_record_t *record;

		if (settings->queue[i].scheme != scheme ||
		    !(record = find_part_record(settings->queue[i].name)))
			continue;
		members->at[members->count] = i;
		members->priority[members->count++] = record->priority_job_factor;
	}
}

static void order_members(struct members *members, const struct settings *settings,
			  struct standing *of_queue)
{
	for (size_t scheme = 0; scheme < settings->scheme_count; scheme++) {
		size_t classes;

		if (!settings->scheme[scheme].queue_first)
			continue;
		list_members(members, settings, scheme);
		classes = fathom_queue_classes(members->priority, members->count,
					       members->class_of);
		for (size_t i = 0; i < members->count; i++)
			of_queue[members->at[i]] =
				(struct standing){ members->class_of[i], classes };
	}
}

static int order_queues(const struct settings *settings, struct standing *of_queue)
{
	slurmctld_lock_t locks = { .part = READ_LOCK };
	struct members members = {
		.at = calloc(settings->queue_count, sizeof(*members.at)),
		.priority = calloc(settings->queue_count, sizeof(*members.priority)),
		.class_of = calloc(settings->queue_count, sizeof(*members.class_of)),
	};
	int status = members.at && members.priority && members.class_of ? 0 : -1;

	if (!status) {
		lock_slurmctld(locks);
		order_members(&members, settings, of_queue);
		unlock_slurmctld(locks);
	}
	free(members.at);
	free(members.priority);
	free(members.class_of);
	return status;
}

/* ---- use --------------------------------------------------------------------------- */

static int find_standings(struct slot_uses *uses, const struct settings *settings, time_t now,
			  struct standing *of_queue)
{
	if (settings->queue_count && order_queues(settings, of_queue))
		return -1;
	if (settings->pool_count)
		return pools_divide(uses, settings, now, of_queue);
	slot_uses_clear(uses);
	return 0;
}

void standings_update(struct standings *standings, const struct settings *settings, time_t now)
{
	struct standing *of_queue, *stale;
	struct settings *before;

	if (!settings->queue_count && !standings->settings)
		return;
	of_queue = calloc(settings->queue_count + 1, sizeof(*of_queue));
	if (!of_queue || find_standings(&standings->uses, settings, now, of_queue)) {
		error(LOG_PREFIX "out of memory; the order of partitions stays as it was");
		free(of_queue);
		return;
	}
	slurm_mutex_lock(&standings->lock);
	before = standings->settings;
	stale = standings->of_queue;
	standings->settings = settings->queue_count ? settings_reference(settings) : NULL;
	standings->of_queue = of_queue;
	slurm_mutex_unlock(&standings->lock);
	settings_release(before);
	free(stale);
}

double standings_factor(struct standings *standings, const struct settings *settings,
			const struct queue *queue, double factor)
{
	struct standing standing = { 0 };

	if (!queue || isnan(factor))
		return factor;
	slurm_mutex_lock(&standings->lock);
	if (standings->settings == settings)
		standing = standings->of_queue[queue - settings->queue];
	slurm_mutex_unlock(&standings->lock);
	return standing.classes > 1
		? fathom_queue_first_factor(factor, standing.class_of, standing.classes) : factor;
}
