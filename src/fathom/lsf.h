/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What LSF's fair share has beside its policy: adjustment, user share
 * assignments, slot pools, the order of queues.
 * Source: LSF, "Fairshare Scheduling".
 */
#ifndef FATHOM_LSF_H
#define FATHOM_LSF_H

#include "fathom/error.h"
#include "fathom/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- adjustment (LSF: "Customizing the dynamic priority") -------------------- */

/* What an adjustment is worked out from: sums over the jobs of a user or group,
 * and of all below it. */
struct fathom_adjustment_input {
	double cpu_time, run_time, hist_run_time, committed_run_time;	/* seconds */
	double job_slots;	/* in use */
	double memory;		/* in use */
	double slot_memory;	/* of a slot of the cluster, on average; unit as `memory` */
};

/* Returns an adjustment, of any sign; what is not finite counts as 0. */
typedef double fathom_adjust_function(const struct fathom_adjustment_input *input,
				      const void *context);

/*
 * A site's own function comes as a shared object that defines
 *	const unsigned fathom_adjustment_version = FATHOM_ADJUSTMENT_VERSION;
 * and a fathom_adjust_function with the name fathom_adjust, which is called with
 * a NULL context. It keeps nothing between calls, and does not block.
 */
#define FATHOM_ADJUSTMENT_VERSION 1u

/* LSF's example, (1 + job_slots) x (memory / job_slots) / (slot_memory x
 * threshold); 0 if there are no slots. threshold: a pointer to a double. */
double fathom_adjust_memory(const struct fathom_adjustment_input *input, const void *threshold);

/* Asks `adjust` for the adjustment of each node, which replaces the sum of what
 * was set. To be called after each fathom_tree_settle(), which sums again. -1:
 * ENOMEM. */
int fathom_tree_adjust(struct fathom_tree *tree, fathom_adjust_function *adjust,
		       const void *context, double slot_memory, struct fathom_error *error);

/* ---- user share assignments (LSF: USER_SHARES) -------------------------------- */

/*
 * [name, shares]. What the name may be:
 *   a group	one node for the group. Its own assignments divide that further;
 *		without any its members are served first come, first served.
 *   "group@"	a node for each member, those of subgroups included.
 *   "default"	a node for each user whom no other assignment of the list names
 *		or contains.
 *   "others"	one node for all of these.
 *   any other	a user.
 */
struct fathom_assignment {
	const char *name;
	uint32_t shares;	/* 1 or more */
};

struct fathom_user_group {
	const char *name;
	const char *const *member;	/* users, groups that come before this one, "all" */
	size_t member_count;
	const struct fathom_assignment *assignment;	/* to its members; may be none */
	size_t assignment_count;
};

/* The assignments of a queue or a host partition. */
struct fathom_user_shares {
	const struct fathom_assignment *assignment;
	size_t assignment_count;
	const struct fathom_user_group *group;
	size_t group_count;
	const char *const *user;	/* who is in no group and in no assignment; others may
					 * be repeated */
	size_t user_count;
};

/* The tree of shares; a leaf is a user, a group without assignments, or "others". */
struct fathom_share_tree;

/* Makes the tree, which copies what it needs of `given`. NULL: ENOMEM; EINVAL for
 * what cannot be assigned, error->row is the group whose list is wrong. */
struct fathom_share_tree *fathom_share_tree_create(const struct fathom_user_shares *given,
						   struct fathom_error *error);
/* Frees it; NULL is allowed. */
void fathom_share_tree_destroy(struct fathom_share_tree *tree);

/* Returns the number of nodes. */
size_t fathom_share_tree_count(const struct fathom_share_tree *tree);
/* Returns them as rows for fathom_tree_create(), whose nodes have the same
 * numbers: row 0 is the root. */
const struct fathom_row *fathom_share_tree_rows(const struct fathom_share_tree *tree);
/* Returns a node's name. It may occur twice on a level: a user may be named in an
 * assignment and be a member of a "group@". */
const char *fathom_share_tree_name(const struct fathom_share_tree *tree, size_t node);

/*
 * Puts into *node the leaf at which a user's job counts: among the leaves where
 * the user has a place, the one with the least order[node], a value for each
 * node such as policy lsf's column "order". group: the job names it (bsub -G),
 * and only leaves that are reached through it count; NULL: it names none. Uses
 * memory of the tree: one thread at a time. -1: ENOENT if the user has no shares
 * and may not run; EINVAL for a group that has subgroups or does not contain the
 * user.
 */
