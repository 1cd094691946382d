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
		shared_release(results->own);
		free(results->scoped);
		free(results->leaf);
		free(results->model);
	}
	free(evaluation->scheme);
	fathom_node_index_release(evaluation->map);
	shared_release(evaluation->settings);
	free(evaluation->inputs);
	free(evaluation->details);
	shared_release(evaluation->order);
	shared_release(evaluation->global);
	shared_release(evaluation->own);
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
		.inputs = malloc(associations->node_count * sizeof(*evaluation->inputs)),
		.details = settings->formula ? calloc(associations->node_count,
						      sizeof(*evaluation->details)) : NULL,
		.order = shared_reference(order),
	};
	if (evaluation->scheme && evaluation->inputs && (evaluation->details || !settings->formula))
		return evaluation;
	shared_release(evaluation);
	return NULL;
}

/* Lists the inputs of each association by the policy in force, that of scheme 0. If it charges
 * partitions, associations have no shares of their own, so jobs of all may run. */
static void list_inputs(struct evaluation *evaluation, const struct associations *associations)
{
	const struct fathom_result *result = evaluation->scheme[0].result;
	const struct fathom_settings *settings = &evaluation->settings->scheme[0].settings;
	bool charges_queues = evaluation->settings->scheme[0].charges_queues;
	const double *factor = fathom_result_factor(result);
	const struct association_seen *seen = associations->seen;

	for (size_t node = 0; node < associations->node_count; node++)
		evaluation->inputs[node] = (struct fairshare_inputs){
			.factor = factor[node],
			.assoc_norm = seen[node].priority_norm,
			.assoc_priority = seen[node].priority,
			.account_priority =
				seen[fathom_tree_parent(associations->tree, node)].priority,
			.may_run = charges_queues || fathom_result_may_run(result, settings, node),
		};
}

/* Lists the details of each association by the policy in force, if there is a formula. */
static void list_details(struct evaluation *evaluation, size_t node_count)
{
	const struct fathom_result *result = evaluation->scheme[0].result;
	size_t columns = fathom_policy_column_count(evaluation->settings->scheme[0].policy);

	for (size_t node = 0; evaluation->details && node < node_count; node++) {
		struct fairshare_details *details = &evaluation->details[node];

		details->norm_shares = fathom_result_norm_shares(result)[node];
		details->effective_usage = fathom_result_effective_usage(result)[node];
		for (size_t i = 0; i < columns; i++)
			details->column[i] = fathom_result_column(result, i)[node];
	}
}

struct fairshare_scoped evaluation_scoped_at(const struct fathom_result *result,
					     const struct fathom_settings *settings, size_t node)
{
	return (struct fairshare_scoped){
		.factor = fathom_result_factor(result)[node],
		.norm_shares = fathom_result_norm_shares(result)[node],
		.effective_usage = fathom_result_effective_usage(result)[node],
		.may_run = fathom_result_may_run(result, settings, node),
	};
}

/* Lists the best leaf of each association in a scope with a tree of its own, and the figures of
 * this leaf. An association without a leaf has no shares: its figures stay 0, and it may not run.
 * Returns -1 if out of memory. */
static int list_leaves(struct scheme_results *results, const struct fathom_settings *settings,
		       size_t node_count)
{
	const double *factor = fathom_result_factor(results->result);
	const struct share_leaves *leaves = &results->own->shares.leaves;

	results->leaf = calloc(node_count, sizeof(*results->leaf));
	if (!results->leaf)
		return -1;
	for (uint32_t node = 0; node < node_count; node++) {
		uint32_t best = share_leaves_best(leaves, node, factor);

		if (best == NO_SHARE_LEAF)
			continue;
		results->leaf[node] = leaves->key[best];
		results->scoped[node] = evaluation_scoped_at(results->result, settings,
							     leaves->node[best]);
		results->scoped[node].may_run = true;
	}
	return 0;
}

/* Lists the figures of each association in a scope. They are copies, as some columns of the result
 * belong to a tree that may change, see struct scheme_results. Returns -1 if out of memory. */
