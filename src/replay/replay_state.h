/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a replay: the jobs that wait or run, what they hold and what they are charged. The
 * heading of a section names the file with its functions. */
#pragma once

#include "memory/need_memory.h"
#include "policy/dispatch.h"
#include "policy/entity_figures.h"
#include "policy/pool_service.h"
#include "policy/traits.h"
#include "replay/replay_figures.h"
#include "replay/replay_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- current_jobs.c ------------------------------------------------------------------- */

/* The jobs that wait or run. Each is known by its slot, a number from 0, until it ends; then
 * another job may get the slot. */

#define NO_SLOT UINT32_MAX	/* in place of the slot of a job that has left a queue */

struct current_job {
	struct replay_job given;	/* as it was submitted or resumed */
	uint64_t sequence;	/* number of jobs before it, in the order of submission */
	double start;		/* when it has started; NAN: it waits */
	double highest;		/* the highest priority that it has had; if rules.increases_only */
	/* for schedulers that reserve for all jobs: */
	double reserved;	/* start of its reservation; NAN: it has none */
	size_t planned;		/* its place in the queue at the last cycle; SIZE_MAX: it was not
				 * there */
	uint32_t next_free;	/* only in a free slot: 1 + the next free one; 0: it is the last */
	uint32_t leaf;		/* key of the leaf at which it runs, if its scope has shares of its
				 * own; 0: it has no leaf */
};

/* Start with all members but the number of groups 0. */
struct current_jobs {
	struct current_job *job;		/* by slot */
	/* By slot and group of nodes: CPUs that a running job has, or that are reserved for one
	 * that waits. */
	uint32_t *taken;
	size_t groups;		/* set by the caller */
	size_t room, taken_room;
	uint32_t used;		/* slots that were ever used: 0 to used - 1 */
	uint32_t free;		/* 1 + the first free one of these; 0: all have jobs */
	uint64_t submitted;	/* jobs that were ever added */
};

/* Adds a job that waits, and returns its slot. Its `taken` is not set. */
uint32_t current_jobs_add(struct current_jobs *jobs, const struct replay_job *job);
/* Removes a job, which frees its slot. */
void current_jobs_remove(struct current_jobs *jobs, uint32_t slot);
/* Returns the CPUs of a job by group, which the caller may set. The array may move when a job is
 * added. */
static inline uint32_t *current_jobs_taken(const struct current_jobs *jobs, uint32_t slot)
{
	return jobs->taken + slot * jobs->groups;
}

/* ---- machine.c ------------------------------------------------------------------------ */

/* The machine: the CPUs of each group of its nodes, and what runs on them. Any CPU of a group is as
 * good as any other. */

/* A running job. */
struct occupant {
	double end;	/* in `ending`: when it ends; in `expected`: when its estimate ends */
	uint32_t slot;	/* of the job, in struct current_jobs */
	uint32_t cpus;
};

/* Start with all members 0 but cpus, free, group_free and groups. */
struct machine {
	/* Of all groups. Under the scheduler "trace" there may be more jobs than fit: then `free`
	 * wraps around, and group_free is below 0. */
	uint64_t cpus, free;
	int64_t *group_free;		/* by group */
	size_t groups;
	struct occupant *ending;	/* a heap, the first to end on top */
	struct occupant *expected;	/* the same jobs, sorted by expected end */
	size_t count;			/* running jobs */
	size_t ending_room, expected_room;
};

/* Starts a job that runs until started->end, by its estimate until `expected`. taken: by group, the
 * CPUs that it gets. */
void machine_start(struct machine *machine, const struct occupant *started, double expected,
		   const uint32_t *taken);
/* Returns when the next job ends; INFINITY: no job runs. */
double machine_next_end(const struct machine *machine);
/* Removes the job on top of `ending`, and frees its CPUs. expected, taken: what the job was started
 * with. */
void machine_end(struct machine *machine, double expected, const uint32_t *taken);

/* ---- node_sets.c ---------------------------------------------------------------------- */

/*
 * The nodes that partitions have. All nodes that are in the same partitions are a group; a job may
 * use any CPUs of a group. Partitions may have groups in common; those with the same groups have
 * the same node set:
 *
 *	PartitionName=a Nodes=n[1-4]		groups: n[1-2] n[3-4] n5
 *	PartitionName=b Nodes=n[3-5]		node set 0: n[1-2] n[3-4]
 *	PartitionName=c Nodes=n[1-4]		node set 1: n[3-4] n5
 *
 * Node sets with a group in common are of one component, and so are node sets that are linked by
 * others in between. No job of another component can take their CPUs.
 */

