/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes trees, results and ranks, and ends the command if there is no memory for them. */
#include "jobs/need_trees.h"

NEED_DESTROYER(destroy_tree, fathom_tree_destroy)
NEED_DESTROYER(destroy_result, fathom_result_destroy)

struct fathom_tree *need_tree(struct fathom_tree *made)
{
	return need_owned(made, destroy_tree);
}

struct snapshot *need_fork(const struct snapshot *snapshot)
{
	struct snapshot *fork = need_object(sizeof(*fork));

	*fork = *snapshot;
	fork->tree = need_tree(fathom_tree_copy(snapshot->tree, NULL));
	return fork;
}

struct fathom_result *need_result(const struct fathom_policy *policy,
				  const struct fathom_tree *tree)
{
	return need_owned(fathom_result_create(policy, tree, NULL), destroy_result);
}

double *need_ranks(const double *value, size_t count)
{
	double *rank = need_zeros(count, sizeof(*rank));

	need_done(fathom_ranks(value, count, rank, NULL));
	return rank;
}
