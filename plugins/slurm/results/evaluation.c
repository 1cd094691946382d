/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "results/evaluation.h"

#include "base/retired.h"
#include "results/scope_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FACTOR_OF_NEWCOMERS .5	/* the middle, where no figures fit; flux-accounting's too */

/* The results of one scheme, and what is listed of them. */
struct evaluated_scheme {
	struct scheme_results results;
	struct fairshare_scoped *scoped;	/* by node; NULL if it is no scope */
	uint32_t *model;		/* by node of an account: whose figures newcomers get */
	uint32_t *best;			/* by node: the best of the association's leaves; NULL:
					 * the scheme has no tree of its own */
};

struct evaluation {
	struct retired retired;
	unsigned references;
	time_t time;
	struct settings *settings;
	struct fathom_node_index *map;
	struct evaluated_scheme *scheme;	/* by scheme of these settings */
	struct fairshare_inputs *inputs;	/* of the policy in force, by node */
	struct fairshare_details *details;	/* the same; NULL without a formula */
	struct partition_order *order;	/* or NULL */
};

static void destroy(struct retired *retired)
{
	struct evaluation *evaluation = (struct evaluation *)retired;

	for (size_t i = 0; evaluation->scheme && i < evaluation->settings->scheme_count; i++) {
		fathom_tree_destroy(evaluation->scheme[i].results.tree);
		fathom_result_destroy(evaluation->scheme[i].results.result);
		numbered_names_clear(&evaluation->scheme[i].results.queues.names);
		free(evaluation->scheme[i].results.queues.figures);
		scope_tree_release(evaluation->scheme[i].results.own);
		free(evaluation->scheme[i].scoped);
		free(evaluation->scheme[i].model);
		free(evaluation->scheme[i].best);
	}
	free(evaluation->scheme);
	fathom_node_index_release(evaluation->map);
	settings_release(evaluation->settings);
	free(evaluation->inputs);
	free(evaluation->details);
	partition_order_release(evaluation->order);
	free(evaluation);
}

void evaluation_release(struct evaluation *evaluation)
{
	if (evaluation && !__atomic_sub_fetch(&evaluation->references, 1, __ATOMIC_ACQ_REL))
		retire(&evaluation->retired, destroy);
}

/* ---- making ---------------------------------------------------------------------- */

struct evaluation *evaluation_create(const struct settings *settings,
				     const struct associations *associations, time_t time,
				     struct partition_order *order)
{
	struct evaluation *evaluation = calloc(1, sizeof(*evaluation));

	if (!evaluation)
		return NULL;
	*evaluation = (struct evaluation){
		.references = 1,
		.time = time,
		.settings = settings_reference(settings),
		.map = fathom_node_index_share(associations->map),
		.scheme = calloc(settings->scheme_count, sizeof(*evaluation->scheme)),
		.inputs = calloc(associations->node_count, sizeof(*evaluation->inputs)),
		.details = settings->formula ? calloc(associations->node_count,
						      sizeof(*evaluation->details)) : NULL,
		.order = partition_order_reference(order),
	};
	if (evaluation->scheme && evaluation->inputs &&
	    (evaluation->details || !settings->formula))
		return evaluation;
	evaluation_release(evaluation);
	return NULL;
}

struct evaluation *evaluation_reference(struct evaluation *evaluation)
{
	if (evaluation)
		__atomic_add_fetch(&evaluation->references, 1, __ATOMIC_RELAXED);
	return evaluation;
}

struct scheme_results *evaluation_results(struct evaluation *evaluation, size_t scheme)
{
	return &evaluation->scheme[scheme].results;
}

static void list_inputs(struct evaluation *evaluation, const struct associations *associations)
{
	const struct fathom_result *result = evaluation->scheme->results.result;
	const struct fathom_settings *settings = &evaluation->settings->scheme->settings;
	bool charges_queues = evaluation->settings->scheme->charges_queues;
	const double *factor = fathom_result_factor(result);
	const struct association_seen *seen = associations->seen;

	for (size_t node = 0; node < associations->node_count; node++)
		evaluation->inputs[node] = (struct fairshare_inputs){
			.factor = factor[node],
			.assoc_norm = seen[node].priority_norm,
			.assoc_priority = seen[node].priority,
			.account_priority =
				seen[fathom_tree_parent(associations->tree, node)].priority,
			.may_run = charges_queues ||
				   fathom_result_may_run(result, settings, node),
		};
}

static void list_details(struct evaluation *evaluation, size_t node_count)
{
	const struct fathom_result *result = evaluation->scheme->results.result;
	size_t columns = fathom_policy_column_count(evaluation->settings->scheme->policy);

	for (size_t node = 0; evaluation->details && node < node_count; node++) {
		struct fairshare_details *details = &evaluation->details[node];

		details->norm_shares = fathom_result_norm_shares(result)[node];
		details->effective_usage = fathom_result_effective_usage(result)[node];
		for (size_t i = 0; i < columns; i++)
			details->column[i] = fathom_result_column(result, i)[node];
	}
}

