/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The replays that one command does side by side: one for each policy and value of settings. */
#pragma once

#include "cli/replay/replay_frame.h"
#include "cli/replay/replay_plan.h"
#include "replay/replay_clusters.h"

/* The replays of a round: of each candidate one, or one a cluster and one that stands for all. */
struct replay_runs {
	struct replay_run *run;
	size_t count, width;		/* width: so many are of one candidate */
	struct replay_clusters **clusters;	/* by candidate; NULL: there is one cluster */
	struct replay_requests *requests;	/* by cluster */
};

#define MOST_REPLAYS 10000	/* of one command; in a sweep each is a task with a result */

/* Keys of slurm.conf, for candidates_create(). */
extern const struct general_settings replay_general;

#define REPLAY_USAGE_FORMULA "fairshare_usage_res"	/* a setting */

/* Checks that each candidate can be replayed, and adds the TRES that any of them counts to those of
 * input->site.jobs. Says what cannot be replayed as it was, an error with --strict. */
void replay_plan_check(const struct replay_plan *plan);
/* Makes the replays of `count` candidates from number `first` on. */
struct replay_runs replay_runs_create(const struct replay_plan *plan, size_t first, size_t count);
/* Gives back what would add up. */
void replay_runs_clear(struct replay_runs *runs);
/* Returns the names of all schedulers, separated by commas. */
const char *replay_scheduler_names(const struct replay_options *options);
/* Returns the time between two passes, in seconds. */
double replay_calc_period(const struct replay_plan *plan);
/* Returns whether one of the values of --set looks at what jobs ask for. */
bool replay_sets_want_requests(const struct sets *sets);
