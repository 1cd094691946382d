/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/pool_limits.h"

#include "fathom.h"

/* MaxCPUsPerNode, or FATHOM_NO_LIMIT. */
static uint64_t cpus_per_node(const part_record_t *record)
{
	uint32_t most = record->max_cpus_per_node;

	return !most || most == INFINITE || most == NO_VAL ? FATHOM_NO_LIMIT : most;
}

/* GrpTRES of the partition's QOS, or FATHOM_NO_LIMIT. */
static uint64_t qos_limit(const part_record_t *record, uint32_t tres)
{
	const slurmdb_qos_rec_t *qos = record->qos_ptr;
	uint64_t most = qos && qos->grp_tres_ctld ? qos->grp_tres_ctld[tres] : INFINITE64;

	return most == INFINITE64 || most == NO_VAL64 ? FATHOM_NO_LIMIT : most;
}

/* Nodes with more CPUs than others count as the average. */
static uint64_t cpus_of_nodes(const part_record_t *record, uint64_t nodes)
{
	uint64_t average = record->total_nodes
				   ? (record->total_cpus + record->total_nodes - 1) /
					     record->total_nodes : 0;

	return nodes * MIN(average, cpus_per_node(record));
}

uint64_t pool_limit_cpus(const part_record_t *record, uint64_t nodes)
{
	uint64_t per_node = cpus_per_node(record);
	uint64_t most_nodes = qos_limit(record, TRES_ARRAY_NODE);
	uint64_t most = qos_limit(record, TRES_ARRAY_CPU);

	if (per_node != FATHOM_NO_LIMIT)
		most = MIN(most, nodes * per_node);
	if (most_nodes < nodes)
		most = MIN(most, cpus_of_nodes(record, most_nodes));
	return most;
}

uint64_t pool_limit_jobs(const part_record_t *record)
{
	const slurmdb_qos_rec_t *qos = record->qos_ptr;

	return !qos || qos->grp_jobs == INFINITE || qos->grp_jobs == NO_VAL ? FATHOM_NO_LIMIT
									   : qos->grp_jobs;
}