/* Copies what the result has, as it may lose its tree. -1: out of memory. */
static int list_scoped(struct evaluated_scheme *evaluated, const struct fathom_settings *settings,
		       size_t node_count)
{
	const struct fathom_result *result = evaluated->results.result;
	const double *factor = fathom_result_factor(result);
	const double *norm_shares = fathom_result_norm_shares(result);
	const double *effective_usage = fathom_result_effective_usage(result);

	evaluated->scoped = calloc(node_count, sizeof(*evaluated->scoped));
	if (!evaluated->scoped)
		return -1;
	for (size_t node = 0; node < node_count; node++)
		evaluated->scoped[node] = (struct fairshare_scoped){
			factor[node], norm_shares[node], effective_usage[node],
			fathom_result_may_run(result, settings, node),
		};
	return 0;
}

/* Copies to each association the figures of its best leaf. Who has none has no shares. -1: out of
 * memory. */
static int list_scoped_by_leaf(struct evaluated_scheme *evaluated, size_t node_count)
{
	const struct fathom_result *result = evaluated->results.result;
	const struct share_leaves *leaves = &evaluated->results.own->shares.leaves;
	const double *factor = fathom_result_factor(result);

	evaluated->scoped = calloc(node_count, sizeof(*evaluated->scoped));
	evaluated->best = calloc(node_count, sizeof(*evaluated->best));
	if (!evaluated->scoped || !evaluated->best)
		return -1;
	for (uint32_t node = 0; node < node_count; node++) {
		uint32_t best = share_leaves_best(leaves, node, factor);

		evaluated->best[node] = best;
		if (best != NO_SHARE_LEAF)
			evaluated->scoped[node] = (struct fairshare_scoped){
				factor[leaves->node[best]],
				fathom_result_norm_shares(result)[leaves->node[best]],
				fathom_result_effective_usage(result)[leaves->node[best]],
				true,
			};
	}
	return 0;
}

/* In a scope or, without one, of the policy in force. */
static double factor_of(const struct evaluated_scheme *evaluated, size_t node)
{
	return evaluated->scoped ? evaluated->scoped[node].factor
				 : fathom_result_factor(evaluated->results.result)[node];
}

/* Finds in each account the user with the best factor who may run; else the account itself. -1: out
 * of memory. */
static int list_models(struct evaluated_scheme *evaluated, const struct fathom_tree *tree,
		       const struct fathom_settings *settings)
{
	const struct fathom_result *result = evaluated->results.result;
	const struct fairshare_scoped *scoped = evaluated->scoped;
	size_t count = fathom_tree_count(tree);
	uint32_t *model = evaluated->model = malloc(count * sizeof(*model));

	if (!model)
		return -1;
	for (size_t node = 0; node < count; node++)
		model[node] = (uint32_t)node;
	for (size_t node = 1; node < count; node++) {
		size_t account = fathom_tree_parent(tree, node), before = model[account];
		bool may_run = scoped ? scoped[node].may_run
				      : fathom_result_may_run(result, settings, node);

		if (fathom_tree_kind(tree, node) == FATHOM_USER && may_run &&
		    (before == account ||
		     factor_of(evaluated, node) > factor_of(evaluated, before)))
			model[account] = (uint32_t)node;
	}
	return 0;
}

static int list_figures(struct evaluated_scheme *evaluated, const struct scheme *scheme,
			const struct associations *associations)
{
	int status = 0;

	if (evaluated->results.own)
		status = list_scoped_by_leaf(evaluated, associations->node_count);
	else if (scheme->role == SCHEME_SCOPE)
		status = list_scoped(evaluated, &scheme->settings, associations->node_count);
	return status ? -1 : list_models(evaluated, associations->tree, &scheme->settings);
}

int evaluation_list(struct evaluation *evaluation, const struct associations *associations)
{
	const struct settings *settings = evaluation->settings;

	for (size_t i = 0; i < settings->scheme_count; i++)
		if (settings->scheme[i].role != SCHEME_SHADOW &&
		    list_figures(&evaluation->scheme[i], &settings->scheme[i], associations))
			return -1;
	list_inputs(evaluation, associations);
	list_details(evaluation, associations->node_count);
	return 0;
}

/* ---- figures of an association ----------------------------------------------------- */

static bool find(const struct evaluation *evaluation, uint32_t association, uint32_t *node)
{
	return evaluation && fathom_node_index_find(evaluation->map, association, node);
}

void evaluation_prefetch_inputs(const struct evaluation *evaluation, uint32_t association)
{
	if (evaluation)
		fathom_node_index_prefetch(evaluation->map, association);
}

const struct fairshare_inputs *evaluation_inputs(const struct evaluation *evaluation,
						 uint32_t association)
{
	uint32_t node;

	return find(evaluation, association, &node) ? &evaluation->inputs[node] : NULL;
}