struct node_set {
	const uint32_t *group;	/* its groups, in the order that its first partition gives */
	size_t count;
	uint64_t cpus;		/* of all its groups */
	uint32_t component;	/* number of its component, below the number of groups */
};

/* Start with all members 0. */
struct node_sets {
	struct node_set *set;
	size_t count;
	uint32_t *of_partition;	/* by partition: index of its node set */
	size_t partitions;	/* 1 for a machine without partitions */
	uint64_t *group_cpus;	/* by group */
	size_t groups;		/* 1 for a machine without groups */
	uint32_t only;		/* the group of a machine without partitions: 0 */
};

/* Makes the node sets of the rules' partitions, which must live as long. */
void node_sets_create(struct node_sets *sets, const struct replay_rules *rules);

/* Returns the node set of a partition. */
static inline const struct node_set *node_set_of(const struct node_sets *sets, size_t partition)
{
	return &sets->set[sets->of_partition[partition]];
}

/* Shares out `cpus` among the groups of a set, all that are available of the first group before any
 * of the second. available: by group; there must be enough, and none below 0. Fills `taken`, by
 * group; groups: how many there are. */
void node_set_take(const struct node_set *set, uint32_t cpus, const int64_t *available,
		   uint32_t *taken, size_t groups);

/* ---- pending_queue.c ------------------------------------------------------------------ */

/*
 * The pending jobs in the order of priority. Queues are long and most jobs cannot start; to find
 * those that can, the sizes of jobs are also in arrays of their own, side by side. Jobs that have
 * started keep their places until the queue is compacted:
 *
 *	job	a, 4 CPUs	(started)	c, 1 CPU
 *	cpus	4		infinity	1
 */

/* A pending job, with all that a scheduler looks at first. */
struct pending {
	double tier;		/* the greatest goes first, whatever the priority */
	double priority;	/* of equal tiers the greatest goes first */
	double estimate;	/* seconds that it runs, as the scheduler thinks */
	double limit;		/* as in struct replay_job */
	uint64_t sequence;	/* of equal priorities the least goes first; mostly the number of
				 * jobs that were submitted before */
	uint32_t slot;		/* NO_SLOT: it has started */
	uint32_t cpus;
};

#define NO_TURNS SIZE_MAX	/* in place of turns_left */

/* Start with all members 0. */
struct pending_queue {
	struct pending *job, *spare;	/* spare: room for sorting */
	float *cpus, *estimate;		/* those of `job`, rounded down */
	size_t count, room, spare_room, cpus_room, estimate_room;
	size_t sorted;		/* so many of the first jobs are in order; others are newcomers */
	size_t started;		/* number of jobs among `count` that have started */
	/* No job that waits wants fewer CPUs than this; and with_least of them want as many. If
	 * with_least is 0, pending_queue_tidy() finds both anew. */
	uint32_t least_cpus;
	size_t with_least;
	/* Number of jobs that have yet to take their turn. The queue is in the order of submission
	 * then, and the scheduler asks whose turn is next. NO_TURNS: the queue is in the order in
	 * which jobs go. */
	size_t turns_left;
	/* While jobs take turns: no job before this place is within the limits of the last turn, so
	 * none is within later ones, which are not wider. */
	size_t unfit;
	size_t unmoved;		/* so many of the first jobs still have the places that they had
				 * when jobs last began to take turns */
};

/* What jobs may want. A job is beyond the limits if it wants more CPUs than `cpus`, or if it wants
 * more than `spare` and takes longer than `estimate` seconds. */
struct pending_limits {
	double cpus, spare, estimate;
};

/* Adds a newcomer: a copy of `pending`. */
void pending_queue_add(struct pending_queue *queue, const struct pending *pending);
/* Puts all jobs in order, and ends their turns. has_changed: priorities of jobs that were in order
 * may have changed; false: only newcomers have to be inserted. */
void pending_queue_sort(struct pending_queue *queue, bool has_changed);
/* Begins turns of all jobs that wait; pending_queue_sort() ends them. All jobs must be in the order
 * of submission. */
void pending_queue_take_turns(struct pending_queue *queue);
/* Returns the first place from `first` on whose job may be within the limits, as sizes are rounded;
 * `count`: no job is. Passes over jobs that have started. */
size_t pending_queue_find(const struct pending_queue *queue, size_t first,
			  const struct pending_limits *limits);
/* Counts one more turn off. False: all jobs have had their turn, or no job that waits may be within
 * the limits. The limits must not become wider until turns begin anew. */
