/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What other clusters have used (GlobalShare of fathom.conf), by association of this cluster. A
 * thread reads it from their files or from slurmdbd (report/global_sources.h) and publishes it as
 * one object that never changes. The decay thread adds it to the trees that policies are evaluated
 * on, decayed to the time of usage, and nowhere else: rows, records, limits and the state have
 * usage of this cluster alone.
 *
 *	a second of tux, Weight=0.5, written an hour ago, half-life an hour	-> 0.25 seconds
 *
 * A line is the index of a GlobalShare line in settings->conf.global.share. In all calls half_life
 * is in seconds, 0: no decay; `now` is the time to which usage is decayed.
 */
#pragma once

#include "base/shared.h"
#include "fathom.h"
#include "records/associations.h"
#include "settings/settings.h"

/* What one association gets from one cluster. */
struct global_entry {
	uint32_t association, account;	/* ids; of an account, `account` is the account itself */
	uint32_t node;		/* its node in the tree of the cluster's map */
	double usage;		/* billing TRES seconds at the cluster's time */
};

/* Usage of one cluster. */
struct global_cluster {
	struct shared shared;
	time_t time;		/* up to which its usage is decayed */
	struct fathom_node_index *map;	/* of the tree that the nodes of entries are in */
	struct global_entry *entry;
	size_t count;
	double unmapped;	/* seconds in accounts that our cluster lacks: they do not count */
};

/* Usage of this cluster alone, of each association without those below it. */
struct own_usage {
	struct shared shared;
	double seconds[];	/* by node of the associations' tree */
};

/* Usage of all clusters. */
struct global_usage {
	struct shared shared;
	struct settings *settings;
	struct global_line {
		struct global_cluster *cluster;	/* NULL: nothing is known of it */
		char *problem;		/* why its file is not read; NULL: the file is read */
	} *line;			/* by GlobalShare line of these settings */

	/* What all clusters give with the half-life of each scheme, so that a pass adds one array.
	 * These members are set by global_usage_add_up(). */
	struct global_sum {
		double half_life;
		double *by_node;
	} *sum;				/* NULL: not added up */
	size_t sum_count;
	struct fathom_node_index *map;	/* of the tree whose nodes are meant */
	size_t count;			/* nodes of that tree */
	time_t time;			/* the time to which usage was decayed */
};

/* Makes an object that knows of the clusters of these settings what `last` knows, which may be
 * NULL; without problems and sums. NULL: out of memory. */
struct global_usage *global_usage_create(const struct settings *settings,
					 const struct global_usage *last);
/* Returns the line of a cluster by its name; NULL: there is no such line, or `global` is NULL. */
struct global_line *global_usage_line(const struct global_usage *global, const char *cluster);
/* Returns usage of a cluster at a time, with room for `most` entries and none yet. map: of the tree
 * that its nodes will be in. NULL: out of memory. */
struct global_cluster *global_cluster_create(time_t time, struct fathom_node_index *map,
					     size_t most);
/* Adds the seconds that a line's cluster gives to each node, weighted and decayed, to sum[], which
 * is by node of the tree of this map. Does nothing if nothing is known of the cluster. */
void global_usage_add(const struct global_usage *global, size_t line,
		      const struct fathom_node_index *map, double half_life, time_t now,
		      double *sum);
/* Returns the seconds that a line's cluster gives to all nodes together, weighted and decayed; 0 if
 * nothing is known of the cluster. */
double global_usage_total(const struct global_usage *global, size_t line, double half_life,
			  time_t now);
/* Adds up what all clusters give, for global_usage_sum(). Call it when all lines have their
 * clusters, and before the object is published. map, count: of the associations' tree; now: 0:
 * the present time. If out of memory, some sums are missing, and global_usage_sum() is slower. */
void global_usage_add_up(struct global_usage *global, struct fathom_node_index *map, size_t count,
			 time_t now);
/* Returns by node of the associations' tree the seconds that all clusters give, in an array that
 * the caller frees. now: 0, before usage was restored: the present time. NULL: `global` is NULL, so
 * nothing is given; or out of memory, which is logged. */
double *global_usage_sum(const struct global_usage *global, const struct associations *associations,
			 double half_life, time_t now);
/* Returns whether the usage of a line's cluster is older now than the line's MaxAge allows; false
 * if nothing is known of the cluster. */
bool global_usage_is_stale(const struct global_usage *global, size_t line, time_t now);
