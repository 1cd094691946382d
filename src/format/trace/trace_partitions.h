/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the partition of the site in which a job of a trace runs. */
#pragma once

#include "core/name_index.h"
#include "core/piece.h"

#include <stdbool.h>

/* A partition of the site. */
struct trace_partition {
	const char *name;
	double cpus;			/* of all its nodes */
	double max_nodes;		/* that a job may have; 0: any number */
	double max_time, default_time;	/* seconds; 0: none */
	bool is_up;			/* it starts jobs */
};

struct trace_site {
	const struct trace_partition *partition;
	size_t count;
	size_t standard;	/* index of the partition of jobs that name none; count: they run on
				 * all nodes */
	bool has_nodes;		/* the nodes of partitions are known; else each has all nodes */
};

/* Where a job runs. */
struct trace_place {
	size_t partition;	/* index of its partition; the number of partitions: all nodes */
	bool is_known;		/* false: the site does not have the partition of the job */
};

/* The partitions and the queue that a job names. */
struct trace_names {
	struct piece partitions;	/* separated by commas */
	struct piece queue;		/* a number; empty: not known */
	/* The trace has numbers instead of names: its partition 3 is called partition3, its queue
	 * 5 may be the partition queue5. */
	bool has_numbers;
};

/* Returns where a job runs: in the first of its partitions that the site has; else, with numbers,
 * in the partition of its queue; else, without any partition, in the standard one. If it names
 * others, is_known is false, unless all partitions have all nodes, or the trace has numbers, as
 * these are not the site's names; then it runs on all nodes. index: from names to indices of
 * site->partition. */
struct trace_place trace_place_of(const struct trace_site *site, const struct name_index *index,
				  const struct trace_names *names);
