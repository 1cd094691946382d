/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/entity_figures.h"

#include "core/error.h"
#include "policy/traits.h"

#include <stdlib.h>

int entity_figures_create(struct entity_figures *figures, const struct fathom_policy *policy,
			  const struct fathom_settings *settings,
			  const struct entity_tree *entities, struct fathom_error *error)
{
	*figures = (struct entity_figures){ .policy = policy, .settings = *settings,
					    .entity_of = entities->node_of };
	/* the tree has the group of unknown entities */
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
	*figures = (struct entity_figures){ NULL };
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
	policy_use_entities(result, tree, figures->result, figures->entity_of);
}
