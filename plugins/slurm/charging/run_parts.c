/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "charging/run_parts.h"

bool run_parts_are_known(const job_record_t *job)
{
	const job_resources_t *resources = job->job_resrcs;

	return resources && resources->node_bitmap && resources->cpus &&
	       bit_size(resources->node_bitmap) <= node_record_count;
}

/* Adds the CPUs of each node to those of its scope; returns their sum. */
static uint64_t add_nodes(const job_resources_t *resources, const struct settings *settings,
			  struct fathom_run_part *part)
{
	bitstr_t *nodes = resources->node_bitmap;
	uint64_t all = 0;
	uint32_t host = 0;

	for (int i = (int)bit_ffs(nodes), last = (int)bit_fls(nodes);
	     i >= 0 && i <= last && host < resources->nhosts; i++) {
		if (!bit_test(nodes, i))
			continue;
		part[scopes_node(settings, i)].cpus += resources->cpus[host];
		all += resources->cpus[host++];
	}
	return all;
}

uint32_t run_parts(const job_record_t *job, const struct settings *settings,
		   struct fathom_run_part *part)
{
	uint64_t all;
	uint32_t count = 0;

	for (size_t i = 0; i < settings->scheme_count; i++)
		part[i] = (struct fathom_run_part){ .hosts = settings->scheme[i].name };
	all = add_nodes(job->job_resrcs, settings, part);
	/* [0]: what is on hosts of no scope */
	for (size_t i = 1; i < settings->scheme_count; i++) {
		if (!part[i].cpus)
			continue;
		part[count] = part[i];
		part[count++].all_cpus = all;
	}
	return count;
}
