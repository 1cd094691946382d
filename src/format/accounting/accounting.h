/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of accounting: the jobs that they tell of, what becomes of these, and the usage that is
 * added up. A format's read_accounting() calls accounting_add() for each job.
 */
#pragma once

#include "core/cpu_use.h"
#include "core/name_index.h"
#include "core/piece.h"
#include "core/snapshot.h"
#include "document/document.h"
#include "fathom.h"
#include "format/format.h"
#include "jobs/jobs.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- rules ---------------------------------------------------------------------------- */

/* What to make of records of accounting. */

#define EVERY_STATE UINT64_MAX
#define MOST_HALF_LIVES 64

/* Who says the half-life: nobody, so that it is the standard one; slurm.conf; fathom.conf; the
 * user. Each goes before those in front of it. */
enum half_life_of {
	HALF_LIFE_STANDARD, HALF_LIFE_OF_SLURM, HALF_LIFE_OF_FATHOM, HALF_LIFE_OF_USER
};

/* How records of a system that has a policy here are added up as that system does. */
struct system_rule {
	const struct fathom_policy *policy;	/* NULL: billing seconds alone count */
	struct fathom_settings settings;	/* of the policy */
	/* What is asked for; sources_read_records() makes the above of it, the settings of the
	 * site, and the systems of records and tree. */
	const struct fathom_policy *wanted;	/* NULL: the site's */
	const char *standard;			/* name of the policy if the site names none; or
						 * NULL: the tree's system has one */
	/* Changes settings of the policy as options say; wrong ones stay. NULL: none does. */
	void (*change)(const struct fathom_policy *policy, struct fathom_settings *settings,
		       const void *options);
	const void *options;
};

struct accounting_rules {
	double half_life[MOST_HALF_LIVES];	/* of usage; seconds, 0: no decay */
	size_t half_life_count;	/* 1 or more: usage is added up with each alone */
	struct system_rule system[MOST_HALF_LIVES];	/* beside each half-life */
	enum half_life_of half_life_of;
	uint64_t states;	/* jobs are kept in these, 1 << state for each, and in those of
				 * jobs that wait or run */
	/* Returns whether the usage of jobs in these partitions counts; NULL: it always does. */
	bool (*counts)(const void *context, struct piece partitions);
	const void *context;
};

/* ---- a job ---------------------------------------------------------------------------- */

/* A job as records of accounting tell it, of any system. */

/* Texts whose `at` is NULL and times that are NAN are not known. Times are seconds since 1970. */
struct accounted_job {
	size_t line;		/* of the file; 0: it has none */
	int64_t row;		/* of a database's table "jobs", or 0 */
	int64_t id;		/* 0 or more */
	struct piece user, account, qos;
	struct piece partitions;	/* separated by commas */
	struct piece queue;	/* its number, in a trace that has partitions, too */
	double submit, eligible, end;
	bool end_is_guess;	/* the records do not tell when it started or ended */
	double elapsed;		/* seconds that it ran, 0 or more; NAN: it has not run */
	double trace_submit;	/* the submit time as a trace counts it that has a beginning of its
				 * own; of other records it is 0, see accounting_scan() */
	double billing;		/* what it is charged each second */
	double cpu_time;	/* seconds on all CPUs together; if has_cpu_time */
	bool has_cpu_time;
	double memory, gpus;	/* that it used, else asked for; memory: megabytes */
	double time_limit;	/* minutes; 0: none */
	double cpus, nodes;	/* whole */
	struct piece tres;	/* as Slurm writes them: cpu=4,mem=8000M */
	size_t state;		/* for job_state_name() */
	double queue_priority, bank_priority;	/* of flux-accounting; 0: none */
	double array_tasks;	/* of a job array that is pending as one job */
};

/* Returns the CPU seconds of a job in each second, as in struct fathom_run_rate. */
static inline double accounted_cpu_use(const struct accounted_job *job)
{
	return job->has_cpu_time && job->elapsed > 0 ? cpu_use_of(job->cpu_time, job->elapsed) : 0;
}

