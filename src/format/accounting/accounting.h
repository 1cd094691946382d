/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of accounting: their jobs become a list of jobs, and a tree with the usage added up.
 *
 *	accounting_read()		calls read_accounting() of the file's format, which calls
 *	accounting_add()		for each job. This checks the job, and calls
 *	accounted_usage_add()		to charge its association, and
 *	system_usage_add()		to charge it as the jobs' own system does
 *	accounted_usage_finish()	makes the tree, in which all shares are 1
 *	accounted_usage_give()		moves the usage to a tree that has the site's shares
 *
 * accounting_scan() gives the jobs to another consumer instead, such as a replay.
 */
#pragma once

#include "core/cpu_use.h"
#include "core/name_index.h"
#include "core/piece.h"
#include "core/snapshot.h"
#include "days/local_day.h"
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

#define EVERY_STATE UINT64_MAX	/* for accounting_rules.states */
#define MOST_HALF_LIVES 64

/* Where the half-life comes from. A later one of these replaces an earlier one. */
enum half_life_of {
	HALF_LIFE_STANDARD,	/* the default */
	HALF_LIFE_OF_SNAPSHOT,	/* PriorityDecayHalfLife of the slurm.conf within a snapshot */
	HALF_LIFE_OF_SLURM,	/* PriorityDecayHalfLife of slurm.conf */
	HALF_LIFE_OF_FATHOM,	/* HalfLife of fathom.conf */
	HALF_LIFE_OF_USER	/* an option of the command */
};

/* By which policy usage is added up. PBS and LSF have policies that count other amounts than
 * billing seconds, and decay them in their own way. */
struct system_rule {
	/* Set by sources_read_records(): the policy of the system that wrote the records, if the
	 * tree is evaluated by it; else NULL, and billing seconds alone count. */
	const struct fathom_policy *policy;
	struct fathom_settings settings;	/* of `policy`, if it is not NULL */
	/* Also set by it: which entity jobs charge in a tree of PBS's; in any other tree
	 * ENTITY_EUSER. */
	enum fairshare_entity entity;
	/* Set by the caller: the policy by which the tree is evaluated. NULL: that of the site's
	 * files; if they name none, `standard`. */
	const struct fathom_policy *wanted;
	const char *standard;	/* a policy's name; NULL: that of the system of the tree */
	/* Changes `settings` as the options of the command say, except for options that are wrong.
	 * NULL: no option changes them. */
	void (*change)(const struct fathom_policy *policy, struct fathom_settings *settings,
		       const void *options);
	const void *options;	/* for change() */
	/* Those of all policies side by side, also for change(): all policies charge jobs to the
	 * same entities, so that their figures differ by the policy alone. */
	const void *all_options;
};

/* What to make of records of accounting. */
struct accounting_rules {
	double half_life[MOST_HALF_LIVES];	/* of usage; seconds, 0: no decay */
	size_t half_life_count;	/* a tree is made for each; 0: no usage is added up */
	struct system_rule system[MOST_HALF_LIVES];	/* one for each half-life */
	enum half_life_of half_life_of;	/* where half_life comes from */
	enum fathom_reset reset;	/* of usage, by the local time zone */
	/* Bits 1 << state: the list of jobs gets jobs in these states. It always gets those that
	 * wait or run. */
	uint64_t states;
	/* Returns whether the usage of a job in these partitions counts. NULL: it always does. */
	bool (*counts)(const void *context, struct piece partitions);
	const void *context;	/* for counts() */
	/* The tree that gets the usage, in whose partitions users may have associations; NULL: the
	 * usage makes its own tree, which knows no partitions. */
	const struct snapshot *tree;
};

/* ---- a job ---------------------------------------------------------------------------- */

/* A job of any system, as its record of accounting describes it. Times are seconds since 1970; a
 * time that is not known is NAN, a text that is not known is empty. */
struct accounted_job {
	size_t line;		/* of the file; 0: the file has no lines */
	int64_t row;		/* of a database's table "jobs"; 0: the file is not one */
	int64_t id;		/* 0 or more */
	struct piece user, account, qos;
	struct piece group;		/* of the user, as the record of PBS tells it */
	struct piece partitions;	/* separated by commas */
	struct piece queue;	/* of a trace that has queues and partitions: the queue's number */
	double submit, eligible, end;
	bool end_is_guess;	/* the record does not tell the wait, so `end` may be too early */
	double elapsed;		/* seconds that it ran, 0 or more; NAN: it has not run */
	double trace_submit;	/* of a trace that has its own time: the submit time in seconds
				 * from the trace's time 0; otherwise 0 */
	double trace_start;	/* that time 0, in seconds since 1970; SWF_NO_START or less: the
				 * trace does not tell it */
	double billing;		/* billing TRES: what it is charged each second */
	double cpu_time;	/* seconds on all CPUs together, if has_cpu_time */
	bool has_cpu_time;
	double memory, gpus;	/* used, or else asked for; 0: not known; memory: megabytes */
	double time_limit;	/* minutes; 0: none */
	double cpus, nodes;	/* whole; 0: not known */
	struct piece tres;	/* as Slurm writes them: cpu=4,mem=8000M */
	size_t state;		/* for job_state_name() */
	double queue_priority, bank_priority;	/* of flux-accounting; 0: none */
	double array_tasks;	/* tasks of a pending job array that has one record; else 0 or 1 */
};

