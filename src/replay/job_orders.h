/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order in which jobs of a replay go. The heading of a section names the file with its
 * functions. */
#pragma once

#include "replay/replay_state.h"

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
/* Counts what jobs hold, updates the tree and evaluates the policy. beside_dispatch: jobs are also
 * dispatched by the tree. A dispatch adds what jobs hold itself, so that is taken out of the tree
 * again; call order_tree_update() before the dispatch. */
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
	size_t next;
	bool is_stale;			/* the next job has yet to be found, from `next` on */
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
	size_t best_job;	/* index of that job; SIZE_MAX: there is none */
	bool is_stale;		/* the next job of one of the users has changed: `best` may, too */
	struct turn turn;	/* of the account when that job goes; rank 0: not known */
};

/* A job that was returned in this cycle. */
struct turn_taken {
	uint32_t user;		/* index in user_turns.user */
	size_t index;		/* in the user's jobs */
};

/* Start with all members 0. */
struct user_turns {
	const struct fathom_dispatch_tree *given;
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
bool user_turns_suit(const struct fathom_dispatch_tree *given);
/* Makes the state without jobs. The tree must live as long. */
void user_turns_create(struct user_turns *turns, const struct fathom_dispatch_tree *given);
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
	struct fathom_dispatch_tree given;	/* the tree by which jobs are dispatched */
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
	size_t without_user;		/* how many of the listed jobs have no user, and so no
					 * turns; those that have started since count, too */
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
 * takes_turns: jobs will take turns; else they will only get places. */
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

#define NEVER (-1)	/* in place of a priority or factor, which are 0 or more: the policy does
			 * not let the job start */

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
	struct slot_pool *pool;
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

#define NO_SCOPE 0	/* in place of the number of a scope, which is 1 or more */

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
	struct placed_job *job;	/* sorted by place_jobs() */
	size_t *order;		/* order[i]: index in `job` of the job with place 1 + i */
	struct fathom_pool_job *pooled;	/* by index in `job`: the same jobs, for slot pools */
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
	struct scope_jobs *scope;	/* by number; scope[NO_SCOPE]: the jobs of no scope */
	size_t count;			/* 1 + number of scopes */
	bool are_used;			/* false: there are no scopes or pools, so that all jobs are
					 * of no scope, whose order is that of the replay's queue */
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

/* Makes the scopes and pools of the rules, without jobs. Only the jobs of no scope begin with the
 * usage of the tree. The rules and the node sets must live as long. */
void scopes_create(struct scopes *scopes, const struct replay_rules *rules,
		   const struct node_sets *sets, const struct fathom_tree *tree);
/* These do for the books of all scopes what charge_book_begin(), charge_book_share(),
 * charge_book_pass(), charge_book_reset() and charge_book_end() do for one. other: the scopes of
 * another cluster, which must be the same. first: number of the first scope that is charged; with
 * NO_SCOPE all are. */
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
