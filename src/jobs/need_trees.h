/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees and their results that belong to the command's memory, see need_memory.h. */
#pragma once

#include "core/snapshot.h"
#include "memory/need_memory.h"

/* Returns a tree that a call has made, which is NULL only for lack of memory. */
struct fathom_tree *need_tree(struct fathom_tree *made);
/* Returns a snapshot with a copy of the tree, which may be changed, and with the names of the
 * original. */
struct snapshot *need_fork(const struct snapshot *snapshot);
/* Returns a result of a policy for a tree. */
struct fathom_result *need_result(const struct fathom_policy *policy,
				  const struct fathom_tree *tree);
