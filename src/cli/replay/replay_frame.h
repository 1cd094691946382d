/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One replay of several, with its policy and settings. */
#pragma once

#include "cli/replay/replay_options.h"
#include "cli/replay/replay_input.h"
#include "cli/replay/replay_requests.h"
#include "policy/entity_tree.h"
#include "jobs/jobs.h"
#include "replay/replay.h"
#include "replay/scheduler.h"

#define RUN_NAME_SIZE (LABEL_SIZE + 32)

struct replay_run {
	const struct candidate *candidate;
	const struct fathom_policy *policy;
	const struct replay_scheduler *scheduler;
	struct fathom_settings settings;
	char name[RUN_NAME_SIZE];	/* the policy, with the settings that differ */
	struct job_settings slurm;	/* keys of slurm.conf */
	struct fathom_priority_config priority;	/* if one of these is a weight */
	double *tres_weight;		/* by TRES of the site's jobs */
	bool by_sum;
	const char *formula_text;	/* of priorities; "": by the sum, or by the policy */
	double formula_scale;
	struct replay_formula job_formula;	/* if it has a formula */
	struct fathom_formula *formula;	/* of what a run has used; NULL: its CPU seconds */
	struct entity_tree entities;	/* if it charges entities */
	struct snapshot tree;		/* a fork of the input's, with the shares of PBS's group
					 * "unknown" that the settings give */
	struct replay_scope *scope;	/* those of fathom.conf */
	struct entity_tree *scope_entities;	/* by scope */
	double half_life;	/* seconds; 0: no decay */
	enum fathom_reset reset_period;
	const struct replay_input *input;
	const char *cluster;	/* of several; NULL: there is one */
	struct replay *replay;	/* NULL: the run stands for all clusters of a candidate */
	const struct replay_figures *figures;
	FILE *schedule;		/* a file without a name; NULL: not wanted */
	double seconds;		/* that it took */
	struct fathom_error error;
	bool has_failed;
};
