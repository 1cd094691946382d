/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates the tree of entities, and copies their figures to associations. */
#include "policy/entity_figures.h"

#include "core/error.h"
#include "policy/policy.h"

#include <stdlib.h>
#include <string.h>

int entity_figures_create(struct entity_figures *figures, const struct fathom_policy *policy,
			  const struct fathom_settings *settings,
			  const struct entity_tree *entities, struct fathom_error *error)
{
	*figures = (struct entity_figures){ .settings = *settings,
					    .entity_of = entities->node_of };
	/* the tree of entities has the group "unknown" as a node, so its shares must not count
	 * twice */
	policy_set(policy, &figures->settings, SETTING_UNKNOWN_SHARES, 0);
	figures->tree = fathom_tree_copy(entities->tree, error);
	if (!figures->tree)
		return -1;
	figures->result = fathom_result_create(policy, figures->tree, error);
	if (!figures->result)
		return -1;
	figures->used = calloc(fathom_tree_count(figures->tree), sizeof(*figures->used));
	return figures->used ? 0 : fathom_error_no_memory(error);
}

void entity_figures_clear(struct entity_figures *figures)
{
	fathom_result_destroy(figures->result);
	fathom_tree_destroy(figures->tree);
	free(figures->used);
	*figures = (struct entity_figures){ .tree = NULL };
}

/* Sets the figures of an account, which is not an entity, so that it has only shares and usage: the
 * others become NAN, or 0 for effective usage, which is 1 for the root. */
static void clear_figures(struct fathom_result *result, size_t node)
{
	result->effective_usage[node] = !node;
	result->factor[node] = NAN;
	for (size_t i = 0; i < FATHOM_MAX_COLUMNS; i++)
		if (result->column[i])
			result->column[i][node] = NAN;
}

/* Copies the figures of an entity to a node, but for usage and normalised shares. */
static void copy_figures(struct fathom_result *result, size_t node,
			 const struct fathom_result *of_entities, size_t entity)
{
	result->norm_usage[node] = of_entities->norm_usage[entity];
	result->effective_usage[node] = of_entities->effective_usage[entity];
	result->factor[node] = of_entities->factor[entity];
	for (size_t i = 0; i < FATHOM_MAX_COLUMNS; i++)
		if (result->column[i])
			result->column[i][node] = of_entities->column[i][entity];
}

void entity_figures_copy(struct fathom_result *result, const struct fathom_tree *tree,
			 const struct fathom_result *of_entities, const uint32_t *entity_of)
{
	size_t count = tree->node_count;
	/* scratch_size() of pbs.c makes room for these */
	double *usage = result->scratch, *norm_shares = usage + count;

	/* both may be in `scratch` already, then they stay where they are */
	memmove(usage, result->usage, count * sizeof(*usage));
	memmove(norm_shares, result->norm_shares, count * sizeof(*norm_shares));
	for (size_t node = 0; node < count; node++) {
		if (entity_of[node] == ENTITY_NONE) {
			clear_figures(result, node);
			continue;
		}
		usage[node] = of_entities->usage[entity_of[node]];
		norm_shares[node] = of_entities->norm_shares[entity_of[node]];
		copy_figures(result, node, of_entities, entity_of[node]);
	}
	result->usage = usage;
	result->norm_shares = norm_shares;
}

void entity_figures_add_usage(struct entity_figures *figures, const struct fathom_tree *tree)
{
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		uint32_t entity = figures->entity_of[node];

		figures->used[entity == ENTITY_NONE ? 0 : entity] +=
			fathom_tree_own_usage(tree, node);
	}
}

void entity_figures_use(struct entity_figures *figures, const struct fathom_tree *tree,
			struct fathom_result *result)
{
	for (size_t node = 0; node < fathom_tree_count(figures->tree); node++) {
		fathom_tree_set_own_usage(figures->tree, node, figures->used[node]);
		figures->used[node] = 0;
	}
	fathom_tree_settle(figures->tree);
	fathom_evaluate(figures->result, figures->tree, &figures->settings);
	entity_figures_copy(result, tree, figures->result, figures->entity_of);
}
