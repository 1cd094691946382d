/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells in LSF's terms what slurm.conf says of partitions. Source: Slurm, slurm.conf(5), PARTITION
 * CONFIGURATION. */
#include "format/slurm/slurm_queues.h"

#include "format/slurm/slurm_cluster.h"
#include "format/slurm/slurm_partitions.h"
#include "memory/need_memory.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define ALL_USERS "all users"

void slurm_queue_set_state(struct queue *queue, const char *state)
{
	static const struct { const char *state; bool is_closed, is_inactive; } states[] = {
		{ .state = "UP" },
		{ .state = "DOWN", .is_inactive = true },
		{ .state = "DRAIN", .is_closed = true },
		{ .state = "INACTIVE", .is_closed = true, .is_inactive = true },
	};

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (!strcasecmp(states[i].state, state)) {
			queue->has_status = true;
			queue->is_closed = states[i].is_closed;
			queue->is_inactive = states[i].is_inactive;
		}
}

/* Appends the names of a list "a,b" to a text as groups, "a/ b/". end: the text's NUL. Returns its
 * new end. */
static char *append_groups(const char *text, char *end, const char *list)
{
	while (*list) {
		size_t length = strcspn(list, ",");

		end = stpcpy(end, end == text ? "" : " ");
		end = stpcpy(mempcpy(end, list, length), "/");
		list += length + (list[length] == ',');
	}
	return end;
}

/* Returns a list of names; "" if it allows all: list is NULL or ALL. */
static const char *restricted(const char *list)
{
	return list && strcasecmp(list, "ALL") ? list : "";
}

const char *slurm_queue_users(const char *accounts, const char *groups)
{
	char *text, *end;

	accounts = restricted(accounts);
	groups = restricted(groups);
	if (!*accounts && !*groups)
		return ALL_USERS;
	/* a name with its comma becomes a blank, the name, and a slash */
	text = need_object(2 * (strlen(accounts) + strlen(groups)) + 8);
	end = append_groups(text, text, accounts);
	append_groups(text, end, groups);
	return text;
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
