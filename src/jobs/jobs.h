/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs as a file describes them, with the cluster and the settings on which their
 * priorities depend. */
#pragma once

#include "core/numbered_names.h"
#include "fathom.h"
#include "memory/need_memory.h"

#define JOBS_NONE SIZE_MAX	/* in place of an index or an offset */

/* ---- slurm.conf -------------------------------------------------------------- */

#define JOB_MOST_TRES 64	/* in PriorityWeightTRES */
#define JOB_TRES_NAME 64	/* bytes of a TRES's name, with its NUL */

/* Keys of slurm.conf that a job's priority depends on. The weights come first, in the order of enum
 * job_factor. */
enum job_setting {
	JOB_WEIGHT_AGE,
	JOB_WEIGHT_ASSOC,
	JOB_WEIGHT_FAIRSHARE,
	JOB_WEIGHT_JOB_SIZE,
	JOB_WEIGHT_PARTITION,
	JOB_WEIGHT_QOS,
	JOB_WEIGHT_TRES,	/* read into `tres` */
	JOB_MAX_AGE,
	JOB_FAVOR_SMALL,
	JOB_FLAGS,		/* read into `flags`, `rules` and `policy` */
	JOB_DAMPENING_FACTOR,
	JOB_SETTING_COUNT
};

/* Words of PriorityFlags that the weighted sum does not depend on. */
enum job_rules {
	JOB_INCREASES_ONLY = 1,	/* INCR_ONLY, which changes no priority that is computed */
	JOB_ACCRUES_ALWAYS = 2,	/* ACCRUE_ALWAYS, for jobs_age_from() */
};

struct job_tres_weight {
	char name[JOB_TRES_NAME];
	double weight;
};

struct job_settings {
	double value[JOB_SETTING_COUNT];	/* Slurm's default where slurm.conf lacks the key */
	bool given[JOB_SETTING_COUNT];		/* slurm.conf has the key */
	uint32_t flags;		/* for fathom_priority_config.flags */
	uint32_t rules;		/* bits of enum job_rules */
	const struct fathom_policy *policy;	/* the one that PriorityFlags choose */
	struct job_tres_weight tres[JOB_MOST_TRES];	/* PriorityWeightTRES */
	size_t tres_count;
};

/* ---- jobs -------------------------------------------------------------------- */

/* Amounts of several TRES: elements of jobs->amount. */
struct tres_amounts {
	size_t first, count;
};

struct tres_amount {
	size_t tres;	/* its index in jobs->tres */
	uint64_t count;	/* in Slurm's unit: memory in megabytes */
};

struct jobs_partition {
	size_t name;		/* offset in jobs->text */
	double job_factor;	/* PriorityJobFactor */
	double max_time;	/* MaxTime in minutes; 0: no limit */
	struct tres_amounts tres;
};

struct jobs_qos {
	size_t name;		/* offset in jobs->text */
	double priority;
};

/* A partition that a job asks for. */
struct requested_partition {
	size_t name;		/* offset in jobs->text */
	/* index in jobs->partition, or JOBS_NONE; set by jobs_find_names() */
	size_t partition;
};

/* A job of the file. Numbers are doubles, as in JSON; those called whole have no fraction. Texts
 * are offsets in jobs->text, or JOBS_NONE. */
struct job {
	size_t line;		/* its line in the file */
	int64_t id;		/* 0 or more */
	size_t user, account, qos_name;		/* texts */
	size_t qos;		/* index in jobs->qos, or JOBS_NONE; set by jobs_find_names() */
	size_t first_requested, requested_count;	/* in jobs->requested */
	struct tres_amounts tres;
	double accrue_time;	/* since when it is eligible, seconds since 1970; 0: not yet; see
				 * jobs_age_from() */
	double min_nodes, cpus;	/* whole */
	double time_limit;	/* minutes; 0: the partition's */
	double nice, site;	/* whole; site: the site factor */
	bool held;
	size_t comment;		/* a text */
	size_t own_hold;	/* a text: why fathom holds it */
	size_t reason;		/* a text: why it waits, by slurmctld's name, "Dependency" */
	size_t reason_clause;	/* a text: the same as a clause, "waits for ..." */
	bool depends;		/* waits for other jobs */
	size_t state;		/* for job_state_name() */
	double submit_time;	/* seconds since 1970 */
	double start_time;	/* in accounting, seconds since 1970; 0: it has not run, or the time
				 * is not known */
	double elapsed;		/* seconds that it ran, if start_time is known */
	double started;		/* of a running job, seconds since 1970; 0: not known */
	double expected_start;	/* of a pending job, by slurmctld, seconds since 1970; 0: not
				 * known */
	size_t features, licenses, reservation;	/* texts: what it asks for */
	double array_tasks;	/* of a job array that is pending as one job; whole; else 0 or 1 */
	double fairshare;	/* 0 to 1; NAN: the factor of its association in the tree counts */
	double assoc_priority;	/* whole */
	double set_priority;	/* set by an administrator; whole; 0: computed */
	bool waits;		/* it may not start yet; slurmctld does not show it sprio */
	/* priorities of flux-accounting: */
	double queue;		/* NAN: that of the partition counts */
	double bank;		/* NAN: 0 */
	double urgency;		/* whole, 0 to 31; NAN: see jobs_urgency() */
};

