/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the keys of partitions, line by line. */
#include "format/slurm/slurm_partitions.h"

#include "format/slurm/slurm_nodes.h"
#include "format/slurm_time.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define MINUTE 60	/* seconds */

/* Returns the partition of this name; adds it, and its name to `known`, if this is its first
 * line. */
static struct described_partition *partition_named(struct slurm_partitions *partitions,
						   struct numbered_names *known,
						   const char *name, size_t line)
{
	size_t at = need_name(known, name);

	if (at == partitions->count)
		NEED_ADD(partitions->at, partitions->count, (struct described_partition){
			.name = known->name[at], .nodes_line = line, .is_up = true,
			.job_factor = NAN, .tier = NAN, .max_time = NAN, .default_time = NAN,
			.min_nodes = NAN, .max_nodes = NAN, .max_cpus_per_node = NAN,
		});
	return &partitions->at[at];
}

/* Sets a time in seconds, 0 if it is unlimited; *seconds is unchanged if no line gives it. */
static void read_time(const struct slurm_conf *slurm, size_t line, const char *key, double *seconds)
{
	const struct slurm_pair *pair = slurm_line_pair(slurm, line, key);
	struct fathom_error error;

	if (!pair)
		return;
	if (slurm_time_parse(pair->value, seconds, &error))
		slurm_pair_wrong(pair, error.text);
	if (*seconds >= UINT32_MAX - MINUTE)	/* slurm_time_parse() of UNLIMITED */
		*seconds = 0;
}

/* Sets a text; *text is unchanged if no line gives it. */
static void read_text(const struct slurm_conf *slurm, size_t line, const char *key,
		      const char **text)
{
	const struct slurm_pair *pair = slurm_line_pair(slurm, line, key);

	if (pair)
		*text = pair->value;
}

/* Returns a switch in any of slurm.conf's words. otherwise: for another word. */
static bool read_switch(const char *value, bool otherwise)
{
	double number = otherwise;

	slurm_switch_parse(value, &number, NULL);
	return number != 0;
}

/* Sets the texts, and the line with the nodes. */
static void read_texts(const struct slurm_conf *slurm, size_t line,
		       struct described_partition *partition)
{
	const struct slurm_pair *is_default = slurm_line_pair(slurm, line, "Default");

	if (is_default)
		partition->is_default = read_switch(is_default->value, false);
	read_text(slurm, line, "State", &partition->state);
	read_text(slurm, line, "Nodes", &partition->nodes);
	read_text(slurm, line, "AllowAccounts", &partition->accounts);
	read_text(slurm, line, "AllowGroups", &partition->groups);
	read_text(slurm, line, "PreemptMode", &partition->preempt_mode);
	partition->is_up = !partition->state || !strcasecmp(partition->state, "UP");
	if (slurm_line_pair(slurm, line, "Nodes") &&
	    !slurm_line_pair(slurm, partition->nodes_line, "Nodes"))
		partition->nodes_line = line;
}

/* Notes the keys that keep some users out, unless the value in the line is that of all users:
 * `open`, or "no" for a switch. */
static void read_barriers(const struct slurm_conf *slurm, size_t line,
			  struct described_partition *partition)
{
	static const struct { const char *key, *open; } barriers[] = {
		{ "AllowAccounts", "ALL" }, { "AllowGroups", "ALL" }, { "AllowQos", "ALL" },
		{ "DenyAccounts", "" }, { "DenyQos", "" }, { "RootOnly", NULL },
		{ "ReqResv", NULL },
	};

	for (size_t i = 0; i < sizeof(barriers) / sizeof(*barriers); i++) {
		const struct slurm_pair *pair = slurm_line_pair(slurm, line, barriers[i].key);
		const char *open = barriers[i].open;

		if (!pair)
			continue;
		partition->barriers &= ~(UINT32_C(1) << i);
		if (open ? strcasecmp(pair->value, open) != 0 : read_switch(pair->value, true))
			partition->barriers |= UINT32_C(1) << i;
	}
}

/* Sets the keys of a partition that a line gives. */
static void read_keys(const struct slurm_conf *slurm, size_t line,
		      struct described_partition *partition)
{
	read_texts(slurm, line, partition);
	read_barriers(slurm, line, partition);
	/* Priority sets PriorityJobFactor and PriorityTier */
	slurm_line_number(slurm, line, "Priority", &partition->job_factor);
	slurm_line_number(slurm, line, "PriorityJobFactor", &partition->job_factor);
	slurm_line_number(slurm, line, "Priority", &partition->tier);
	slurm_line_number(slurm, line, "PriorityTier", &partition->tier);
	slurm_line_number(slurm, line, "MinNodes", &partition->min_nodes);
	slurm_line_number(slurm, line, "MaxNodes", &partition->max_nodes);
	slurm_line_number(slurm, line, "MaxCPUsPerNode", &partition->max_cpus_per_node);
	read_time(slurm, line, "MaxTime", &partition->max_time);
	read_time(slurm, line, "DefaultTime", &partition->default_time);
}

struct slurm_partitions slurm_partitions_of(const struct slurm_conf *slurm)
{
	struct slurm_partitions partitions = { NULL };
	struct numbered_names *known = need_names();
	size_t line = SLURM_CONF_NONE;

	while ((line = slurm_next_described(slurm, "PartitionName", line)) != SLURM_CONF_NONE) {
		struct host_list names = slurm_pair_names(&slurm->pair[line]);

		for (size_t i = 0; i < names.count; i++)
			read_keys(slurm, line, partition_named(&partitions, known, names.name[i],
							       line));
		host_list_clear(&names);
	}
	return partitions;
}
