/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policy pbs may charge jobs to entities, such as users or accounts, which stand in a tree of their
 * own: an evaluation adds up their usage, and gives associations the figures of their entities.
 */
#pragma once

#include "policy/entity_tree.h"
#include "policy/settings_layout.h"

/* Without entities, all members are 0. */
struct entity_figures {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct fathom_tree *tree;	/* of the entities */
	struct fathom_result *result;
	const uint32_t *entity_of;	/* by owner; those of associations come first, by node */
	double *used;			/* by entity; 0 after an evaluation */
};

/* Makes what an evaluation needs; copies the tree of the entities, which live longer. -1: ENOMEM;
 * clear it anyway. */
int entity_figures_create(struct entity_figures *figures, const struct fathom_policy *policy,
			  const struct fathom_settings *settings,
			  const struct entity_tree *entities, struct fathom_error *error);
/* Adds what the associations of a tree have used; without an entity it counts for the root. */
void entity_figures_add_usage(struct entity_figures *figures, const struct fathom_tree *tree);
/* Evaluates the entities by what they have used, and gives a result of the associations' tree their
 * figures. */
void entity_figures_use(struct entity_figures *figures, const struct fathom_tree *tree,
			struct fathom_result *result);
void entity_figures_clear(struct entity_figures *figures);
