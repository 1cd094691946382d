/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up the TRES of partitions. The nodes are listed by name, each with the line that describes
 * it. A partition has the sum of its nodes:
 *
 *	NodeName=DEFAULT RealMemory=64000
 *	NodeName=n[1-2] CPUs=4 Gres=gpu:a100:2		cpu=4 mem=64000 gres/gpu=2, each
 *	NodeName=n3 Sockets=2 CoresPerSocket=8		cpu=16 mem=64000
 *	NodeSet=fast Nodes=n[1-2]
 *	PartitionName=day Nodes=fast,n3			cpu=24 mem=192000 node=3 gres/gpu=4
 *
 * Source: Slurm, slurm.conf(5), "NODE CONFIGURATION", "NODESET CONFIGURATION", "PARTITION
 * CONFIGURATION".
 */
#include "format/slurm/slurm_cluster.h"

#include "format/accounting/tres_text.h"
#include "format/site/site_conf.h"
#include "format/slurm/slurm_nodes.h"
#include "format/slurm/slurm_partitions.h"
#include "memory/need_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MINUTE 60	/* seconds */

/* ---- lines ----------------------------------------------------------------------------- */

/* Returns whether an earlier line is the same line of the same file, which was given twice. known:
 * the lines so far, to which it is added. */
static bool is_again(struct numbered_names *known, const struct site_pair *pair)
{
	size_t count = known->count;

	return need_name(known, need_print("%zu\n%s\n%s", pair->origin.line, pair->value,
					   pair->origin.file)) < count;
}

struct slurm_conf slurm_conf_of_settings(const struct site_settings *settings)
{
	const struct site_lines *lines = &settings->of[SITE_SLURM_CONF];
	struct numbered_names *known = need_names();
	struct slurm_conf slurm = { 0 };

	for (size_t i = 0; i < lines->count; i++) {
		const struct site_line *line = &lines->line[i];
		size_t first = slurm.pair_count;

		if (is_again(known, line->pair))
			continue;
		for (size_t j = 0; j < line->count; j++)
			slurm_conf_add(&slurm, (struct slurm_pair){
				.file = line->pair[j].origin.file, .key = line->pair[j].key,
				.line = (unsigned)line->pair[j].origin.line,
				.value = line->pair[j].value, .first = first,
			});
	}
	return slurm;
}

/* ---- sums ------------------------------------------------------------------------------- */

/* Adds to the count of a TRES in `amounts`, which are the last ones of jobs->amount. amounts->count
 * is not set yet. A count that is 0, or too large, is not added. */
static void add_count(struct jobs *jobs, const char *name, double count,
		      struct tres_amounts *amounts)
{
	struct tres_amount amount;

	if (!(count > 0) || count >= 0x1p63)
		return;
	amount = (struct tres_amount){ jobs_find_tres(jobs, name), (uint64_t)count };
	for (size_t i = amounts->first; i < jobs->amount_count; i++)
		if (jobs->amount[i].tres == amount.tres) {
			jobs->amount[i].count += amount.count;
			return;
		}
	JOBS_ADD(jobs, amount, amount);
}

/* Adds a word of Gres, NAME[:TYPE][:no_consume][:COUNT], which may end with "(S:0-1)". gpu:a100:2
 * adds 2 to gres/gpu:a100 and to gres/gpu. Without a COUNT it is 1. no_consume, in upper or lower
 * case, is not a type. */
static void add_gres_word(struct jobs *jobs, const char *word, size_t length,
			  struct tres_amounts *amounts)
{
	const char *parenthesis = memchr(word, '(', length);
	char name[JOB_TRES_NAME], *count_text, *flag, *type;
	double count = 1;

	if (parenthesis)
		length = (size_t)(parenthesis - word);
	snprintf(name, sizeof(name), "gres/%.*s", (int)length, word);
	count_text = strrchr(name, ':');
	if (count_text && !tres_count_parse(piece_of(count_text + 1), &count))
		*count_text = '\0';
	else
		count = 1;
	flag = strrchr(name, ':');
	if (flag && !strcasecmp(flag, ":no_consume"))
		*flag = '\0';
	type = strchr(name, ':');
	if (type) {
		add_count(jobs, name, count, amounts);
		*type = '\0';
	}
	add_count(jobs, name, count, amounts);
}

