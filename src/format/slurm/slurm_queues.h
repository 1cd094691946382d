/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partitions of slurm.conf as queues. */
#pragma once

#include "format/site/site_settings.h"
#include "jobs/queue_list.h"

/* Adds the partitions that settings describe to a list. What the list knows stays. */
void slurm_queues_list(const struct site_settings *settings, struct queue_list *list);
/* Sets whether a partition accepts and starts jobs, by its State; another word is not known. */
void slurm_queue_set_state(struct queue *queue, const char *state);
/* Returns those who may use a partition, in LSF's words. accounts, groups: AllowAccounts and
 * AllowGroups, or NULL. */
const char *slurm_queue_users(const char *accounts, const char *groups);
