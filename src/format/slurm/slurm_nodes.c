/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the CPUs of nodes. The key CPUs (formerly Procs) gives their number, else it is that of
 * all sockets:
 *
 *	NodeName=n1 Sockets=2 CoresPerSocket=8			16
 *	NodeName=n2 Boards=2 SocketsPerBoard=2 ThreadsPerCore=2	8
 *
 * Lists the nodes of partitions. A partition names nodes, node sets, or ALL; a node set has the
 * nodes with a feature, those that it names, or both:
 *
 *	NodeName=n[1-2] Feature=gpu
 *	NodeSet=fast Feature=gpu Nodes=n7
 *	PartitionName=a Nodes=fast,n9		n1 n2 n7 n9
 *
 * Source: Slurm, slurm.conf(5), "NODE CONFIGURATION", "NODESET CONFIGURATION", "PARTITION
 * CONFIGURATION".
 */
#include "format/slurm/slurm_nodes.h"

#include "document/text.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

/* ---- lines ------------------------------------------------------------------------------- */

/* Returns whether a line begins with NAME=DEFAULT, so that its keys are the defaults of the lines
 * after it. first: its first pair. */
static bool is_default_line(const struct slurm_pair *first)
{
	return !strcasecmp(first->value, "DEFAULT");
}

size_t slurm_next_described(const struct slurm_conf *slurm, const char *key, size_t line)
{
	do {
		line = slurm_conf_next_line(slurm, key, line);
	} while (line != SLURM_CONF_NONE && is_default_line(&slurm->pair[line]));
	return line;
}

const struct slurm_pair *slurm_line_pair(const struct slurm_conf *slurm, size_t line,
					 const char *key)
{
	const struct slurm_pair *found = slurm_conf_on_line(slurm, line, key);

	for (size_t at = line; !found && (at = slurm->pair[at].default_line) != SLURM_CONF_NONE;)
		if (!strcasecmp(slurm->pair[at].key, slurm->pair[line].key))
			found = slurm_conf_on_line(slurm, at, key);
	return found;
}

void slurm_pair_wrong(const struct slurm_pair *pair, const char *right)
{
	wrong_at(NULL, 0, "%s:%u: %s is '%.64s', %s", pair->file, pair->line, pair->key,
		 pair->value, right);
}

struct host_list slurm_pair_names(const struct slurm_pair *pair)
{
	struct host_list names = { NULL };
	struct fathom_error error;

	if (host_list_add_all(&names, pair->value, &error)) {
		need_done(error.code == ENOMEM);
		slurm_pair_wrong(pair, error.text);
	}
	return names;
}

void slurm_line_number(const struct slurm_conf *slurm, size_t line, const char *key, double *number)
{
	const struct slurm_pair *pair = slurm_line_pair(slurm, line, key);
	uint64_t value = 0;

	if (!pair)
		return;
	if (strcasecmp(pair->value, "UNLIMITED") && strcasecmp(pair->value, "INFINITE") &&
	    parse_whole(piece_of(pair->value), UINT32_MAX, &value))
		slurm_pair_wrong(pair, "must be a whole number");
	*number = (double)value;
}

/* ---- names of nodes ------------------------------------------------------------------------ */

/* Returns whether a list with commas or blanks has the word. */
static bool has_word(const char *list, const char *word)
{
	size_t length;

	for (; *list; list += length + (list[length] != '\0')) {
		length = strcspn(list, ", \t");
		if (length == strlen(word) && !strncmp(list, word, length))
			return true;
	}
	return false;
}

/* Returns 1 if the nodes of a line have a feature, 0 if not; -1: it is not known because of a mark
 * of a template. On the line either spelling goes before those of DEFAULT lines, as in
 * slurmctld. */
static int has_feature(const struct slurm_conf *slurm, size_t line, const char *feature)
{
	const struct slurm_pair *pair = slurm_conf_on_line(slurm, line, "Feature");

	if (!pair)
		pair = slurm_conf_on_line(slurm, line, "Features");
	if (!pair && slurm->pair[line].is_open)
		return -1;
	if (!pair)
		pair = slurm_line_pair(slurm, line, "Feature");
	if (!pair)
		pair = slurm_line_pair(slurm, line, "Features");
	if (pair && pair->is_unknown)
		return -1;
	return pair && has_word(pair->value, feature);
}

/* Adds the nodes of slurm.conf that have a feature; feature: NULL: all nodes. -1: they are not
 * known. */
static int add_nodes(const struct slurm_conf *slurm, const char *feature, struct host_list *nodes)
{
	size_t line = SLURM_CONF_NONE;

	while ((line = slurm_next_described(slurm, "NodeName", line)) != SLURM_CONF_NONE) {
		int belongs = feature ? has_feature(slurm, line, feature) : 1;

		if (!belongs)
			continue;
		if (belongs < 0 || slurm->pair[line].is_unknown ||
		    host_list_add_all(nodes, slurm->pair[line].value, NULL))
			return -1;
	}
	return 0;
}

int slurm_list_all_nodes(const struct slurm_conf *slurm, struct host_list *nodes)
{
	return add_nodes(slurm, NULL, nodes);
}

/* Adds the names of a value of Nodes, or all nodes for ALL. -1: they are not known. */
static int add_named(const struct slurm_conf *slurm, const struct slurm_pair *pair,
		     struct host_list *nodes)
{
	if (pair->is_unknown)
		return -1;
	return strcasecmp(pair->value, "ALL") ? host_list_add_all(nodes, pair->value, NULL)
					      : add_nodes(slurm, NULL, nodes);
}

