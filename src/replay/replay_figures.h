/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a replay measures. Jobs that are submitted during the warm-up do not count, nor do passes
 * in it. */
#pragma once

#include "fathom.h"

/* ---- wait_times.c --------------------------------------------------------------------- */

/* The distribution of wait times. Memory grows with the number of different times, which are whole
 * seconds in most traces. */

struct wait_count {
	double wait;		/* seconds */
	uint64_t count;		/* jobs that waited so long */
};

/* Start with all members 0. */
struct wait_times {
	struct wait_count *entry;
	size_t count, room;
	size_t merged;		/* the first of them, which are sorted and different */
	uint64_t total;		/* jobs */
};

/* Adds the wait time of a job, in seconds. */
void wait_times_add(struct wait_times *times, double wait);
/* Sorts and merges all times; call it before wait_times_quantile(). */
void wait_times_settle(struct wait_times *times);
/* Returns the shortest time that a part of all jobs did not exceed (nearest rank). percent: 0 to
 * 100; 50: the median. NAN: there are no times. */
double wait_times_quantile(const struct wait_times *times, unsigned percent);

/* ---- yardstick.c ---------------------------------------------------------------------- */

/*
 * The usage by which fairness is measured: CPU seconds that decay with one half-life, whatever the
 * policy charges and however that decays, so that equal schedules have equal figures.
 *
 * What a node has used by time t is base + cpus * integral(t), where the integral is that of the
 * decay since the epoch. Only when a job starts or ends, base and cpus change. Example, without
 * decay: a job has 4 CPUs from 100 on, then 2 from 150 on as a second job has given 2 back:
 *
 *	take 4 at 100	base -400	cpus 4		used at 150: -400 + 4 * 150 = 200
 *	take -2 at 150	base -100	cpus 2		used at 200: -100 + 2 * 200 = 300
 */

struct yardstick {
	double half_life;	/* seconds; 0: no decay */
	double epoch;		/* CPU seconds count as they do at this time */
	double *base;		/* by node: CPU seconds; may be below 0 */
	double *cpus;		/* by node: CPUs that its running jobs have */
	size_t nodes;
};

/* Makes a yardstick without usage. half_life: seconds; 0: no decay. The caller sets `epoch` to the
 * begin of the replay before the first yardstick_take(). */
void yardstick_create(struct yardstick *yardstick, size_t nodes, double half_life);
/* Notes that a job of a node takes so many CPUs, or if negative, gives them back. */
void yardstick_take(struct yardstick *yardstick, uint32_t node, double cpus, double time);
/* Returns the integral at `time`, for yardstick_used(). May move the epoch, which makes earlier
 * integrals invalid. time: not before the epoch. */
double yardstick_integral(struct yardstick *yardstick, double time);
/* Returns what a node has used by the time of the integral, in a unit that is the same for all
 * nodes. */
static inline double yardstick_used(const struct yardstick *yardstick, size_t node, double integral)
{
	double used = yardstick->base[node] + yardstick->cpus[node] * integral;

	return used > 0 ? used : 0;	/* rounding may leave less */
}

/* ---- usage_series.c ------------------------------------------------------------------- */

/*
 * The part of all usage that each account has had, at up to two hundred passes. When a series is
 * full, every second point is dropped, and from then on only every second pass is noted:
 *
 *	pass	0 1 2 3		full at 4 points
 *	then	0 2 4 6		of passes 0 to 7; then 0 4 8 12, and so on
 */

#define SERIES_MOST_POINTS 200

struct usage_series {
	double *time;		/* by point */
	float *part;		/* by point, then by node: usage of it and all nodes below over that
				 * of the root, 0 to 1; 0 if the root has none */
	double *total;		/* by node: working memory */
	size_t nodes;
	size_t count, most;	/* points: how many, at most how many */
	uint64_t passes;	/* so far */
	uint64_t stride;	/* passes from one noted pass to the next: 1, 2, 4, … */
};

/* Makes a series without points. nodes: number of nodes of the tree. */
void usage_series_create(struct usage_series *series, size_t nodes);
/* Notes a pass, unless the stride leaves it out. parent: by node, its parent; parents come before
 * their children; integral: that of the yardstick at `time`. */
void usage_series_add(struct usage_series *series, const uint32_t *parent,
		      const struct yardstick *yardstick, double integral, double time);

/* ---- replay_figures.c ----------------------------------------------------------------- */

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
	double makespan;	/* seconds from measured_from to the last end */
	double utilization;	/* 0 to 1; NAN: the makespan is 0 */
	double share_error, jain;	/* means over passes, 0 to 1; NAN: no pass counted */
	uint64_t passes;	/* that counted */
	double below_share;	/* below_share over demand, mean over nodes; NAN: no demand */
	/* no numbers of results follow: keep_results() of replay_results.c drops the rest */
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
	double clock_begin;	/* the first submission, or the time of replay_begin() */
	double measured_from;	/* the end of the warm-up */
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
