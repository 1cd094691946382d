/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partitions of slurm.conf as queues, for a list of all queues. */
#pragma once

#include "format/site/site_settings.h"
#include "jobs/queue_list.h"

/* Adds the partitions that settings describe to a list. Members that a queue of the list has
 * already stay. */
void slurm_queues_list(const struct site_settings *settings, struct queue_list *list);
/* Sets whether a partition accepts and starts jobs, by its State. The queue is unchanged if the
 * word is not one of Slurm's states. */
void slurm_queue_set_state(struct queue *queue, const char *state);
/* Returns the users who may use a partition, as bqueues shows them: "all users", or "physics/
 * lab/". accounts, groups: AllowAccounts and AllowGroups, or NULL. */
const char *slurm_queue_users(const char *accounts, const char *groups);