int fathom_share_tree_place(struct fathom_share_tree *tree, const char *user, const char *group,
			    const double *order, size_t *node, struct fathom_error *error);

/* ---- slot pools (LSF: queue-based fairshare) ----------------------------------- */

#define FATHOM_NO_LIMIT UINT64_MAX
#define FATHOM_MAX_SLOTS (UINT64_C(1) << 53)

/* Slots of hosts, and the pool on them; numbers of slots are at most
 * FATHOM_MAX_SLOTS. */
struct fathom_pool {
	uint64_t slots;		/* of all hosts, in use and free */
	uint64_t max_slots;	/* MAX_SLOTS_IN_POOL, or FATHOM_NO_LIMIT */
	bool use_priority;	/* USE_PRIORITY_IN_POOL: what the first round leaves is not
				 * divided by shares, but goes by the priority of jobs */
};

/* A queue with jobs on these hosts. */
struct fathom_pool_queue {
	bool in_pool;		/* false: it uses the hosts but has no share */
	double share;		/* SLOT_SHARE, percent: above 0, at most 100 */
	uint64_t demand;	/* slots wanted, those in use included */
	uint64_t limit;		/* a limit of the queue on slots, or FATHOM_NO_LIMIT */
	double priority;	/* the highest is served first; equal ones as configured */
	double used;		/* slot seconds, decayed; see fathom_decayed_seconds() */
};

struct fathom_pool_grant {
	const struct fathom_pool_queue *queue;
	uint64_t deserved;	/* by its share alone, rounded up; 0 outside the pool */
	uint64_t got;
	uint64_t lent;		/* what it got beyond `deserved`; 0 outside the pool */
};

/* Returns `share` percent of so many slots, rounded up. */
uint64_t fathom_pool_deserved(uint64_t slots, double share);

/*
 * Divides a pool among `count` queues, given in the order of configuration.
 * Queues of the pool come in the order of what they have used for their share,
 * the least first, then of priority; queues outside keep their place by priority
 * and take what they want. grants: room for `count`, filled in the order of
 * service; they point into `queues`. *left: slots that the pool may still take.
 * -1: ENOMEM. Source: LSF, "How LSF allocates slots for a pool of queues".
 */
int fathom_pool_allocate(const struct fathom_pool *pool, const struct fathom_pool_queue *queues,
			 size_t count, struct fathom_pool_grant *grants, uint64_t *left,
			 struct fathom_error *error);

/* ---- order of queues (LSF: queue-level, cross-queue fair share) ------------------ */

#define FATHOM_NO_SET SIZE_MAX

/* A queue, in the order of configuration. */
struct fathom_served_queue {
	double priority;
	bool is_fairshare;	/* else first come, first served */
	size_t master;		/* index of the master queue of its cross-queue set; or
				 * FATHOM_NO_SET */
	bool queue_first;	/* DISPATCH_ORDER=QUEUE; the same for all queues of a set */
};

/*
 * Puts into place[i] the place of queue i in the order of service, from 0. Queues
 * of one place are served as one, by the priority of users or first come, first
 * served.
 *
 * The queue of higher priority goes first. Among queues of equal priority each
 * fair-share queue has a place of its own, and all others share the place of the
 * first of them. Queues of a cross-queue set share a place; with
 * DISPATCH_ORDER=QUEUE only those that have equal priority do.
 *
 * -1: ENOMEM; EINVAL for a master that is not below count, error->row is its
 * queue. Source: LSF, "Jobs from equal priority queues".
 */
int fathom_queue_places(const struct fathom_served_queue *queues, size_t count, size_t *place,
			struct fathom_error *error);

/* Looks for a mistake in the configuration: a queue outside a cross-queue set with
 * a priority between the lowest and the highest of the set. Sets that are served
 * by DISPATCH_ORDER=QUEUE may have such queues. True: *queue is one, *master the
 * set's master queue. */
bool fathom_queue_within_set(const struct fathom_served_queue *queues, size_t count, size_t *queue,
			     size_t *master);

/* Numbers the priorities of `count` queues: class_of[i] is 0 for the lowest, and
 * equal for equal ones. Returns the number of classes; 0: out of memory, or no
 * queues. */
size_t fathom_queue_classes(const double *priority, size_t count, size_t *class_of);
/* Makes of a factor of 0 to 1 one, of 0 to 1 too, that orders jobs by the class of
 * their queue first: DISPATCH_ORDER=QUEUE. */
double fathom_queue_first_factor(double factor, size_t class_of, size_t classes);

#ifdef __cplusplus
}
#endif
#endif