static int list_scoped(struct scheme_results *results, const struct fathom_settings *settings,
		       size_t node_count)
{
	results->scoped = calloc(node_count, sizeof(*results->scoped));
	if (!results->scoped)
		return -1;
	if (results->own)
		return list_leaves(results, settings, node_count);
	for (size_t node = 0; node < node_count; node++)
		results->scoped[node] = evaluation_scoped_at(results->result, settings, node);
	return 0;
}

/* Returns may_run of a node: in a scope, or if `scoped` is NULL, by the policy in force. */
static bool may_run(const struct fairshare_scoped *scoped, const struct fairshare_inputs *inputs,
		    size_t node)
{
	return scoped ? scoped[node].may_run : inputs[node].may_run;
}

/* Returns the factor of a node: in a scope, or if `scoped` is NULL, by the policy in force. */
static double factor_at(const struct fairshare_scoped *scoped,
			const struct fairshare_inputs *inputs, size_t node)
{
	return scoped ? scoped[node].factor : inputs[node].factor;
}

/* Finds the model of each account: the node whose figures newcomers get. It is the user of the
 * account with the best factor, of those who may run; if there is none, the account itself. Returns
 * -1 if out of memory. */
static int list_models(struct scheme_results *results, const struct fathom_tree *tree,
		       const struct fairshare_inputs *inputs)
{
	const struct fairshare_scoped *scoped = results->scoped;
	size_t count = fathom_tree_count(tree);
	uint32_t *model = results->model = malloc(count * sizeof(*model));

	if (!model)
		return -1;
	for (size_t node = 0; node < count; node++)
		model[node] = (uint32_t)node;
	for (size_t node = 1; node < count; node++) {
		size_t account = fathom_tree_parent(tree, node), best = model[account];
		bool has_none = best == account;

		if (fathom_tree_kind(tree, node) != FATHOM_USER || !may_run(scoped, inputs, node))
			continue;
		if (has_none ||
		    factor_at(scoped, inputs, node) > factor_at(scoped, inputs, best))
			model[account] = (uint32_t)node;
	}
	return 0;
}

int evaluation_list(struct evaluation *evaluation, const struct associations *associations)
{
	const struct settings *settings = evaluation->settings;

	list_inputs(evaluation, associations);
	list_details(evaluation, associations->node_count);
	for (size_t i = 0; i < settings->scheme_count; i++) {
		const struct scheme *scheme = &settings->scheme[i];
		struct scheme_results *results = &evaluation->scheme[i];

		if (scheme->role == SCHEME_SCOPE &&
		    list_scoped(results, &scheme->settings, associations->node_count))
			return -1;
		if (scheme->role != SCHEME_SHADOW &&
		    list_models(results, associations->tree, evaluation->inputs))
			return -1;
	}
	return 0;
}

/* ---- figures of an association ----------------------------------------------------- */

/* Sets *node to that of an association. Returns false if the evaluation does not know it, or is
 * NULL. */
static bool find(const struct evaluation *evaluation, uint32_t association, uint32_t *node)
{
	return evaluation && fathom_node_index_find(evaluation->map, association, node);
}

void evaluation_prefetch_inputs(const struct evaluation *evaluation, uint32_t association)
{
	if (evaluation)
		fathom_node_index_prefetch(evaluation->map, association);
}

void evaluation_prefetch_scoped(const struct evaluation *evaluation,
				const struct fairshare_inputs *inputs)
{
	size_t node = (size_t)(inputs - evaluation->inputs);

	/* scheme 0 is no scope */
	for (size_t i = 1; i < MIN(evaluation->settings->scheme_count, MOST_PREFETCHED); i++) {
		const struct fairshare_scoped *scoped = evaluation->scheme[i].scoped;

		if (!scoped)
			continue;
		prefetch(&scoped[node].factor);
		prefetch(&scoped[node].may_run);
	}
}

const struct fairshare_inputs *evaluation_inputs(const struct evaluation *evaluation,
						 uint32_t association)
{
	uint32_t node;

	return find(evaluation, association, &node) ? &evaluation->inputs[node] : NULL;
}

