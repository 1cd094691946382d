/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates policy pbs on the tree of partitions, see results/queue_figures.h. */
#include "schemes/schemes_private.h"

#include "core/entity_tree.h"
#include "core/error.h"

#include <stdlib.h>

/* ---- the names ------------------------------------------------------------------------- */

/* A partition that is gone still counts by what it has used. */
static int add_names(struct queue_figures *figures, const struct partition_order *order,
		     const struct scheme_state *state)
{
	size_t number = 0;

	for (size_t i = 0; order && i < order->count && number != NAME_INDEX_NONE; i++)
		number = numbered_names_add(&figures->names, order->list[i].name);
	for (size_t i = 0; i < fathom_policy_sums_count(state->sums); i++) {
		const char *name = queue_of_row(state, fathom_policy_sums_at(state->sums, i));

		if (name && *name && number != NAME_INDEX_NONE)
			number = numbered_names_add(&figures->names, name);
	}
	if (number == NAME_INDEX_NONE)
		return -1;
	figures->figures = calloc(figures->names.count + 1, sizeof(*figures->figures));
	return figures->figures ? 0 : -1;
}

/* ---- the tree -------------------------------------------------------------------------- */

/* What jobs of unknown partitions have used counts for the root. */
static int set_usage(const struct queue_figures *figures, const struct scheme *scheme,
		     struct entity_tree *entities, const struct scheme_state *state,
		     struct fathom_error *problem)
{
	const struct fathom_holdings none = { 0 };

	for (size_t i = 0; i < fathom_policy_sums_count(state->sums); i++) {
		const struct fathom_policy_sums_row *row = fathom_policy_sums_at(state->sums, i);
		const char *name = queue_of_row(state, row);
		size_t node = name && *name
			? entities->node_of[numbered_names_find(&figures->names, name)] : 0;

		if (name &&
		    fathom_policy_set_sums(scheme->policy, entities->tree, node, &row->own,
					   &none, problem))
			return -1;
	}
	fathom_tree_settle(entities->tree);
	return 0;
}

static int take_figures(struct queue_figures *figures, const struct scheme *scheme,
			const struct entity_tree *entities, struct fathom_error *problem)
{
	struct fathom_result *result = entities_result(scheme, entities->tree, problem);

	if (!result)
		return -1;
	for (size_t i = 0; i < figures->names.count; i++) {
		uint32_t node = entities->node_of[i];

		figures->figures[i] = (struct fairshare_scoped){
			.factor = fathom_result_factor(result)[node],
			.norm_shares = fathom_result_norm_shares(result)[node],
			.effective_usage = fathom_result_effective_usage(result)[node],
			.may_run = fathom_result_may_run(result, &scheme->settings, node),
		};
	}
	fathom_result_destroy(result);
	return 0;
}

static int fill(struct queue_figures *figures, const struct settings *settings,
		const struct scheme *scheme, const struct scheme_state *state,
		struct fathom_error *problem)
{
	const struct conf_resources *resources = &settings->conf.resources;
	struct entity_tree entities;
	int status;

	if (entity_tree_create(&entities, resources->row, resources->count,
			       scheme->unknown_shares, (const char *const *)figures->names.name,
			       figures->names.count, problem))
		return -1;
	status = set_usage(figures, scheme, &entities, state, problem) ||
		 take_figures(figures, scheme, &entities, problem) ? -1 : 0;
	entity_tree_clear(&entities);
	return status;
}

struct queue_figures *evaluate_queues(const struct settings *settings, const struct scheme *scheme,
				      const struct scheme_state *state,
				      const struct partition_order *order,
				      struct fathom_error *problem)
{
	struct queue_figures *figures = calloc(1, sizeof(*figures));
	int status = -1;

	fathom_error_no_memory(problem);
	if (figures && !add_names(figures, order, state))
		status = fill(figures, settings, scheme, state, problem);
	if (!status)
		return figures;
	queue_figures_destroy(figures);
	return NULL;
}
