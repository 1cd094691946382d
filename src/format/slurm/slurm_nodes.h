/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of slurm.conf that describe nodes and partitions: their keys, and which nodes they name. */
#ifndef FORMAT_SLURM_NODES_H
#define FORMAT_SLURM_NODES_H

#include "core/host_list.h"
#include "format/slurm_conf.h"

/* Returns whether a line, by its first pair, is of NAME=DEFAULT, whose keys count for the lines
 * after it. */
bool slurm_line_is_default(const struct slurm_pair *first);
/* Returns a key of a line such as PartitionName=..., from it or else from the DEFAULT before it;
 * line: the index of its first pair; NULL: not given. */
const struct slurm_pair *slurm_line_pair(const struct slurm_conf *slurm, size_t line,
					const char *key);
/* Adds all nodes of slurm.conf. -1: they are not known. */
int slurm_list_all_nodes(const struct slurm_conf *slurm, struct host_list *nodes);
/* Lists the nodes of a partition, sorted, with those of its node sets (slurm.conf, NodeSet).
 * partition: the index of its line. -1: they are not known. The caller clears the list. */
int slurm_list_nodes(const struct slurm_conf *slurm, size_t partition, struct host_list *nodes);

#endif
