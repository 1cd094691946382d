/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of all partitions, as copies. */
#ifndef SLURM_PARTITION_NAMES_H
#define SLURM_PARTITION_NAMES_H

#include <stddef.h>

struct partition_names {
	char **name;
	size_t count;
};

/* Reads the names; the caller clears them. Takes part read; the caller holds no lock of slurmctld's
 * or assoc_mgr's. -1: out of memory, there are none. */
int partition_names_read(struct partition_names *names);
void partition_names_clear(struct partition_names *names);

#endif
