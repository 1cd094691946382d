/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a replay measures. Jobs submitted during the warm-up, and passes in it, are left out. */
#pragma once

#include "replay/usage_series.h"
#include "replay/wait_times.h"
#include "replay/yardstick.h"

struct replay_job;

/* The jobs of one node, a user or account, without those of nodes below. */
struct node_figures {
	uint64_t jobs;
	double wait, slowdown;	/* sums over jobs: seconds, bounded slowdowns */
	double longest_wait;	/* seconds */
	double cpu_seconds;	/* that they used */
	double demand;		/* seconds of passes at which it had jobs that waited or ran */
	double below_share;	/* those of them at which jobs waited and it had used less than its
				 * share */
	double usage;		/* of itself, at the last end; decayed billing seconds */
	uint32_t waiting, live;	/* jobs that wait at present, that wait or run */
	size_t demand_place;	/* of nodes with live jobs: their place in the list */
};

/* Sums over the jobs that were submitted in a week, and over its passes. */
struct week_figures {
	double jobs, wait, slowdown;
	double passes, share_error, jain;
};

#define MOST_WEEKS 10000	/* later ones count as the last */

struct replay_figures {
	uint64_t jobs;		/* that started */
	double mean_wait, median_wait, p95_wait, longest_wait;	/* seconds; NAN: no jobs */
	double mean_bounded_slowdown;
	double makespan;	/* seconds from the first submission to the last end */
	double utilization;	/* 0 to 1 */
	double share_error, jain;	/* mean over passes; NAN: no pass counted */
	uint64_t passes;	/* that counted */
	double below_share;	/* part of the time of demand below share, mean over nodes */
	struct wait_times waits;
	struct usage_series series;
	struct yardstick yardstick;
	struct node_figures *node;
	double *share;		/* by node: normalised share by the classic rule, 0 to 1 */
	size_t nodes;
	struct week_figures *week;	/* from the end of the warm-up on */
	size_t week_count, week_room;
	/* while it is measured: */
	uint32_t *demanding;	/* nodes with demand: with jobs that wait or run */
	size_t demanding_count, waiting_nodes;	/* waiting_nodes: those with jobs that wait */
	double first_submit, begin, last_end, cpu_seconds, wait, slowdown;
	double error_sum, jain_sum;
};

/* Makes figures without jobs. yardstick: the half-life by which fairness is measured, in seconds;
 * 0: no decay. */
void replay_figures_create(struct replay_figures *figures, const struct fathom_tree *tree,
			   double yardstick);
/* Notes the first submission. warm_up: see struct replay_rules. */
void replay_figures_begin(struct replay_figures *figures, double time, double warm_up);
/* These note that a job is submitted, starts, ends. The bounded slowdown of a job is (wait + run) /
 * max (run, 10 s), at least 1. */
void replay_figures_submit(struct replay_figures *figures, uint32_t node);
void replay_figures_start(struct replay_figures *figures, const struct replay_job *job,
			  double start);
void replay_figures_end(struct replay_figures *figures, const struct replay_job *job, double end);
/* Notes a pass: compares what the nodes with demand have used with their shares, unless it is in
 * the warm-up, or none of them has used anything or has a share. account: by node, its parent;
 * period: seconds between passes. */
void replay_figures_pass(struct replay_figures *figures, const uint32_t *account, double time,
			 double period);
/* Computes means and parts when all jobs have started. cpus: those of the machine. */
void replay_figures_finish(struct replay_figures *figures, uint64_t cpus);
/* Adds the figures of one node to those of another. */
void node_figures_add(struct node_figures *to, const struct node_figures *from);
