/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes are listed by name, each with the line that describes it. A partition has the sum of
 * its nodes:
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

#include "core/error.h"
#include "core/host_list.h"
#include "core/name_index.h"
#include "format/accounting/tres_text.h"
#include "format/site/site_conf.h"
#include "format/slurm_time.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MINUTE 60
#define MOST_SETS 8	/* node sets within node sets */

struct nodes {
	const struct site_lines *lines;
	struct host_list all;		/* names in the order of the lines */
	size_t *line;			/* of each name */
	struct name_index by_name;
	bool *is_counted;		/* in the sum that is made */
};

/* ---- lines ----------------------------------------------------------------------------- */

static bool begins(const struct site_line *line, const char *key)
{
	return !strcasecmp(line->pair->key, key);
}

static bool is_default(const struct site_line *line)
{
	return !strcasecmp(line->pair->value, "DEFAULT");
}

static const struct site_pair *pair_on(const struct site_line *line, const char *key)
{
	for (size_t i = 1; i < line->count; i++)
		if (!strcasecmp(line->pair[i].key, key))
			return &line->pair[i];
	return NULL;
}

/* Returns the pair of a line, else that of the last DEFAULT before it that has one, or NULL. */
static const struct site_pair *find(const struct site_lines *lines, size_t line, const char *key)
{
	const struct site_line *at = &lines->line[line];
	const struct site_pair *pair = pair_on(at, key);

	while (!pair && at-- != lines->line)
		if (begins(at, lines->line[line].pair->key) && is_default(at))
			pair = pair_on(at, key);
	return pair;
}

static int wrong(const struct site_pair *pair, const struct fathom_error *inner,
		 struct fathom_error *error)
{
	if (inner->code == ENOMEM)
		return fathom_error_no_memory(error);
	return fathom_error_set(error, EINVAL, "%s:%zu: %s: %s", pair->place.file,
				pair->place.line, pair->key, inner->text);
}

/* Reads the number of a key; *number keeps its value if the key is not given. */
static int read_number(const struct site_lines *lines, size_t line, const char *key,
		       double *number, struct fathom_error *error)
{
	const struct site_pair *pair = find(lines, line, key);
	struct fathom_error inner;
	char *end;

	if (!pair)
		return 0;
	*number = strtod(pair->value, &end);
	if (strspn(pair->value, "0123456789.") == strlen(pair->value) && !*end)
		return 0;
	fathom_error_set(&inner, EINVAL, "'%.64s' is no number", pair->value);
	return wrong(pair, &inner, error);
}

static struct piece piece_of(const char *text)
{
	return (struct piece){ text, strlen(text) };
}

/* ---- nodes ----------------------------------------------------------------------------- */

/* Adds the name at the end of the list, or drops it if an earlier line has it. */
static int add_node_at(struct nodes *nodes, size_t *kept, size_t at, size_t line,
		       struct fathom_error *error)
{
	char *name = nodes->all.name[at];
	size_t before = name_index_get(&nodes->by_name, piece_of(name));

	if (before != NAME_INDEX_NONE) {
		free(name);
		nodes->line[before] = line;
		return 0;
	}
	nodes->all.name[*kept] = name;
	nodes->line[*kept] = line;
	return name_index_put(&nodes->by_name, piece_of(name), (*kept)++, error);
}

/* Of a node that has several lines, the last counts. */
static int add_nodes(struct nodes *nodes, size_t line, struct fathom_error *error)
{
	const struct site_pair *pair = nodes->lines->line[line].pair;
	size_t kept = nodes->all.count, count;
	struct fathom_error inner;
	size_t *grown;
	int status = 0;

	if (host_list_add_all(&nodes->all, pair->value, &inner))
		return wrong(pair, &inner, error);
	count = nodes->all.count;
	grown = reallocarray(nodes->line, count + 1, sizeof(*grown));
	if (!grown)
		return fathom_error_no_memory(error);
	nodes->line = grown;
	for (size_t i = kept; i < count; i++)
		if (status)
			free(nodes->all.name[i]);
		else
			status = add_node_at(nodes, &kept, i, line, error);
	nodes->all.count = kept;
	return status;
}

