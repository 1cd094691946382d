/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays of several clusters, each with a machine, a scheduler and a queue of its own, that go
 * through the same time with the same associations. The usage of one may count in the others:
 *
 *	clusters = replay_clusters_create(rules, count, tree, begin, &error);
 *	for each job:	replay_submit(replay_clusters_at(clusters, cluster), &job, &error);
 *	replay_clusters_finish(clusters);
 *
 * Jobs of all clusters are submitted in one order. All do their passes at the same times, and the
 * orders of jobs then go by what all have used by that pass. What running jobs hold, as LSF counts
 * it, counts in their own cluster alone.
 */
#pragma once

#include "replay/replay.h"

struct replay_clusters;

/* Makes replays that begin at `begin`, each by its rules, which must live as long, as must what
 * replay_create() says; policy, settings, half_life, calc_period, warm_up, yardstick, the scopes
 * and reset_period must be those of all. NULL: EINVAL, of the rules. */
struct replay_clusters *replay_clusters_create(const struct replay_rules *rules, size_t count,
					       const struct fathom_tree *tree, double begin,
					       struct fathom_error *error);
/* Returns the replay of a cluster, which ends with all of them. */
struct replay *replay_clusters_at(const struct replay_clusters *clusters, size_t number);
/* Goes on until all jobs have ended. Usage of each is that of the last end of all. */
void replay_clusters_finish(struct replay_clusters *clusters);
/* Returns what was measured of all clusters together: users have what they have had in each. */
const struct replay_figures *replay_clusters_figures(const struct replay_clusters *clusters);
/* Frees the replays; NULL is allowed. */
void replay_clusters_destroy(struct replay_clusters *clusters);
