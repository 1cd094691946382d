/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When pending jobs start: start_play.c plays the future of a cluster by a replay, start_history.c
 * tells how long jobs of the past ran, command_start.c asks for futures, print_starts.c prints the
 * answer. A job has the number that it has in cluster->input.site.jobs; arrays "by job" go by it.
 */
#pragma once

#include "cli/replay/replay_command.h"
#include "jobs/job_associations.h"

#define MOST_STARTED_JOBS 16	/* jobs that the command line may name */
#define MOST_ADVICE 8		/* of a job; also of what is not modelled for it */
#define START_DRAWS 32		/* futures with run times drawn from jobs of the past */

/* How much of their time limits jobs of the past have used. */
struct start_history;

/* What a job could ask for instead. */
struct start_change {
	size_t job;		/* its number; JOBS_NONE: nothing changes */
	double limit;		/* seconds; INFINITY: its own */
	double cpus;		/* factor of what it asks for; 1: no change */
	size_t partition;	/* JOBS_NONE: its own */
	size_t node;		/* of the association; JOB_NO_NODE: its own */
	double until;		/* seconds since 1970; starts from then on are not wanted */
};

/* The cluster, and the rules by which jobs start. */
struct start_cluster {
	struct replay_options options;
	struct replay_input input;
	struct replay_plan plan;	/* of `options` and `input` */
	double now;			/* seconds since 1970 */
	const struct fathom_policy *policy;	/* the one in force */
	const struct job **order;	/* pending jobs without a reason, in the order in which they
					 * were submitted */
	size_t pending;			/* number of elements of `order` */
	struct job_associations associations;	/* of the tree */
	uint32_t *node;			/* by job: its association; 0, if the tree lacks it */
	size_t *partition;		/* by job: index of the first partition that it asks for
					 * and that may start it; of the first one that exists, if
					 * none may; the number of partitions: none exists */
	uint32_t *request;		/* by job: what it asks for, see struct replay_request */
	const char **reason;		/* by job: a clause that says why it never starts; NULL: it
					 * may start */
	const struct start_history *history;	/* set by the caller; NULL: not wanted */
};

/* Reads the cluster and sets all members. cluster: begins with all members 0; it must not be copied
 * afterwards. files: a snapshot, and what takes the place of its parts; empty: the running
 * cluster. */
void start_cluster_read(struct start_cluster *cluster, const struct input_names *files);
/* Plays a future. draw: below START_DRAWS: run times are drawn from the history, others for each
 * draw; START_DRAWS: jobs run as long as their limits. start: gets the start of each job, seconds
 * since 1970; INFINITY: it does not start. Of a change, only the start of its job is wanted: the
 * future ends with it. */
void start_play(struct start_cluster *cluster, const struct start_change *change, size_t draw,
		double *start);
/* Returns whether a job asks for a partition, given by its index. */
bool start_asks_for(const struct start_cluster *cluster, const struct job *job, size_t partition);
/* Returns the time limit of a job, or that of a partition, by its index, in seconds; INFINITY: it
 * has no limit. */
double start_limit(const struct start_cluster *cluster, const struct job *job, size_t partition);

/* Returns the association that the job's user has in an account for a partition, see
 * job_associations_find(). partition: its index; the number of partitions: none. */
size_t start_node(const struct start_cluster *cluster, const struct job *job, const char *account,
		  size_t partition);
/* Returns a clause that says why a job never starts in a partition; NULL: it may. partition: its
 * index; the number of partitions stands for the whole machine. */
const char *start_partition_reason(const struct start_cluster *cluster, const struct job *job,
				   size_t partition);

/* Compares two numbers, for qsort(). */
int compare_doubles(const void *a, const void *b);

/* Reads a trace. It belongs to the command. Refuses a trace whose jobs do not tell their limits and
 * run times. */
struct start_history *start_history_read(const char *name);
/* Returns the part of its time limit, 0 to 1, that a job runs in a draw: that of a job of the past,
 * which is the same for the same job and draw. It is drawn from jobs of the same user and limit if
 * there are enough of them, else of the user, else of anybody. limit: seconds. least: the part that
 * the job has run already; the result is greater. 1: no job of the past has run so long. job, draw:
 * their numbers; draw is below 256. */
double start_history_part(const struct start_history *history, const char *user, double limit,
			  double least, size_t job, size_t draw);

/* A change that lets a job start earlier. */
struct start_advice {
	const char *what;	/* ends a sentence: "with a time limit of 1 hour" */
	double start;		/* with this change; seconds since 1970 */
};

/* The answer for a job. Times are seconds since 1970. */
struct started_job {
	const struct job *job;
	double start;			/* if jobs run as long as their limits; INFINITY: never */
	/* with run times of the past: the median of the draws, and the range without the earliest
	 * and the latest ones; INFINITY: never; NAN: there is no history */
	double expected, earliest, latest;
	size_t ahead;			/* number of pending jobs that start before it */
	const struct job *next_ahead;	/* the last of these; NULL: no job is ahead */
	const char *reason;		/* a clause that says why it never starts; or NULL */
	struct start_advice advice[MOST_ADVICE];
	size_t advice_count;
	const char *not_modelled[MOST_ADVICE];	/* what it asks for that the replay does not have,
						 * such as "licence x" */
	size_t not_modelled_count;
};

/* Prints the answers as a table. */
void print_starts(const struct start_cluster *cluster, const struct started_job *jobs, size_t count,
		  bool has_header, bool is_parsable);
/* Prints the answers as sentences, a paragraph for each job. */
void print_starts_in_words(const struct start_cluster *cluster, const struct started_job *jobs,
			   size_t count);
/* Prints the answers as JSON; fathom-start(1) describes the keys. */
void print_starts_json(const struct start_cluster *cluster, const struct started_job *jobs,
		       size_t count);
