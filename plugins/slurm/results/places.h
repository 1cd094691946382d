/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which LSF would dispatch the pending jobs, as of the last time that they were
 * placed. It never changes, and lives as long as somebody has a reference to it: it is read
 * without a lock. NULL is allowed everywhere: no policy places jobs.
 */
#ifndef SLURM_PLACES_H
#define SLURM_PLACES_H

#include "base/compat.h"
#include "records/associations.h"
#include "results/placed_partitions.h"
#include "results/scope_tree.h"

struct places;

/* Of a job in one of its partitions; or of a job that runs. */
struct placed_pair {
	uint32_t partition;
	uint32_t place;		/* 0: it runs */
	uint32_t leaf;		/* key of the leaf at which it counts; 0: none */
	uint32_t next;		/* of the same job; set by places_add() */
	bool can_start;
};

/* The next ones make places. count, run_count: of pairs and of runs that are to be added. NULL, -1:
 * out of memory. */
struct places *places_create(const struct settings *settings,
			     const struct associations *associations, size_t count,
			     size_t run_count);
/* Says that jobs of the scheme have places. own: its own tree, or NULL. */
int places_add_scheme(struct places *places, size_t scheme, struct scope_tree *own);
int places_add(struct places *places, uint32_t job, struct placed_pair pair);
/* Notes a place of a user of the scheme, who has this node in its tree. */
void places_note_last(struct places *places, size_t scheme, size_t node, uint32_t place);
/* Takes a sorted list. */
void places_take_partitions(struct places *places, struct placed_partition *partition,
			    size_t count);

/* For these, `places` is not NULL: the number of jobs that have places, once for each partition. */
size_t places_count(const struct places *places);
const struct settings *places_settings(const struct places *places);

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
struct places *places_reference(struct places *places);	/* in any thread */
void places_release(struct places *places);
/* Asks for the memory that places_factor() reads first. */
void places_prefetch(const struct places *places, uint32_t job);

/* Sets *factor by the place of the job: 1 for the first, 1/J for the last of J. settings: those
 * that the priority is computed by. */
enum place_kind places_factor(const struct places *places, const struct settings *settings,
			      const struct place_wanted *wanted, double *factor);

#endif