static int list_nodes(struct nodes *nodes, struct fathom_error *error)
{
	for (size_t i = 0; i < nodes->lines->count; i++) {
		const struct site_line *line = &nodes->lines->line[i];

		if (begins(line, "NodeName") && !is_default(line) && add_nodes(nodes, i, error))
			return -1;
	}
	nodes->is_counted = calloc(nodes->all.count + 1, sizeof(*nodes->is_counted));
	return nodes->is_counted ? 0 : fathom_error_no_memory(error);
}

static void nodes_clear(struct nodes *nodes)
{
	host_list_clear(&nodes->all);
	name_index_clear(&nodes->by_name);
	free(nodes->line);
	free(nodes->is_counted);
}

/* Reads CPUs, by their older name Procs if they have that; else they are those of all sockets. */
static int read_cpus(const struct site_lines *lines, size_t line, double *cpus,
		     struct fathom_error *error)
{
	double boards = 1, sockets = 1, cores = 1, threads = 1;

	if (read_number(lines, line, "Boards", &boards, error) ||
	    read_number(lines, line, "SocketsPerBoard", &sockets, error))
		return -1;
	sockets *= boards;
	if (read_number(lines, line, "Sockets", &sockets, error) ||
	    read_number(lines, line, "CoresPerSocket", &cores, error) ||
	    read_number(lines, line, "ThreadsPerCore", &threads, error))
		return -1;
	*cpus = sockets * cores * threads;
	return read_number(lines, line, "Procs", cpus, error) ||
	       read_number(lines, line, "CPUs", cpus, error) ? -1 : 0;
}

/* ---- the nodes of a partition ----------------------------------------------------------- */

static int choose_nodes(struct nodes *nodes, const struct site_pair *pair, unsigned depth,
			struct fathom_error *error);

/* Chooses the nodes with a feature; NULL: all. */
static void choose_by_feature(struct nodes *nodes, const char *feature)
{
	for (size_t i = 0; i < nodes->all.count; i++) {
		const struct site_pair *pair = find(nodes->lines, nodes->line[i], "Feature");
		const char *has;

		if (!pair)
			pair = find(nodes->lines, nodes->line[i], "Features");
		for (has = pair ? pair->value : ""; feature && *has; has += *has == ',') {
			size_t length = strcspn(has, ",");

			if (length == strlen(feature) && !strncmp(has, feature, length))
				break;
			has += length;
		}
		nodes->is_counted[i] |= !feature || *has;
	}
}

/* Chooses the nodes of a node set. 1: the name is of none. */
static int choose_set(struct nodes *nodes, const char *name, unsigned depth,
		      struct fathom_error *error)
{
	for (size_t i = 0; i < nodes->lines->count; i++) {
		const struct site_line *line = &nodes->lines->line[i];
		const struct site_pair *feature = pair_on(line, "Feature");
		const struct site_pair *named = pair_on(line, "Nodes");

		if (!begins(line, "NodeSet") || strcmp(line->pair->value, name))
			continue;
		if (feature)
			choose_by_feature(nodes, feature->value);
		return named && depth < MOST_SETS
			       ? choose_nodes(nodes, named, depth + 1, error) : 0;
	}
	return 1;
}

static int choose_named(struct nodes *nodes, const char *name, unsigned depth,
			struct fathom_error *error)
{
	size_t node = name_index_get(&nodes->by_name, piece_of(name));

	if (node == NAME_INDEX_NONE)
		return choose_set(nodes, name, depth, error) < 0 ? -1 : 0;
	nodes->is_counted[node] = true;
	return 0;
}

/* Chooses those that the value of a key Nodes names. Names of no node are left out, as nodes of a
 * cloud may be. */
static int choose_nodes(struct nodes *nodes, const struct site_pair *pair, unsigned depth,
			struct fathom_error *error)
{
	struct host_list names = { NULL };
	struct fathom_error inner;
	int status = 0;

