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

/* Replaces the figures in a result, which was evaluated on this tree, by those of PBS's entities,
 * if the scheme has them. -1: *problem. */
static int use_entities(struct schemes *schemes, size_t scheme, const struct fathom_tree *tree,
			struct fathom_result *result, struct fathom_error *problem)
{
	const struct scheme *of = &schemes->settings->scheme[scheme];
	struct scheme_state *state = &schemes->state[scheme];

	if (!of->has_entities)
		return 0;
	if (!state->entities || !entities_are_of(state->entities, schemes->associations)) {
		entities_destroy(state->entities);
		state->entities = entities_create(schemes->settings, of, schemes->associations,
						 problem);
	}
	return state->entities ? entities_evaluate(state->entities, of, tree, result, problem) : -1;
}

/* Makes the figures of partitions, or sets *figures to NULL if the scheme charges none. -1:
 * *problem. */
static int list_queues(const struct schemes *schemes, size_t scheme,
		       const struct partition_order *order, struct queue_figures **figures,
		       struct fathom_error *problem)
{
	const struct scheme_state *state = &schemes->state[scheme];
	const struct scheme *of = &schemes->settings->scheme[scheme];

	*figures = NULL;
	if (!state->sums || !of->charges_queues)
		return 0;
	*figures = evaluate_queues(schemes->settings, of, state, order, problem);
	return *figures ? 0 : -1;
}

/* -1: out of memory, or `problem` tells why not. */
static int evaluate_scheme(struct evaluation *evaluation, struct schemes *schemes, size_t at,
			   struct fathom_error *problem)
{
	const struct partition_order *order = evaluation_order(evaluation, schemes->settings);
	struct scheme_results *results = evaluation_results(evaluation, at);
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
	return use_entities(schemes, at, tree, results->result, problem) ||
	       list_queues(schemes, at, order, &results->queues, problem) ? -1 : 0;
}

/* NULL: out of memory, or `problem` tells why not. */
static struct evaluation *evaluate(struct schemes *schemes, struct partition_order *order,
				   struct fathom_error *problem)
{
	struct evaluation *evaluation = evaluation_create(schemes->settings, schemes->associations,
							  *schemes->time, order);
	int status = evaluation ? 0 : -1;

	for (size_t i = 0; !status && i < schemes->settings->scheme_count; i++)
		status = evaluate_scheme(evaluation, schemes, i, problem);
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