/* Returns the CPU seconds that a job used each second, see core/cpu_use.h; 0: not known. */
static inline double accounted_cpu_use(const struct accounted_job *job)
{
	return job->has_cpu_time && job->elapsed > 0 ? cpu_use_of(job->cpu_time, job->elapsed) : 0;
}

/* Returns whether the usage of a job counts by the rules. */
static inline bool accounting_counts(const struct accounting_rules *rules,
				     const struct accounted_job *job)
{
	return !rules->counts || rules->counts(rules->context, job->partitions);
}

/* Fails, see wrong_at(), with a message about a job's record; it names the line or the row. */
_Noreturn void wrong_job(struct document *input, const struct accounted_job *job,
			 const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- reading -------------------------------------------------------------------------- */

/*
 * Reads all jobs of an open file of a format that has read_accounting().
 * Fails, see wrong_at(), if a record is wrong.
 * snapshot: NULL, or an array with room for a tree for each half-life of the rules. They have the
 *	accounts and users, with 1 share each, and their usage; all but the first are its forks.
 * jobs: NULL, or gets the jobs in the states of the rules and those that have not ended; what it
 *	had is overwritten.
 * The time of the trees and of the jobs is the latest end of a job.
 */
void accounting_read(const struct format *format, struct document *input,
		     const struct accounting_rules *rules, struct snapshot *snapshot,
		     struct jobs *jobs);

/* The consumer of a scan, and what the scan finds besides jobs. */
struct accounting_scan {
	/* Set by the caller; called with each job. */
	void (*take)(const struct accounted_job *job, struct document *input, void *context);
	void *context;		/* for take() */
	/* Set by the scan, the first two before the first job. */
	double machine_cpus;	/* CPUs of the machine; 0: the file does not tell */
	bool has_own_time;	/* it is a trace with its own time: jobs have a trace_submit */
	size_t parts;		/* lines that are for a part of a job, and so no job */
};

/* Gives each job of an open file to scan->take(), in the order of the file; adds nothing up. */
void accounting_scan(const struct format *format, struct document *input,
		     struct accounting_scan *scan);

/* The next two functions are called by readers, format->read_accounting(). */

/* Returns where to note what the file tells besides jobs; see struct accounting_scan. */
struct accounting_scan *accounting_notes(struct accounting *accounting);
/* Adds a job, or gives it to the scan. Fails, see wrong_job(), if a number is above its limit, or
 * if a list of jobs cannot have its name or TRES. */
void accounting_add(struct accounting *accounting, const struct accounted_job *job);

/* ---- associations --------------------------------------------------------------------- */

/* The associations of jobs, each once, in the order of their first jobs. The root is the first. */

/* An account, a user in it, also in one partition, or the root. */
struct accounted_association {
	struct piece account, user;	/* each may be empty */
	struct piece partition;		/* `at` NULL: all partitions */
	size_t parent;		/* index of its account, or of the root */
	size_t line;		/* of its first job */
};

struct accounted_associations {
	struct accounted_association *association;
	size_t count;
	struct name_index *index;	/* from keys to indices of `association` */
	/* Partitions that are told apart: a user's jobs in each have an association of their own.
	 * NULL: all partitions are. */
	struct name_index *partitions;
};

/* Returns whether this entity of PBS is a job's association, and not a queue or a group. */
static inline bool entity_is_association(enum fairshare_entity entity)
{
	return entity == ENTITY_EUSER || entity == ENTITY_ACCOUNT_NAME;
}

/* Begins with the root alone. */
void accounted_associations_create(struct accounted_associations *associations,
				   struct name_index *partitions);
/* Returns the names of the partitions for which users of a tree have associations, for
 * accounted_associations_create(). tree: NULL: there are none. */
struct name_index *accounted_partitions_of(const struct snapshot *tree);
/* Returns the index of a job's association, which is added if it is new. Fails, see wrong_job(), if
 * a name is too long. */
size_t accounted_associations_find(struct accounted_associations *associations,
				   struct document *input, const struct accounted_job *job);
/* Returns the index of the association that a job charges, as accounted_associations_find() does.
 * For a queue or a group, that is a user below the root with the name of the entity. */
size_t accounted_associations_find_entity(struct accounted_associations *associations,
					  struct document *input, const struct accounted_job *job,
					  enum fairshare_entity entity);
/* Makes *snapshot a tree of the associations, with 1 share each, no usage, and half-life 0. An
 * association's id there is its index + 1. Fails, see wrong_at(), if a tree cannot have a name. */
void accounted_associations_make_tree(const struct accounted_associations *associations,
				      struct document *input, struct snapshot *snapshot);

/* ---- usage as a job's own system counts it -------------------------------------------- */

/*
 * Adds up the usage of jobs as their own system does, by the settings of its policy. PBS counts the
 * resource fairshare_usage_res, and decays it in steps; LSF counts CPU time and run time, and
 * decays them evenly. An association is an index in accounted_usage.associations.
 */

struct system_usage {
	const struct fathom_policy *policy;	/* NULL: nothing is added up */
	struct fathom_settings settings;
	double half_life;			/* seconds; 0: no decay */
	/* Of a policy that decays evenly; otherwise NULL: */
	struct fathom_policy_sums *sums;
	/* Of a policy that decays in steps, which are numbered from `origin`: */
	struct stepped_row {
		double usage;		/* as it counts in step number `step` */
		double step;
	} *stepped;			/* by association */
	size_t stepped_count;
	struct policy_steps steps;
	struct stepped_use {
		double amount;		/* used evenly from begin to end */
		double begin, end;	/* seconds since 1970 */
		size_t association;
	} *use;				/* the first uses, kept until `origin` is known */
	size_t use_count;
	double origin;			/* when step 0 begins; NAN: not known yet */
	double since;		/* time of the last reset; uses before it do not count */
	struct fathom_formula *formula;	/* of the resource; NULL: it is the CPU time */
};

/* Begins without usage. policy: NULL, or one that keeps sums. Fails, see wrong_at(), if the formula
 * of the resource cannot be computed. */
void system_usage_create(struct system_usage *usage, const struct fathom_policy *policy,
			 const struct fathom_settings *settings);
/* Adds a job that has run and ended. Does nothing without a policy. */
void system_usage_add(struct system_usage *usage, size_t association,
		      const struct accounted_job *job);
/* Lets nothing count that was used before a time. Does nothing without a policy. */
void system_usage_reset(struct system_usage *usage, double time);
/* Sets the usage or the resources of the tree's nodes, decayed until `time`. index: of the tree;
 * the id of an association's node is the association + 1. Does nothing without a policy. */
void system_usage_set(struct system_usage *usage, struct fathom_tree *tree,
		      const struct fathom_node_index *index, double time);

/* ---- usage ---------------------------------------------------------------------------- */

/*
 * Adds up the usage of jobs by associations. The memory grows with the number of
 * associations, not with that of jobs. Jobs may come in any order.
 */

struct accounted_usage {
	struct accounted_associations associations;
	/* The usage with each half-life. */
	struct decaying_usage {
		struct fathom_policy_sums *sums;	/* billing seconds */
		struct fathom_sum_rules rules;		/* of `sums` */
		struct system_usage system;	/* what the jobs' own system counts */
		enum fairshare_entity entity;	/* that is charged */
	} decaying[MOST_HALF_LIVES];
	size_t half_life_count;
	struct fathom_settings settings;	/* of rules.policy of each half-life */
	double latest_end;	/* seconds since 1970; NAN: no job has ended */
	enum fathom_reset reset;
	struct reset_period period;	/* in which latest_end is */
};

/* Begins with the root alone. Do not move *usage afterwards: its rules point into it. */
void accounted_usage_create(struct accounted_usage *usage, const struct accounting_rules *rules);
/* Finds the associations of a job, and charges those of its entities for what the job has run until
 * job->end, if both are known. */
void accounted_usage_add(struct accounted_usage *usage, struct document *input,
			 const struct accounted_job *job);
/* Makes the tree, as of the latest end, in snapshot[0], and a fork of it in the next elements for
 * each half-life after the first. Fails, see wrong_at(), if a tree cannot have a name. */
void accounted_usage_finish(struct accounted_usage *usage, struct document *input,
			    struct snapshot *snapshot);

/* Adds the usage and the resources of `from` to the nodes of `to`, which gets time and half-life of
 * `from`, too, and settles its tree. Usage of a user whom `to` does not have by the rule goes to
 * the rule's account for strangers, else to the account with the name of the user's, else to the
 * root. Returns the number of users and accounts with usage that `to` does not have. */
size_t accounted_usage_give(struct snapshot *to, const struct snapshot *from,
			    const struct association_rule *rule);
