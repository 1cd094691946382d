/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What other clusters have used (GlobalShare of fathom.conf), by association of this one. A thread
 * reads it from their files or from slurmdbd (report/global_sources.h) and publishes it as one
 * object that never changes. The decay thread adds it to the trees that policies are evaluated on,
 * decayed to the time of usage, and nowhere else: rows, records, limits and the state have own
 * usage alone.
 *
 *	a second of tux, Weight=0.5, written an hour ago, half-life an hour	-> 0.25 seconds
 */
#pragma once

#include "base/shared.h"
#include "fathom.h"
#include "records/associations.h"
#include "settings/settings.h"

/* What one association gets from one cluster. */
struct global_entry {
	uint32_t association, account;	/* ids; of an account, `account` is the account itself */
	uint32_t node;		/* of the tree when the file was read */
	double usage;		/* billing seconds at the cluster's time */
};

/* Usage of one cluster. */
struct global_cluster {
	struct shared shared;
	time_t time;		/* of its usage */
	struct fathom_node_index *map;	/* the nodes are of this tree */
	struct global_entry *entry;
	size_t count;
	double unmapped;	/* seconds in accounts that this cluster lacks: they do not count */
};

/* Own usage of each association, by node: what this cluster hands on to others. */
struct own_usage {
	struct shared shared;
	double of[];
};

/* Usage of all clusters. */
struct global_usage {
	struct shared shared;
	struct settings *settings;	/* their GlobalShare lines are meant: */
	struct global_line {
		struct global_cluster *cluster;	/* NULL: nothing is known of it */
		char *problem;		/* why its file is not read; NULL: it is */
	} *line;
	/* What all clusters give by the half-life of each scheme, so that a pass adds one array: by
	 * node of the tree of this map, at this time. NULL: not added up. */
	struct global_sum {
		double half_life;
		double *of;
	} *sum;
	size_t sum_count;
	struct fathom_node_index *map;
	size_t count;			/* nodes */
	time_t time;
};

/* Makes an object that knows of the settings' clusters what `last` knows, which may be NULL. NULL:
 * out of memory. */
struct global_usage *global_usage_create(const struct settings *settings,
					 const struct global_usage *last);
/* Returns the line of a cluster; NULL: there is none, or `global` is NULL. */
struct global_line *global_usage_line(const struct global_usage *global, const char *cluster);
/* Makes usage of a cluster at a time, with room for `most` entries. NULL: out of memory. */
struct global_cluster *global_cluster_create(time_t time, struct fathom_node_index *map,
					     size_t most);
/* Adds the seconds that a line's cluster gives to each node at a time. sum: by node of the tree of
 * this map. Does nothing if nothing is known of the cluster. half_life: seconds, 0: no decay. */
void global_usage_add(const struct global_usage *global, size_t line,
		      const struct fathom_node_index *map, double half_life, time_t now,
		      double *sum);
/* Returns these seconds of a line's cluster, of all nodes together; 0: nothing is known of it. */
double global_usage_total(const struct global_usage *global, size_t line, double half_life,
			  time_t now);
/* Adds all clusters up once they are known. Before others read the object. */
void global_usage_add_up(struct global_usage *global, struct fathom_node_index *map, size_t count,
			 time_t now);
/* Returns by node of the associations' tree what all clusters give, in memory that the caller
 * frees. NULL: nothing, as `global` is NULL; or out of memory, which is logged. */
double *global_usage_sum(const struct global_usage *global, const struct associations *associations,
			 double half_life, time_t now);
/* Returns whether the cluster's usage is older at this time than MaxAge allows. */
bool global_usage_is_stale(const struct global_usage *global, size_t line, time_t now);
