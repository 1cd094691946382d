/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of this folder share. The heading of a section names the file with its functions.
 *   backfill.c         the schedulers that start what fits: easy, none, strict; the table of all
 *   conservative.c     the scheduler that reserves for each job
 *   traced_starts.c    the scheduler that starts jobs when they did in the trace
 *   replay.c           the clock: what happens at an instant
 *   scope_orders.c     the order of the jobs of all scopes and slot pools
 *   slot_pools.c       what the partitions of a pool hold and may hold
 *   job_order.c        the order of jobs under a policy
 *   dispatched_jobs.c  the order of dispatch
 *   user_turns.c       the same order, found quickly for users below accounts
 *   order_tree.c       the tree by which jobs are ordered
 *   charge_book.c      what jobs are charged
 *   reservations.c     the reservations of a cycle
 *   profile.c          how many CPUs will be free at what time
 *   pending_queue.c    jobs that wait
 *   node_sets.c        the nodes of partitions
 *   machine.c          what runs
 *   current_jobs.c     jobs that wait or run
 *   replay_figures.c   what is measured
 *   usage_series.c     usage of accounts over time
 *   yardstick.c        the usage by which fairness is measured
 *   wait_times.c       the distribution of wait times
 * A file calls only files below it.
 */
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

/* ---- heaps ---------------------------------------------------------------------------- */

/*
 * Binary heaps: arrays whose element 0 goes before all others. The children of element i are 2i + 1
 * and 2i + 2, neither of which goes before it. The functions are inline, so that the compiler makes
 * them anew for the size and order of the elements.
 */

typedef bool heap_order(const void *a, const void *b);	/* whether `a` goes before `b` */

/* Returns element `at` of a heap whose elements have `size` bytes. */
static inline void *heap_at(void *heap, size_t at, size_t size)
{
	return (char *)heap + at * size;
}

/* Copies an element of `size` bytes into a heap of `count` elements, which must have room for one
 * more. The caller counts it. */
static inline void heap_push(void *heap, size_t count, const void *added, size_t size,
			     heap_order *goes_before)
{
	size_t at = count, parent;

	for (; at && goes_before(added, heap_at(heap, parent = (at - 1) / 2, size)); at = parent)
		memcpy(heap_at(heap, at, size), heap_at(heap, parent, size), size);
	memcpy(heap_at(heap, at, size), added, size);
}

/* Removes element 0 of a heap. count: the number of elements without it; the caller has counted it
 * off. */
static inline void heap_pop(void *heap, size_t count, size_t size, heap_order *goes_before)
{
	const void *last = heap_at(heap, count, size);
	size_t at = 0, child;

	for (; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && goes_before(heap_at(heap, child + 1, size),
						     heap_at(heap, child, size)))
			child++;
		if (!goes_before(heap_at(heap, child, size), last))
			break;
		memcpy(heap_at(heap, at, size), heap_at(heap, child, size), size);
	}
	memmove(heap_at(heap, at, size), last, size);
}

/* ---- current_jobs.c ------------------------------------------------------------------- */

/* The jobs that wait or run. Each is known by its slot, a number from 0, until it ends; then
 * another job may get the slot. */

#define NO_SLOT UINT32_MAX	/* in place of the slot of a job that has left a queue */

