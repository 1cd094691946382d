/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The replays that one command does side by side: one for each policy and value of settings. */
#ifndef CLI_REPLAY_RUN_H
#define CLI_REPLAY_RUN_H

#include "cli/replay/replay_frame.h"

struct replay_runs {
	struct replay_run run[MOST_CANDIDATES];
	size_t count;
	const struct replay_frame *frame;
	struct replay_requests requests;
};

/* Keys of slurm.conf, for candidates_create(). */
extern const struct general_settings replay_general;

#define EVERY_CANDIDATE SIZE_MAX

/* Makes the replays, or that of candidate `only`. sets: as given to candidates_create(). Returns 0,
 * or EXIT_WRONG after printing an error. */
int replay_runs_create(struct replay_runs *runs, const struct candidates *candidates,
		       const struct sets *sets, const struct replay_frame *frame,
		       struct replay_input *input, size_t only);
void replay_runs_clear(struct replay_runs *runs);
/* Returns the time between two passes, in seconds. */
double replay_calc_period(const struct replay_frame *frame, const struct replay_site *site);
/* Says if resets are due at times that the trace does not tell. Returns 0, or EXIT_WRONG if
 * `strict` makes this an error. */
int replay_report_resets(const struct replay_runs *runs, bool strict);
/* Returns whether one of the values of --set looks at what jobs ask for. */
bool replay_sets_want_requests(const struct sets *sets);

#endif
