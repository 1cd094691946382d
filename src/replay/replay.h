/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays jobs of a trace on a machine under a policy and a scheduler: when would each have
 * started? The caller gives the jobs in the order of submission, so memory grows with the jobs
 * that wait or run, not with the trace:
 *
 *	replay = replay_create (&rules, tree, &error);
 *	for each job:	replay_submit (replay, &job, &error);
 *	replay_finish (replay, &error);
 *	figures = replay_figures (replay);
 *
 * At each instant jobs end, then jobs are submitted, then a pass is done if one is due, and then
 * the scheduler starts jobs. A pass charges the running jobs and decays usage, by the code that
 * does so in a cluster (src/usage), and evaluates the policy. The first pass of a new reset period
 * then sets all usage to 0, also that which it has just charged. The first pass is at the first
 * submission, the others follow every calc_period.
 */
#pragma once

#include "replay/replay_figures.h"
#include "replay/replay_rules.h"

struct replay;

/* Makes a replay that has no jobs yet. tree: the associations with their shares; their usage counts
 * as it is at the first submission. The tree and the rules are copied, but what the rules point to
 * must live as long as the replay. NULL: EINVAL, the rules are wrong. */
struct replay *replay_create(const struct replay_rules *rules, const struct fathom_tree *tree,
			     struct fathom_error *error);
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
/* Goes on until all jobs have ended, and computes the figures. */
void replay_finish(struct replay *replay);
/* Returns what was measured, after replay_finish() or replay_clusters_finish(). The figures belong
 * to the replay. */
const struct replay_figures *replay_figures(const struct replay *replay);
/* Frees a replay; NULL is allowed. */
void replay_destroy(struct replay *replay);
