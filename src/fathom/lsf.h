/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LSF: adjustment, user share assignments, slot pools, order of queues. */
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

/* ---- the adjustment ------------------------------------------------------------ */

/*
 * LSF's fairshare plugin: what it is told of a user or group, sums over its
 * jobs and those of all below.
 */
struct fathom_adjustment_input {
	double cpu_time, run_time, hist_run_time, committed_run_time;	/* seconds */
	double job_slots;
	double memory;		/* in use */
	double slot_memory;	/* allocated to a slot of the cluster, on average; same unit */
};

/* Answers with the adjustment, of any sign; what is no number counts as 0. */
typedef double fathom_adjust_function(const struct fathom_adjustment_input *input,
				      const void *context);

/*
 * A site's own is a shared object that defines
 *	const unsigned fathom_adjustment_version = FATHOM_ADJUSTMENT_VERSION;
 * and a fathom_adjust_function of the name fathom_adjust, called with a NULL
 * context. It keeps nothing from call to call, and does not block.
 */
#define FATHOM_ADJUSTMENT_VERSION 1u

/* The document's example, (1 + slots) x (memory / slots) / (slot_memory x
 * threshold); 0 where there are no slots. context: the threshold, a double. */
double fathom_adjust_memory(const struct fathom_adjustment_input *input, const void *threshold);

/* Asks for each node's adjustment, in place of what was set and summed. After
 * each settle, as the next one sums again. -1: ENOMEM. */
int fathom_tree_adjust(struct fathom_tree *tree, fathom_adjust_function *adjust,
		       const void *context, double slot_memory, struct fathom_error *error);

/* ---- user share assignments (LSF: USER_SHARES) -------------------------------- */

/*
 * [name, shares]. A group's name: one node for it, in which its own
 * assignments divide, or its members are served first come, first served.
 * "group@": a node for each member, those of subgroups too. "default": a node
 * for each user whom no other assignment of the list names or contains;
 * "others": one for all of these. Any other name is a user's.
 */
struct fathom_assignment {
	const char *name;
	uint32_t shares;	/* 1 or more */
};

struct fathom_user_group {
	const char *name;
	const char *const *member;	/* users, groups that stand before this one, "all" */
	size_t member_count;
	const struct fathom_assignment *assignment;	/* to its members, or none */
	size_t assignment_count;
};

/* Of a queue or a host partition. */
struct fathom_user_shares {
	const struct fathom_assignment *assignment;
	size_t assignment_count;
	const struct fathom_user_group *group;
	size_t group_count;
	const char *const *user;	/* all who are named nowhere, or nowhere else */
	size_t user_count;
};

/* The tree of shares; a leaf is a user, a group without assignments, or "others". */
struct fathom_share_tree;

/* NULL: ENOMEM, or EINVAL for what cannot be assigned; error->row is the group
 * whose list it is in. Nothing of `given` is needed afterwards. */
struct fathom_share_tree *fathom_share_tree_create(const struct fathom_user_shares *given,
						   struct fathom_error *error);
void fathom_share_tree_destroy(struct fathom_share_tree *tree);

size_t fathom_share_tree_count(const struct fathom_share_tree *tree);
/* For fathom_tree_create(), which keeps their order: row 0 is the root. */
const struct fathom_row *fathom_share_tree_rows(const struct fathom_share_tree *tree);
/* Not unique: a user may be named, and be a "group@"'s member, on one level. */
const char *fathom_share_tree_name(const struct fathom_share_tree *tree, size_t node);

/*
 * The leaf that a user's job counts at: of those where the user has a place
 * the one with the least `order` (by node: lsf's column); of those by way of
 * `group` alone where the job names one (bsub -G), else NULL. -1: ENOENT for a
 * user without shares, who may not run; EINVAL for a group that has subgroups,
 * or has not this user.
 */
int fathom_share_tree_place(struct fathom_share_tree *tree, const char *user, const char *group,
			    const double *order, size_t *node, struct fathom_error *error);

/* ---- slot pools (LSF: queue-based fairshare) ----------------------------------- */

