/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which LSF would dispatch the pending jobs, as of the last time that they were
 * placed. It never changes, and lives as long as somebody has a reference to it: it is read
 * without a lock. NULL is allowed everywhere: no policy places jobs.
 */
#ifndef SLURM_PLACES_H
#define SLURM_PLACES_H

#include "base/compat.h"
#include "settings/settings.h"

struct places;

/* How a job came to its factor. */
enum place_kind {
	PLACE_NONE,		/* its policy places no jobs; the factor is unchanged */
	PLACE_OWN,		/* by its own place */
	PLACE_PROVISIONAL	/* it came later, or can start now: by its user's last place, or by
				 * its user's factor, which is unchanged */
};

/* A job in one of its partitions. */
struct place_wanted {
	const char *partition;	/* NULL: none */
	size_t scheme;		/* of the partition */
	uint32_t job, association;
	bool can_start;
};

/* Returns the key of the leaf at which the job was placed last, in a partition whose scope has a
 * tree of its own, or at which it ran then; 0: not known. */
uint32_t places_leaf(const struct places *places, const char *partition, uint32_t job);
void places_release(struct places *places);
/* Asks for the memory that places_factor() reads first. */
void places_prefetch(const struct places *places, uint32_t job);

/* Sets *factor by the place of the job: 1 for the first, 1/J for the last of J. settings: those
 * that the priority is computed by. */
enum place_kind places_factor(const struct places *places, const struct settings *settings,
			      const struct place_wanted *wanted, double *factor);

#endif