/* Adds all words of Gres. */
static void add_gres(struct jobs *jobs, const char *text, struct tres_amounts *amounts)
{
	while (*text) {
		size_t length = strcspn(text, ",(");

		/* commas in parentheses are part of the word */
		length += text[length] == '(' ? strcspn(text + length, ")") : 0;
		length += strcspn(text + length, ",");
		if (length)
			add_gres_word(jobs, text, length, amounts);
		text += length + (text[length] == ',');
	}
}

/* Adds the TRES of a node. */
static void add_node(struct jobs *jobs, const struct slurm_nodes *nodes, size_t node,
		     struct tres_amounts *amounts)
{
	size_t line = nodes->node[node].line;
	const struct slurm_pair *gres = slurm_line_pair(nodes->slurm, line, "Gres");
	double memory = 1;	/* megabytes; Slurm's default */

	slurm_line_number(nodes->slurm, line, "RealMemory", &memory);
	add_count(jobs, "cpu", nodes->node[node].cpus, amounts);
	add_count(jobs, "mem", memory, amounts);
	add_count(jobs, "node", 1, amounts);
	if (gres)
		add_gres(jobs, gres->value, amounts);
}

/* Sums up the nodes of the partition on a line. */
static struct tres_amounts add_tres(struct jobs *jobs, const struct slurm_nodes *nodes, size_t line)
{
	struct tres_amounts amounts = { .first = jobs->amount_count };
	size_t count, *node = slurm_nodes_of_partition(nodes, line, &count);

	for (size_t i = 0; i < count; i++)
		add_node(jobs, nodes, node[i], &amounts);
	amounts.count = jobs->amount_count - amounts.first;
	return amounts;
}

/* Sets the nodes and CPUs of the cluster that are not known. */
static void set_size(struct jobs *jobs, const struct slurm_nodes *nodes)
{
	double sum = 0;

	for (size_t i = 0; i < nodes->count; i++)
		sum += nodes->node[i].cpus;
	if (!(jobs->nodes > 0))
		jobs->nodes = (double)nodes->count;
	if (!(jobs->cpus > 0))
		jobs->cpus = sum;
}

/* ---- partitions ------------------------------------------------------------------------- */

/* Returns the partition of this name, a new one if the jobs have none. */
static struct jobs_partition *partition_named(struct jobs *jobs, const char *name)
{
	size_t known = jobs_partition_named(jobs, name);
	struct jobs_partition added = { .job_factor = 1 };	/* the default in slurm.conf */

	if (known != JOBS_NONE)
		return &jobs->partition[known];
	added.name = jobs_add_text(jobs, name);
	jobs_add_partition(jobs, added);
	return &jobs->partition[jobs->partition_count - 1];
}

/* Adds a partition of slurm.conf, or completes that of the jobs. */
static void add_partition(struct jobs *jobs, const struct slurm_nodes *nodes,
			  const struct described_partition *described)
{
	struct jobs_partition *partition = partition_named(jobs, described->name);

	if (!isnan(described->job_factor))
		partition->job_factor = described->job_factor;
	if (!isnan(described->max_time))
		partition->max_time = described->max_time / MINUTE;
	if (!partition->tres.count)
		partition->tres = add_tres(jobs, nodes, described->nodes_line);
}

void slurm_cluster_add(struct jobs *jobs, const struct slurm_conf *slurm)
{
	struct slurm_nodes nodes = slurm_nodes_of(slurm);
	struct slurm_partitions partitions = slurm_partitions_of(slurm);

	set_size(jobs, &nodes);
	for (size_t i = 0; i < partitions.count; i++)
		add_partition(jobs, &nodes, &partitions.at[i]);
	jobs_find_names(jobs);
}

void slurm_cluster_complete(struct jobs *jobs, const struct site_settings *settings)
{
	struct slurm_conf slurm;

	if (!settings->of[SITE_SLURM_CONF].count)
		return;
	site_conf_set_slurm(&jobs->settings, settings);
	slurm = slurm_conf_of_settings(settings);
	slurm_cluster_add(jobs, &slurm);
	for (size_t i = 0; i < jobs->partition_count; i++) {
		struct jobs_partition *partition = &jobs->partition[i];

		partition->job_factor =
			site_settings_priority(settings, jobs_text(jobs, partition->name),
					       partition->job_factor);
	}
}