#define FATHOM_NO_LIMIT UINT64_MAX
#define FATHOM_MAX_SLOTS (UINT64_C(1) << 53)

/* Slots of hosts, and the pool on them; each at most FATHOM_MAX_SLOTS. */
struct fathom_pool {
	uint64_t slots;		/* in use and free, of all hosts */
	uint64_t max_slots;	/* MAX_SLOTS_IN_POOL, or FATHOM_NO_LIMIT */
	bool use_priority;	/* USE_PRIORITY_IN_POOL: what the first round leaves goes by
				 * the priority of jobs, not by shares */
};

/* A queue with jobs on these hosts; those outside the pool have no share. */
struct fathom_pool_queue {
	bool in_pool;
	double share;		/* SLOT_SHARE, percent: above 0, at most 100 */
	uint64_t demand;	/* slots wanted, those in use included */
	uint64_t limit;		/* a job limit of the queue, or FATHOM_NO_LIMIT */
	double priority;	/* higher: served first; equal ones as configured */
	double used;		/* slot seconds, decayed; see fathom_decayed_seconds() */
};

struct fathom_pool_grant {
	const struct fathom_pool_queue *queue;
	uint64_t deserved;	/* by its share alone, rounded up; 0 outside the pool */
	uint64_t got;
	uint64_t lent;		/* got beyond deserved; 0 outside the pool */
};

/* What a share of so many slots is, rounded up. */
uint64_t fathom_pool_deserved(uint64_t slots, double share);

/*
 * Divides a pool among `count` queues, in the order of configuration. Of those
 * that have used the least for their share, the one of the highest priority
 * comes first; queues outside take what they want at their place by priority.
 * grants: count of them, in the order of service. left: slots that the pool may
 * still take. -1: ENOMEM. Source: LSF, "How LSF allocates slots for a pool of
 * queues".
 */
int fathom_pool_allocate(const struct fathom_pool *pool, const struct fathom_pool_queue *queues,
			 size_t count, struct fathom_pool_grant *grants, uint64_t *left,
			 struct fathom_error *error);

/* ---- fair share of queues (LSF: queue-level, cross-queue) ------------------------ */

/* A queue, in the order of configuration. */
struct fathom_served_queue {
	double priority;
	bool is_fairshare;	/* else first come, first served */
	/* of a cross-queue set: the index of its master queue, else FATHOM_NO_SET */
	size_t master;
	bool queue_first;	/* DISPATCH_ORDER=QUEUE, said of each queue of the set */
};

#define FATHOM_NO_SET SIZE_MAX

/*
 * The place of each queue in the order of service, from 0: those of one place
 * are served as one queue, by users' priorities or first come, first served.
 * Higher priority goes first. Of one priority, fair-share queues are served one
 * after the other, all others together, at the place of the first of them. A
 * cross-queue set is one queue; with DISPATCH_ORDER=QUEUE those of its queues
 * are that have the same priority. -1: ENOMEM, or EINVAL for a set whose master
 * queue is none. Source: LSF, "Jobs from equal priority queues".
 */
int fathom_queue_places(const struct fathom_served_queue *queues, size_t count, size_t *place,
			struct fathom_error *error);

/* Finds a queue outside a cross-queue set whose priority is from the least to
 * the greatest of the set's, which is wrong unless the set's queues go first by
 * their priority; *master is the set's. False: there is none. */
bool fathom_queue_within_set(const struct fathom_served_queue *queues, size_t count, size_t *queue,
			     size_t *master);

/* Queues of a set by priority: the class of each, 0 for the lowest. Returns the
 * number of classes; 0: out of memory, or no queues. */
size_t fathom_queue_classes(const double *priority, size_t count, size_t *class_of);
/* A factor that goes by class first, then by the factor of 0 ... 1 that it is
 * made of, both within 0 ... 1: DISPATCH_ORDER=QUEUE. */
double fathom_queue_first_factor(double factor, size_t class_of, size_t classes);

#ifdef __cplusplus
}
#endif
#endif
