/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/sixteen_nodes.h"

#include <stdio.h>

#define NODES 16
#define CPUS 4

void make_nodes(void)
{
	char name[16];

	node_record_table_ptr = xcalloc(NODES, sizeof(*node_record_table_ptr));
	node_record_count = NODES;
	for (int i = 0; i < NODES; i++) {
		node_record_table_ptr[i] = xcalloc(1, sizeof(**node_record_table_ptr));
		node_record_table_ptr[i]->cpus = CPUS;
		snprintf(name, sizeof(name), "n%d", i);
		rename_node(i, name);
	}
}

void rename_node(int node, const char *name)
{
	xfree(node_record_table_ptr[node]->name);
	node_record_table_ptr[node]->name = xstrdup(name);
}

void put_on_nodes(part_record_t *partition, int first, int last)
{
	FREE_NULL_BITMAP(partition->node_bitmap);	/* of an earlier call */
	partition->node_bitmap = bit_alloc(NODES);
	bit_nset(partition->node_bitmap, first, last);
	partition->total_cpus = CPUS * (uint32_t)(last - first + 1);
}

void allocate_nodes(job_record_t *job, int first, int last, uint16_t cpus)
{
	free_job_resources(&job->job_resrcs);		/* of an earlier call */
	job->job_resrcs = xmalloc(sizeof(*job->job_resrcs));
	job->job_resrcs->node_bitmap = bit_alloc(NODES);
	job->job_resrcs->cpus = xcalloc(NODES, sizeof(*job->job_resrcs->cpus));
	for (int i = first; i <= last; i++)
		allocate_node(job, i, cpus);
}

void allocate_node(job_record_t *job, int node, uint16_t cpus)
{
	bit_set(job->job_resrcs->node_bitmap, node);
	job->job_resrcs->cpus[job->job_resrcs->nhosts++] = cpus;
}

void require_nodes(job_record_t *job, int first, int last)
{
	job->details->req_node_bitmap = bit_alloc(NODES);
	bit_nset(job->details->req_node_bitmap, first, last);
}
