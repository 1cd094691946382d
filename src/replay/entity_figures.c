/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay/entity_figures.h"

#include "core/entity_tree.h"
#include "core/error.h"
#include "policy/traits.h"

#include <stdlib.h>
#include <string.h>

int entity_figures_create(struct entity_figures *entities, const struct replay_rules *rules,
			  struct fathom_error *error)
{
	*entities = (struct entity_figures){ .policy = rules->policy,
					     .settings = rules->settings };
	if (!rules->entities)
		return 0;
	/* the tree has the group of unknown entities */
	policy_set(rules->policy, &entities->settings, SETTING_UNKNOWN_SHARES, 0);
	entities->entity_of = rules->entities->node_of;
	entities->tree = fathom_tree_copy(rules->entities->tree, error);
	if (!entities->tree)
		return -1;
	entities->result = fathom_result_create(rules->policy, entities->tree, error);
	if (!entities->result)
		return -1;
	entities->used = calloc(fathom_tree_count(entities->tree), sizeof(*entities->used));
	return entities->used ? 0 : fathom_error_no_memory(error);
}

void entity_figures_clear(struct entity_figures *entities)
{
	fathom_result_destroy(entities->result);
	fathom_tree_destroy(entities->tree);
	free(entities->used);
	*entities = (struct entity_figures){ NULL };
}

/* What nodes without an entity have used counts for the root. */
static void sum_usage(struct entity_figures *entities, const struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(entities->tree);

	memset(entities->used, 0, count * sizeof(*entities->used));
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		uint32_t entity = entities->entity_of[node];

		entities->used[entity == ENTITY_NONE ? 0 : entity] +=
			fathom_tree_own_usage(tree, node);
	}
	for (size_t node = 0; node < count; node++)
		fathom_tree_set_own_usage(entities->tree, node, entities->used[node]);
	fathom_tree_settle(entities->tree);
}

void entity_figures_use(struct entity_figures *entities, const struct fathom_tree *tree,
			struct fathom_result *result)
{
	if (!entities->tree)
		return;
	sum_usage(entities, tree);
	fathom_evaluate(entities->result, entities->tree, &entities->settings);
	policy_use_entities(result, tree, entities->result, entities->entity_of);
}
