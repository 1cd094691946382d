/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is replayed: jobs, and the rules by which they start. */
#pragma once

#include "policy/lsf/share_tree.h"
#include "fathom.h"
#include "policy/host_rule.h"
#include "policy/settings_layout.h"

struct entity_tree;
struct replay_scheduler;

/* A job of a trace. Times are seconds, from any beginning. */
struct replay_job {
	uint64_t number;	/* in the trace; need not be unique */
	double submit;
	double start;		/* in the trace; only for a scheduler that keeps it */
	double run;		/* how long it runs, 0 or more */
	double estimate;	/* how long the scheduler thinks it runs, at least `run` */
	double billing;		/* what it is charged each second */
	double cpu_use;		/* as in struct fathom_run_rate */
	uint32_t node;		/* of its association in the tree */
	uint32_t cpus;		/* 1 or more, at most those of its partition */
	uint32_t nodes;		/* 0: not known */
	uint32_t partition;	/* its number in the rules; 0 if they have none */
	uint32_t request;	/* number of its struct replay_request in the rules */
};

/* What jobs ask for beside CPUs and nodes, once for all jobs that ask for the same. */
struct replay_request {
	double qos_priority, qos_norm;	/* see struct fathom_queue */
	const uint64_t *tres;		/* counts, as many as the rules have TRES */
	uint64_t memory, gpus;		/* memory: megabytes; what policies may charge */
};

/* What is set for a single job. */
struct replay_terms {
	int64_t nice, site;
	double assoc_norm, assoc_priority;	/* see struct fathom_job */
	unsigned urgency;	/* under flux */
	double set_priority;	/* that an administrator has set, in place of any sum; 0: none */
};

/* A formula in place of Slurm's sum. */
struct replay_formula {
	struct fathom_formula *formula;	/* its extra names: TRES, then the policy's columns */
	double scale;
	size_t memory, gpus;		/* indices of these TRES; beyond the last one: none */
	double *extra;			/* room for the values of the extra names */
	struct fathom_formula_tally tally;
};

/* A partition: groups of nodes, which it may share with others. */
struct replay_partition {
	const uint32_t *group;	/* numbers of groups, in the order in which jobs take their CPUs */
	size_t group_count;
	struct fathom_queue queue;	/* for Slurm's sum */
	uint32_t scope;		/* 1 + its number in the rules; 0: none */
	uint32_t rank;		/* how many partitions have a higher PriorityJobFactor */
	size_t class_of;	/* see struct replay_scope */
	uint32_t pool;		/* 1 + its number in the rules; 0: none */
	double slot_share;	/* of the pool; percent */
	uint64_t most_cpus;	/* of each node, MaxCPUsPerNode; 0: all */
};

/* A slot pool: partitions with the same nodes. See struct fathom_pool. */
struct replay_pool {
	uint64_t max_slots;
	bool use_priority;
};

/* Partitions or hosts with a policy, and with usage of their own. */
struct replay_scope {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	double (*used)(const struct fathom_stretch *stretch, double seconds, void *formula);
	void *formula;
	const struct entity_tree *entities;	/* see struct replay_rules */
	size_t classes;		/* of its partitions, fathom_queue_classes(); 0: users go first */
	/* Shares of its own: a tree without usage, and the leaves that serve the jobs of each node
	 * of the tree of associations. NULL: it has the shares of that tree */
	const struct fathom_tree *tree;
	const struct share_leaves *leaves;
};

struct replay_rules {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	const struct replay_scheduler *scheduler;
	uint64_t cpus;		/* of the machine */
	/* CPUs of each group of nodes, `cpus` in all; no groups: all nodes are one */
	const uint64_t *group_cpus;
	/* the nodes of each group, for most_cpus; or NULL */
	const uint64_t *group_nodes;
	size_t group_count;
	/* no partitions: jobs run on all nodes */
	const struct replay_partition *partition;
	size_t partition_count;
	/* no scopes: all jobs go by all usage */
	const struct replay_scope *scope;
	size_t scope_count;
	const struct replay_pool *pool;
	size_t pool_count;
	/* By group: 1 + the number of the scope that has these hosts, 0: none. Scopes then charge
	 * each job for its CPUs there. NULL: scopes have partitions */
	const uint32_t *scope_of_group;
	enum host_rule host_rule;	/* of partitions with hosts of several scopes */
	bool others_first_come;	/* jobs of no scope are, whatever the policy */
	double half_life;	/* of usage; seconds, 0: no decay */
	double calc_period;	/* seconds between passes, above 0 */
	/* When usage becomes 0; FATHOM_RESET_NOW: at the first submission. */
	enum fathom_reset reset_period;
	/* Returns the day of a time of the jobs; NULL: usage is never reset. */
	struct fathom_date (*day_of)(double time, const void *calendar);
	const void *calendar;
	/* The entities that jobs are charged to, by node, instead of associations; or NULL. */
	const struct entity_tree *entities;
	/* Slurm's weighted sum; NULL: the factor alone, or the policy's own rule */
	const struct fathom_priority_config *priority;
	struct replay_formula *job_formula;	/* beside these weights; or NULL */
	const struct replay_request *request;	/* NULL: jobs ask for nothing else */
	/* by number of a job; NULL: nothing is set for any, as for jobs of a trace */
	const struct replay_terms *terms;
	/* by partition: counts of TRES that it has, priority->tres_count each */
	const uint64_t *partition_tres;
	/* Seconds from the first submission that figures leave out. */
	double warm_up;
	/* The half-life by which fairness is measured, whatever the policy's; seconds, 0: none. */
	double yardstick;
	/* Returns what a run has used after so many seconds, under a policy with a formula for it;
	 * NULL: its CPU seconds count. See fathom_sum_rules.used. */
	double (*used)(const struct fathom_stretch *stretch, double seconds, void *formula);
	void *formula;
	/* Of one of several clusters: what a second of its usage is worth in the others; 0: usage
	 * counts where it was. */
	double weight;
	/* Called for each job that starts; or NULL. */
	void (*started)(const struct replay_job *job, double start, void *context);
	void *context;
};
