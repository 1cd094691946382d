/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of LSF's fair share beside its policy: adjustment, user share
 * assignments, slot pools, the order of queues, and the order of dispatch.
 * Source: LSF, "Fairshare Scheduling".
 */
#ifndef FATHOM_LSF_H
#define FATHOM_LSF_H

#include "fathom/error.h"
#include "fathom/policy.h"
#include "fathom/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- adjustment (LSF: "Customizing the dynamic priority") -------------------- */

/* The values that an adjustment is computed from: sums over the jobs of a node and of
 * all nodes below it. */
struct fathom_adjustment_input {
	double cpu_time, run_time, hist_run_time, committed_run_time;	/* seconds */
	double job_slots;	/* in use */
	double memory;		/* in use */
	double slot_memory;	/* average memory of a slot of the cluster, in the same unit */
	double cluster_memory;	/* in use by all jobs of the cluster */
};

/* Memory of the whole cluster. A tree may be about the jobs in a part of the cluster. */
struct fathom_cluster_memory {
	double in_use;		/* by all started jobs */
	double of_slot;		/* average of a slot, in the same unit; 0: not known */
};

/* Returns an adjustment, of any sign. A value that is not finite counts as 0. */
typedef double fathom_adjust_function(const struct fathom_adjustment_input *input,
				      const void *context);

/*
 * A site provides its own function in a shared object, which defines
 *	const unsigned fathom_adjustment_version = FATHOM_ADJUSTMENT_VERSION;
 * and a fathom_adjust_function of the name fathom_adjust. It is called with a NULL
 * context. It must keep nothing between calls and must not block.
 */
#define FATHOM_ADJUSTMENT_VERSION 1u

/* Returns the adjustment of LSF's example: (1 + job_slots) x (memory / job_slots) /
 * (slot_memory x threshold); 0 without slots. threshold: a pointer to a double. */
double fathom_adjust_memory(const struct fathom_adjustment_input *input, const void *threshold);

/* Calls `adjust` for each node, and sets the node's total of FATHOM_ADJUSTMENT to the
 * result. Call it after each fathom_tree_settle(), which replaces these totals by
 * sums. -1: ENOMEM. */
int fathom_tree_adjust(struct fathom_tree *tree, fathom_adjust_function *adjust,
		       const void *context, const struct fathom_cluster_memory *cluster,
		       struct fathom_error *error);

/* ---- user share assignments (LSF: USER_SHARES) -------------------------------- */

/*
 * An assignment [name, shares] makes nodes of the tree. The name is one of:
 *   a group	One node for the group. The group's own assignments divide it
 *		further; without them its members are served first come, first served.
 *   "group@"	One node for each member of the group and of its subgroups.
 *   "default"	One node for each user whom no other assignment of the list names
 *		or contains.
 *   "others"	One node for all these users together.
 *   other	One node for the user of this name.
 */
struct fathom_assignment {
	const char *name;
	uint32_t shares;	/* 1 or more */
};

struct fathom_user_group {
	const char *name;
	const char *const *member;	/* users, groups that come before this one, "all" */
	size_t member_count;
	const struct fathom_assignment *assignment;	/* shares of its members */
	size_t assignment_count;			/* 0: the group has no assignments */
};

/* The assignments of a queue or a host partition, with all groups and users. */
struct fathom_user_shares {
	const struct fathom_assignment *assignment;
	size_t assignment_count;
	const struct fathom_user_group *group;
	size_t group_count;
	const char *const *user;	/* users that no group and no assignment names; may
					 * also repeat users that are named */
	size_t user_count;
};

/* A tree of shares. Its leaves are users, groups without assignments, and "others". */
struct fathom_share_tree;

/* Makes the tree, which copies what it needs of `given`. NULL: ENOMEM; EINVAL for a
 * wrong assignment or group, error->row is the index of the group, or FATHOM_NO_ROW
 * for the list of the queue or host partition. */
struct fathom_share_tree *fathom_share_tree_create(const struct fathom_user_shares *given,
						   struct fathom_error *error);
/* Frees a tree; NULL is allowed. */
void fathom_share_tree_destroy(struct fathom_share_tree *tree);

/* Returns the number of nodes. */
size_t fathom_share_tree_count(const struct fathom_share_tree *tree);
/* Returns the nodes as rows for fathom_tree_create(); its nodes have the same numbers.
 * Row 0 is the root. */
const struct fathom_row *fathom_share_tree_rows(const struct fathom_share_tree *tree);
/* Returns a node's name. A level may have two nodes of one name: for a user who has an
 * assignment and is a member of a "group@". */
const char *fathom_share_tree_name(const struct fathom_share_tree *tree, size_t node);

/*
 * Puts into *node the leaf for which a user's job counts: of all leaves that serve
 * the user, the one with the least order[node]. order: by node, such as policy lsf's
 * column "order". group: the group that the job names (bsub -G), so that only leaves
 * which serve this group are considered; NULL: it names no group. Only one thread at a
 * time may call it for a tree. -1: ENOENT if the user is unknown or has no shares, and
 * so may not run; EINVAL for a group that has subgroups or does not contain the user.
 */
