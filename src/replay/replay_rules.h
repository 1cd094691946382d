/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is replayed: jobs, and the rules by which they start. */
#pragma once

#include "policy/lsf/share_tree.h"
#include "fathom.h"
#include "policy/host_rule.h"
#include "policy/settings_layout.h"

struct entity_tree;
struct replay;

/* A job of a trace. Times are seconds, from any beginning. */
struct replay_job {
	uint64_t number;	/* in the trace; need not be unique */
	double submit;
	double start;		/* in the trace; only for keeps_starts and replay_resume() */
	double run;		/* how long it runs, 0 or more */
	double estimate;	/* how long the scheduler thinks it runs, at least `run` */
	double limit;		/* run time that it asked for, less than `run` if it ran over it;
				 * 0: it asked for none */
	double billing;		/* what it is charged each second */
	double cpu_use;		/* CPU seconds in each second; 0, below 0: see core/cpu_use.h */
	/* Under flux, priorities of its queue and bank. queue NAN: PriorityJobFactor of its
	 * partition */
	double queue, bank;
	uint32_t node;		/* of its association in the tree */
	uint32_t cpus;		/* 1 or more, at most those of its partition */
	uint32_t nodes;		/* 0: not known */
	uint32_t partition;	/* its number in the rules; 0 if they have none */
	uint32_t request;	/* number of its struct replay_request in the rules */
};

/* What jobs ask for beside CPUs and nodes. Jobs that ask for the same have one request. */
struct replay_request {
	double qos_priority, qos_norm;	/* see struct fathom_queue */
	const uint64_t *tres;		/* by TRES: how many; priority->tres_count of them */
	uint64_t memory, gpus;		/* megabytes, number; for policies that charge them */
};

/* What is set for a single job. */
struct replay_terms {
	int64_t nice, site;
	double age_from;	/* since when its age counts; INFINITY: it has no age */
	double assoc_norm, assoc_priority;	/* see struct fathom_job */
	unsigned urgency;	/* under flux: 0 to 31 */
	double set_priority;	/* set by an administrator, in place of any sum; 0: not set */
};

/* A formula in place of Slurm's sum. */
struct replay_formula {
	struct fathom_formula *formula;	/* its extra names: TRES, then the policy's columns */
	double scale;			/* multiplies its value; see fathom_formula_priority() */
	/* indices of these TRES; priority->tres_count or more: the cluster has no such TRES */
	size_t memory, gpus;
	double *extra;			/* room for the values of the extra names */
	struct fathom_formula_tally tally;	/* of all its evaluations */
};

/* A partition: groups of nodes, which it may share with others. */
struct replay_partition {
	const uint32_t *group;	/* numbers of groups, in the order in which jobs take their CPUs */
	size_t group_count;
	struct fathom_queue queue;	/* for Slurm's sum */
	double tier;		/* jobs of the greatest go first, whatever their priorities */
	uint32_t scope;		/* 1 + its number in the rules; 0: none */
	uint32_t rank;		/* how many partitions have a higher PriorityJobFactor */
	size_t queue_class;	/* among the classes of its scope; see fathom_queue_classes() */
	uint32_t pool;		/* 1 + its number in the rules; 0: none */
	double slot_share;	/* of the pool; percent */
	uint64_t most_cpus;	/* of each node, MaxCPUsPerNode; 0: all */
};

/* A slot pool: partitions with the same nodes. */
struct replay_pool {
	uint64_t max_slots;	/* FATHOM_NO_LIMIT: all; see struct fathom_pool */
	bool use_priority;	/* see struct fathom_pool */
};

/* Partitions or hosts with a policy, and with usage of their own. */
struct replay_scope {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	/* these three as in struct replay_rules */
	double (*used)(const struct fathom_stretch *stretch, double seconds, void *formula);
	void *formula;
	const struct entity_tree *entities;
	/* How many classes its partitions have, see fathom_queue_classes(): jobs go by the class
	 * first, then by the user. 0: the class does not count. */
	size_t classes;
	/* Shares of its own: a tree without usage, and the leaves that serve the jobs of each node
	 * of the tree of associations. NULL: it has the shares of the tree of associations */
	const struct fathom_tree *tree;
	const struct share_leaves *leaves;
};

