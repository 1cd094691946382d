/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of slurm.conf that describe nodes and partitions: their keys, and the nodes that they name.
 * A line is told by the index of its first pair in slurm->pair. The functions fail, see wrong_at(),
 * if a value is wrong, unless they return -1. */
#pragma once

#include "conf/host_list.h"
#include "core/name_index.h"
#include "format/slurm_conf.h"

/* Returns the next line that begins with this key, but not with KEY=DEFAULT; SLURM_CONF_NONE after
 * the last. line: the one before it; SLURM_CONF_NONE to start. */
size_t slurm_next_described(const struct slurm_conf *slurm, const char *key, size_t line);
/* Returns the pair of a line with this key; if the line lacks it, that of the last DEFAULT line
 * before it that has the key; NULL: not given. */
const struct slurm_pair *slurm_line_pair(const struct slurm_conf *slurm, size_t line,
					const char *key);
/* Fails, see wrong_at(), with a value and its place; right: what it must be. */
_Noreturn void slurm_pair_wrong(const struct slurm_pair *pair, const char *right);
/* Returns the names that a value such as n[1-4],n7 stands for; the caller clears the list. */
struct host_list slurm_pair_names(const struct slurm_pair *pair);
/* Reads a whole number of a line, found as by slurm_line_pair(); *number is unchanged if the key is
 * not given, and 0 for UNLIMITED or INFINITE. */
void slurm_line_number(const struct slurm_conf *slurm, size_t line, const char *key,
		       double *number);

/* Adds all nodes of slurm.conf to a list. -1: they are not known, as a value has a mark of a
 * template or is wrong. */
int slurm_list_all_nodes(const struct slurm_conf *slurm, struct host_list *nodes);
/* Lists the nodes of a partition, sorted, with those of its node sets (slurm.conf, NodeSet).
 * partition: its line. -1: they are not known, as slurm_list_all_nodes() says, or it has no Nodes.
 * The caller clears the list in any case. */
int slurm_list_nodes(const struct slurm_conf *slurm, size_t partition, struct host_list *nodes);

struct slurm_node {
	const char *name;
	size_t line;		/* that describes it */
	double cpus;		/* 1 or more */
};

/* The nodes of slurm.conf, in the order of their lines. */
struct slurm_nodes {
	const struct slurm_conf *slurm;
	struct slurm_node *node;
	size_t count;
	struct name_index *by_name;	/* gives the index in `node` */
};

/* Returns all nodes, which point into slurm.conf. Fails if a node has two lines, as slurmctld
 * does. */
struct slurm_nodes slurm_nodes_of(const struct slurm_conf *slurm);
/* Returns the nodes of a partition as indices in nodes->node, in the order of their names; the
 * caller calls need_free(). partition: its line. NULL, *count 0: the line has no Nodes, or
 * slurm.conf has no nodes at all. Fails if a name is not that of a node or node set, as slurmctld
 * does. */
size_t *slurm_nodes_of_partition(const struct slurm_nodes *nodes, size_t partition, size_t *count);
