/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes and partitions of the running cluster, as lines of slurm.conf. */
#pragma once

#include <slurm/slurm.h>

/* Returns the lines. Each node is named by itself, without ranges. A node that starts no jobs has
 * State=DOWN, whatever keeps it. */
char *live_machine_text(const node_info_msg_t *nodes, const partition_info_msg_t *partitions);