/* A scheduler: which pending jobs start at an instant. */
struct replay_scheduler {
	const char *name;	/* for --scheduler */
	/* Of each node set, the first job that does not fit has a reservation. */
	bool reserves_first;
	/* Each pending job has a reservation, so that each cycle needs the order of all jobs. */
	bool reserves_all;
	/* Jobs start when they did in the trace; the queue is a heap of these times. */
	bool keeps_starts;
	/* Starts pending jobs now, by replay_start_job() or replay_start_at(). */
	void (*cycle)(struct replay *replay);
	/* Notes that the job in a slot ends now, while the slot still has the job; NULL: the
	 * scheduler need not know. */
	void (*note_end)(struct replay *replay, uint32_t slot);
};

extern const struct replay_scheduler replay_scheduler_easy, replay_scheduler_conservative,
	replay_scheduler_none, replay_scheduler_strict, replay_scheduler_trace;
/* All schedulers, and behind them NULL. */
extern const struct replay_scheduler *const replay_schedulers[];

struct replay_rules {
	const struct fathom_policy *policy;	/* in force */
	struct fathom_settings settings;
	const struct replay_scheduler *scheduler;

	/* the machine */
	uint64_t cpus;			/* in all */
	const uint64_t *group_cpus;	/* by group of nodes: its CPUs, `cpus` in all */
	const uint64_t *group_nodes;	/* by group: its nodes, for most_cpus; NULL: not known */
	size_t group_count;		/* 0: all nodes are one group */
	const struct replay_partition *partition;
	size_t partition_count;		/* 0: jobs run on all nodes */

	/* scopes and slot pools */
	const struct replay_scope *scope;
	size_t scope_count;		/* 0: all jobs go by all usage */
	const struct replay_pool *pool;
	size_t pool_count;
	/* By group: 1 + the number of the scope that has these hosts; 0: no scope has. Scopes then
	 * charge each job for its CPUs there. NULL: scopes have partitions. */
	const uint32_t *scope_of_group;
	enum host_rule host_rule;	/* for partitions with hosts of several scopes */
	bool others_first_come;		/* jobs of no scope go so, whatever the policy */

	/* usage */
	double half_life;		/* seconds; 0: no decay */
	double calc_period;		/* seconds between passes, above 0 */
	/* When usage becomes 0; FATHOM_RESET_NOW: at the first submission. */
	enum fathom_reset reset_period;
	/* Returns the day of a time of the jobs, with `calendar`; NULL: usage is never reset. */
	struct fathom_date (*day_of)(double time, const void *calendar);
	const void *calendar;
	/* The entities, by node, that are charged instead of associations; NULL: associations
	 * are. */
	const struct entity_tree *entities;

	/* priorities */
	/* Weights of Slurm's sum. NULL: the priority is the factor alone, or flux's sum. */
	const struct fathom_priority_config *priority;
	/* In place of Slurm's sum; `priority` is then what the formula's names refer to, and must
	 * not be NULL. NULL: no formula. */
	struct replay_formula *job_formula;
	const struct replay_request *request;	/* NULL: jobs ask only for CPUs and nodes */
	/* by replay_job.number; NULL: nothing is set for single jobs, as in traces */
	const struct replay_terms *terms;
	/* PriorityFlags=INCR_ONLY: the priority of a job that waits never falls. */
	bool increases_only;

	/* measuring */
	double warm_up;			/* seconds from the begin that figures leave out */
	double yardstick;		/* half-life by which fairness is measured; 0: no decay */
	/* The same tree with the shares by which fairness is measured; NULL: those of the
	 * replay's tree. */
	const struct fathom_tree *measured;

	/* Returns what a run has used after `seconds`, by the policy's formula, which is passed on;
	 * see fathom_sum_rules.used. NULL: its CPU seconds count. */
	double (*used)(const struct fathom_stretch *stretch, double seconds, void *formula);
	void *formula;
	/* For one of several clusters: what a second of its usage is worth in the others; 0: it
	 * does not count there. */
	double weight;
	/* Called for each job that starts, but not for resumed ones; or NULL. */
	void (*started)(const struct replay_job *job, double start, void *context);
	void *context;
};
