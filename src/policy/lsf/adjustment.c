/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fairshare adjustment: an amount that a site's function computes for each
 * user and group from what their jobs use, and that LSF's dynamic priority takes
 * into account.
 * Source: LSF, "Customizing the dynamic priority".
 */
#include "core/tree_private.h"

#include <math.h>

double fathom_adjust_memory(const struct fathom_adjustment_input *input, const void *threshold)
{
	double allowed = input->slot_memory * *(const double *)threshold;

	if (!(input->job_slots > 0) || !(allowed > 0))
		return 0;
	return (1 + input->job_slots) * (input->memory / input->job_slots / allowed);
}

/* Returns what a node's adjustment is computed from. Without run times, usage counts as run
 * time. */
static struct fathom_adjustment_input input_of(const struct fathom_tree *tree, size_t node,
					       const struct fathom_cluster_memory *cluster)
{
	bool has_run_time = fathom_tree_has_resource(tree, FATHOM_RUN_TIME);

	return (struct fathom_adjustment_input){
		.cpu_time = fathom_tree_resource(tree, node, FATHOM_CPU_TIME),
		.run_time = has_run_time ? fathom_tree_resource(tree, node, FATHOM_RUN_TIME)
					 : tree->usage[node],
		.hist_run_time = fathom_tree_resource(tree, node, FATHOM_HIST_RUN_TIME),
		.committed_run_time = fathom_tree_resource(tree, node, FATHOM_COMMITTED_RUN_TIME),
		.job_slots = fathom_tree_resource(tree, node, FATHOM_JOB_SLOTS),
		.memory = fathom_tree_resource(tree, node, FATHOM_MEMORY),
		.slot_memory = cluster->of_slot,
		.cluster_memory = cluster->in_use,
	};
}

int fathom_tree_adjust(struct fathom_tree *tree, fathom_adjust_function *adjust,
		       const void *context, const struct fathom_cluster_memory *cluster,
		       struct fathom_error *error)
{
	if (!tree->resource[FATHOM_ADJUSTMENT] &&
	    fathom_tree_set_own_resource(tree, 0, FATHOM_ADJUSTMENT, 0, error))
		return -1;
	for (size_t node = 0; node < tree->node_count; node++) {
		struct fathom_adjustment_input input = input_of(tree, node, cluster);
		double adjustment = adjust(&input, context);

		tree->resource[FATHOM_ADJUSTMENT][node] = isfinite(adjustment) ? adjustment : 0;
	}
	/* the next settle sums up own amounts again */
	tree->resource_changed[FATHOM_ADJUSTMENT] = true;
	return 0;
}
