/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random actions of users and administrators, one at a time. */
#pragma once

#include "controller/host.h"

#define CHURN_JOBS 48

struct churn_job {
	job_record_t *record;	/* NULL: this place is free */
	enum { CHURN_WAITS, CHURN_RUNS, CHURN_STANDS, CHURN_IS_OVER } state;
	struct host_association *user;
	const char *qos;
	uint32_t cpus, gpus, memory;
	bool is_weighted;	/* its partition has TRESBillingWeights */
	time_t begin, resized, end;
	bool is_ranked;		/* the plugin computes its priority; otherwise it has this: */
	uint32_t priority;	/* set by hand; 0: the job is held */
};

extern struct churn_job churn_jobs[CHURN_JOBS];

/* A change that the jobs do not show. */
struct churn_change {
	enum { CHURN_NOTHING, CHURN_REMOVED, CHURN_RESET, CHURN_HALF_LIFE } kind;
	struct host_association *association;
};

/* Make two levels of accounts with users, some usage, partitions and QOS. Call the
 * first before host_open, the second after it. */
void churn_grow(void);
void churn_populate(void);

/* Does one random action. Some actions are only defined right after a pass: `pass`
 * does one first; NULL does without. `last_pass` is the time of the last pass: without
 * limits, an action whose charge would get lost before the next pass is left out. */
struct churn_change churn(void (*pass)(void), time_t last_pass);
