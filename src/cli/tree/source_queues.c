/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/tree/source_queues.h"

#include "format/format_parts.h"
#include "format/slurm/slurm_queues.h"

#include <math.h>

/* Adds the partitions of a file of jobs. */
static void list_partitions(const struct jobs *jobs, struct queue_list *list)
{
	for (size_t i = 0; i < jobs->partition_count; i++) {
		const struct jobs_partition *partition = &jobs->partition[i];
		struct queue *queue = queue_list_find(list, jobs_text(jobs, partition->name));

		if (isnan(queue->priority))
			queue->priority = partition->job_factor;
	}
}

void source_queues_list(const struct sources *sources, struct queue_list *list)
{
	if (sources->parts_format)
		sources->parts_format->parts->list_queues(sources->parts, list);
	slurm_queues_list(&sources->settings, list);
	if (!sources->jobs_name)
		return;
	list_partitions(&sources->jobs, list);
	queue_list_count(list, &sources->jobs);
}
