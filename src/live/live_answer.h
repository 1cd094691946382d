/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmctld's answer to sshare: a list of all associations that the caller may see, each with the
 * name of its parent, shares, usage and figures. Include compat.h first.
 */
#pragma once

#include "live/live_cluster.h"

/* The associations of the answer, in its order. */
struct live_answer {
	const assoc_shares_object_t **share;
	size_t count, size;
};

/* Turns Slurm's numbers for "no value" and "no limit" into NAN. */
double live_figure(double value);
/* Makes the tree. Its row i is association i of the answer; later rows are placeholders. */
void live_answer_tree(const struct live_answer *answer, struct snapshot *snapshot);
/* Fills the figures of the policy in force for live->snapshot. dampening_factor: that of sshare. */
void live_answer_figures(struct live *live, const struct live_answer *answer,
			 const slurm_conf_t *slurm, double dampening_factor);
