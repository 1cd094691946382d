/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of slurm.conf that describe nodes and partitions: their keys, and which nodes they name. */
#pragma once

#include "conf/host_list.h"
#include "core/name_index.h"
#include "format/slurm_conf.h"

/* Returns the next line of this key after line `at` that is not of DEFAULT, as
 * slurm_conf_next_line() does. */
size_t slurm_next_described(const struct slurm_conf *slurm, const char *key, size_t at);
/* Returns a key of a line such as PartitionName=..., from it or else from the DEFAULT before it;
 * line: the index of its first pair; NULL: not given. */
const struct slurm_pair *slurm_line_pair(const struct slurm_conf *slurm, size_t line,
					const char *key);
/* Fails, see wrong_at(), with a value and its place; right: what it must be. */
_Noreturn void slurm_pair_wrong(const struct slurm_pair *pair, const char *right);
/* Returns the names that a value stands for; the caller clears the list. */
struct host_list slurm_pair_names(const struct slurm_pair *pair);
/* Reads a whole number of a line, or of the DEFAULT before it; *number stays if the key is not
 * given. UNLIMITED: 0. */
void slurm_line_number(const struct slurm_conf *slurm, size_t line, const char *key,
		       double *number);

/* Adds all nodes of slurm.conf. -1: they are not known. */
int slurm_list_all_nodes(const struct slurm_conf *slurm, struct host_list *nodes);
/* Lists the nodes of a partition, sorted, with those of its node sets (slurm.conf, NodeSet).
 * partition: the index of its line. -1: they are not known. The caller clears the list. */
int slurm_list_nodes(const struct slurm_conf *slurm, size_t partition, struct host_list *nodes);

struct slurm_node {
	const char *name;
	size_t line;		/* that describes it: the index of the first pair */
	double cpus;		/* 1 or more */
};

/* The nodes of slurm.conf, in the order of their lines. */
struct slurm_nodes {
	const struct slurm_conf *slurm;
	struct slurm_node *node;
	size_t count;
	struct name_index *by_name;
};

/* Reads all nodes; slurm.conf must live as long. As in slurmctld, a node has one line. */
struct slurm_nodes slurm_nodes_of(const struct slurm_conf *slurm);
/* Lists the nodes of a partition by their indices, in the order of their names. As in slurmctld,
 * each name must be of a node or node set; but where slurm.conf has no nodes, partitions have none.
 * Free the list with need_free(). */
size_t *slurm_nodes_of_partition(const struct slurm_nodes *nodes, size_t partition, size_t *count);
