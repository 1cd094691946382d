/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When pending jobs start: the future of a cluster, played by a replay. */
#pragma once

#include "cli/replay/replay_command.h"
#include "cli/start/start_history.h"

#define MOST_STARTED_JOBS 16	/* that are named */
#define MOST_ADVICE 8
#define START_DRAWS 32		/* futures with run times as in the past */

/* What a job could ask for instead. */
struct start_change {
	size_t job;		/* its number; JOBS_NONE: nothing changes */
	double limit, cpus;	/* factors of what it asks for */
	size_t partition;	/* JOBS_NONE: its own */
	size_t node;		/* of the association; JOB_NO_NODE: its own */
};

/* The cluster, and the rules by which jobs start. */
struct start_cluster {
	struct replay_options options;
	struct replay_input input;
	struct replay_plan plan;
	double now;			/* seconds since 1970 */
	const struct fathom_policy *policy;
	const struct job **order;	/* pending jobs by the time from which they wait */
	size_t pending;
	uint32_t *node;			/* by job: its association's, if it has no reason */
	size_t *partition;		/* by job: its number; the number of partitions: none */
	uint32_t *request;		/* by job: what it asks for, see struct replay_request */
	struct replay_terms *terms;	/* by job */
	const char **reason;		/* by job: why it never starts; or NULL */
	const struct start_history *history;	/* or NULL */
};

/* Reads the cluster. files: a snapshot; none: the running cluster. */
void start_cluster_read(struct start_cluster *cluster, const struct input_names *files);
/* Plays the future. draw: which one, below START_DRAWS; START_DRAWS: run times are as limits say.
 * start: by job, seconds since 1970; INFINITY: it does not start. */
void start_play(struct start_cluster *cluster, const struct start_change *change, size_t draw,
		double *start);
/* Returns a time limit in seconds; INFINITY: none. */
double start_limit(const struct start_cluster *cluster, const struct job *job);

struct start_advice {
	const char *what;	/* "with a time limit of 1 h" */
	double start;
};

/* The answer for a job. */
struct started_job {
	const struct job *job;
	double start;			/* by limits; since 1970; INFINITY: never */
	double expected, earliest, latest;	/* as in the past; NAN: not known */
	size_t ahead;			/* pending jobs that start before it */
	const struct job *next_ahead;	/* the last of these; or NULL */
	const char *reason;		/* why it never starts; or NULL */
	struct start_advice advice[MOST_ADVICE];
	size_t advice_count;
	const char *not_modelled[MOST_ADVICE];
	size_t not_modelled_count;
};

/* Prints the answers. */
void print_starts(const struct start_cluster *cluster, const struct started_job *jobs, size_t count,
		  bool has_header, bool is_parsable);
void print_starts_in_words(const struct start_cluster *cluster, const struct started_job *jobs,
			   size_t count);
void print_starts_json(const struct start_cluster *cluster, const struct started_job *jobs,
		       size_t count);
