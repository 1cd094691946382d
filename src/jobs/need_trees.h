/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees, their results and ranks that belong to the command's memory, see need_memory.h. */
#pragma once

#include "core/snapshot.h"
#include "memory/need_memory.h"

/* Makes the memory own a tree that another call has returned, and returns it. Ends the command if
 * it is NULL. */
struct fathom_tree *need_tree(struct fathom_tree *made);
/* Returns a copy of a snapshot whose tree may be changed; it uses the names of the original, which
 * must live as long. */
struct snapshot *need_fork(const struct snapshot *snapshot);
/* Returns a result of a policy for a tree, for fathom_evaluate() to fill. */
struct fathom_result *need_result(const struct fathom_policy *policy,
				  const struct fathom_tree *tree);
/* Returns the ranks of `count` values, see fathom_ranks(). need_free() may give them back. */
double *need_ranks(const double *value, size_t count);
