/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nodes of partitions. A partition names nodes, node sets, or ALL; a node set has the nodes
 * with a feature, those that it names, or both:
 *
 *	NodeName=n[1-2] Feature=gpu
 *	NodeSet=fast Feature=gpu Nodes=n7
 *	PartitionName=a Nodes=fast,n9		n1 n2 n7 n9
 */
#include "format/slurm/slurm_nodes.h"

#include <string.h>
#include <strings.h>

bool slurm_line_is_default(const struct slurm_pair *first)
{
	return !strcasecmp(first->value, "DEFAULT");
}

/* A key of DEFAULT counts until it is given again. */
const struct slurm_pair *slurm_line_pair(const struct slurm_conf *slurm, size_t line,
				       const char *key)
{
	const struct slurm_pair *found = NULL, *pair;
	size_t at = SLURM_CONF_NONE;

	while ((at = slurm_conf_next_line(slurm, slurm->pair[line].key, at)) != SLURM_CONF_NONE &&
	       at <= line) {
		if (at != line && !slurm_line_is_default(&slurm->pair[at]))
			continue;
		pair = slurm_conf_on_line(slurm, at, key);
		found = pair ? pair : found;
	}
	return found;
}

static bool has_word(const char *list, const char *word)
{
	size_t length;

	for (; *list; list += length + (list[length] != '\0')) {
		length = strcspn(list, ", \t");
		if (length == strlen(word) && !strncasecmp(list, word, length))
			return true;
	}
	return false;
}

/* Returns whether the nodes of a line have a feature: 1 or 0; -1: it is not known. */
static int has_feature(const struct slurm_conf *slurm, size_t line, const char *feature)
{
	const struct slurm_pair *pair = slurm_line_pair(slurm, line, "Feature");

	if (!pair)
		pair = slurm_line_pair(slurm, line, "Features");
	if (pair ? pair->is_unknown : slurm->pair[line].is_open)
		return -1;
	return pair && has_word(pair->value, feature);
}

/* Adds the nodes of slurm.conf that have a feature, NULL: all. -1: they are not known. */
static int add_nodes(const struct slurm_conf *slurm, const char *feature, struct host_list *nodes)
{
	size_t at = SLURM_CONF_NONE;

	while ((at = slurm_conf_next_line(slurm, "NodeName", at)) != SLURM_CONF_NONE) {
		int belongs = feature ? has_feature(slurm, at, feature) : 1;

		if (slurm_line_is_default(&slurm->pair[at]) || !belongs)
			continue;
		if (belongs < 0 || slurm->pair[at].is_unknown ||
		    host_list_add_all(nodes, slurm->pair[at].value, NULL))
			return -1;
	}
	return 0;
}

int slurm_list_all_nodes(const struct slurm_conf *slurm, struct host_list *nodes)
{
	return add_nodes(slurm, NULL, nodes);
}

/* Adds the nodes that the key Nodes has. */
static int add_named(const struct slurm_conf *slurm, const struct slurm_pair *pair,
		     struct host_list *nodes)
{
	if (pair->is_unknown)
		return -1;
	return strcasecmp(pair->value, "ALL") ? host_list_add_all(nodes, pair->value, NULL)
					      : add_nodes(slurm, NULL, nodes);
}

/* Adds the nodes of the node set on a line. */
static int add_set(const struct slurm_conf *slurm, size_t line, struct host_list *nodes)
{
	const struct slurm_pair *feature = slurm_conf_on_line(slurm, line, "Feature");
	const struct slurm_pair *named = slurm_conf_on_line(slurm, line, "Nodes");

	if (slurm->pair[line].is_open || (feature && feature->is_unknown) ||
	    (feature && add_nodes(slurm, feature->value, nodes)))
		return -1;
	return named ? add_named(slurm, named, nodes) : 0;
}

/* Replaces the names of node sets by their nodes, in the order of slurm.conf. */
static int replace_sets(const struct slurm_conf *slurm, struct host_list *nodes)
{
	size_t at = SLURM_CONF_NONE;
	int status = 0;

	while (!status && (at = slurm_conf_next_line(slurm, "NodeSet", at)) != SLURM_CONF_NONE) {
		char *name[] = { slurm->pair[at].value };
		struct host_list set = { .name = name, .count = 1 };

		if (slurm->pair[at].is_unknown)
			return -1;
		if (!host_list_has(nodes, name[0]))
			continue;
		host_list_remove(nodes, &set);
		status = add_set(slurm, at, nodes);
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
