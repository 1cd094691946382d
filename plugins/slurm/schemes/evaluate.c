/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates the policy of each scheme (the one in force, a shadow, scopes) on the tree of
 * associations, and makes an evaluation of the results. schemes_evaluate() then puts it in the
 * place of the last one. See results/evaluation.h for its life.
 */
#include "schemes/schemes_private.h"

#include "base/log.h"

#include <stdlib.h>

/* Returns the tree to evaluate a scheme on, as schemes_tree_holding() does. */
static const struct fathom_tree *scheme_tree(struct schemes *schemes, size_t scheme,
					     struct fathom_error *problem)
{
	const struct fathom_tree *tree;
	struct running *running;
	size_t count;

	if (!sums_of(schemes, scheme) && !has_own_tree(schemes, scheme))
		return schemes->associations->tree;
	running = book_list_running(schemes->book, schemes->settings, &count);
	tree = schemes_tree_holding(schemes, scheme, running, count, problem);
	free(running);
	return tree;
}

/* -1: out of memory, or `problem` tells why not. */
static int evaluate_scheme(struct scheme_results *results, struct schemes *schemes, size_t at,
			   const struct partition_order *order, struct fathom_error *problem)
{
	const struct scheme *scheme = &schemes->settings->scheme[at];
	const struct fathom_tree *tree = scheme_tree(schemes, at, problem);

	if (!tree)
		return -1;
	results->own = scope_tree_reference(schemes->state[at].own);
	if (*schemes->settings->conf.figures_file) {
		tree = results->tree = fathom_tree_copy(tree, problem);
		if (!tree)
			return -1;
	}
	results->result = fathom_result_create(scheme->policy, tree, problem);
	if (!results->result)
		return -1;
	fathom_evaluate(results->result, tree, &scheme->settings);
	return entities_evaluate(schemes, at, order, tree, results, problem);
}

/* NULL: out of memory, or `problem` tells why not. */
static struct evaluation *evaluate(struct schemes *schemes, struct partition_order *order,
				   struct fathom_error *problem)
{
	struct evaluation *evaluation = evaluation_create(schemes->settings, schemes->associations,
							  *schemes->time, order);
	int status = evaluation ? 0 : -1;

	for (size_t i = 0; !status && i < schemes->settings->scheme_count; i++)
		status = evaluate_scheme(&evaluation->scheme[i], schemes, i, order, problem);
	if (!status && !evaluation_list(evaluation, schemes->associations))
		return evaluation;
	evaluation_release(evaluation);
	return NULL;
}

bool schemes_evaluate(struct schemes *schemes, struct partition_order *order)
{
	struct fathom_error problem = { .text = "out of memory" };
	struct evaluation *fresh = evaluate(schemes, order, &problem);

	if (!fresh) {
		error(LOG_PREFIX "%s; factors stay as they were", problem.text);
		return false;
	}
	results_set_evaluation(schemes->results, fresh);
	return true;
}