static const struct fairshare_details *details_at(const struct evaluation *evaluation,
						  const struct settings *settings, size_t node)
{
	if (!evaluation->details ||
	    evaluation->settings->scheme->policy != settings->scheme->policy)
		return NULL;
	return &evaluation->details[node];
}

const struct fairshare_details *evaluation_details(const struct evaluation *evaluation,
						   const struct settings *settings,
						   const struct fairshare_inputs *inputs)
{
	return details_at(evaluation, settings, (size_t)(inputs - evaluation->inputs));
}

const struct fairshare_scoped *evaluation_scoped(const struct evaluation *evaluation,
						 const struct settings *settings, size_t scheme,
						 uint32_t association)
{
	uint32_t node;

	if (!find(evaluation, association, &node) || evaluation->settings != settings)
		return NULL;
	return &evaluation->scheme[scheme].scoped[node];
}

const struct fairshare_scoped *evaluation_queue(const struct evaluation *evaluation,
						const struct settings *settings, size_t scheme,
						const char *partition)
{
	const struct queue_figures *queues;
	size_t at;

	if (!evaluation || !partition || evaluation->settings != settings)
		return NULL;
	queues = &evaluation->scheme[scheme].results.queues;
	at = numbered_names_find(&queues->names, partition);
	return at == NAME_INDEX_NONE ? NULL : &queues->figures[at];
}

uint32_t evaluation_leaf(const struct evaluation *evaluation, const struct settings *settings,
			 size_t scheme, uint32_t association)
{
	const struct evaluated_scheme *evaluated;
	uint32_t node;

	if (!find(evaluation, association, &node) || evaluation->settings != settings)
		return 0;
	evaluated = &evaluation->scheme[scheme];
	if (!evaluated->results.own || evaluated->best[node] == NO_SHARE_LEAF)
		return 0;
	return evaluated->results.own->shares.leaves.key[evaluated->best[node]];
}

const struct partition_order *evaluation_order(const struct evaluation *evaluation,
					       const struct settings *settings)
{
	const struct partition_order *order = evaluation ? evaluation->order : NULL;

	return order && order->settings == settings ? order : NULL;
}

/* ---- figures of a newcomer ---------------------------------------------------------- */

/* Finds the node whose figures newcomers of the account get. */
static bool find_model(const struct evaluation *evaluation, size_t scheme, uint32_t account,
		       uint32_t *node)
{
	if (!find(evaluation, account, node))
		return false;
	*node = evaluation->scheme[scheme].model[*node];
	return true;
}

static double factor_of_newcomers(const struct evaluation *evaluation, size_t scheme, double factor)
{
	const struct fathom_policy *policy = evaluation->settings->scheme[scheme].policy;
	bool is_flux = fathom_policy_priority_rule(policy) == FATHOM_FLUX_PRIORITY;

	return is_flux || isnan(factor) ? FACTOR_OF_NEWCOMERS : factor;
}

bool evaluation_receive(const struct evaluation *evaluation, uint32_t account,
			struct fairshare_inputs *inputs)
{
	uint32_t node;

	if (!find_model(evaluation, 0, account, &node))
		return false;
	*inputs = (struct fairshare_inputs){
		.factor = factor_of_newcomers(evaluation, 0, evaluation->inputs[node].factor),
		.may_run = evaluation->inputs[node].may_run,
	};
	return true;
}

bool evaluation_receive_scoped(const struct evaluation *evaluation,
			       const struct settings *settings, size_t scheme, uint32_t account,
			       struct fairshare_scoped *scoped)
{
	uint32_t node;

	if (!evaluation || evaluation->settings != settings ||
	    !find_model(evaluation, scheme, account, &node))
		return false;
	*scoped = evaluation->scheme[scheme].scoped[node];
	scoped->factor = factor_of_newcomers(evaluation, scheme, scoped->factor);
	return true;
}

const struct fairshare_details *evaluation_receive_details(const struct evaluation *evaluation,
							   const struct settings *settings,
							   uint32_t account)
{
	uint32_t node;

	return find_model(evaluation, 0, account, &node) ? details_at(evaluation, settings, node)
							 : NULL;
}

/* ---- the whole evaluation ------------------------------------------------------------ */

time_t evaluation_time(const struct evaluation *evaluation)
{
	return evaluation->time;
}

const struct settings *evaluation_settings(const struct evaluation *evaluation)
{
	return evaluation->settings;
}

const struct fathom_node_index *evaluation_map(const struct evaluation *evaluation)
{
	return evaluation->map;
}

const struct fathom_result *evaluation_result(const struct evaluation *evaluation, size_t scheme)
{
	return evaluation->scheme[scheme].results.result;
}

struct fathom_tree *evaluation_tree(const struct evaluation *evaluation, size_t scheme)
{
	return evaluation->scheme[scheme].results.tree;
}

const struct scope_tree *evaluation_scope_tree(const struct evaluation *evaluation, size_t scheme)
{
	return evaluation->scheme[scheme].results.own;
}