struct current_job {
	struct replay_job job;
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
	struct current_job *at;
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
	struct node_set *at;
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
	return &sets->at[sets->of_partition[partition]];
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
 *	at	a, 4 CPUs	(started)	c, 1 CPU
 *	cpus	4		infinity	1
 */

/* A pending job, with all that a scheduler looks at first. */
struct pending {
	double tier;		/* the greatest goes first, whatever the priority */
	double priority;	/* of equal tiers the greatest goes first */
	double estimate;	/* seconds that it runs, as the scheduler thinks */
	uint64_t sequence;	/* of equal priorities the least goes first; mostly the number of
				 * jobs that were submitted before */
	uint32_t slot;		/* NO_SLOT: it has started */
	uint32_t cpus;
};

#define NO_TURNS SIZE_MAX	/* in place of turns_left */

/* Start with all members 0. */
struct pending_queue {
	struct pending *at, *spare;	/* spare: room for sorting */
	float *cpus, *estimate;		/* those of `at`, rounded down */
	size_t count, room, spare_room, cpus_room, estimate_room;
	size_t sorted;		/* number of jobs in order; those behind are newcomers */
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
	size_t unmoved;		/* the first of the jobs, which are where they were when jobs last
				 * began to take turns */
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
void pending_queue_mark(struct pending_queue *queue, size_t at);
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

/* ---- order_tree.c --------------------------------------------------------------------- */

/*
 * The tree by which jobs are ordered: a copy of the tree of associations, or of a scope, with the
 * usage of the last pass, what running jobs hold, and the figures of a policy.
 */

struct order_tree {
	const struct fathom_policy *policy;
	const struct fathom_settings *settings;
	struct fathom_tree *copy;	/* a node's id is its number + 1 */
	struct fathom_result *result;	/* of the last order_tree_evaluate() */
	double pass;			/* time of the last pass; set by the owner of the tree */
	struct entity_figures entities;	/* all 0: the policy charges associations */
	struct fathom_sums *own;	/* by node: used while the tree is updated; else 0 */
	/* By node: what its running jobs hold, from order_tree_count() to order_tree_uncount();
	 * else 0. */
	struct fathom_holdings *holdings;
	uint32_t *holder;		/* the nodes whose holdings are not 0 */
	size_t holder_count;
};

/* Makes an order tree of a copy of `from`. The rules must live as long. */
void order_tree_create(struct order_tree *tree, const struct replay_rules *rules,
		       const struct fathom_tree *from);
/* Adds up what running jobs hold at the moment, in holdings and holder. It does not change
 * `copy`. */
void order_tree_count(struct order_tree *tree, const struct replay_moment *moment);
/* Sets holdings and holder back to none. */
void order_tree_uncount(struct order_tree *tree);
/* Sets the usage or the policy's sums of the last pass in the tree, and what order_tree_count() has
 * added up. book: the one whose `counted` books count. */
void order_tree_update(struct order_tree *tree, const struct charge_book *book);
/* Counts what jobs hold, updates the tree and evaluates the policy. beside_dispatch: the tree is
 * also dispatched; a dispatch adds what jobs hold itself, so this is taken out of the tree again.
 * order_tree_update() must be called before that dispatch. */
void order_tree_evaluate(struct order_tree *tree, const struct replay_moment *moment,
			 bool beside_dispatch);
/* Forgets all usage, as the books have been reset. */
void order_tree_forget(struct order_tree *tree);

/* ---- user_turns.c --------------------------------------------------------------------- */

/*
 * The order of dispatch, reduced to the jobs that a scheduler may start; it gives the same jobs as
 * policy/dispatch.h, quicker, for trees whose users are below the root or below accounts that are.
 *
 * Within a cycle, a call of the scheduler, the rank of a user falls with each of its jobs that is
 * dispatched. So a job's turn can be computed without the turns before it: what its user's earlier
 * jobs were promised is a sum, and how many jobs of other users go before it a search by rank
 * tells.
 */

/* Sums for one job of a user. */
struct turn_sum {
	struct fathom_promise before;	/* of all jobs of the user before this one */
	uint32_t least;			/* the fewest CPUs that this job or one behind it wants */
};

/* When a user or an account goes among its siblings: the greatest rank first, of equal ranks the
 * least place. */
struct turn {
	uint64_t rank;		/* see dispatch_rank(); in an account, 0: not known */
	uint64_t place;		/* of its first job among the jobs of all users */
};

/* A user with jobs that wait. */
struct turn_user {
	uint32_t node;
	uint32_t account;		/* index in user_turns.account */
	struct pending_queue jobs;	/* sequence: a job's place among those of all users */
	struct turn_sum *sum;		/* by job, and one more behind the last job */
	size_t room;			/* of `sum` */
	size_t summed;			/* `sum` is valid up to sum[summed] */
	/* index of its next job, the first that is within the limits and was not taken yet;
	 * jobs.count: there is none */
	size_t at;
	bool is_stale;			/* the next job has yet to be found, from `at` on */
	/* unless is_stale: */
	double cpus, estimate;		/* of the next job; cpus 0: there is none */
	struct turn turn;		/* of the user when the next job goes */
};

/* A node below the root: an account with its users that have jobs, or a user alone. */
struct turn_account {
	uint32_t node;
	uint32_t *user;		/* users with jobs, indices in user_turns.user */
	size_t count, room;	/* count 0: the account is not listed */
	uint32_t best;		/* index in user[] of the one whose job goes first; `count`: no user
				 * has a job within the limits */
	size_t best_at;		/* index of that job; SIZE_MAX: there is none */
	bool is_stale;		/* the next job of one of the users has changed: `best` may, too */
	struct turn turn;	/* of the account when that job goes; rank 0: not known */
};

/* A job that was returned in this cycle. */
struct turn_taken {
	uint32_t user;		/* index in user_turns.user */
	size_t at;		/* index in the user's jobs */
};

/* Start with all members 0. */
struct user_turns {
	const struct fathom_dispatch_tree *tree;
	/* all users and accounts that ever had jobs, in the order of the first one */
	struct turn_user *user;
	struct turn_account *account;
	size_t user_count, account_count;
	uint32_t *listed;		/* the accounts that have users with jobs now */
	size_t listed_count, listed_room;
	/* by node: 1 + its index in `user` or `account`; 0: it is not there */
	uint32_t *user_number, *account_number;
	struct fathom_promise *held;	/* by node: what its running jobs hold */
	uint32_t *holder;		/* nodes whose `held` is not 0 */
	size_t holder_count;
	struct turn_taken *taken;	/* in this cycle */
	size_t taken_count, taken_room;
};

/* Returns whether user_turns can be used for a tree: all users are directly below the root or below
 * an account that is, no node has shares `parent`, and all users may start jobs. */
bool user_turns_suit(const struct fathom_dispatch_tree *tree);
/* Makes the state without jobs. The tree must live as long. */
void user_turns_create(struct user_turns *turns, const struct fathom_dispatch_tree *tree);
/* Adds a job behind the other jobs of its user. node: the user; place: the job's place in the queue
 * of all users' jobs, greater than that of those added before. */
void user_turns_add(struct user_turns *turns, uint32_t node, const struct pending *job,
		    size_t place);
/* Drops all jobs. */
void user_turns_clear(struct user_turns *turns);
/* Begins a cycle: drops the jobs that have started in `all`, the queue of all users' jobs, lets all
 * others take turns again, and forgets what running jobs hold. */
void user_turns_begin(struct user_turns *turns, const struct pending_queue *all);
/* Counts what running jobs of a user hold in this cycle, also for its account. */
void user_turns_hold(struct user_turns *turns, uint32_t node,
		     const struct fathom_holdings *holdings);
/* Returns the place of the next job that may be within the limits, and takes it, so that it is not
 * returned again in this cycle. SIZE_MAX: no such job is left. The limits must not become wider
 * within a cycle. */
size_t user_turns_next(struct user_turns *turns, const struct pending_limits *limits);

/* ---- dispatched_jobs.c ---------------------------------------------------------------- */

/*
 * Pending jobs under a policy with an order of dispatch, where each job that is dispatched lowers
 * the priority of its user at once. Either all jobs are placed in that order, or they take turns: a
 * scheduler asks for the next job until it can start no more. A cycle is a call of the scheduler.
 */

/* What running jobs of a node held at dispatched_jobs_note(). */
struct noted_holdings {
	uint32_t node;
	struct fathom_holdings holdings;
};

struct dispatched_jobs {
	struct fathom_dispatch_tree tree;
	/* leaves of the tree, at which jobs count; NULL: jobs count at their own nodes */
	const struct share_leaves *leaves;
	struct dispatch *dispatch;
	struct noted_holdings *noted;	/* with what the next dispatch begins */
	size_t noted_count, noted_room;
	bool has_noted;			/* `noted` was set since the last dispatch began */
	/* if jobs take turns: */
	bool by_users;			/* turns are found by `users`; else by `dispatch` */
	struct user_turns users;
	size_t listed;			/* the first jobs of the queue, which turns know already */
	size_t without_user;		/* at most so many of these have no user, so no turns */
	size_t next_without_user;	/* place at which the search for the next one begins */
	/* if jobs get places, all are listed anew each time: */
	struct fathom_pending_job *placed;	/* in the order of submission */
	struct pending **by_submission;	/* the same jobs, in the queue */
	size_t room, by_room;		/* of placed, of by_submission */
	uint32_t *leaf;			/* if there are leaves, by slot: the key of the one at which
					 * the job was placed last; else NULL */
	size_t leaf_room;
};

/* Makes the state without jobs. The tree must live as long. The caller may set `leaves`.
 * takes_turns: false: jobs will only get places. */
void dispatched_jobs_create(struct dispatched_jobs *dispatched, const struct order_tree *tree,
			    bool takes_turns);
/* Notes what running jobs hold now; the next dispatch begins with it. Without this call, a dispatch
 * begins with what they hold at dispatched_jobs_begin(). */
void dispatched_jobs_note(struct dispatched_jobs *dispatched, struct order_tree *tree,
			  const struct replay_moment *moment);
/* Forgets the jobs that take turns. Call it before dispatched_jobs_begin() if jobs may have started
 * without a turn. */
void dispatched_jobs_forget(struct dispatched_jobs *dispatched);
/* Begins a dispatch; dispatched_jobs_place() or dispatched_jobs_take_turns() follows. has_changed:
 * the tree has changed since the last dispatch. */
void dispatched_jobs_begin(struct dispatched_jobs *dispatched, struct order_tree *tree,
			   const struct replay_moment *moment, bool has_changed);
/* Sets the priority of each job of the queue to the factor of its place, and drops those that have
 * started. */
void dispatched_jobs_place(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
			   struct pending_queue *queue);
/* Begins a cycle in which all jobs of the queue take turns; dispatched_jobs_next() returns them one
 * by one. Jobs that did not start in the last cycle take turns again. */
void dispatched_jobs_take_turns(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
				struct pending_queue *queue);
/* Takes the next turn of this cycle, and returns the job's place in the queue. Jobs beyond the
 * limits may be returned or left out. queue->count: no job within the limits is left. The limits
 * must not become wider within a cycle. */
size_t dispatched_jobs_next(struct dispatched_jobs *dispatched, const struct current_jobs *jobs,
			    struct pending_queue *queue, const struct pending_limits *limits);

/* ---- job_order.c ---------------------------------------------------------------------- */

/*
 * The order of pending jobs under a policy, by the usage of the last pass. The policy is evaluated
 * only when the order is asked for, because after most passes no scheduler needs it.
 */

struct job_order {
	const struct replay_rules *rules;
	struct order_tree tree;
	/* The tree whose columns a formula may use: `tree`, unless the caller sets another. */
	const struct order_tree *columns;
	/* leaves of the tree, at which jobs count; NULL: jobs count at their own nodes */
	const struct share_leaves *leaves;
	struct fathom_flux_weights flux;	/* if by_flux */
	bool by_flux;			/* a priority is flux's sum */
	bool gives_factors;		/* priorities are fair-share factors: the caller makes
					 * priorities of them by job_order_priority() */
	bool is_stale;			/* the tree lacks the usage of the last pass; set by the
					 * caller, as is tree.pass */
	bool has_priorities;		/* sorted jobs have priorities of the last evaluation */
	bool places_jobs;		/* the policy has an order of dispatch, `dispatched`, and
					 * factors count */
	bool takes_turns;		/* with places_jobs: jobs are dispatched one by one, as far
					 * as the scheduler asks for them */
	bool is_first_come;		/* jobs go by submission, whatever usage is */
	bool was_passed_over;		/* jobs may have started without `dispatched` */
	struct dispatched_jobs dispatched;	/* if places_jobs */
};

/* Makes the order without jobs; copies the tree. The rules must live as long. */
void job_order_create(struct job_order *order, const struct replay_rules *rules,
		      const struct fathom_tree *tree);
/* Brings the priorities and the order of the queue up to date, or lets its jobs take turns.
 * waiting_nodes: how many nodes have jobs in the queue; SIZE_MAX: not known. */
void job_order_refresh(struct job_order *order, const struct replay_moment *moment,
		       size_t waiting_nodes, struct pending_queue *queue);
/* Returns the key of that leaf of an association that has the greatest factor by the last pass;
 * 0: it has no leaf. node: the association's in the tree of associations. */
uint32_t job_order_best_leaf(struct job_order *order, const struct replay_moment *moment,
			     uint32_t node);
/* Returns the priority of a job with this fair-share factor, as of the last pass: the one that an
 * administrator has set for it; else by rules->priority or rules->job_formula; else flux's sum if
 * by_flux; else the factor itself. */
double job_order_priority(const struct job_order *order, const struct replay_rules *rules,
			  const struct replay_job *job, double factor);

/* ---- slot_pools.c --------------------------------------------------------------------- */

/*
 * Slot pools. A pass divides the CPUs of each pool among its partitions, by what their jobs hold
 * and want at the pass. After each pass, and when jobs are submitted, pending jobs are placed by
 * this division and by what running jobs hold. In between they keep their places, whatever jobs
 * start and end.
 */

#define NO_MEMBER SIZE_MAX	/* in member_of */

/* A member of a pool: a partition of the pool, or a partition outside with some of its nodes. */
struct slot_member {
	uint32_t partition;
	struct pool_use use;	/* as of the last pass */
	uint64_t held;		/* CPUs of the pool, as of the last pass or submission */
	size_t grant;		/* index in `grant`, as of the last pass */
};

struct slot_pool {
	struct fathom_pool rule;
	struct slot_member *member;	/* in the order of partitions */
	struct fathom_pool_queue *queue;	/* by member: how it takes part in the division */
	struct fathom_pool_grant *grant;	/* in the order of service, as of the last pass */
	size_t count;			/* of each of these */
	size_t *member_of;		/* by partition: index of its member, or NO_MEMBER */
	const struct node_set *nodes;	/* some groups may be of scopes, see slot_pools.c */
};

/* Without pools, all members are 0. */
struct slot_pools {
	struct slot_pool *at;
	size_t count;
	const struct replay_rules *rules;
	double time;		/* of the last pass; before that, of the begin of the replay */
	uint64_t *wanted;	/* by partition, while pools are divided: CPUs of pending jobs */
	struct fathom_pool_turns *turns;	/* see slot_pools_turns() */
};

/* Makes the pools of the rules. The rules and the node sets must live as long. */
void slot_pools_create(struct slot_pools *pools, const struct replay_rules *rules,
		       const struct node_sets *sets);

/* Counts what the running jobs of each partition hold of pools now. Call it at a pass or a
 * submission. */
void slot_pools_count(struct slot_pools *pools, const struct current_jobs *jobs,
		      const struct machine *machine);
/* Divides all pools at a pass, after slot_pools_count(). waiting: all jobs that wait. */
void slot_pools_divide(struct slot_pools *pools, const struct current_jobs *jobs,
		       const struct pending_queue *waiting, double now);

/* Returns whether a partition is in a pool, or outside and shares nodes with one. */
bool slot_pools_has(const struct slot_pools *pools, uint32_t partition);
/* Returns what fathom_pool_dispatch() needs to place jobs, as of the last slot_pools_count() and
 * slot_pools_divide(): by partition, and one more for jobs that take no turns. The call changes it,
 * so ask anew for each. NULL: there are no pools. */
struct fathom_pool_turns *slot_pools_turns(struct slot_pools *pools);

/* ---- scope_orders.c ------------------------------------------------------------------- */

/*
 * Scopes: partitions, or hosts, whose jobs have a policy and usage of their own; and slot pools.
 * The jobs of each scope, and those of no scope, are first ordered by themselves. That gives each
 * job a factor, by which all jobs together are ordered, alone or in Slurm's sum or flux's:
 *
 *	jobs that have places	the factor of the place, from 1 for the first down to almost 0
 *	other jobs		the fair-share factor that the scope's policy gives
 *
 * Jobs have places if their scope's policy has an order of dispatch (lsf), or if they are in a slot
 * pool. If there are any such jobs, those of first-come scopes have places, too.
 */

/* A pending job that has a place. Places go queue by queue in LSF's order of service, and within a
 * queue by the policy; slot pools then change them. */
struct placed_job {
	size_t served;		/* place of its queue in the order of service; SIZE_MAX: the last */
	double priority;	/* among jobs with the same `served`: the greatest goes first */
	uint64_t sequence;	/* of equal priorities the least goes first */
	uint32_t slot;
	uint32_t scope;		/* by whose order it has the place; 0: no scope */
	uint32_t partition, cpus;
	bool may_start;		/* its user has shares, and the policy lets it start */
};

struct placed_jobs {
	struct placed_job *at;	/* sorted by place_jobs() */
	size_t *order;		/* order[i]: index in `at` of the job with place 1 + i */
	struct fathom_pool_job *pooled;	/* by index in `at`: the same jobs, for slot pools */
	struct hosted_job *hosted;	/* in the order of places: the same jobs, for host rules */
	size_t count;			/* of each */
	size_t room, order_room, pooled_room, hosted_room;
};

/* The jobs of a scope, or of no scope. */
struct scope_jobs {
	struct replay_rules rules;	/* with the scope's policy; without Slurm's weights, unless
					 * there are no scopes */
	struct charge_book book;	/* that of no scope charges all jobs */
	struct job_order order;
	struct pending_queue queue;	/* jobs that may go by the scope; some are in several */
};

struct scopes {
	struct scope_jobs *at;		/* at[0]: jobs of no scope; at[i]: scope number i */
	size_t count;			/* 1 + number of scopes */
	bool are_used;			/* false: there are no scopes or pools; then at[0].order
					 * orders the queue of the replay */
	const struct replay_rules *rules;
	struct slot_pools pools;
	/* With pools: a pass or a submission has come since jobs were placed. They keep their
	 * places until then. */
	bool must_place;
	bool has_places;		/* there are pools, or a scope has an order of dispatch */
	struct placed_jobs placed;	/* the jobs that have places */
	/* by scope, then by partition: the partition's place in the order of service; NOT_SERVED:
	 * its jobs do not go by the scope */
	size_t *served;
	bool has_choices;		/* jobs of some partition may go by several scopes */
	double *priority;		/* by slot: of a job that waits; NAN: not known yet */
	size_t priority_room;
};

/* Makes the scopes and pools of the rules, without jobs; those of no scope have the usage of the
 * tree. The rules and the node sets must
 * live as long. */
void scopes_create(struct scopes *scopes, const struct replay_rules *rules,
		   const struct node_sets *sets, const struct fathom_tree *tree);
/* These do for the books of all scopes what charge_book_begin(), charge_book_share(),
 * charge_book_pass(), charge_book_reset() and charge_book_end() do for one. other: the scopes of
 * another cluster, which must be the same. first: the first one that is charged. */
void scopes_begin(struct scopes *scopes, double time);
void scopes_share(struct scopes *scopes, const struct scopes *other, double weight);
void scopes_charge(struct scopes *scopes, const struct replay_moment *moment, size_t first);
void scopes_reset(struct scopes *scopes, double now);
void scopes_end(struct scopes *scopes, const struct current_jobs *jobs, uint32_t slot);
/* Notes a pass, after scopes_charge(), and divides slot pools. waiting: all jobs that wait. */
void scopes_pass(struct scopes *scopes, const struct replay_moment *moment,
		 const struct pending_queue *waiting);
/* Adds a job that waits to the queues of all scopes that it may go by. */
void scopes_add(struct scopes *scopes, const struct replay_job *job, const struct pending *pending);
/* Drops the jobs that have started from the queues of scopes. */
void scopes_compact(struct scopes *scopes, const struct current_jobs *jobs);

/* Notes that a pass is done or jobs have been added: with pools, all jobs are placed anew then, by
 * what running jobs hold at the moment. */
void scopes_note(struct scopes *scopes, const struct replay_moment *moment);
/* Returns the key of the leaf at which a job counts that starts now on the CPUs in
 * current_jobs_taken(): the leaf at which it was placed last; else the best one in the first scope
 * that charges the job; 0: the job has no leaf. */
uint32_t scopes_find_leaf(struct scopes *scopes, const struct replay_moment *moment, uint32_t slot);
/* Brings the priorities and the order of `queue` up to date, the queue of all jobs. None of its
 * jobs may have started. */
void scopes_refresh(struct scopes *scopes, const struct replay_moment *moment,
		    struct pending_queue *queue);

/* ---- profile.c ------------------------------------------------------------------------ */

/* How many CPUs of each group of nodes will be free at what time, by what runs and by reservations:
 * a list of steps, each of which lasts until the time of the next one. */

/* Times that differ by less are the same instant: sums of times in fractions of a second round. */
#define INSTANT 1e-6

/* Start with all members but the number of groups 0. */
struct profile {
	double *time;		/* by step: when it begins; the last step holds for ever */
	int64_t *free;		/* by step, then by group */
	size_t groups;
	size_t count;		/* steps; 0: profile_begin() was not called yet */
	size_t time_room, free_room;
	/* The latest end of a part that has become free since the caller set this to -INFINITY.
	 * From then on, nothing has become free. */
	double freed;
};

/* A job's CPUs by group, from `begin` until `end`. */
struct profile_part {
	double begin, end;
	const uint32_t *cpus;
};

/* Begins the profile anew: `free`, by group, are free from `now` on. */
void profile_begin(struct profile *profile, double now, const int64_t *free);
/* Moves the begin of the profile to `now`, and forgets what was before. */
void profile_go_on(struct profile *profile, double now);
/* Adds CPUs to those that are free from `time` on, which must not be before the last step. cpus: by
 * group. */
void profile_append(struct profile *profile, double time, const uint32_t *cpus);
/* Adds a job's CPUs to those that are free (sign 1), or takes them away (sign -1). */
void profile_add(struct profile *profile, const struct profile_part *part, int sign);
/* Returns the first time, not before `from`, from which `cpus` of a node set are free for `length`
 * seconds. Sets available[], by group of the set, to how many of the group are free all that time.
 * INFINITY: never, as the set does not have so many. */
double profile_find(const struct profile *profile, double from, double length, uint32_t cpus,
		    const struct node_set *set, int64_t *available);
/* Searches an earlier time for a job with a reservation, on a machine with one group: returns the
 * first time, not before `from` and before both `reserved` and `until`, from which `cpus` are free
 * for `length` seconds; else `reserved`. The reservation, from `reserved` for `length` seconds,
 * must be in the profile; its CPUs count as free for the job. reserved: INFINITY: the job has
 * none. */
double profile_find_earlier(const struct profile *profile, double from, double length,
			    uint32_t cpus, double reserved, double until);

/* ---- reservations.c ------------------------------------------------------------------- */

/*
 * The reservations of one cycle: of each node set, the first job that does not fit has one. A job
 * may start if it delays none of them. Between now and the first reservation, and from one
 * reservation to the next, CPUs only become free. So it is enough to compare what is free now and
 * at the times at which reservations begin.
 */

struct reservation {
	double time, end;	/* from when until when the job is expected to run */
	const struct node_set *set;
	int64_t *taken;		/* by group: CPUs that the job takes */
	int64_t *spare;		/* by group: CPUs that are free at `time` beside those that the job
				 * takes; INT64_MAX for groups that are not in its set */
};

struct reservations {
	struct reservation *at;	/* room for one of each node set */
	size_t count;
	int64_t *available;	/* by group; see reservations_available() */
	int64_t *free;		/* by group; while a reservation is added: CPUs free at a time */
	int64_t *counts;	/* the memory of all arrays by group */
	size_t groups;
};

/* What a job that waits asks for. */
struct reservation_wish {
	const struct node_set *set;
	double estimate;	/* seconds that it is expected to run */
	uint32_t cpus;
};

/* Makes room for one reservation of each node set, without any reservation. */
void reservations_create(struct reservations *reservations, const struct node_sets *sets);

/* Returns how many CPUs of the job's node set it could have from `now` on without delaying a
 * reservation. Sets reservations->available, by group of the set, to how many of each group. */
int64_t reservations_available(struct reservations *reservations, const struct machine *machine,
			       double now, const struct reservation_wish *wish);
/* Takes the CPUs of a job that starts now from the spare ones of reservations that begin before its
 * expected end. taken: by group. */
void reservations_note_start(struct reservations *reservations, double expected,
			     const uint32_t *taken);
/* Returns whether a job of this node set has a reservation. */
bool reservations_has(const struct reservations *reservations, const struct node_set *set);
/* Adds the reservation of a job that does not fit, from the first time at which it can start if all
 * running jobs end as expected, without delaying other reservations. The node set must not have a
 * reservation yet, and at least wish->cpus CPUs. */
void reservations_add(struct reservations *reservations, const struct machine *machine,
		      const struct current_jobs *jobs, double now,
		      const struct reservation_wish *wish);

/* ---- replay.c ------------------------------------------------------------------------- */

/* The layout of a replay, for the schedulers. */

/* What has happened in a component of the nodes, see node_sets.c above; for schedulers that reserve
 * for all jobs. */
struct plan_state {
	bool has_ended;		/* jobs have ended since the last cycle */
	bool is_overtaken;	/* reservations were planned in another order than jobs now have */
	size_t last_planned;	/* while the order is looked at: `planned` of the previous job */
};

struct replay {
	struct replay *const *member;	/* all replays with the same clock, also this one */
	size_t members;
	struct replay_figures *joint_figures;	/* of all members together; NULL: there is one */
	struct replay_rules rules;
	struct node_sets sets;
	struct current_jobs jobs;
	struct machine machine;
	/* In order whenever a scheduler is called. If the scheduler reserves_all, it has no started
	 * jobs then; if it keeps_starts, it is a heap, the next start on top. */
	struct pending_queue queue;
	struct scopes scopes;
	struct replay_figures figures;
	double now;
	struct replay_moment moment;	/* `now` and the state then */
	bool has_begun;			/* the clock has begun: figures.first_submit is set */
	double arrival;			/* when the newest job joined the queue */
	bool has_arrivals;		/* the instant `arrival` has yet to be done */
	double begun;			/* time of replay_begin(); -INFINITY: it was not called */
	double charged;			/* time of the last pass that charged running jobs */
	double passes;			/* number of the next pass, from 0; whole */
	struct fathom_date last_reset;	/* month 0: before the first pass */
	bool is_due;			/* something has changed since the last cycle */
	/* When the scheduler wants the next cycle, even if nothing changes before; INFINITY: it
	 * does not. */
	double wake_up;
	double until;			/* replay_start_all() does no instant from then on */
	struct reservations reservations;	/* of this cycle, for easy, none and strict */
	bool *is_awaited;	/* by group, for strict: a job of this cycle waits for it */
	/* for schedulers that reserve for all jobs: */
	struct profile profile;
	struct plan_state *plan;	/* by component */
	bool has_passed;		/* there was a pass since the last cycle */
};

/* Starts the pending job in a slot now, on the CPUs that the caller has set in
 * current_jobs_taken(). The caller takes it out of the queue. */
void replay_start_job(struct replay *replay, uint32_t slot);
/* Starts the job at a place of the queue by replay_start_job(), and marks it there as started. */
void replay_start_at(struct replay *replay, size_t place);
