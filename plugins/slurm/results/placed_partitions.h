/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions as they were when jobs were placed, and whose jobs have places. */
#ifndef SLURM_PLACED_PARTITIONS_H
#define SLURM_PLACED_PARTITIONS_H

#include "base/compat.h"
#include "settings/settings.h"

struct placed_partition {
	char *name;
	double priority;	/* PriorityJobFactor */
	size_t scheme;		/* of its scope, by which its jobs go unless they require nodes of
				 * another; 0: in no scope */
	size_t order;		/* in slurm.conf */
	bool is_pooled;		/* it is in a slot pool */
};

void placed_partitions_free(struct placed_partition *partition, size_t count);
void placed_partitions_sort(struct placed_partition *partition, size_t count);
/* Puts the index of a partition in the sorted list into *at. False: it is not there. */
bool placed_partitions_find(const struct placed_partition *partition, size_t count,
			    const char *name, uint32_t *at);

/* Whether the scheme's policy places jobs; whether it says in which order jobs of a queue start. */
bool scheme_places_jobs(const struct scheme *scheme);
bool scheme_orders_jobs(const struct scheme *scheme);
/* Whether jobs of the partition have places: in a slot pool under every policy. scheme: by which
 * the jobs go. */
bool placed_partition_has_places(const struct placed_partition *partition,
				 const struct settings *settings, size_t scheme);

#endif
