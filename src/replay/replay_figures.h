/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a replay measures. Jobs that are submitted during the warm-up do not count, nor do passes
 * in it. */
#pragma once

#include "replay/usage_series.h"
#include "replay/wait_times.h"
#include "replay/yardstick.h"

struct replay_job;
struct replay_rules;

/* What the jobs of one node have had, a user or account, without those of nodes below. */
struct node_figures {
	uint64_t jobs;		/* that started */
	double wait, slowdown;	/* sums over jobs: seconds, bounded slowdowns */
	double longest_wait;	/* seconds */
	double cpu_seconds;	/* used after the warm-up */
	double demand;		/* seconds: the period of each pass at which it had live jobs */
	double below_share;	/* seconds: the period of each such pass at which jobs waited and
				 * the node had used less than its share */
	double usage;		/* own usage at the last end of a job; decayed billing seconds */
	uint32_t waiting;	/* jobs that wait now */
	uint32_t live;		/* jobs that wait or run now */
	size_t demand_place;	/* index in `demanding`, if it has live jobs */
};

/* Sums over the jobs that were submitted in a week, and over its passes. */
struct week_figures {
	double jobs, wait, slowdown;	/* wait: seconds; slowdown: bounded slowdowns */
	double passes, share_error, jain;
};

#define MOST_WEEKS 10000	/* later ones count as the last */

struct replay_figures {
	uint64_t jobs;		/* that started */
	double mean_wait, median_wait, p95_wait, longest_wait;	/* seconds; NAN: no jobs */
	double mean_bounded_slowdown;	/* NAN: no jobs */
	double makespan;	/* seconds from `begin` to the last end */
	double utilization;	/* 0 to 1; NAN: the makespan is 0 */
	double share_error, jain;	/* means over passes, 0 to 1; NAN: no pass counted */
	uint64_t passes;	/* that counted */
	double below_share;	/* below_share over demand, mean over nodes; NAN: no demand */
	struct wait_times waits;
	struct usage_series series;
	struct yardstick yardstick;
	struct node_figures *node;
	double *share;		/* by node: normalised share by the classic rule, 0 to 1 */
	size_t nodes;
	struct week_figures *week;	/* week[0] begins with the end of the warm-up */
	size_t week_count, week_room;
	/* while it is measured: */
	uint32_t *demanding;	/* nodes with demand: with live jobs; in no order */
	size_t demanding_count;
	size_t waiting_nodes;	/* number of nodes with jobs that wait */
	double first_submit;	/* or the time of replay_begin() */
	double begin;		/* the end of the warm-up; from then on is measured */
	double last_end;	/* the latest end of the jobs that have started */
	double cpu_seconds, wait, slowdown;	/* sums over jobs */
	double error_sum, jain_sum;	/* of share_error and jain over passes */
};

/* Makes figures without jobs. tree: that of the replay; the rules may have another one to measure
 * by. */
void replay_figures_create(struct replay_figures *figures, const struct replay_rules *rules,
			   const struct fathom_tree *tree);
/* Notes when the replay begins. warm_up: seconds. */
void replay_figures_begin(struct replay_figures *figures, double time, double warm_up);
/* These note that a job is submitted, starts, and ends; call all three for each job. The bounded
 * slowdown of a job is (wait + run) / max (run, 10 s), at least 1. */
void replay_figures_submit(struct replay_figures *figures, uint32_t node);
void replay_figures_start(struct replay_figures *figures, const struct replay_job *job,
			  double start);
void replay_figures_end(struct replay_figures *figures, const struct replay_job *job, double end);
/* Notes a pass: compares what the nodes with demand have used with their shares. The pass does not
 * count if it is in the warm-up, or if none of these nodes has used anything or none has a share.
 * account: by node, its parent; period: seconds between passes. */
void replay_figures_pass(struct replay_figures *figures, const uint32_t *account, double time,
			 double period);
/* Computes means and quantiles when all jobs have started. cpus: those of the machine. */
void replay_figures_finish(struct replay_figures *figures, uint64_t cpus);
/* Adds the figures of one node to those of another, but not waiting, live and demand_place. */
void node_figures_add(struct node_figures *to, const struct node_figures *from);
