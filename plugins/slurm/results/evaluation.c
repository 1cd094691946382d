/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes evaluations: lists the figures of associations from the results of all schemes. Finds these
 * figures by association; those of newcomers by the nearest account that is known.
 */
#include "results/evaluation.h"

#include "core/prefetch.h"

#include <math.h>
#include <stdlib.h>

#define MOST_PREFETCHED 4	/* schemes, with the one in force; to prefetch for more of them
				 * would cost more than it saves */
#define FACTOR_OF_NEWCOMERS .5	/* the middle, if no figures fit; flux-accounting has the same */

/* Frees an evaluation, which may not have all members; for shared_create(). */
static void destroy(void *object)
{
	struct evaluation *evaluation = object;

	for (size_t i = 0; evaluation->scheme && i < evaluation->settings->scheme_count; i++) {
		struct scheme_results *results = &evaluation->scheme[i];

		fathom_tree_destroy(results->tree);
		fathom_result_destroy(results->result);
		numbered_names_clear(&results->queues.names);
		free(results->queues.figures);
		free(results->queues.shares);
		shared_release(results->own_tree);
		free(results->figures);
		free(results->shares);
		free(results->leaf);
		free(results->model);
	}
	free(evaluation->scheme);
	fathom_node_index_release(evaluation->map);
	shared_release(evaluation->settings);
	free(evaluation->columns);
	shared_release(evaluation->order);
	shared_release(evaluation->global);
	shared_release(evaluation->own_usage);
	free(evaluation);
}

/* ---- making ---------------------------------------------------------------------- */

struct evaluation *evaluation_create(const struct settings *settings,
				     const struct associations *associations, time_t time,
				     struct partition_order *order)
{
	struct evaluation *evaluation = shared_create(sizeof(*evaluation), destroy);

	if (!evaluation)
		return NULL;
	*evaluation = (struct evaluation){
		.shared = evaluation->shared,	/* as shared_create() has set it */
		.time = time,
		.settings = shared_reference(settings),
		.map = fathom_node_index_share(associations->map),
		.node_count = associations->node_count,
		.scheme = calloc(settings->scheme_count, sizeof(*evaluation->scheme)),
		.columns = settings->formula ? calloc(associations->node_count,
						      sizeof(*evaluation->columns)) : NULL,
		.order = shared_reference(order),
	};
	if (evaluation->scheme && (evaluation->columns || !settings->formula))
		return evaluation;
	shared_release(evaluation);
	return NULL;
}

struct fairshare_figures evaluation_figures_at(const struct fathom_result *result,
					       const struct fathom_settings *settings, size_t node)
{
	return (struct fairshare_figures){
		.factor = fathom_result_factor(result)[node],
		.may_run = fathom_result_may_run(result, settings, node),
	};
}

struct fairshare_shares evaluation_shares_at(const struct fathom_result *result, size_t node)
{
	return (struct fairshare_shares){ fathom_result_norm_shares(result)[node],
					  fathom_result_effective_usage(result)[node] };
}

/* Lists the best leaf of each association in a scope with a tree of its own, and the figures of
 * this leaf. An association without a leaf has no shares: its figures are 0, and it may not run.
 * Returns -1 if out of memory. */
static int list_leaves(struct scheme_results *results, const struct fathom_settings *settings,
		       size_t node_count)
{
	const double *factor = fathom_result_factor(results->result);
	const struct share_leaves *leaves = &results->own_tree->shares.leaves;

	results->leaf = calloc(node_count, sizeof(*results->leaf));
	if (!results->leaf)
		return -1;
	for (uint32_t node = 0; node < node_count; node++) {
		uint32_t best = share_leaves_best(leaves, node, factor);
		struct fairshare_figures figures = { 0 };
		struct fairshare_shares shares = { 0 };

		if (best != NO_SHARE_LEAF) {
			figures = evaluation_figures_at(results->result, settings,
							leaves->node[best]);
			figures.may_run = true;
			shares = evaluation_shares_at(results->result, leaves->node[best]);
			results->leaf[node] = leaves->key[best];
		}
		results->figures[node] = figures;
		if (results->shares)
			results->shares[node] = shares;
	}
	return 0;
}

/* Lists the figures of each association by a scheme, as copies: some columns of the result belong
 * to a tree that may change, see struct scheme_results. If the policy in force charges partitions,
 * associations have no shares of their own, so jobs of all may run. has_formula: lists shares,
 * too. Returns -1 if out of memory. */
static int list_figures(struct scheme_results *results, const struct scheme *scheme,
			const struct associations *associations, bool has_formula)
{
	const struct fathom_result *result = results->result;
	const double *factor = fathom_result_factor(result);
	const struct association_seen *seen = associations->seen;
	bool all_may_run = scheme->role == SCHEME_IN_FORCE && scheme->charges_queues;

	results->figures = malloc(associations->node_count * sizeof(*results->figures));
	if (has_formula)
		results->shares = malloc(associations->node_count * sizeof(*results->shares));
	if (!results->figures || (has_formula && !results->shares))
		return -1;
	if (results->own_tree)
		return list_leaves(results, &scheme->settings, associations->node_count);
	for (size_t node = 0; node < associations->node_count; node++)
		results->figures[node] = (struct fairshare_figures){
			.factor = factor[node],
			.assoc_norm = seen[node].priority_norm,
			.assoc_priority = seen[node].priority,
			.account_priority =
				seen[fathom_tree_parent(associations->tree, node)].priority,
			.may_run = all_may_run ||
				   fathom_result_may_run(result, &scheme->settings, node),
		};
	for (size_t node = 0; has_formula && node < associations->node_count; node++)
		results->shares[node] = evaluation_shares_at(result, node);
	return 0;
}

