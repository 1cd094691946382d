/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs as a file describes them, with the cluster and the settings on which their
 * priorities depend. */
#pragma once

#include "fathom.h"
#include "memory/need_memory.h"

#define JOBS_NONE SIZE_MAX

/* ---- slurm.conf -------------------------------------------------------------- */

#define JOB_MOST_TRES 64
#define JOB_TRES_NAME 64

/* Keys of slurm.conf that a job's priority depends on; weights of factors as in enum job_factor. */
enum job_setting {
	JOB_WEIGHT_AGE,
	JOB_WEIGHT_ASSOC,
	JOB_WEIGHT_FAIRSHARE,
	JOB_WEIGHT_JOB_SIZE,
	JOB_WEIGHT_PARTITION,
	JOB_WEIGHT_QOS,
	JOB_WEIGHT_TRES,	/* in `tres` */
	JOB_MAX_AGE,
	JOB_FAVOR_SMALL,
	JOB_FLAGS,		/* in `flags` and `policy` */
	JOB_DAMPENING_FACTOR,
	JOB_SETTING_COUNT
};

struct job_tres_weight {
	char name[JOB_TRES_NAME];
	double weight;
};

struct job_settings {
	double value[JOB_SETTING_COUNT];
	bool given[JOB_SETTING_COUNT];
	uint32_t flags;		/* of struct fathom_priority_config */
	bool increases_only;	/* INCR_ONLY, which changes no priority that is computed */
	const struct fathom_policy *policy;	/* that PriorityFlags choose */
	struct job_tres_weight tres[JOB_MOST_TRES];
	size_t tres_count;
};

/* ---- jobs -------------------------------------------------------------------- */

/* Counts of several TRES: elements of jobs->amount. */
struct tres_amounts {
	size_t first, count;
};

struct tres_amount {
	size_t tres;	/* its index in jobs->tres */
	uint64_t count;
};

struct jobs_partition {
	size_t name;		/* its place in jobs->text */
	double job_factor;	/* PriorityJobFactor */
	double max_time;	/* MaxTime in minutes; 0: none */
	struct tres_amounts tres;
};

struct jobs_qos {
	size_t name;
	double priority;
};

/* A partition that a job asks for. */
struct requested_partition {
	size_t name;		/* its place in jobs->text */
	size_t partition;	/* its index in jobs->partition, or JOBS_NONE */
};

/* A job of the file. Numbers are doubles, as in JSON; those called whole have no fraction. */
struct job {
	size_t line;		/* its line in the file */
	int64_t id;		/* 0 or more */
	size_t user, account, qos_name;		/* places in jobs->text, or JOBS_NONE */
	size_t qos;		/* its index in jobs->qos, or JOBS_NONE */
	size_t first_requested, requested_count;	/* in jobs->requested */
	struct tres_amounts tres;
	double accrue_time;	/* seconds since 1970; 0: not yet */
	double min_nodes, cpus;	/* whole */
	double time_limit;	/* minutes; 0: the partition's */
	double nice, site;	/* whole */
	bool held;
	size_t comment;		/* its place in jobs->text, or JOBS_NONE */
	size_t own_hold;	/* why fathom holds it: its place in jobs->text, or JOBS_NONE */
	size_t reason;		/* why it waits, as slurmctld calls it: its place in jobs->text, or
				 * JOBS_NONE */
	size_t reason_clause;	/* the same as a clause, "waits for ..." */
	bool depends;		/* waits for other jobs */
	size_t state;		/* for job_state_name() */
	double submit_time;	/* seconds since 1970 */
	double start_time;	/* of records of accounting; 0: it has not run, or is not known */
	double elapsed;		/* seconds that it ran, if start_time is known */
	double started;		/* a running job, seconds since 1970; 0: not known */
	double expected_start;	/* of a pending one, by slurmctld; 0: not known */
	size_t features, licenses, reservation;	/* that it asks for: places in jobs->text, or
						 * JOBS_NONE */
	double array_tasks;	/* of a job array that is pending as one job; whole */
	double fairshare;	/* 0 to 1; NAN: that of its association in the tree */
	double assoc_priority;	/* whole */
	double set_priority;	/* that an administrator has set; whole; 0: none has */
	bool waits;		/* it may not start yet; slurmctld does not show it sprio */
	/* of flux-accounting; NAN: that of the partition, 0, by comment and nice; urgency: whole */
	double queue, bank, urgency;
};

/* An array that grows by JOBS_ADD(). */
#define JOBS_ARRAY(type, name) type *name; size_t name##_count, name##_room

struct jobs {
	bool has_time;
	int64_t time;		/* seconds since 1970 */
	bool has_trace_start;
	double trace_start;	/* when a trace began from which the jobs were read */
	struct job_settings settings;
	double nodes, cpus;	/* size of the cluster; whole */
	bool hides_jobs;	/* PrivateData hides jobs of others */
	double highest_assoc;	/* the highest priority of an association; 0: that of the jobs */
	JOBS_ARRAY(struct jobs_partition, partition);
	JOBS_ARRAY(struct jobs_qos, qos);
	JOBS_ARRAY(struct job, job);
	JOBS_ARRAY(struct requested_partition, requested);
	JOBS_ARRAY(struct tres_amount, amount);
	JOBS_ARRAY(size_t, tres);	/* the places of their names in text */
	JOBS_ARRAY(char, text);
};

/* Adds an element to an array. */
#define JOBS_ADD(jobs, name, element)                                                             \
	((jobs)->name = need_room((jobs)->name, &(jobs)->name##_room, (jobs)->name##_count + 1,   \
				  sizeof(*(jobs)->name)),                                         \
	 (void)((jobs)->name[(jobs)->name##_count++] = (element)))

/* Copies a text to the end of jobs->text, and returns its place there. Texts may move. */
size_t jobs_add_text(struct jobs *jobs, const char *text);
/* Returns the text at a place, or NULL for JOBS_NONE; valid until a text is added. */
const char *jobs_text(const struct jobs *jobs, size_t at);
/* Returns the index of a TRES, named in upper or lower case; JOBS_NONE: the jobs have no such
 * TRES. */
size_t jobs_tres_named(const struct jobs *jobs, const char *name);
/* Returns the index of a TRES like jobs_tres_named(), and adds the TRES if the jobs have none of
 * this name. */
size_t jobs_find_tres(struct jobs *jobs, const char *name);
/* Returns the index of a partition; JOBS_NONE: none has this name. */
size_t jobs_partition_named(const struct jobs *jobs, const char *name);
/* Sets the members `partition` and `qos`, the indices of what jobs name; JOBS_NONE where the file
 * does not list it. */
void jobs_find_names(struct jobs *jobs);
/* Returns the greatest priority of an association, which counts as 1, see struct fathom_job. */
double jobs_highest_assoc(const struct jobs *jobs);
/* Returns the urgency of a job under flux: the file's, or else that by its comment and its nice
 * value. may_raise, fault: see job_comment_nice(). */
unsigned jobs_urgency(const struct jobs *jobs, const struct job *job, bool may_raise,
		      const char **fault);
/* Returns the names that a formula over jobs may use beside the fields, up to a NULL: each TRES of
 * the jobs, gres_gpu for gres/gpu, then each column of the policy. */
char **jobs_formula_names(const struct jobs *jobs, const struct fathom_policy *policy);
