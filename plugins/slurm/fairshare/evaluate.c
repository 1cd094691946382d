/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates the policy of each scheme (the one in force, a shadow, scopes) on the tree of
 * associations, and makes an evaluation of the results. fairshare_solve() then puts it in the place
 * of the last one. See results/evaluation.h for its life.
 */
#include "fairshare/fairshare_private.h"

#include "base/log.h"

/* -1: out of memory, or `problem` tells why not. */
static int evaluate_scheme(struct scheme_results *results, struct fairshare *fairshare, size_t at,
			   struct fathom_error *problem)
{
	const struct scheme *scheme = &fairshare->settings->scheme[at];
	const struct fathom_tree *tree = schemes_tree(fairshare, at, problem);

	if (!tree)
		return -1;
	results->own = scope_tree_reference(fairshare->scheme_state[at].own);
	if (fairshare->settings->figures_file) {
		tree = results->tree = fathom_tree_copy(tree, problem);
		if (!tree)
			return -1;
	}
	results->result = fathom_result_create(scheme->policy, tree, problem);
	if (!results->result)
		return -1;
	fathom_evaluate(results->result, tree, &scheme->settings);
	return schemes_use_entities(fairshare, at, tree, results->result, problem) ||
	       schemes_list_queues(fairshare, at, &results->queues, problem) ? -1 : 0;
}

/* NULL: out of memory, or `problem` tells why not. */
static struct evaluation *evaluate(struct fairshare *fairshare, const struct settings *settings,
				   const struct ordered_partitions *order,
				   struct fathom_error *problem)
{
	struct evaluation *evaluation =
		evaluation_create(settings, &fairshare->associations, fairshare->time, order);
	int status = evaluation ? 0 : -1;

	for (size_t i = 0; !status && i < settings->scheme_count; i++)
		status = evaluate_scheme(evaluation_results(evaluation, i), fairshare, i, problem);
	if (!status && !evaluation_list(evaluation, &fairshare->associations))
		return evaluation;
	evaluation_release(evaluation);
	return NULL;
}

bool fairshare_solve(struct fairshare *fairshare, const struct settings *settings,
		     const struct ordered_partitions *order)
{
	struct fathom_error problem = { .text = "out of memory" };
	struct evaluation *fresh = evaluate(fairshare, settings, order, &problem);

	if (!fresh) {
		error(LOG_PREFIX "%s; factors stay as they were", problem.text);
		return false;
	}
	results_set_evaluation(fairshare->results, fresh);
	return true;
}

void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association)
{
	struct evaluation *evaluation = results_evaluation(fairshare->results);
	const struct fathom_result *result;
	uint32_t node = 0;

	if (evaluation)
		fathom_node_index_find(evaluation_map(evaluation), association->id, &node);
	if (node && !sshare_shows_ranks(evaluation_settings(evaluation)->scheme->policy)) {
		result = evaluation_result(evaluation, 0);
		association->usage->usage_norm = fathom_result_norm_usage(result)[node];
		association->usage->usage_efctv = fathom_result_effective_usage(result)[node];
	} else {
		sshare_write_from_records(association);
	}
	evaluation_release(evaluation);
}