	if (!strcasecmp(pair->value, "ALL")) {
		choose_by_feature(nodes, NULL);
		return 0;
	}
	if (host_list_add_all(&names, pair->value, &inner))
		status = wrong(pair, &inner, error);
	for (size_t i = 0; !status && i < names.count; i++)
		status = choose_named(nodes, names.name[i], depth, error);
	host_list_clear(&names);
	return status;
}

/* ---- sums ------------------------------------------------------------------------------- */

static int add_count(struct jobs *jobs, const char *name, double count,
		     struct tres_amounts *amounts, struct fathom_error *error)
{
	struct tres_amount *amount;
	size_t tres;

	if (!(count > 0) || count >= 0x1p63)
		return 0;
	if (jobs_find_tres(jobs, name, &tres, error))
		return -1;
	for (size_t i = amounts->first; i < jobs->amount_count; i++)
		if (jobs->amount[i].tres == tres) {
			jobs->amount[i].count += (uint64_t)count;
			return 0;
		}
	if (JOBS_MAKE_ROOM(jobs, amount, 1, error))
		return -1;
	amount = &jobs->amount[jobs->amount_count++];
	*amount = (struct tres_amount){ tres, (uint64_t)count };
	return 0;
}

/* Adds a word of Gres, NAME[:TYPE][:no_consume][:COUNT], which may end with "(S:0-1)". */
static int add_gres_word(struct jobs *jobs, const char *word, size_t length,
			 struct tres_amounts *amounts, struct fathom_error *error)
{
	char name[JOB_TRES_NAME], *colon;
	double count = 1;

	if (memchr(word, '(', length))
		length = (size_t)((const char *)memchr(word, '(', length) - word);
	snprintf(name, sizeof(name), "gres/%.*s", (int)length, word);
	colon = strrchr(name, ':');
	if (colon && !tres_count_parse(piece_of(colon + 1), &count))
		*colon = '\0';
	else
		count = 1;
	colon = strchr(name, ':');
	if (colon && add_count(jobs, name, count, amounts, error))
		return -1;
	if (colon)
		*colon = '\0';
	return add_count(jobs, name, count, amounts, error);
}

static int add_gres(struct jobs *jobs, const char *text, struct tres_amounts *amounts,
		    struct fathom_error *error)
{
	while (*text) {
		size_t length = strcspn(text, ",(");

		length += text[length] == '(' ? strcspn(text + length, ")") : 0;
		length += strcspn(text + length, ",");
		if (length && add_gres_word(jobs, text, length, amounts, error))
			return -1;
		text += length + (text[length] == ',');
	}
	return 0;
}

static int add_node(struct jobs *jobs, const struct nodes *nodes, size_t node,
		    struct tres_amounts *amounts, struct fathom_error *error)
{
	const struct site_lines *lines = nodes->lines;
	size_t line = nodes->line[node];
	const struct site_pair *gres = find(lines, line, "Gres");
	double cpus, memory = 1;

	if (read_cpus(lines, line, &cpus, error) ||
	    read_number(lines, line, "RealMemory", &memory, error) ||
	    add_count(jobs, "cpu", cpus, amounts, error) ||
	    add_count(jobs, "mem", memory, amounts, error) ||
	    add_count(jobs, "node", 1, amounts, error))
		return -1;
	return gres ? add_gres(jobs, gres->value, amounts, error) : 0;
}

/* Sums up the nodes of the partition on a line. */
static int add_tres(struct jobs *jobs, struct nodes *nodes, size_t line,
		    struct tres_amounts *amounts, struct fathom_error *error)
{
	const struct site_pair *named = find(nodes->lines, line, "Nodes");

	memset(nodes->is_counted, 0, nodes->all.count * sizeof(*nodes->is_counted));
	if (named && choose_nodes(nodes, named, 0, error))
		return -1;
	amounts->first = jobs->amount_count;
	for (size_t i = 0; i < nodes->all.count; i++)
		if (nodes->is_counted[i] && add_node(jobs, nodes, i, amounts, error))
			return -1;
	amounts->count = jobs->amount_count - amounts->first;
	return 0;
}