int fathom_share_tree_find_leaf(struct fathom_share_tree *tree, const char *user,
				const char *group, const double *order, size_t *node,
				struct fathom_error *error);

/* ---- slot pools (LSF: queue-based fairshare) ----------------------------------- */

#define FATHOM_NO_LIMIT UINT64_MAX
#define FATHOM_MAX_SLOTS (UINT64_C(1) << 53)

/* A pool of slots on some hosts. Numbers of slots are at most FATHOM_MAX_SLOTS. */
struct fathom_pool {
	uint64_t slots;		/* of all hosts, in use and free */
	uint64_t max_slots;	/* MAX_SLOTS_IN_POOL, or FATHOM_NO_LIMIT */
	bool use_priority;	/* USE_PRIORITY_IN_POOL: slots that are left when each queue has
				 * been offered its share once are not divided; LSF gives them to
				 * jobs by priority */
};

/* A queue with jobs on these hosts. */
struct fathom_pool_queue {
	bool in_pool;		/* false: it uses the hosts but has no share */
	double share;		/* SLOT_SHARE, percent: above 0, at most 100 */
	uint64_t demand;	/* slots that it uses or wants */
	uint64_t limit;		/* the queue's limit of slots, or FATHOM_NO_LIMIT */
	double priority;	/* the highest goes first; equal ones in the order given */
	double used;		/* slot seconds, decayed; see fathom_decayed_seconds() */
};

/* The slots that a queue gets. */
struct fathom_pool_grant {
	const struct fathom_pool_queue *queue;
	uint64_t deserved;	/* its share of the pool, rounded up; 0 outside the pool */
	uint64_t got;
	uint64_t lent;		/* slots that it got beyond `deserved`; 0 outside the pool */
};

/* Returns `share` percent of `slots`, rounded up. */
uint64_t fathom_pool_deserved(uint64_t slots, double share);

/*
 * Divides a pool among `count` queues, given in the order of configuration. Queues
 * of the pool are served in the order of used slot seconds over share, least first,
 * then of priority. Queues outside the pool keep their position by priority and take
 * all that they want. grants: array of `count`, filled in the order of service; they
 * point into `queues`. *left: slots of the pool that are still free. -1: ENOMEM.
 * Source: LSF, "How LSF allocates slots for a pool of queues".
 */
int fathom_pool_allocate(const struct fathom_pool *pool, const struct fathom_pool_queue *queues,
			 size_t count, struct fathom_pool_grant *grants, uint64_t *left,
			 struct fathom_error *error);

/* A queue whose pending jobs are put into the order of dispatch. */
struct fathom_pool_turns {
	const struct fathom_pool_grant *grant;	/* NULL: the queue is in no pool */
	uint64_t held;		/* slots in use, plus those of the jobs ordered so far */
	bool use_priority;	/* as in struct fathom_pool */
};

/* A pending job. */
struct fathom_pool_job {
	size_t queue;		/* index of its queue */
	uint64_t slots;		/* how many it wants */
};

/*
 * Orders the pending jobs of all queues, in pools and outside: order[i] is the index of the job
 * that is dispatched as number i, from 0. The call takes `jobs` in the order that they have without
 * pools, and adds the slots of each to `held` of its queue. A job keeps this order if its queue is
 * in no pool, or if its queue held less than it got of the pool (grant->got) before the job. All
 * other jobs go behind these. The first of them is the one before which its queue held the least
 * beyond what it got, divided by the queue's share; with use_priority they keep their order. -1:
 * ENOMEM, nothing has changed.
 */
int fathom_pool_dispatch(struct fathom_pool_turns *queues, const struct fathom_pool_job *jobs,
			 size_t count, size_t *order, struct fathom_error *error);

/* ---- order of queues (LSF: queue-level, cross-queue fair share) ------------------ */

#define FATHOM_NO_SET SIZE_MAX

/* A queue. Arrays of queues are in the order of configuration. */
struct fathom_served_queue {
	double priority;
	bool is_fairshare;	/* false: first come, first served */
	size_t master;		/* index of the master queue of its cross-queue set; or
				 * FATHOM_NO_SET */
	bool queue_first;	/* DISPATCH_ORDER=QUEUE; the same for all queues of a set */
};

/*
 * Sets place[i] to the place of queue i in the order of service, from 0. Queues with
 * the same place are served as one queue, by the priority of users or first come,
 * first served.
 *
 * The queue of higher priority goes first. Among queues of equal priority each
 * fair-share queue has a place of its own; first-come queues share one place, that
 * of the first of them. Queues of a cross-queue set share a place; with
 * DISPATCH_ORDER=QUEUE only those of equal priority do.
 *
 * -1: ENOMEM; EINVAL for a master that is not below count, error->row is the queue
 * that names it. Source: LSF, "Jobs from equal priority queues".
 */
