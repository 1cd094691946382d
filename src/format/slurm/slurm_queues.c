/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells in LSF's terms what slurm.conf says of partitions. Source: Slurm, slurm.conf(5), PARTITION
 * CONFIGURATION. */
#include "format/slurm/slurm_queues.h"

#include "format/slurm/slurm_cluster.h"
#include "format/slurm/slurm_partitions.h"
#include "memory/need_memory.h"

#include <math.h>
#include <strings.h>

void slurm_queue_set_state(struct queue *queue, const char *state)
{
	bool is_down = !strcasecmp(state, "DOWN"), is_draining = !strcasecmp(state, "DRAIN");
	bool is_both = !strcasecmp(state, "INACTIVE");

	if (!is_down && !is_draining && !is_both && strcasecmp(state, "UP") != 0)
		return;
	queue->has_status = true;
	queue->is_closed = is_draining || is_both;
	queue->is_inactive = is_down || is_both;
}

/* Adds the names of a list "a,b" to an array as groups, "a/" and "b/", unless the list allows all:
 * it is NULL or ALL. */
static void add_groups(const char ***group, size_t *count, const char *list)
{
	struct piece names = piece_of(list && strcasecmp(list, "ALL") ? list : ""), name;

	while (piece_next(&names, ',', &name))
		NEED_ADD(*group, *count, need_print("%.*s/", (int)name.length, name.at));
}

const char *slurm_queue_users(const char *accounts, const char *groups)
{
	const char **group = NULL;
	size_t count = 0;

	add_groups(&group, &count, accounts);
	add_groups(&group, &count, groups);
	return count ? need_join(group, count, " ") : "all users";
}

/* Sets the members of a queue that are not known. If another file has described the queue, so that
 * its users are known, its status is left to that file. */
static void set_queue(struct queue *queue, const struct described_partition *partition)
{
	bool is_described = queue->users;

	if (isnan(queue->priority))
		queue->priority = isnan(partition->job_factor) ? 1 : partition->job_factor;
	if (!queue->hosts)
		queue->hosts = partition->nodes;
	if (!queue->users)
		queue->users = slurm_queue_users(partition->accounts, partition->groups);
	if (!is_described)
		slurm_queue_set_state(queue, partition->state ? partition->state : "UP");
}

void slurm_queues_list(const struct site_settings *settings, struct queue_list *list)
{
	const struct slurm_conf slurm = slurm_conf_of_settings(settings);
	const struct slurm_partitions partitions = slurm_partitions_of(&slurm);

	for (size_t i = 0; i < partitions.count; i++)
		set_queue(queue_list_find(list, partitions.at[i].name), &partitions.at[i]);
}