/* A job of which nothing is known: it has no texts, and all else is 0 or NAN, as above. */
extern const struct job job_unknown;

/* An array that grows by JOBS_ADD(), with the number of its elements in use and allocated. */
#define JOBS_ARRAY(type, name) type *name; size_t name##_count, name##_room

struct jobs {
	bool has_time;
	int64_t time;		/* of all that is described, seconds since 1970; if has_time */
	bool has_trace_start;
	double trace_start;	/* seconds since 1970; when the trace began that has the jobs */
	struct job_settings settings;
	double nodes, cpus;	/* size of the cluster; whole; 0: not known */
	bool hides_jobs;	/* PrivateData hides jobs of others */
	double highest_assoc;	/* the highest priority of an association; 0: not known */
	JOBS_ARRAY(struct jobs_partition, partition);	/* add by jobs_add_partition() */
	struct name_index *partitions;	/* from their names to their indices; NULL: none yet */
	JOBS_ARRAY(struct jobs_qos, qos);
	JOBS_ARRAY(struct job, job);
	JOBS_ARRAY(struct requested_partition, requested);	/* add by jobs_add_requested() */
	struct numbered_names *requested_names;	/* of `requested`; NULL: none yet */
	JOBS_ARRAY(size_t, last_requested);	/* by number of a name: last in `requested` */
	JOBS_ARRAY(struct tres_amount, amount);
	JOBS_ARRAY(size_t, tres);	/* names of TRES: offsets in `text` */
	JOBS_ARRAY(char, text);		/* all texts, each with its NUL */
};

/* Adds an element to the array `name` of jobs, which may move it. */
#define JOBS_ADD(jobs, name, element)                                                             \
	((jobs)->name = need_room((jobs)->name, &(jobs)->name##_room, (jobs)->name##_count + 1,   \
				  sizeof(*(jobs)->name)),                                         \
	 (void)((jobs)->name[(jobs)->name##_count++] = (element)))

/* Copies a text to the end of jobs->text, and returns its offset there. Texts may move. */
size_t jobs_add_text(struct jobs *jobs, const char *text);
/* Returns the text at an offset, or NULL for JOBS_NONE; valid until a text is added. */
const char *jobs_text(const struct jobs *jobs, size_t offset);
/* Returns the index of a TRES in jobs->tres; case of the name is ignored. JOBS_NONE: there is no
 * such TRES. */
size_t jobs_tres_named(const struct jobs *jobs, const char *name);
/* Returns the index of a TRES in jobs->tres, to which it is added if it is not there; case of the
 * name is ignored. */
size_t jobs_find_tres(struct jobs *jobs, const char *name);
/* Adds a partition to jobs->partition, and its name to the table of jobs_partition_named(). */
void jobs_add_partition(struct jobs *jobs, struct jobs_partition partition);
/* Returns the index of a partition in jobs->partition; JOBS_NONE: there is no such partition. */
size_t jobs_partition_named(const struct jobs *jobs, const char *name);
/* Adds a partition to those that a job asks for, unless it is one of them. first: the job's
 * first_requested; these are the last ones. name: offset of its name. */
void jobs_add_requested(struct jobs *jobs, size_t first, size_t name);
/* Sets `partition` of the requested partitions and `qos` of the jobs to the indices of what they
 * name; JOBS_NONE where the file does not list that. Call it when all has been read. */
void jobs_find_names(struct jobs *jobs);
/* Returns the time from which the age of a job counts, seconds since 1970: when it became eligible,
 * under ACCRUE_ALWAYS its submission, if that is known. 0: it has no age yet. */
double jobs_age_from(const struct jobs *jobs, const struct job *job);
/* Returns the greatest priority of an association that is known; assoc_norm of struct fathom_job
 * is 1 there. 0: there is none above 0. */
double jobs_highest_assoc(const struct jobs *jobs);
/* Returns the urgency of a job under flux: the file's, else that by its comment and its nice value.
 * may_raise, fault: see job_comment_nice(). *fault stays as it is if the file has an urgency. */
unsigned jobs_urgency(const struct jobs *jobs, const struct job *job, bool may_raise,
		      const char **fault);
/* Returns the names that a formula over jobs may use beside the fields: each TRES of the jobs,
 * gres_gpu for gres/gpu, then each column of the policy, then NULL. */
char **jobs_formula_names(const struct jobs *jobs, const struct fathom_policy *policy);
