/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays jobs of a trace on a machine under a policy and a scheduler: when would each have
 * started? The caller gives the jobs in the order of submission, so memory grows with the jobs
 * that wait or run, not with the trace:
 *
 *	replay = replay_create (&rules, tree);
 *	for each job:	replay_submit (replay, &job, &error);
 *	replay_finish (replay);
 *	figures = replay_figures (replay);
 *
 * At each instant jobs end, then jobs are submitted, then a pass is done if one is due, and then
 * the scheduler starts jobs. A pass charges the running jobs and decays usage, by the code that
 * does so in a cluster (src/usage), and evaluates the policy. The first pass of a new reset period
 * then sets all usage to 0, also that which it has just charged. The first pass is at the first
 * submission, the others follow every calc_period.
 *
 * Several clusters, each with a machine, a scheduler and a queue of its own, may go through the
 * same time with the same associations, and the usage of one may count in the others:
 *
 *	cluster = replay_create_clusters (rules, count, tree, begin);
 *	for each job:	replay_submit (cluster[number], &job, &error);
 *	replay_finish (cluster[0]);
 *
 * Jobs are then submitted in the order of time, whatever their cluster. All clusters do their
 * passes at the same times, and the orders of jobs then go by what users have used in all of them
 * by that pass. What running jobs hold, as LSF counts it, counts in their own cluster alone.
 *
 * A replay takes its memory from what the thread uses, see need_memory_use(), and so must each call
 * for it. It ends with that memory.
 */
#pragma once

#include "replay/replay_figures.h"
#include "replay/replay_rules.h"

struct replay;

/* Checks the time between passes. -1: EINVAL, it is too long for the half-life. */
int replay_check(const struct replay_rules *rules, struct fathom_error *error);
/* Makes a replay that has no jobs yet, by rules that have been checked. tree: the associations with
 * their shares; their usage counts as it is at the first submission. The tree and the rules are
 * copied, but what the rules point to must live as long as the replay. */
struct replay *replay_create(const struct replay_rules *rules, const struct fathom_tree *tree);
/* Makes the replays of several clusters, one for each of the `count` rules, which begin at `begin`,
 * and returns an array of them. The rules must agree in policy, settings, half_life, calc_period,
 * warm_up, yardstick, measured, the scopes and reset_period. */
struct replay **replay_create_clusters(const struct replay_rules *rules, size_t count,
				       const struct fathom_tree *tree, double begin);
/* Lets the clock begin at `time`, instead of at the first submission. Jobs that were submitted
 * before `time` join the queue at `time`; their age counts from their submission. */
void replay_begin(struct replay *replay, double time);
/* Adds a job that already runs, since job->start, when the replay begins. Call it after
 * replay_begin() and before the first replay_submit(). The job is charged from the begin on. It
 * gets its CPUs, or as many of them as are free in its partition; if none is, it is left out.
 * -1: EINVAL, it cannot run in its partition. */
int replay_resume(struct replay *replay, const struct replay_job *job, struct fathom_error *error);
/* Does all that happens before a job's submission, and adds the job to the queue. -1: EINVAL,
 * nothing was done: the job was submitted before the previous one, or cannot run in its
 * partition. */
int replay_submit(struct replay *replay, const struct replay_job *job, struct fathom_error *error);
/* Goes on until all jobs have started, until replay_stop(), or until `until`, but not while those
 * that wait seem to wait for jobs that end later; for callers that only want to know the starts,
 * see replay_rules.started. It does not compute what replay_figures() returns. */
void replay_start_all(struct replay *replay, double until);
/* Ends replay_start_all() after this instant. For replay_rules.started. */
void replay_stop(struct replay *replay);
/* Goes on until all jobs have ended, of clusters those of all, and computes the figures. Of
 * clusters, usage is that at the last end of any job. */
void replay_finish(struct replay *replay);
/* Returns what was measured, after replay_finish(). The figures belong to the replay. */
const struct replay_figures *replay_figures(const struct replay *replay);
/* Returns what was measured of all clusters together: a user's figures are the sums over clusters.
 * Without clusters these are the figures of the replay. */
const struct replay_figures *replay_joint_figures(const struct replay *replay);
