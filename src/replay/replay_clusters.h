/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays of several clusters, each with a machine, a scheduler and a queue of its own, that go
 * through the same time with the same associations. The usage of one may count in the others:
 *
 *	clusters = replay_clusters_create(rules, count, tree, begin, &error);
 *	for each job:	replay_submit(replay_clusters_at(clusters, cluster), &job, &error);
 *	replay_clusters_finish(clusters);
 *
 * Jobs are submitted in the order of time, whatever their cluster. All clusters do their passes at
 * the same times, and the orders of jobs then go by what users have used in all of them by that
 * pass. What running jobs hold, as LSF counts it, counts in their own cluster alone.
 */
#pragma once

#include "replay/replay.h"

struct replay_clusters;

/* Makes replays that begin at `begin`, one for each of the `count` rules. They must agree in
 * policy, settings, half_life, calc_period, warm_up, yardstick, measured, the scopes and
 * reset_period. What must live as long as the replays: see replay_create(). NULL: EINVAL, the rules
 * are wrong. */
struct replay_clusters *replay_clusters_create(const struct replay_rules *rules, size_t count,
					       const struct fathom_tree *tree, double begin,
					       struct fathom_error *error);
/* Returns the replay of a cluster, which belongs to `clusters`. number: the index of its rules. */
struct replay *replay_clusters_at(const struct replay_clusters *clusters, size_t number);
/* Goes on until all jobs of all clusters have ended, and computes the figures of each and of all
 * together. Usage is that at the last end of any job. */
void replay_clusters_finish(struct replay_clusters *clusters);
/* Returns what was measured of all clusters together: a user's figures are the sums over
 * clusters. */
const struct replay_figures *replay_clusters_figures(const struct replay_clusters *clusters);
/* Frees the replays; NULL is allowed. */
void replay_clusters_destroy(struct replay_clusters *clusters);
