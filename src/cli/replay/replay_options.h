/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of fathom replay. */
#pragma once

#include "cli/candidates.h"
#include "cli/option_words.h"

struct replay_job;

/* A cluster of several, as --cluster gives it. */
struct cluster_option {
	const char *name, *trace;
	const char *from;	/* its slurm.conf; NULL: as for all */
	double cpus, nodes;	/* 0: as for all */
	double weight;		/* what a second of its usage is worth in the others */
};

struct cluster_list {
	struct cluster_option *at;
	size_t count, room;
};

struct replay_options {
	const char *trace;		/* NULL: there are clusters */
	struct cluster_list clusters;	/* two or more, or none */
	bool aligns;			/* their traces begin at the same time */
	struct input_names files;	/* that describe the site; the format is the trace's */
	struct candidates candidates;	/* of policies, settings and schedulers */
	struct word_list schedulers;	/* replay_scheduler_at(); one or more */
	double cpus, nodes;	/* of the machine; 0: as the site says, else the trace */
	double threads;		/* 0: as many as there are processors */
	double calc_period;	/* seconds; 0: the site's, else the default */
	double warm_up;		/* seconds */
	double yardstick;	/* half-life by which fairness is measured; seconds, 0: no decay */
	const char *schedule;
	struct { const char *folder, *file; } out;
	double array;		/* how many tasks run at the same time; 0: not in a cluster */
	double task;		/* the number of this task + 1; 0: it is none */
	char *const *arguments;	/* behind the command, as they were given, up to a NULL */
	/* Is told of each job that starts, with its run as context; NULL: nobody is. */
	void (*started)(const struct replay_job *job, double start, void *run);
	void *listener;		/* the context of started() instead of the run; or NULL */
	bool wants_requests;	/* --set needs what jobs ask for, also if the site does not */
	bool collect, with_usage, strict, json, parsable, no_header, verbose;
};
