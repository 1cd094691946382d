/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Partitions come from slurm.conf, else from a snapshot, which tells no nodes. Behind those of the
 * site is one with the whole machine, for jobs that run in none of them.
 */
#include "cli/replay/replay_command.h"

#define STANDARD_TIER 1	/* PriorityTier, where nothing tells it */

/* ---- partitions ---------------------------------------------------------------------------- */

/* Sets limits and factor of partition i, as slurm.conf says. */
static void set_limits(struct site_partitions *partitions, const struct replay_site *site, size_t i)
{
	const struct slurm_partition *partition = &site->machine.partition[i];
	struct replay_partition *replayed = &partitions->partition[i];

	partitions->limits[i] = partition->limits;
	replayed->tier = partition->tier;
	replayed->queue.partition_factor =
		site_settings_priority(&site->files.sources.settings, partition->limits.name,
				       partition->job_factor);
	if (partitions->group_count)
		replayed->most_cpus = (uint64_t)partition->max_cpus_per_node;
	else	/* its size is not known, so that it limits no job */
		partitions->limits[i].cpus = INFINITY;
	if (partition->is_default)
		partitions->trace.standard = i;
}

/* Sets limits and factor of partition i, as a snapshot says. */
static void set_snapshot_limits(struct site_partitions *partitions, const struct jobs *jobs,
				size_t i)
{
	const struct jobs_partition *partition = &jobs->partition[i];

	partitions->limits[i] = (struct trace_partition){
		.name = jobs_text(jobs, partition->name), .cpus = INFINITY,
		.max_time = partition->max_time * 60,	/* minutes */
		.is_up = true,
	};
	partitions->partition[i].queue.partition_factor = partition->job_factor;
}

/* Sets the groups of partition i: all of them if nodes are not known, or for the partition behind
 * those of the site. */
static void set_groups(struct site_partitions *partitions, const struct slurm_machine *machine,
		       size_t i)
{
	struct replay_partition *replayed = &partitions->partition[i];

	replayed->group = partitions->groups;
	/* without known nodes the machine is group 0 */
	replayed->group_count = partitions->group_count ? partitions->group_count : 1;
	if (!partitions->group_count || i >= machine->partition_count)
		return;
	replayed->group = machine->partition[i].group;
	replayed->group_count = machine->partition[i].group_count;
}

/* Sets the normalised factors, as Slurm's priority/multifactor does: the factor over the highest
 * one of all partitions. */
static void normalise_factors(struct site_partitions *partitions, const struct replay_site *site)
{
	double highest = 0;

	/* for jobs of no partition Slurm's default, 1; 0 if no partitions are known, or if they are
	 * queues of another scheduler: there a job gets nothing for a queue that is not listed */
	partitions->partition[partitions->trace.count].queue.partition_factor =
		partitions->trace.count > 0 && !site->queues_are_foreign;
	for (size_t i = 0; i < partitions->trace.count; i++)
		highest = fmax(highest, partitions->partition[i].queue.partition_factor);
	for (size_t i = 0; i <= partitions->trace.count; i++) {
		struct fathom_queue *queue = &partitions->partition[i].queue;

		queue->partition_norm = highest > 0 ? queue->partition_factor / highest : 0;
	}
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Sets CPUs and nodes of groups, and of the machine. Without groups, those of the machine are as a
 * snapshot tells them, else 0. */
static void set_machine(struct site_partitions *partitions, const struct replay_site *site)
{
	const struct slurm_machine *machine = &site->machine;

	for (size_t i = 0; i < partitions->group_count; i++) {
		partitions->group_cpus[i] = (uint64_t)machine->group[i].cpus;
		partitions->group_nodes[i] = (uint64_t)machine->group[i].nodes;
	}
	partitions->cpus = partitions->group_count ? machine->cpus : 0;
	partitions->nodes = partitions->group_count ? machine->nodes : 0;
	if (!partitions->group_count && site->jobs_name) {
		partitions->cpus = site->jobs.cpus;
		partitions->nodes = site->jobs.nodes;
	}
}

void site_partitions_create(struct site_partitions *partitions, const struct replay_site *site,
			    bool with_nodes)
{
	/* slurm.conf goes before the cluster of a snapshot, which may tell no nodes */
	size_t count = site->machine.partition_count ? site->machine.partition_count
						     : site->jobs.partition_count;
	size_t groups;

	*partitions = (struct site_partitions){
		.group_count = with_nodes ? site->machine.group_count : 0,
		.trace = { .count = count, .standard = count },
	};
	groups = partitions->group_count ? partitions->group_count : 1;
	partitions->limits = need_zeros(count, sizeof(*partitions->limits));
	partitions->partition = need_zeros(count + 1, sizeof(*partitions->partition));
	partitions->groups = need_zeros(groups, sizeof(*partitions->groups));
	for (size_t i = 0; i < groups; i++)
		partitions->groups[i] = (uint32_t)i;
	partitions->group_cpus = need_zeros(groups, sizeof(*partitions->group_cpus));
	partitions->group_nodes = need_zeros(groups, sizeof(*partitions->group_nodes));
	if (with_nodes)
		set_machine(partitions, site);
	for (size_t i = 0; i <= count; i++) {
		partitions->partition[i].tier = STANDARD_TIER;
		set_groups(partitions, &site->machine, i);
	}
	for (size_t i = 0; i < count; i++)
		if (site->machine.partition_count)
			set_limits(partitions, site, i);
		else
			set_snapshot_limits(partitions, &site->jobs, i);
	normalise_factors(partitions, site);
	partitions->trace.partition = partitions->limits;
	partitions->trace.has_nodes = partitions->group_count > 0;
}