static int size_cluster(struct jobs *jobs, const struct nodes *nodes, struct fathom_error *error)
{
	double sum = 0, cpus;

	for (size_t i = 0; i < nodes->all.count; i++) {
		if (read_cpus(nodes->lines, nodes->line[i], &cpus, error))
			return -1;
		sum += cpus;
	}
	if (!(jobs->nodes > 0))
		jobs->nodes = (double)nodes->all.count;
	if (!(jobs->cpus > 0))
		jobs->cpus = sum;
	return 0;
}

/* ---- partitions ------------------------------------------------------------------------- */

/* Returns the partition of this name, a new one if the jobs have none. NULL: ENOMEM. */
static struct jobs_partition *partition_named(struct jobs *jobs, const char *name,
					      struct fathom_error *error)
{
	struct jobs_partition *partition;

	for (size_t i = 0; i < jobs->partition_count; i++)
		if (!strcmp(jobs_text(jobs, jobs->partition[i].name), name))
			return &jobs->partition[i];
	if (JOBS_MAKE_ROOM(jobs, partition, 1, error))
		return NULL;
	partition = &jobs->partition[jobs->partition_count];
	/* the default of PriorityJobFactor */
	*partition = (struct jobs_partition){ .job_factor = 1 };
	if (jobs_add_text(jobs, name, &partition->name, error))
		return NULL;
	jobs->partition_count++;
	return partition;
}

static int set_max_time(struct jobs_partition *partition, const struct site_pair *pair,
			struct fathom_error *error)
{
	struct fathom_error inner;
	double seconds;

	if (slurm_time_parse(pair->value, &seconds, &inner))
		return wrong(pair, &inner, error);
	partition->max_time = seconds < UINT32_MAX - MINUTE ? seconds / MINUTE : 0;
	return 0;
}

static int add_partition(struct jobs *jobs, struct nodes *nodes, size_t line, const char *name,
			 struct fathom_error *error)
{
	const struct site_lines *lines = nodes->lines;
	const struct site_pair *max_time = find(lines, line, "MaxTime");
	struct jobs_partition *partition = partition_named(jobs, name, error);

	if (!partition)
		return -1;
	if (read_number(lines, line, "PriorityJobFactor", &partition->job_factor, error))
		return -1;
	if (max_time && set_max_time(partition, max_time, error))
		return -1;
	return partition->tres.count ? 0 : add_tres(jobs, nodes, line, &partition->tres, error);
}

/* Adds the partitions of a line, which may name several. */
static int add_line(struct jobs *jobs, struct nodes *nodes, size_t line,
		    struct fathom_error *error)
{
	const struct site_pair *pair = nodes->lines->line[line].pair;
	struct host_list names = { NULL };
	struct fathom_error inner;
	int status = 0;

	if (host_list_add_all(&names, pair->value, &inner))
		status = wrong(pair, &inner, error);
	for (size_t i = 0; i < names.count && !status; i++)
		status = add_partition(jobs, nodes, line, names.name[i], error);
	host_list_clear(&names);
	return status;
}

static int add_partitions(struct jobs *jobs, const struct site_lines *lines,
			  struct fathom_error *error)
{
	struct nodes nodes = { .lines = lines };
	int status = list_nodes(&nodes, error);

	if (!status)
		status = size_cluster(jobs, &nodes, error);
	for (size_t i = 0; !status && i < lines->count; i++)
		if (begins(&lines->line[i], "PartitionName") && !is_default(&lines->line[i]))
			status = add_line(jobs, &nodes, i, error);
	nodes_clear(&nodes);
	return status ? status : jobs_find_names(jobs, error);
}

int slurm_cluster_complete(struct jobs *jobs, const struct site_settings *settings,
		       struct fathom_error *error)
{
	const struct site_lines *lines = &settings->of[SITE_SLURM_CONF];

	if (!lines->count)
		return 0;
	return site_conf_set_slurm(&jobs->settings, settings, error) ||
	       add_partitions(jobs, lines, error) ? -1 : 0;
}
