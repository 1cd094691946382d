/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs, and what of a cluster their priorities depend on, as read from a file. */
#ifndef FORMAT_JOBS_H
#define FORMAT_JOBS_H

#include "format/job_settings.h"

#define JOBS_NONE SIZE_MAX

/* Counts of TRES: elements of jobs->amount. */
struct amounts {
	size_t first, count;
};

struct amount {
	size_t tres;	/* of jobs->tres */
	uint64_t count;
};

struct jobs_partition {
	size_t name;	/* place in text */
	double job_factor, max_time;	/* PriorityJobFactor; minutes, 0: none */
	struct amounts tres;
};

struct jobs_qos {
	size_t name;
	double priority;
};

/* A partition that a job may run in. */
struct jobs_place {
	size_t name;		/* place in text */
	size_t partition;	/* of jobs->partition, or JOBS_NONE */
};

struct job {
	size_t line;		/* of the input */
	double id;		/* a whole number, as those below are where it says so */
	size_t user, account, qos_name;		/* places in text, or JOBS_NONE */
	size_t qos;		/* of jobs->qos, or JOBS_NONE */
	size_t first_place, place_count;
	struct amounts tres;
	double accrue_time;	/* seconds since 1970; 0: not yet */
	double min_nodes, cpus;	/* whole */
	double time_limit;	/* minutes; 0: the partition's */
	double nice, site;	/* whole */
	bool held;
	double fairshare;	/* 0...1; NAN: of a tree */
	double assoc_priority;	/* whole */
	double queue, bank, urgency;	/* flux; urgency: whole */
};

/* Arrays that grow by jobs_room(). */
#define JOBS_ARRAY(type, name) type *name; size_t name##_count, name##_room

struct jobs {
	bool has_time;
	int64_t time;		/* seconds since 1970 */
	struct job_settings settings;
	double nodes, cpus;	/* of the cluster; whole */
	JOBS_ARRAY(struct jobs_partition, partition);
	JOBS_ARRAY(struct jobs_qos, qos);
	JOBS_ARRAY(struct job, job);
	JOBS_ARRAY(struct jobs_place, place);
	JOBS_ARRAY(struct amount, amount);
	JOBS_ARRAY(size_t, tres);	/* names of TRES: places in text */
	JOBS_ARRAY(char, text);
};

/* NULL at JOBS_NONE. */
const char *jobs_text(const struct jobs *jobs, size_t at);
/* The TRES of that name in any case, which is added if it is new. -1: ENOMEM. */
int jobs_find_tres(struct jobs *jobs, const char *name, size_t *tres, struct fathom_error *error);
void jobs_clear(struct jobs *jobs);

#endif
