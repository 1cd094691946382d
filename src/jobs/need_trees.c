/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/need_trees.h"

static void clear_fork(void *fork)
{
	snapshot_fork_clear(fork);
}

struct snapshot *need_fork(const struct snapshot *snapshot)
{
	struct snapshot *fork = need_owned(need_object(sizeof(*fork)), clear_fork);

	need_done(snapshot_fork(fork, snapshot, NULL));
	return fork;
}

static void destroy_result(void *result)
{
	fathom_result_destroy(result);
}

struct fathom_result *need_result(const struct fathom_policy *policy,
				  const struct fathom_tree *tree)
{
	return need_owned(fathom_result_create(policy, tree, NULL), destroy_result);
}
