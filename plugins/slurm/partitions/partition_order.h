/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How partitions stand against each other, as of the last pass: in a scope with
 * DispatchOrder=QUEUE by their PriorityJobFactor, in a slot pool by the CPUs
 * that they still deserve. It goes before what users' fair share says.
 */
#ifndef SLURM_PARTITION_ORDER_H
#define SLURM_PARTITION_ORDER_H

#include "base/compat.h"
#include "partitions/pools.h"
#include "settings/settings.h"

/* Higher classes go first; of 0 or 1 class there is no order. */
struct standing {
	size_t class_of, classes;
};

struct standings {
	pthread_mutex_t lock;		/* of what follows; innermost */
	struct settings *settings;	/* that it is of */
	struct standing *of_queue;	/* by settings->queue */
	struct slot_uses uses;		/* of pools; of who updates alone */
};

void standings_create(struct standings *standings);
void standings_destroy(struct standings *standings);
/* Takes part read, and job read in slices if there are pools; the caller holds
 * no lock of slurmctld's. */
void standings_update(struct standings *standings, const struct settings *settings, time_t now);
/* The factor that counts in a partition, of an association's: as it is where the
 * partition has no standing. Takes no lock but its own. */
double standings_factor(struct standings *standings, const struct settings *settings,
			const struct queue *queue, double factor);

#endif
