/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates the policy of each scheme (the one in force, a shadow, scopes) on the tree of
 * associations, and makes an evaluation of the results. schemes_evaluate() then publishes it in
 * place of the evaluation before. See results/evaluation.h for its life.
 */
#include "schemes/schemes_private.h"

#include "base/log.h"

#include <stdlib.h>

/* Evaluates the scheme with the index `at`, with what these `count` runs hold, and puts the results
 * into the evaluation. The tree is copied for files, which read it while the next pass changes
 * it. Returns -1, and *problem unless out of memory. */
static int evaluate_scheme(struct evaluation *evaluation, struct schemes *schemes, size_t at,
			   const struct running *running, size_t count,
			   struct fathom_error *problem)
{
	const struct scheme *scheme = &schemes->settings->scheme[at];
	struct scheme_results *results = &evaluation->scheme[at];
	const struct fathom_tree *tree = schemes_tree_holding(schemes, at, running, count, problem);

	if (!tree)
		return -1;
	results->own_tree = shared_reference(schemes->state[at].own_tree);
	if (settings_write_figures(schemes->settings) ||
	    (!at && *schemes->settings->conf.usage_file)) {
		tree = results->tree = fathom_tree_copy(tree, problem);
		if (!tree)
			return -1;
	}
	results->result = fathom_result_create(scheme->policy, tree, problem);
	if (!results->result)
		return -1;
	fathom_evaluate(results->result, tree, &scheme->settings);
	return entities_evaluate(schemes, at, evaluation->order, tree, results, problem);
}

/* Returns an evaluation of all schemes. order: of partitions, or NULL. NULL: out of memory, or
 * *problem says why. */
static struct evaluation *evaluate_schemes(struct schemes *schemes, struct partition_order *order,
					   struct fathom_error *problem)
{
	/* before the state can be read, usage is that of slurmctld's records now */
	time_t now = *schemes->time ? *schemes->time : time(NULL);
	struct evaluation *evaluation = evaluation_create(schemes->settings, schemes->associations,
							  now, order);
	struct running *running = NULL;
	size_t count = 0;
	int status = 0;

	if (!evaluation)
		return NULL;
	evaluation->global = shared_reference(schemes->global);
	evaluation->own_usage = shared_reference(schemes->own_usage);
	if (schemes->settings->keeps_sums) {
		running = book_list_running(schemes->book, schemes->settings, &count);
		status = running ? 0 : -1;
	}
	for (size_t i = 0; !status && i < schemes->settings->scheme_count; i++)
		status = evaluate_scheme(evaluation, schemes, i, running, count, problem);
	free(running);
	if (!status && !evaluation_list(evaluation, schemes->associations))
		return evaluation;
	shared_release(evaluation);
	return NULL;
}

bool schemes_evaluate(struct schemes *schemes, struct partition_order *order)
{
	struct fathom_error problem = { .text = "out of memory" };	/* unless a call sets it */
	struct evaluation *fresh = evaluate_schemes(schemes, order, &problem);

	if (!fresh) {
		error(LOG_PREFIX "cannot evaluate the policies: %s; factors stay as they were",
		      problem.text);
		return false;
	}
	published_set(&schemes->results->evaluation, fresh);
	return true;
}
