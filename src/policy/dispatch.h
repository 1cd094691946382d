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
/*
 * Dispatches `count` jobs, whose indexes stand in `job` in queue order, and sets their
 * places, the first to 1 + `before`. What they are promised stays with the tree for the next
 * call. -1: ENOMEM.
 */
int dispatch_jobs(struct dispatch *dispatch, const struct fathom_pending_job *jobs,
		  const uint32_t *job, size_t count, size_t before, size_t *place,
		  struct fathom_error *error);

#endif