int fathom_queue_places(const struct fathom_served_queue *queues, size_t count, size_t *place,
			struct fathom_error *error);

/* Returns whether the configuration has this mistake: a queue outside a cross-queue set
 * has a priority between the lowest and the highest of the set. With
 * DISPATCH_ORDER=QUEUE that is allowed. True: *queue is such a queue, *master the
 * master queue of the set. */
bool fathom_queue_within_set(const struct fathom_served_queue *queues, size_t count, size_t *queue,
			     size_t *master);

/* ---- order of dispatch (LSF: RUN_JOB_FACTOR) --------------------------------------- */

/* Returns whether jobs under the policy have places in an order of dispatch: each dispatch
 * lowers the priority of its user at once (lsf, if run_job_factor is above 0). */
bool fathom_policy_places_jobs(const struct fathom_policy *policy,
			       const struct fathom_settings *settings);

/* A share tree by which jobs are placed. The policy must be lsf; or NULL, if no queue has it. */
struct fathom_dispatch_tree {
	const struct fathom_policy *policy;
	const struct fathom_settings *settings;
	const struct fathom_tree *tree;	/* settled, with what running jobs hold */
};

/* A pending job in one of the queues that it may run in. */
struct fathom_pending_job {
	size_t queue;		/* index of its queue */
	size_t node;		/* of its user in the queue's tree; or FATHOM_NO_NODE */
	double slots;		/* that it wants */
	double time_limit;	/* seconds; 0 or less: it has none */
	bool can_start;		/* false: it is held or waits for other jobs */
	/* Other nodes at which the job may count, if its user has several; the best one with a
	 * pending job is served. */
	const uint32_t *other_node;
	size_t other_count;
};

#define FATHOM_FIRST_COME SIZE_MAX
#define FATHOM_NO_NODE SIZE_MAX	/* the user has no shares, and the job does not run */

/* All pending jobs of a cluster. */
struct fathom_pending_jobs {
	const struct fathom_dispatch_tree *tree;
	size_t tree_count;
	const struct fathom_served_queue *queue;
	/* For each queue the index of its tree, or FATHOM_FIRST_COME. Queues of a set have the
	 * same tree. */
	const size_t *tree_of;
	size_t queue_count;
	/* In queue order. Jobs of one user keep this order, and so do all jobs of a first-come
	 * queue. */
	const struct fathom_pending_job *job;
	size_t job_count;	/* less than 2^32 - 1 */
	/* Output, one for each job: the node at which it is dispatched, or FATHOM_NO_NODE.
	 * NULL: not wanted. */
	size_t *counted_at;
	/* One for each queue; the call adds to `held` the slots of the jobs that can start.
	 * NULL: there are no slot pools. */
	struct fathom_pool_turns *turns;
};

/*
 * Sets place[i] to the place of job i, from 1, at which LSF would dispatch it if every job
 * before it had started. Queues are served in the order of fathom_queue_places(). In a
 * fair-share queue the next job is that of the user whom a walk from the root meets, which
 * goes at each level to the sibling with the greatest dynamic priority that has a job left;
 * of equal ones to the one with the first job in queue order. The slots and the time limit
 * of the job then count for the user and all accounts above. Jobs that cannot start, and
 * those of users without shares, have places behind all others, in the same way; jobs
 * without a node come last, in queue order. With turns, the jobs that can start are then
 * ordered by fathom_pool_dispatch().
 *
 * -1: ENOMEM; EINVAL for too many jobs or a tree of another policy; for a master that is no
 * queue, error->row is the queue; for a job whose queue does not exist or whose node is not a
 * user, error->row is the job. Takes time proportional to
 * jobs x nodes of a job's user x depth x log siblings.
 * Source: LSF, "Fairshare Scheduling".
 */
int fathom_dispatch_places(const struct fathom_pending_jobs *given, size_t *place,
			   struct fathom_error *error);

/* Returns the factor of a place: (count - place + 1) / count. It is rounded so that places have
 * different priorities where the weight of the factor is `count`. place: 1 to count. */
double fathom_place_factor(size_t place, size_t count);

/* ---- queues before users ------------------------------------------------------------ */

/* Groups `count` queues into classes of equal priority: class_of[i] is the class of
 * queue i, 0 for the lowest priority. Returns the number of classes; 0: out of memory,
 * or no queues. */
size_t fathom_queue_classes(const double *priority, size_t count, size_t *class_of);
/* Maps a factor, 0 to 1, to a factor, 0 to 1, that orders jobs first by the class of
 * their queue and then by `factor`: DISPATCH_ORDER=QUEUE. queue_class: the class of the
 * job's queue; class_count: the number of classes, see fathom_queue_classes(). */
double fathom_queue_first_factor(double factor, size_t queue_class, size_t class_count);

#ifdef __cplusplus
}
#endif
#endif
