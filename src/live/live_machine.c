/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the nodes and partitions of the running cluster as lines of slurm.conf. (Source: Slurm,
 * slurm.conf(5), NODE CONFIGURATION and PARTITION CONFIGURATION) */
#include "live/live_private.h"

#include "conf/host_list.h"

#include <inttypes.h>

/* Writes a key with a text, unless that is NULL or "". */
static void put_text(FILE *out, const char *key, const char *value)
{
	if (value && *value)
		fprintf(out, " %s=\"%s\"", key, value);
}

/* Writes a key with a number. */
static void put_number(FILE *out, const char *key, uint64_t value)
{
	fprintf(out, " %s=%" PRIu64, key, value);
}

/* Writes a key with a number, unless that is one of Slurm's for "no value" and "no limit". */
static void put_limit(FILE *out, const char *key, uint32_t value)
{
	if (value != NO_VAL && value != INFINITE)
		put_number(out, key, value);
}

/* ---- nodes -------------------------------------------------------------------------------- */

/* Returns whether a node in this state starts jobs. */
static bool starts_jobs(uint32_t state)
{
	uint32_t base = state & NODE_STATE_BASE;

	return !(state & (NODE_STATE_DRAIN | NODE_STATE_FAIL | NODE_STATE_NO_RESPOND)) &&
	       (base == NODE_STATE_IDLE || base == NODE_STATE_ALLOCATED ||
		base == NODE_STATE_MIXED);
}

/* Writes the line of a node. slurmctld hides a node by a record without a name. */
static void put_node(FILE *out, const node_info_t *node)
{
	if (!node->name || !*node->name)
		return;
	fprintf(out, "NodeName=%s", node->name);
	put_number(out, "CPUs", node->cpus);
	put_number(out, "RealMemory", node->real_memory);
	put_text(out, "Gres", node->gres);
	put_text(out, "Feature", node->features);
	fputs(starts_jobs(node->node_state) ? "\n" : " State=DOWN\n", out);
}

/* ---- partitions ---------------------------------------------------------------------------- */

/* Writes the nodes of a partition one by one, so that the reader need not expand ranges. nodes:
 * such as "node[1-4]"; may be NULL. */
static void put_nodes(FILE *out, const char *nodes)
{
	struct host_list hosts = { NULL };

	need_done(host_list_add_all(&hosts, nodes ? nodes : "", NULL));
	for (size_t i = 0; i < hosts.count; i++)
		fprintf(out, "%s%s", i ? "," : " Nodes=", hosts.name[i]);
	host_list_clear(&hosts);
}

const char *live_partition_state(const partition_info_t *partition)
{
	static const char *const states[] = { [PARTITION_INACTIVE] = "INACTIVE",
					      [PARTITION_DOWN] = "DOWN",
					      [PARTITION_DRAIN] = "DRAIN", [PARTITION_UP] = "UP" };

	return states[partition->state_up & PARTITION_UP];
}

/* Writes the line of a partition. */
static void put_partition(FILE *out, const partition_info_t *partition)
{
	fprintf(out, "PartitionName=%s", partition->name);
	put_nodes(out, partition->nodes);
	put_text(out, "Default", partition->flags & PART_FLAG_DEFAULT ? "YES" : NULL);
	put_text(out, "State", live_partition_state(partition));
	put_limit(out, "MaxTime", partition->max_time);
	put_limit(out, "DefaultTime", partition->default_time);
	put_limit(out, "MinNodes", partition->min_nodes);
	put_limit(out, "MaxNodes", partition->max_nodes);
	put_limit(out, "MaxCPUsPerNode", partition->max_cpus_per_node);
	put_number(out, "PriorityJobFactor", partition->priority_job_factor);
	put_number(out, "PriorityTier", partition->priority_tier);
	put_text(out, "AllowAccounts", partition->allow_accounts);
	put_text(out, "AllowGroups", partition->allow_groups);
	put_text(out, "AllowQos", partition->allow_qos);
	put_text(out, "DenyAccounts", partition->deny_accounts);
	put_text(out, "DenyQos", partition->deny_qos);
	put_text(out, "RootOnly", partition->flags & PART_FLAG_ROOT_ONLY ? "YES" : NULL);
	put_text(out, "ReqResv", partition->flags & PART_FLAG_REQ_RESV ? "YES" : NULL);
	fputc('\n', out);
}

char *live_machine_text(const node_info_msg_t *nodes, const partition_info_msg_t *partitions)
{
	char *text;
	size_t length;
	FILE *out = need_made(open_memstream(&text, &length));

	for (size_t i = 0; i < nodes->record_count; i++)
		put_node(out, &nodes->node_array[i]);
	for (size_t i = 0; i < partitions->record_count; i++)
		put_partition(out, &partitions->partition_array[i]);
	need_done(fclose(out));
	return text;
}
