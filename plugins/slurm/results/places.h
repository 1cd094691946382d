/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which LSF would dispatch the pending jobs, as of the last time that they were
 * placed. Places never change, and live as long as somebody has a reference to them, so they are
 * read without a lock. Only which pair was found last is noted, by an atomic access. All calls that
 * look something up take NULL for places: no policy places jobs.
 */
#pragma once

#include "base/compat.h"
#include "base/shared.h"
#include "core/id_index.h"
#include "core/numbered_names.h"
#include "records/associations.h"
#include "results/scope_tree.h"

/* Returns whether the scheme's policy places jobs. */
bool scheme_places_jobs(const struct scheme *scheme);
/* Returns whether it says in which order jobs of a partition start: by places, or first come, first
 * served. */
bool scheme_orders_jobs(const struct scheme *scheme);

/* A pair: a pending job in one of its partitions; or a job that runs. The pairs of one job stand
 * side by side. */
struct placed_pair {
	uint32_t job;
	uint32_t partition;	/* its number in `partitions`; UINT32_MAX: it is not known */
	uint32_t place;		/* from 1, the first to start; 0: the job has none, or runs */
	uint32_t leaf;		/* key of the leaf at which it counts; 0: none */
	bool can_start;
	uint8_t group_fault;	/* an enum group_fault */
};

struct places {
	struct shared shared;
	struct settings *settings;
	struct fathom_node_index *map;	/* of the associations */
	size_t node_count;
	struct numbered_names partitions;
	struct placed_pair *pair;	/* pairs of pending jobs, in list order; behind them those
					 * of running jobs */
	size_t pair_count, count;	/* all pairs; those that have a place */
	struct id_index of_job;		/* index of the first pair of a job, by its id */
	bool *orders;			/* by scheme: what scheme_orders_jobs() returns */
	uint32_t last_found;		/* index of the pair that was found last: the next one is
					 * often near */
	/* The next two are by scheme. */
	struct scope_tree **own;	/* its own tree; NULL: it has the tree of associations */
	uint32_t **last_place;		/* by node of the tree: the last place of the user's jobs;
					 * 0: none. NULL: no job of the scheme has a place */
};

/* The first three calls make places. This one returns places with room for `pairs` pairs, `count`
 * of which have a place; NULL: out of memory. The caller fills places->pair, in the order of
 * slurmctld's list. */
struct places *places_create(const struct settings *settings,
			     const struct associations *associations, size_t pairs, size_t count);
/* Notes a place of a user's job. node: the user's in the tree of the scheme; own: that tree, or
 * NULL if it is that of associations. Returns -1 if out of memory. */
int places_note_last(struct places *places, size_t scheme, struct scope_tree *own, size_t node,
		     uint32_t place);
/* Ends the making, when all pairs are there. Takes the names of partitions from *partitions and
 * leaves that empty. Returns -1 if out of memory: then it takes nothing. */
int places_complete(struct places *places, struct numbered_names *partitions);

/* How a job came to its factor. */
enum place_kind {
	PLACE_NONE,		/* its policy places no jobs; the factor is unchanged */
	PLACE_OWN,		/* by its own place */
	PLACE_PROVISIONAL	/* the job came later, or only now can start: by its user's last
				 * place, or else by its user's factor, which is unchanged */
};

/* A pending job in one of its partitions. */
struct place_wanted {
	const job_record_t *job;	/* its record has details */
	const char *partition;		/* NULL: none */
	size_t scheme;			/* by which jobs of the partition go */
	bool is_pooled;			/* see partition_is_pooled() */
	time_t now;
};

/* Returns the key of the leaf at which a job was placed in a partition, or at which it ran when
 * jobs were placed; 0: not known, or the partition's scope has no tree of its own. */
uint32_t places_leaf(struct places *places, const char *partition, uint32_t job);

/* Returns what is wrong with the group that the job names, in a partition whose scope has
 * UserShares. */
enum group_fault places_group_fault(struct places *places, const char *partition,
				    const job_record_t *job);

/* Returns whether the job could start if there were free CPUs: nobody but fathom holds it, it has
 * no dependency, and its begin time has come. The job has details. */
bool places_can_start(const job_record_t *job, time_t now);
/* Sets *factor by the place of the job: 1 for the first, 1/J for the last of J places. Returns how
 * the job came to it. settings: those that the priority is computed by; under other settings than
 * those of the places, there is no place. */
enum place_kind places_factor(struct places *places, const struct settings *settings,
			      const struct place_wanted *wanted, double *factor);