bool pending_queue_take_turn(struct pending_queue *queue, const struct pending_limits *limits);
/* These use the queue as a heap, with the job that goes first on top: they add a job, and drop the
 * first one. The only other function for such a queue is pending_queue_waiting(). */
void pending_queue_push(struct pending_queue *queue, const struct pending *pending);
void pending_queue_pop(struct pending_queue *queue);
/* Notes that the job at a place has started; the job keeps the place. */
void pending_queue_mark(struct pending_queue *queue, size_t place);
/* Drops the jobs that have started, so that those behind move up. */
void pending_queue_compact(struct pending_queue *queue);
/* Drops the jobs that have started if they are many, and brings least_cpus up to date. */
void pending_queue_tidy(struct pending_queue *queue);
/* Returns how many jobs have not started. */
size_t pending_queue_waiting(const struct pending_queue *queue);

/* ---- charge_book.c -------------------------------------------------------------------- */

/*
 * Charges the jobs of a replay by the ledger that charges those of a cluster, and keeps the usage
 * of each association as of the last pass.
 */

/* A book whose usage counts when jobs are ordered: the order's own book, or that of another
 * cluster. */
struct counted_book {
	const struct charge_book *book;	/* of the same nodes */
	double weight;			/* what a second there is worth here; 1 for the own book */
};

struct charge_book {
	const struct replay_rules *rules;
	struct fathom_ledger *ledger;
	struct fathom_charges *charges;	/* made since the last pass, not yet in `usage` */
	size_t nodes;
	uint32_t *account;		/* by node: its parent */
	/* By node: its own usage as of the last pass, in billing seconds as they count at `epoch`.
	 * So a pass changes only the nodes that were charged: all others decay alike. */
	double *usage;
	double epoch;
	/* By node: its own usage as of the last pass, in CPU seconds, for a policy whose usage
	 * decays in steps. NULL: it decays evenly. */
	double *stepped;
	struct policy_steps steps;	/* period 0: it decays evenly */
	double last_step;		/* time of the last step */
	/* Sums of a policy that keeps sums which decay evenly. NULL: the policy goes by usage. */
	struct fathom_policy_sums *sums;
	struct fathom_sum_rules sum_rules;
	/* Number of the scope, from 1: only jobs in its partitions are charged, or CPUs on its
	 * hosts. 0: all jobs are charged. */
	uint32_t scope;
	/* leaves of the scope's own tree, which are charged; NULL: the nodes of jobs are charged */
	const struct share_leaves *leaves;
	/* The books whose usage counts where this book's does; the first is this one. */
	struct counted_book *counted;
	size_t counted_count;
};

/* The state at an instant by which jobs are ordered. */
struct replay_moment {
	const struct charge_book *book;	/* of the usage that counts */
	const struct current_jobs *jobs;
	const struct machine *machine;
	double now;
};

/* Makes a book for the nodes of a tree. scope, leaves: see these members; a book of no scope takes
 * the usage of the tree over. The rules must live as long. */
void charge_book_create(struct charge_book *book, const struct replay_rules *rules,
			const struct fathom_tree *tree, uint32_t scope,
			const struct share_leaves *leaves);
/* Lets the usage of another cluster's book count beside that of `book`. Both must have the same
 * nodes, and their passes at the same times. weight: what a second there is worth here. */
void charge_book_share(struct charge_book *book, const struct charge_book *other, double weight);
/* Sets the time at which the replay begins. Call it once, before any job is charged. */
void charge_book_begin(struct charge_book *book, double time);
/* Charges a job that ends, up to its end. It counts as usage from the next pass on. */
void charge_book_end(struct charge_book *book, const struct current_jobs *jobs, uint32_t slot);
/* Charges all running jobs up to `now`, and adds all charges since the last pass to usage. */
void charge_book_pass(struct charge_book *book, const struct current_jobs *jobs,
		      const struct machine *machine, double now);
/* Sets all usage to 0. Call it after a pass at `now`: running jobs are charged from then on. */
void charge_book_reset(struct charge_book *book, double now);
/* Returns whether the book charges a running job, or some of its CPUs. */
bool charge_book_counts(const struct charge_book *book, const struct current_jobs *jobs,
			uint32_t slot);
/* Returns the node that is charged for a running job. */
uint32_t charge_book_node(const struct charge_book *book, const struct current_job *job);

/* Returns the factor by which `usage` is multiplied to count at `time`: its decay since `epoch`. */
double charge_book_scale(const struct charge_book *book, double time);
/* Adds what a running job holds at `now` to *holdings. The book must have sums. */
void charge_book_hold(const struct charge_book *book, const struct current_jobs *jobs,
		      uint32_t slot, double now, struct fathom_holdings *holdings);