/* Fails, see wrong_at(), with what is wrong in a job's record. */
_Noreturn void wrong_job(struct document *input, const struct accounted_job *job,
			 const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- reading -------------------------------------------------------------------------- */

/*
 * Reads all jobs of an open file of a format that has read_accounting().
 * snapshot: NULL, or an array with room for a tree for each half-life of the rules. They have the
 *	accounts and users, with 1 share each, and their usage; the first has the others as forks.
 * jobs: NULL, or gets the jobs in the states of the rules and those that have not ended; what it
 *	had is overwritten.
 * The time of the trees and of the jobs is the latest end of a job.
 */
void accounting_read(const struct format *format, struct document *input,
		     const struct accounting_rules *rules, struct snapshot *snapshot,
		     struct jobs *jobs);

/* What a scan of records gives each job to, and what else it finds. */
struct accounting_scan {
	void (*take)(const struct accounted_job *job, struct document *input, void *context);
	void *context;
	double machine_cpus;	/* 0: the file does not tell */
	bool has_own_time;	/* jobs have a trace_submit */
	size_t parts;		/* lines for parts of jobs */
};

/* Reads the jobs of an open file one after the other. machine_cpus and has_own_time are set before
 * the first job. */
void accounting_scan(const struct format *format, struct document *input,
		     struct accounting_scan *scan);

/* For readers: a line is for a part of a job; the machine has so many CPUs; the trace has times of
 * its own. */
void accounting_note_part(struct accounting *accounting);
void accounting_note_machine(struct accounting *accounting, double cpus);
void accounting_note_own_time(struct accounting *accounting);
/* Adds a job; for readers. Fails, see wrong_job(), if a number is above its limit, or if jobs
 * cannot have such a name or TRES. */
void accounting_add(struct accounting *accounting, const struct accounted_job *job);

/* ---- usage as a job's own system counts it -------------------------------------------- */

/*
 * Adds up the usage of jobs as their own system does, by the settings of its policy: PBS the
 * resource fairshare_usage_res, which decays in steps, LSF CPU time and run time.
 */

struct system_usage {
	const struct fathom_policy *policy;	/* NULL: nothing is added up */
	struct fathom_settings settings;
	double half_life;
	struct fathom_policy_sums *sums;	/* of a policy that decays evenly */
	struct stepped_row {
		double usage, step;	/* as it counts in this step */
	} *stepped;			/* by association: of one that decays in steps */
	size_t stepped_count;
	struct policy_steps steps;
	struct stepped_use {
		double amount, begin, end;	/* it is used evenly */
		size_t association;
	} *use;				/* the first ones, until it is known when steps begin */
	size_t use_count;
	double origin;			/* when a step begins; NAN: not known yet */
	struct fathom_formula *formula;	/* of the resource; NULL: it is the CPU time */
};

/* Begins without usage. policy: NULL, or one that keeps sums. A formula that cannot be computed is
 * wrong. */
void system_usage_create(struct system_usage *usage, const struct fathom_policy *policy,
			 const struct fathom_settings *settings);
/* Adds a job that has run and ended. */
void system_usage_add(struct system_usage *usage, size_t association,
		      const struct accounted_job *job);
/* Sets usage or resources of the associations, of which number 0 has the id 1, as of `time`. */
void system_usage_set(struct system_usage *usage, struct fathom_tree *tree,
		      const struct fathom_node_index *index, double time);

/* ---- usage ---------------------------------------------------------------------------- */

/*
 * Adds up the usage of jobs by associations. The memory grows with the number of
 * associations, not with that of jobs. Jobs may come in any order.
 */

/* An account, a user in it, or, as the first element, the root. */
struct accounted_association {
	char *key;		/* account, NUL, user; each may be empty */
	size_t account_length, user_length;
	size_t parent;		/* index of its account, or of the root */
	size_t line;		/* of its first job */
};

struct accounted_usage {
	struct accounted_association *association;
	size_t count;
	struct name_index *index;	/* of associations by key */
	struct decaying_usage {
		struct fathom_policy_sums *sums;
		struct fathom_sum_rules rules;
		struct system_usage system;	/* what the jobs' own system counts */
	} decaying[MOST_HALF_LIVES];
	size_t half_life_count;
	struct fathom_settings settings;	/* of the rules' policy */
	double latest_end;	/* NAN: no job has ended */
};

void accounted_usage_create(struct accounted_usage *usage, const struct accounting_rules *rules);
/* Returns the association of a job, which is added if it is new. A name that is too long is
 * wrong. */
size_t accounted_usage_find(struct accounted_usage *usage, struct document *input,
			    const struct accounted_job *job);
/* Adds what a job used until its end. */
void accounted_usage_add(struct accounted_usage *usage, struct document *input,
			 const struct accounted_job *job);
/* Makes the tree, as of the latest end, and a fork of it for each half-life after the first. A name
 * that a tree cannot have is wrong. */
void accounted_usage_finish(struct accounted_usage *usage, struct document *input,
			    struct snapshot *snapshot);

/* How users of one tree are found in another. */
struct usage_heirs {
	bool by_user;		/* by their names, whatever their account */
	const char *strangers;	/* account of users who are not found; NULL: their own */
	/* NULL; or returns the node for a user in an account; SIZE_MAX: the tree has none. */
	size_t (*find)(const void *context, const char *user, const char *account);
	const void *context;
};

struct job_associations;
struct job_row;

/* Returns a user's node by this rule, or JOB_NO_NODE. A row without an account is found by the name
 * alone. */
size_t usage_heir_of(const struct usage_heirs *rule, const struct job_associations *associations,
		     const struct job_row *row);

/* Gives the usage of one tree to the associations of another. What belongs to none of them goes to
 * the account, or to the root. Returns the number of associations of which this is true. */
size_t accounted_usage_give(struct snapshot *to, const struct snapshot *from,
			    const struct usage_heirs *rule);