/* Adds the nodes of the node set on a line. -1: they are not known. */
static int add_set(const struct slurm_conf *slurm, size_t line, struct host_list *nodes)
{
	const struct slurm_pair *feature = slurm_conf_on_line(slurm, line, "Feature");
	const struct slurm_pair *named = slurm_conf_on_line(slurm, line, "Nodes");

	if (slurm->pair[line].is_open || (feature && feature->is_unknown) ||
	    (feature && add_nodes(slurm, feature->value, nodes)))
		return -1;
	return named ? add_named(slurm, named, nodes) : 0;
}

/* Replaces the names of node sets in a sorted list by their nodes, one set after another in the
 * order of slurm.conf, so that a set may name a later one. -1: they are not known. */
static int replace_sets(const struct slurm_conf *slurm, struct host_list *nodes)
{
	size_t line = SLURM_CONF_NONE;
	int status = 0;

	while (!status &&
	       (line = slurm_conf_next_line(slurm, "NodeSet", line)) != SLURM_CONF_NONE) {
		char *name[] = { slurm->pair[line].value };
		struct host_list set = { .name = name, .count = 1 };

		if (slurm->pair[line].is_unknown)
			return -1;
		if (!host_list_has(nodes, name[0]))
			continue;
		host_list_remove(nodes, &set);
		status = add_set(slurm, line, nodes);
		host_list_sort(nodes);
	}
	return status;
}

int slurm_list_nodes(const struct slurm_conf *slurm, size_t partition, struct host_list *nodes)
{
	const struct slurm_pair *pair = slurm_line_pair(slurm, partition, "Nodes");

	*nodes = (struct host_list){ NULL };
	if (!pair || add_named(slurm, pair, nodes))
		return -1;
	host_list_sort(nodes);
	return replace_sets(slurm, nodes);
}

/* ---- nodes --------------------------------------------------------------------------------- */

/* Returns the CPUs of each node of a line. SocketsPerBoard goes before Sockets; without both, each
 * board has one socket. */
static double count_cpus(const struct slurm_conf *slurm, size_t line)
{
	double boards = 1, sockets = -1, per_board = 0, cores = 1, threads = 1;
	double cpus = 0;	/* 0, and -1 for sockets: not given */

	slurm_line_number(slurm, line, "Procs", &cpus);
	slurm_line_number(slurm, line, "CPUs", &cpus);
	slurm_line_number(slurm, line, "Boards", &boards);
	slurm_line_number(slurm, line, "Sockets", &sockets);
	slurm_line_number(slurm, line, "SocketsPerBoard", &per_board);
	slurm_line_number(slurm, line, "CoresPerSocket", &cores);
	slurm_line_number(slurm, line, "ThreadsPerCore", &threads);
	if (per_board > 0)
		sockets = boards * per_board;
	else if (sockets < 0)
		sockets = boards;
	if (!(cpus > 0))
		cpus = sockets * cores * threads;
	if (!(cpus >= 1 && cpus <= UINT32_MAX))
		slurm_pair_wrong(&slurm->pair[line], "and has no CPUs, must have 1 or more");
	return cpus;
}

/* Adds a node. Fails if it has an earlier line. */
static void add_node(struct slurm_nodes *nodes, const char *name, size_t line, double cpus)
{
	const struct slurm_pair *pair = &nodes->slurm->pair[line];

	if (name_index_get(nodes->by_name, piece_of(name)) != NAME_INDEX_NONE)
		wrong_at(NULL, 0, "%s:%u: NodeName: %s has a line already, must have one",
			 pair->file, pair->line, name);
	name = need_text(name);
	need_put(nodes->by_name, piece_of(name), nodes->count);
	NEED_ADD(nodes->node, nodes->count, (struct slurm_node){ name, line, cpus });
}

struct slurm_nodes slurm_nodes_of(const struct slurm_conf *slurm)
{
	struct slurm_nodes nodes = { .slurm = slurm, .by_name = need_index() };
	size_t line = SLURM_CONF_NONE;

	while ((line = slurm_next_described(slurm, "NodeName", line)) != SLURM_CONF_NONE) {
		double cpus = count_cpus(slurm, line);
		struct host_list names = slurm_pair_names(&slurm->pair[line]);

		for (size_t i = 0; i < names.count; i++)
			add_node(&nodes, names.name[i], line, cpus);
		host_list_clear(&names);
	}
	return nodes;
}

size_t *slurm_nodes_of_partition(const struct slurm_nodes *nodes, size_t partition, size_t *count)
{
	const struct slurm_pair *pair = slurm_line_pair(nodes->slurm, partition, "Nodes");
	struct host_list names;
	size_t *list;

	*count = 0;
	if (!pair || !nodes->count)
		return NULL;
	if (slurm_list_nodes(nodes->slurm, partition, &names))
		slurm_pair_wrong(pair, "must be names of nodes, such as n[1-4], node sets or ALL");
	list = need_zeros(names.count, sizeof(*list));
	for (size_t i = 0; i < names.count; i++) {
		list[i] = name_index_get(nodes->by_name, piece_of(names.name[i]));
		if (list[i] == NAME_INDEX_NONE)
			wrong_at(NULL, 0, "%s:%u: Nodes: '%s' is no node of a NodeName or NodeSet "
				 "line", pair->file, pair->line, names.name[i]);
	}
	*count = names.count;
	host_list_clear(&names);
	return list;
}
