/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policy pbs may charge jobs to entities, such as users or accounts, which stand in a tree of their
 * own. An evaluation adds up what the associations of each entity have used, evaluates the tree of
 * entities, and copies the figures of each entity to its associations:
 *
 *	association	charged to	used	figures
 *	physics/ada	ada		60	those of ada, who has used 90
 *	biology/ada	ada		30	the same
 */
#pragma once

#include "policy/entity_tree.h"
#include "policy/settings_layout.h"

/* Without entities, all members are 0. */
struct entity_figures {
	struct fathom_settings settings;
	struct fathom_tree *tree;	/* of the entities */
	struct fathom_result *result;	/* for this tree */
	/* By owner, of which associations come first, by node: the entity, a node of this tree, or
	 * ENTITY_NONE. Is entity_tree.node_of. */
	const uint32_t *entity_of;
	double *used;			/* by entity: added since the last evaluation */
};

/* Fills `figures` with what an evaluation by the policy, pbs, needs. It copies the tree of the
 * entities, and points to entities->node_of, which must live as long. -1: ENOMEM;
 * entity_figures_clear() must be called also then. */
int entity_figures_create(struct entity_figures *figures, const struct fathom_policy *policy,
			  const struct fathom_settings *settings,
			  const struct entity_tree *entities, struct fathom_error *error);
/* Adds what the associations of a tree have used to their entities; usage of an association without
 * an entity counts for the root. */
void entity_figures_add_usage(struct entity_figures *figures, const struct fathom_tree *tree);
/* Evaluates the entities by what has been added since the last call, and copies their figures to
 * `result`, that of the tree of associations. */
void entity_figures_use(struct entity_figures *figures, const struct fathom_tree *tree,
			struct fathom_result *result);
/* Copies to each node of a tree the figures of its entity. result: of policy pbs for the tree; must
 * have its shares and usage. of_entities: of policy pbs for the tree of entities. entity_of: by
 * node; a node with ENTITY_NONE keeps its shares and usage, and its other figures become NAN. */
void entity_figures_copy(struct fathom_result *result, const struct fathom_tree *tree,
			 const struct fathom_result *of_entities, const uint32_t *entity_of);
/* Frees what entity_figures_create() has made, and sets all members to 0. */
void entity_figures_clear(struct entity_figures *figures);
