/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which LSF would dispatch the pending jobs, as of the last time that they were
 * placed. Places never change, and live as long as somebody has a reference to them: they are read
 * without a lock. Only the job that was found last is noted, by an atomic access. NULL is allowed
 * everywhere: no policy places jobs.
 */
#pragma once

#include "base/compat.h"
#include "base/shared.h"
#include "core/id_index.h"
#include "core/numbered_names.h"
#include "records/associations.h"
#include "results/scope_tree.h"

/* Whether the scheme's policy places jobs; whether it says in which order jobs of a queue start. */
bool scheme_places_jobs(const struct scheme *scheme);
bool scheme_orders_jobs(const struct scheme *scheme);

/* A job in one of its partitions; or a job that runs. Those of one job stand side by side. */
struct placed_pair {
	uint32_t job;
	uint32_t partition;	/* UINT32_MAX: not known */
	uint32_t place;		/* 0: it has none, or it runs */
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
	struct placed_pair *pair;	/* in list order; behind them, runs at leaves */
	size_t pair_count, count;	/* all of them; those that have a place, each job once for
					 * each partition */
	struct id_index of_job;		/* the first pair of each job */
	bool *orders;			/* by scheme: of scheme_orders_jobs() */
	uint32_t last_found;		/* pair; the next one that is looked for is often near */
	/* by scheme */
	struct scope_tree **own;	/* NULL: it has the tree of associations */
	uint32_t **last_place;		/* by node of the tree: of a user's jobs, 0: none; NULL */
};

/* The next ones make places. pairs: how many there are; count: how many of them have a place. The
 * caller fills places->pair, in the order of slurmctld's list. NULL, -1: out of memory. */
struct places *places_create(const struct settings *settings,
			     const struct associations *associations, size_t pairs, size_t count);
/* Notes a place of a user of the scheme, who has this node in its tree. own: that tree, or NULL: it
 * is that of associations. */
int places_note_last(struct places *places, size_t scheme, struct scope_tree *own, size_t node,
		     uint32_t place);
/* Ends the making, when all pairs are there. Takes the names of partitions; -1: it does not. */
int places_complete(struct places *places, struct numbered_names *partitions);

/* How a job came to its factor. */
enum place_kind {
	PLACE_NONE,		/* its policy places no jobs; the factor is unchanged */
	PLACE_OWN,		/* by its own place */
	PLACE_PROVISIONAL	/* it came later, or can start now: by its user's last place, or by
				 * its user's factor, which is unchanged */
};

/* A pending job in one of its partitions. */
struct place_wanted {
	const job_record_t *job;	/* it has details */
	const char *partition;		/* NULL: none */
	size_t scheme;			/* of the partition */
	bool is_pooled;			/* see partition_is_pooled() */
	time_t now;
};

/* Returns the key of the leaf at which the job was placed last, in a partition whose scope has a
 * tree of its own, or at which it ran then; 0: not known. */
uint32_t places_leaf(struct places *places, const char *partition, uint32_t job);

/* Returns what is wrong with the group that the job names, in a partition whose scope has
 * UserShares. */
enum group_fault places_group_fault(struct places *places, const char *partition,
				    const job_record_t *job);

/* Whether the job could be started, if there were free CPUs: nobody but fathom holds it, it has no
 * dependency, and its begin time is reached. */
bool places_can_start(const job_record_t *job, time_t now);
/* Sets *factor by the place of the job: 1 for the first, 1/J for the last of J. settings: those
 * that the priority is computed by. */
enum place_kind places_factor(struct places *places, const struct settings *settings,
			      const struct place_wanted *wanted, double *factor);
