/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes slurm.conf has, and which of them a partition has. */
#ifndef LINT_LINT_NODES_H
#define LINT_LINT_NODES_H

#include "core/host_list.h"
#include "lint/lint_context.h"

/* Adds all nodes of slurm.conf. -1: they are not known. */
int lint_list_all_nodes(const struct slurm_conf *slurm, struct host_list *nodes);
/* Lists the nodes of a partition, sorted, with those of its node sets (slurm.conf, NodeSet).
 * partition: the index of its line. -1: they are not known. The caller clears the list. */
int lint_list_nodes(const struct lint *lint, size_t partition, struct host_list *nodes);

#endif
