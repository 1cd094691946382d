/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whatever users and administrators do, at random, one thing at a time. */
#ifndef HOST_CHURN_H
#define HOST_CHURN_H

#include "controller/host.h"

#define CHURN_JOBS 48

struct churn_job {
	job_record_t *record;	/* NULL: a free place */
	enum { CHURN_WAITS, CHURN_RUNS, CHURN_STANDS, CHURN_IS_OVER } state;
	struct host_association *user;
	const char *qos;
	uint32_t cpus, gpus, memory;
	bool is_weighted;	/* its partition bills other TRES too */
	time_t begin, resized, end;
	bool is_ranked;		/* its priority is computed, or else: */
	uint32_t priority;	/* given by hand, or 0, held */
};

extern struct churn_job churn_jobs[CHURN_JOBS];

/* What cannot be seen from the jobs. */
struct churn_change {
	enum { CHURN_NOTHING, CHURN_REMOVED, CHURN_RESET, CHURN_HALF_LIFE } kind;
	struct host_association *association;
};

/* Accounts in two levels with users, some usage, partitions and QOS: before
 * host_open, and after it. */
void churn_grow(void);
void churn_populate(void);

/* `pass`: does a pass, before what must not come in the middle between two;
 * NULL: nobody minds. `last_pass`: when there was one; what without limits
 * would get lost between two passes is left out. */
struct churn_change churn(void (*pass)(void), time_t last_pass);

#endif
