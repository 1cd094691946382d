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

/* Returns whether jobs of the scheme have places, by its policy; see fathom_policy_places_jobs().
 * False for a shadow. */
bool scheme_places_jobs(const struct scheme *scheme);
/* Returns whether the scheme says in which order jobs of a partition start: by places, or first
 * come, first served. False for a shadow. */
bool scheme_orders_jobs(const struct scheme *scheme);

/* A pair: a pending job in one of its partitions; or a job that runs. The pairs of one job stand
 * side by side. */
struct placed_pair {
	uint32_t job;
	uint32_t partition;	/* its number in `partitions`; UINT32_MAX: it is not known */
	uint32_t place;		/* from 1, the first to start; 0: the job has none, or runs */
	uint32_t leaf;		/* key of the leaf at which it counts in the scope's own tree; 0:
				 * none */
	bool can_start;		/* what places_can_start() returned when jobs were placed */
	uint8_t group_fault;	/* an enum group_fault */
};

/* The places of all jobs. The calls below make them and look them up. */
struct places {
	struct shared shared;
	struct settings *settings;	/* by which jobs were placed */
	struct fathom_node_index *map;	/* finds nodes by the ids of associations */
	size_t node_count;		/* of the associations' tree */
	struct numbered_names partitions;
	struct placed_pair *pair;	/* pairs of pending jobs, in the order of slurmctld's list;
					 * behind them those of running jobs */
	size_t pair_count, placed_count;	/* all pairs; those that have a place */
	struct id_index first_pair;	/* from the id of a job to the index of its first pair */
	bool *orders;			/* by scheme: what scheme_orders_jobs() returns */
	uint32_t last_found;		/* index of the pair that was found last: the next one is
					 * often near */
	/* The next two are by scheme. */
	struct scope_tree **own_tree;	/* that of the scope; NULL: jobs were placed by the tree of
					 * associations, or no job of the scheme has a place */
	uint32_t **last_place;		/* by node of that tree: the last place of the user's jobs,
					 * 0: none; NULL: no job of the scheme has a place */
};

/* Places are made by the next three calls, in this order. */

/* Returns places with room for pair_count pairs, placed_count of which will have a place. The
 * caller fills all elements of places->pair. NULL: out of memory. */
struct places *places_create(const struct settings *settings,
			     const struct associations *associations, size_t pair_count,
			     size_t placed_count);
/* Notes a place of a user's job. own: the tree of the scheme, or NULL if it is that of
 * associations; node: the user's node in that tree. If out of memory, later jobs of the scheme's
 * users get no place for the time being. */
void places_note_last(struct places *places, size_t scheme, struct scope_tree *own, size_t node,
		      uint32_t place);
/* Ends the making, when all pairs are there. Takes the names of partitions from *partitions and
 * leaves that empty. Returns -1 if out of memory: then it takes nothing. */
int places_complete(struct places *places, struct numbered_names *partitions);

/* How a job came to its factor. */
enum place_kind {
	PLACE_NONE,		/* its policy places no jobs; the factor is unchanged */
	PLACE_OWN,		/* by its own place */
	PLACE_PROVISIONAL	/* the job has come or can start since jobs were placed: by the
				 * last place of its user; if there is none, the factor is
				 * unchanged, that of its user */
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
 * UserShares; GROUP_UNSEEN: not known, as the job has come since jobs were placed. */
enum group_fault places_group_fault(struct places *places, const char *partition,
				    const job_record_t *job);

/* Returns how many tasks could start if there were free CPUs: 1, unless the record is that of a job
 * array, which stands for all tasks that have no record of their own yet; 0: as many of its tasks
 * run as may at once (--array=...%N). */
uint32_t places_tasks(const job_record_t *job);
/* Returns whether the job could start if there were free CPUs: nobody but fathom holds it, it has
 * no dependency, its begin time has come, its array is not at its limit, and no other cluster of a
 * federation runs it. The job has details. */
bool places_can_start(const job_record_t *job, time_t now);
/* Sets *factor by the place of the job: 1 for the first, 1/J for the last of J places. Returns how
 * the job came to its factor. settings: by which the priority is computed; if jobs were placed
 * under other settings, the job has no place. */
enum place_kind places_factor(struct places *places, const struct settings *settings,
			      const struct place_wanted *wanted, double *factor);
