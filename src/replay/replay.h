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
 * the scheduler starts jobs. A pass charges what runs and decays usage, by the code that does so
 * in a cluster (src/usage), and evaluates the policy; the first one of a new period of resets sets
 * all usage to 0, with what it has charged. The first pass is at the first submission,
 * the others follow every calc_period.
 */
#pragma once

#include "replay/replay_figures.h"
#include "replay/replay_rules.h"

struct replay;

/* Makes a replay that has no jobs yet. tree: the associations with their shares; their usage counts
 * as it is at the first submission. The tree and the rules are not used afterwards, but what the
 * rules point to must live as long as the replay: policy, scheduler, priority, partition, scope,
 * entities, calendar, job_formula, request, partition_tres, formula and context. NULL: EINVAL, the
 * rules are wrong. */
struct replay *replay_create(const struct replay_rules *rules, const struct fathom_tree *tree,
			     struct fathom_error *error);
/* Begins at a time, instead of at the first submission. Jobs that were submitted before wait from
 * then on; their age counts from their submission. */
void replay_begin(struct replay *replay, double time);
/* Lets a job go on that runs since `start` when the replay begins, and that is charged from then
 * on; by replay_begin(), and before any submission. It takes CPUs of its partition, or as many as
 * are free. -1: EINVAL, it cannot run in its partition. */
int replay_resume(struct replay *replay, const struct replay_job *job, struct fathom_error *error);
/* Submits a job, after all that happens before its submission. -1: EINVAL, the job
 * was submitted before the last one, or cannot run in its partition. */
int replay_submit(struct replay *replay, const struct replay_job *job, struct fathom_error *error);
/* Goes on until all jobs have started. replay_figures() has no meaning afterwards. */
void replay_start_all(struct replay *replay);
/* Goes on until all jobs have ended, and computes the figures. */
void replay_finish(struct replay *replay);
/* Returns what was measured. It is valid as long as the replay. */
const struct replay_figures *replay_figures(const struct replay *replay);
/* Frees a replay; NULL is allowed. */
void replay_destroy(struct replay *replay);
