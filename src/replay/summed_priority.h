/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The priority of a job in a replay: Slurm's sum of factors, or a formula over them. */
#ifndef REPLAY_SUMMED_PRIORITY_H
#define REPLAY_SUMMED_PRIORITY_H

#include "replay/replay_rules.h"

/* What changes while a job waits. */
struct summed_job {
	const struct replay_job *job;
	double age;		/* seconds */
	double fairshare;	/* its fair-share factor */
	/* figures of its own policy, and of the policy whose columns a formula may use */
	const struct fathom_result *own, *columns;
	uint32_t own_node;	/* in `own` */
};

/* Returns the priority by rules->priority, or by rules->job_formula. */
double summed_priority(const struct replay_rules *rules, const struct summed_job *of);

#endif
