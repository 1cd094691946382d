/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of dispatch within one share tree. */
#ifndef POLICY_DISPATCH_H
#define POLICY_DISPATCH_H

#include "policy/policy.h"

struct dispatch;

/* Makes the state of a tree before any pending job is dispatched. The tree must not change
 * meanwhile. NULL: ENOMEM. */
struct dispatch *dispatch_create(const struct fathom_dispatch_tree *given,
				 struct fathom_error *error);
void dispatch_destroy(struct dispatch *dispatch);
/* Forgets what jobs hold and were promised. The tree may have changed. */
void dispatch_reset(struct dispatch *dispatch);
/* Counts what jobs of a node hold beside what the tree has. */
void dispatch_hold(struct dispatch *dispatch, uint32_t node,
		   const struct fathom_holdings *holdings);
/* Jobs to dispatch, and what comes of it. */
struct dispatch_order {
	const uint32_t *job;	/* their indexes, in queue order */
	size_t count;
	size_t *place;		/* by index of a job */
	size_t *counted_at;	/* the same: the node at which it is dispatched; or NULL */
};

/* Dispatches jobs, and sets their places, the first to 1 + `before`. What they are promised
 * stays with the tree for the next call. -1: ENOMEM. */
int dispatch_jobs(struct dispatch *dispatch, const struct fathom_pending_job *jobs,
		  const struct dispatch_order *order, size_t before, struct fathom_error *error);
/* Does what fathom_dispatch_places() does, from what jobs hold and were promised already. dispatch:
 * by tree; NULL: it is made if it is needed. */
int dispatch_places(const struct fathom_pending_jobs *given, struct dispatch **dispatch,
		    size_t *place, struct fathom_error *error);

#endif
