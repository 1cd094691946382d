/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the partitions of the running cluster as queues. */
#include "live/live_private.h"

#include "document/document.h"
#include "format/slurm/slurm_queues.h"

/* Adds a partition as a queue. */
static void add_partition(struct queue_list *list, const partition_info_t *partition)
{
	struct queue *queue = queue_list_find(list, need_text(partition->name));

	queue->priority = partition->priority_job_factor;
	queue->tier = partition->priority_tier;
	queue->hosts = partition->nodes ? need_text(partition->nodes) : NULL;
	queue->users = slurm_queue_users(partition->allow_accounts, partition->allow_groups);
	slurm_queue_set_state(queue, live_partition_state(partition));
}

/* For document_try(). Sets pools and shares by the FiguresFile. list: a struct queue_list. */
static void add_shares(void *list)
{
	struct pool_divisions pools;

	live_pools_read(&pools);
	for (size_t i = 0; i < pools.count; i++)
		for (size_t j = 0; j < pools.list[i].count; j++) {
			const struct fathom_pool_queue *of = &pools.list[i].queue[j];
			struct queue *queue = queue_list_find(list, pools.list[i].queue_name[j]);

			if (!of->in_pool)
				continue;
			queue->pool = pools.list[i].name;
			queue->share = of->share;
		}
}

/* Adds all partitions. */
static void add_partitions(struct queue_list *list)
{
	const partition_info_msg_t *partitions = libslurm_partitions();

	for (size_t i = 0; i < partitions->record_count; i++)
		add_partition(list, &partitions->partition_array[i]);
}

void live_queues_read(struct queue_list *list)
{
	const struct job_list none = { 0 };	/* priorities do not matter */
	struct failure ignored;
	struct jobs jobs;

	libslurm_begin(LIBSLURM_FROM);
	add_partitions(list);
	live_job_records_read(&jobs, &none, NULL);
	libslurm_end();
	queue_list_count(list, &jobs);
	document_try(add_shares, list, &ignored);
}

void live_partitions_read(struct queue_list *list)
{
	libslurm_begin(LIBSLURM_FROM);
	add_partitions(list);
	libslurm_end();
}
