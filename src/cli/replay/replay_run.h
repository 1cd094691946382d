/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The replays that one command does side by side: one for each policy and value of settings. */
#ifndef CLI_REPLAY_RUN_H
#define CLI_REPLAY_RUN_H

#include "cli/candidates.h"
#include "cli/replay/replay_input.h"
#include "evaluate/jobs.h"
#include "replay/replay.h"
#include "replay/scheduler.h"

#define RUN_NAME_SIZE (LABEL_SIZE + 32)

/* What all replays have in common. */
struct replay_frame {
	const struct replay_scheduler *scheduler;
	double calc_period;		/* seconds; 0: the site's, else the default */
	double warm_up;			/* seconds */
	double nodes;			/* of the machine; 0: the site's, else as many as CPUs */
	/* Is told of each job that starts, with its run as context; or NULL. */
	void (*started)(const struct replay_job *job, double start, void *run);
};

struct replay_run {
	const struct candidate *candidate;
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	char name[RUN_NAME_SIZE];	/* the policy, with the settings that differ */
	struct job_settings slurm;	/* keys of slurm.conf */
	struct fathom_priority_config priority;	/* if one of these is a weight */
	bool by_sum;
	struct fathom_formula *formula;	/* of what a run has used; NULL: its CPU seconds */
	struct replay_scope *scope;	/* those of fathom.conf */
	double half_life;	/* seconds; 0: no decay */
	enum fathom_reset reset_period;
	const struct replay_input *input;
	struct replay *replay;
	FILE *schedule;		/* a file without a name; NULL: not wanted */
	double seconds;		/* that it took */
	struct fathom_error error;
	bool has_failed;
};

struct replay_runs {
	struct replay_run run[MOST_CANDIDATES];
	size_t count;
	const struct replay_frame *frame;
};

/* Keys of slurm.conf, for candidates_create(). */
extern const struct general_settings replay_general;

#define EVERY_CANDIDATE SIZE_MAX

/* Makes the replays, or that of candidate `only`. sets: as given to candidates_create(). Returns 0,
 * or EXIT_WRONG after printing an error. */
int replay_runs_create(struct replay_runs *runs, const struct candidates *candidates,
		       const struct sets *sets, const struct replay_frame *frame,
		       const struct replay_input *input, size_t only);
void replay_runs_clear(struct replay_runs *runs);
/* Returns the time between two passes, in seconds. */
double replay_calc_period(const struct replay_frame *frame, const struct replay_site *site);
/* Says if resets are due at times that the trace does not tell. Returns 0, or EXIT_WRONG if `strict`
 * makes this an error. */
int replay_report_resets(const struct replay_runs *runs, bool strict);
/* Says which weights of the site's slurm.conf do not count. Returns 0, or EXIT_WRONG if `strict`
 * makes this an error. */
int replay_report_weights(const struct replay_site *site, bool strict);

#endif
