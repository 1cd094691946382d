/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The replays that one command does side by side: one for each policy and value of settings. */
#ifndef CLI_REPLAY_RUN_H
#define CLI_REPLAY_RUN_H

#include "cli/replay/replay_frame.h"

/* The replays of a round. */
struct replay_runs {
	struct replay_run *run;
	size_t count;
	const struct replay_frame *frame;
	struct replay_requests requests;
};

#define MOST_REPLAYS 10000	/* of one command; in a sweep each is a task with a result */

/* Keys of slurm.conf, for candidates_create(). */
extern const struct general_settings replay_general;

/* What is replayed. */
struct replay_plan {
	const struct candidates *candidates;
	const struct sets *sets;	/* as given to candidates_create() */
	const struct replay_frame *frame;
	struct replay_input *input;
};

#define REPLAY_USAGE_FORMULA "fairshare_usage_res"	/* a setting */

/* Checks that each candidate can be replayed, and adds the TRES that any of them counts to those of
 * input->site.jobs. Says what cannot be replayed as it was, an error if `strict`. Returns 0, or
 * EXIT_WRONG after printing an error. */
int replay_plan_check(const struct replay_plan *plan, bool strict);
/* Makes the replays of `count` candidates from number `first` on. Returns 0, or EXIT_WRONG after
 * printing an error; clear them in any case. */
int replay_runs_create(struct replay_runs *runs, const struct replay_plan *plan, size_t first,
		       size_t count);
void replay_runs_clear(struct replay_runs *runs);
/* Returns the time between two passes, in seconds. */
double replay_calc_period(const struct replay_frame *frame, const struct replay_site *site);
/* Returns whether one of the values of --set looks at what jobs ask for. */
bool replay_sets_want_requests(const struct sets *sets);

#endif
