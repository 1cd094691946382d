/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions of the site in which the jobs of a trace run. */
#pragma once

#include "core/name_index.h"
#include "core/piece.h"

#include <stdbool.h>

struct trace_partition {
	const char *name;
	double cpus;
	double max_nodes;		/* 0: any number */
	double max_time, default_time;	/* seconds; 0: none */
	bool is_up;
};

struct trace_site {
	const struct trace_partition *partition;
	size_t count;
	size_t standard;	/* of jobs that name none; count: they run on all nodes */
	bool has_nodes;		/* partitions are known by their nodes; else all have the same */
};

/* Where a job runs. */
struct trace_place {
	size_t partition;	/* its number; the number of partitions: on all nodes */
	bool is_known;		/* false: no partition has its name */
};

/* What a job says of its partition. */
struct trace_names {
	struct piece partitions;	/* separated by commas */
	struct piece queue;		/* a number, for a trace with numbers instead of names */
	bool has_numbers;
};

/* Finds the partition of a job. A trace with numbers has names such as partition3 and queue5; of
 * these the partition is looked for first, and a site that has neither does not mean them. */
struct trace_place trace_place_of(const struct trace_site *site, const struct name_index *index,
				  const struct trace_names *names);
