/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The traces of several clusters (--cluster), with one tree of the associations of all, in one
 * time. Their jobs are in memory.
 */
#pragma once

#include "cli/options.h"
#include "cli/replay/replay_plan.h"

#define CLUSTER_OF_ALL "all"	/* how all together are called */

struct traced_cluster {
	const char *name;
	double weight;		/* what a second of its usage is worth in the others */
	struct replay_options options;	/* with its trace and machine */
	struct replay_input input;
	struct replay_plan plan;	/* of both */
	struct replay_job *job;		/* in the order of submission */
	size_t jobs, room;
};

extern option_setter cluster_traces_option;	/* struct cluster_list */
/* Opens all traces. whole: zeros; gets what they have in common, and the sums of them. */
struct traced_cluster *cluster_traces_open(struct replay_input *whole,
					   const struct replay_options *options);
/* Gives the jobs of all clusters to take(), in the order of submission, those of an instant cluster
 * by cluster. */
void cluster_traces_read(const struct replay_plan *plan,
			 void (*take)(const struct replay_job *job, size_t cluster, void *context),
			 void *context);
/* Returns when the first job of all is submitted. */
double cluster_traces_begin(const struct replay_plan *plan);