/* Lists the columns of the policy in force, if there is a formula. */
static void list_columns(struct evaluation *evaluation)
{
	const struct fathom_result *result = evaluation->scheme[0].result;
	size_t columns = fathom_policy_column_count(evaluation->settings->scheme[0].policy);

	for (size_t node = 0; evaluation->columns && node < evaluation->node_count; node++)
		for (size_t i = 0; i < columns; i++)
			evaluation->columns[node][i] = fathom_result_column(result, i)[node];
}

/* Finds the model of each account: the node whose figures newcomers get. It is the user of the
 * account with the best factor, of those who may run; if there is none, the account itself. Returns
 * -1 if out of memory. */
static int list_models(struct scheme_results *results, const struct fathom_tree *tree)
{
	const struct fairshare_figures *figures = results->figures;
	size_t count = fathom_tree_count(tree);
	uint32_t *model = results->model = malloc(count * sizeof(*model));

	if (!model)
		return -1;
	for (size_t node = 0; node < count; node++)
		model[node] = (uint32_t)node;
	for (size_t node = 1; node < count; node++) {
		size_t account = fathom_tree_parent(tree, node), best = model[account];

		if (fathom_tree_kind(tree, node) == FATHOM_USER && figures[node].may_run &&
		    (best == account || figures[node].factor > figures[best].factor))
			model[account] = (uint32_t)node;
	}
	return 0;
}

int evaluation_list(struct evaluation *evaluation, const struct associations *associations)
{
	const struct settings *settings = evaluation->settings;

	list_columns(evaluation);
	for (size_t i = 0; i < settings->scheme_count; i++) {
		struct scheme_results *results = &evaluation->scheme[i];

		if (settings->scheme[i].role != SCHEME_SHADOW &&
		    (list_figures(results, &settings->scheme[i], associations, settings->formula) ||
		     list_models(results, associations->tree)))
			return -1;
	}
	return 0;
}

/* ---- figures of an association ----------------------------------------------------- */

void evaluation_prefetch(const struct evaluation *evaluation, uint32_t association)
{
	if (evaluation)
		fathom_node_index_prefetch(evaluation->map, association);
}

void evaluation_prefetch_scopes(const struct evaluation *evaluation,
				const struct fairshare_figures *figures)
{
	size_t node = evaluation_node(&evaluation->scheme[0], figures);

	for (size_t i = 1; i < MIN(evaluation->settings->scheme_count, MOST_PREFETCHED); i++) {
		const struct fairshare_figures *scoped = evaluation->scheme[i].figures;

		if (!scoped)
			continue;
		prefetch(&scoped[node].factor);
		prefetch(&scoped[node].may_run);
	}
}

/* Returns whether there is an evaluation, and it was made under these settings. */
static bool is_made_under(const struct evaluation *evaluation, const struct settings *settings)
{
	return evaluation && evaluation->settings == settings;
}

const double *evaluation_columns(const struct evaluation *evaluation,
				 const struct settings *settings,
				 const struct fairshare_figures *figures)
{
	if (!evaluation->columns ||
	    evaluation->settings->scheme[0].policy != settings->scheme[0].policy)
		return NULL;
	return evaluation->columns[evaluation_node(&evaluation->scheme[0], figures)];
}

const struct fairshare_figures *evaluation_queue(const struct evaluation *evaluation,
						 const struct settings *settings, size_t scheme,
						 const char *partition,
						 const struct fairshare_shares **shares)
{
	const struct queue_figures *queues;
	size_t at;

	if (!partition || !is_made_under(evaluation, settings))
		return NULL;
	queues = &evaluation->scheme[scheme].queues;
	at = numbered_names_find(&queues->names, partition);
	if (at == NAME_INDEX_NONE)
		return NULL;
	*shares = &queues->shares[at];
	return &queues->figures[at];
}

uint32_t evaluation_leaf(const struct evaluation *evaluation, const struct settings *settings,
			 size_t scheme, uint32_t association)
{
	uint32_t node;

	if (!is_made_under(evaluation, settings) || !evaluation->scheme[scheme].leaf ||
	    !fathom_node_index_find(evaluation->map, association, &node))
		return 0;
	return evaluation->scheme[scheme].leaf[node];
}

const struct partition_order *evaluation_order(const struct evaluation *evaluation,
					       const struct settings *settings)
{
	const struct partition_order *order = evaluation ? evaluation->order : NULL;

	return order && order->settings == settings ? order : NULL;
}

/* ---- figures of a newcomer ---------------------------------------------------------- */

const struct fairshare_figures *evaluation_receive(const struct evaluation *evaluation,
						   const struct settings *settings, size_t scheme,
						   uint32_t account,
						   struct fairshare_figures *figures)
{
	const struct fairshare_figures *of_account = evaluation_figures(evaluation, settings,
									scheme, account);
	const struct scheme_results *results;
	const struct fairshare_figures *model;
	const struct fathom_policy *policy;

	if (!of_account)
		return NULL;
	results = &evaluation->scheme[scheme];
	model = &results->figures[results->model[evaluation_node(results, of_account)]];
	*figures = (struct fairshare_figures){ .factor = model->factor, .may_run = model->may_run };
	policy = evaluation->settings->scheme[scheme].policy;
	if (isnan(model->factor) || fathom_policy_priority_rule(policy) == FATHOM_FLUX_PRIORITY)
		figures->factor = FACTOR_OF_NEWCOMERS;
	return model;
}