const struct fairshare_details *evaluation_details(const struct evaluation *evaluation,
						   const struct settings *settings,
						   const struct fairshare_inputs *inputs)
{
	if (!evaluation->details ||
	    evaluation->settings->scheme[0].policy != settings->scheme[0].policy)
		return NULL;
	return &evaluation->details[inputs - evaluation->inputs];	/* both are by node */
}

/* Returns whether there is an evaluation, and it was made under these settings. */
static bool is_of(const struct evaluation *evaluation, const struct settings *settings)
{
	return evaluation && evaluation->settings == settings;
}

const struct fairshare_scoped *evaluation_scoped(const struct evaluation *evaluation,
						 const struct settings *settings, size_t scheme,
						 uint32_t association)
{
	uint32_t node;

	if (!is_of(evaluation, settings) || !find(evaluation, association, &node))
		return NULL;
	return &evaluation->scheme[scheme].scoped[node];
}

const struct fairshare_scoped *evaluation_queue(const struct evaluation *evaluation,
						const struct settings *settings, size_t scheme,
						const char *partition)
{
	const struct queue_figures *queues;
	size_t at;

	if (!partition || !is_of(evaluation, settings))
		return NULL;
	queues = &evaluation->scheme[scheme].queues;
	at = numbered_names_find(&queues->names, partition);
	return at == NAME_INDEX_NONE ? NULL : &queues->figures[at];
}

uint32_t evaluation_leaf(const struct evaluation *evaluation, const struct settings *settings,
			 size_t scheme, uint32_t association)
{
	const uint32_t *leaf = is_of(evaluation, settings) ? evaluation->scheme[scheme].leaf : NULL;
	uint32_t node;

	return leaf && find(evaluation, association, &node) ? leaf[node] : 0;
}

const struct partition_order *evaluation_order(const struct evaluation *evaluation,
					       const struct settings *settings)
{
	const struct partition_order *order = evaluation ? evaluation->order : NULL;

	return order && order->settings == settings ? order : NULL;
}

/* ---- figures of a newcomer ---------------------------------------------------------- */

/* Sets *node to the node whose figures newcomers of the account get in a scheme. Returns false if
 * the account is not known. */
static bool find_model(const struct evaluation *evaluation, size_t scheme, uint32_t account,
		       uint32_t *node)
{
	if (!find(evaluation, account, node))
		return false;
	*node = evaluation->scheme[scheme].model[*node];
	return true;
}

/* Returns the factor of newcomers in a scheme. factor: that of the node whose figures they get. */
static double factor_of_newcomers(const struct evaluation *evaluation, size_t scheme, double factor)
{
	const struct fathom_policy *policy = evaluation->settings->scheme[scheme].policy;
	bool is_flux = fathom_policy_priority_rule(policy) == FATHOM_FLUX_PRIORITY;

	return is_flux || isnan(factor) ? FACTOR_OF_NEWCOMERS : factor;
}

bool evaluation_receive(const struct evaluation *evaluation, const struct settings *settings,
			uint32_t account, struct fairshare_inputs *inputs,
			const struct fairshare_details **details)
{
	const size_t in_force = 0;
	uint32_t node;

	if (!find_model(evaluation, in_force, account, &node))
		return false;
	*inputs = (struct fairshare_inputs){
		.factor = factor_of_newcomers(evaluation, in_force,
					      evaluation->inputs[node].factor),
		.may_run = evaluation->inputs[node].may_run,
	};
	*details = evaluation_details(evaluation, settings, &evaluation->inputs[node]);
	return true;
}

bool evaluation_receive_scoped(const struct evaluation *evaluation, const struct settings *settings,
			       size_t scheme, uint32_t account, struct fairshare_scoped *scoped)
{
	uint32_t node;

	if (!is_of(evaluation, settings) || !find_model(evaluation, scheme, account, &node))
		return false;
	*scoped = evaluation->scheme[scheme].scoped[node];
	scoped->factor = factor_of_newcomers(evaluation, scheme, scoped->factor);
	return true;
}
