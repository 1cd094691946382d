/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/slurm/slurm_partitions.h"

#include "core/array.h"
#include "core/error.h"
#include "format/slurm/slurm_nodes.h"
#include "format/slurm_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MINUTE 60

/* Returns the partition of this name, a new one if there is none yet. NULL: ENOMEM. */
static struct described_partition *partition_named(struct slurm_partitions *partitions,
						   const char *name, size_t line,
						   struct fathom_error *error)
{
	struct described_partition *grown;

	for (size_t i = 0; i < partitions->count; i++)
		if (!strcmp(partitions->at[i].name, name))
			return &partitions->at[i];
	grown = array_grow(partitions->at, &partitions->room, partitions->count + 1,
			   sizeof(*grown));
	if (grown) {
		partitions->at = grown;
		grown += partitions->count;
		*grown = (struct described_partition){
			.name = strdup(name), .nodes_line = line, .is_up = true,
			.job_factor = NAN, .max_time = NAN, .default_time = NAN, .max_nodes = NAN,
			.max_cpus_per_node = NAN,
		};
	}
	if (!grown || !grown->name) {
		fathom_error_no_memory(error);
		return NULL;
	}
	partitions->count++;
	return grown;
}

/* ---- keys ---------------------------------------------------------------------------------- */

static int read_time(const struct slurm_conf *slurm, size_t line, const char *key, double *seconds,
		     struct fathom_error *error)
{
	const struct slurm_pair *pair = slurm_line_pair(slurm, line, key);
	struct fathom_error inner;

	if (!pair)
		return 0;
	if (slurm_time_parse(pair->value, seconds, &inner))
		return slurm_pair_wrong(pair, inner.text, error);
	if (*seconds >= UINT32_MAX - MINUTE)
		*seconds = 0;	/* UNLIMITED */
	return 0;
}

static void read_words(const struct slurm_conf *slurm, size_t line,
		       struct described_partition *partition)
{
	const struct slurm_pair *is_default = slurm_line_pair(slurm, line, "Default");
	const struct slurm_pair *state = slurm_line_pair(slurm, line, "State");

	if (is_default)
		partition->is_default = !strcasecmp(is_default->value, "YES");
	if (state)
		partition->is_up = !strcasecmp(state->value, "UP");
	if (slurm_line_pair(slurm, line, "Nodes") &&
	    !slurm_line_pair(slurm, partition->nodes_line, "Nodes"))
		partition->nodes_line = line;
}

static int read_keys(const struct slurm_conf *slurm, size_t line,
		     struct described_partition *partition, struct fathom_error *error)
{
	read_words(slurm, line, partition);
	return slurm_line_job_factor(slurm, line, &partition->job_factor, error) ||
			       slurm_line_number(slurm, line, "MaxNodes", &partition->max_nodes,
						 error) ||
			       slurm_line_number(slurm, line, "MaxCPUsPerNode",
						 &partition->max_cpus_per_node, error) ||
			       read_time(slurm, line, "MaxTime", &partition->max_time, error) ||
			       read_time(slurm, line, "DefaultTime", &partition->default_time,
					 error)
		       ? -1 : 0;
}

/* ---- lines --------------------------------------------------------------------------------- */

static int read_line(struct slurm_partitions *partitions, const struct slurm_conf *slurm,
		     size_t line, struct fathom_error *error)
{
	struct host_list names = { NULL };
	int status = slurm_pair_names(&slurm->pair[line], &names, error);

	for (size_t i = 0; i < names.count && !status; i++) {
		struct described_partition *partition =
			partition_named(partitions, names.name[i], line, error);

		status = partition ? read_keys(slurm, line, partition, error) : -1;
	}
	host_list_clear(&names);
	return status;
}

int slurm_partitions_read(struct slurm_partitions *partitions, const struct slurm_conf *slurm,
			  struct fathom_error *error)
{
	size_t line = SLURM_CONF_NONE;

	while ((line = slurm_next_described(slurm, "PartitionName", line)) != SLURM_CONF_NONE)
		if (read_line(partitions, slurm, line, error))
			return -1;
	return 0;
}

void slurm_partitions_clear(struct slurm_partitions *partitions)
{
	for (size_t i = 0; i < partitions->count; i++)
		free(partitions->at[i].name);
	free(partitions->at);
	*partitions = (struct slurm_partitions){ NULL };
}
