/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policy pbs may charge jobs to entities, such as users or accounts, which stand in a tree of their
 * own: an evaluation adds up their usage, and gives associations the figures of their entities.
 */
#ifndef REPLAY_ENTITY_FIGURES_H
#define REPLAY_ENTITY_FIGURES_H

#include "replay/replay_rules.h"

/* Without entities, all members are 0. */
struct entity_figures {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	struct fathom_tree *tree;	/* of the entities */
	struct fathom_result *result;
	const uint32_t *entity_of;	/* by node of the associations' tree */
	double *used;			/* by entity */
};

/* Makes what an evaluation needs; copies the tree of entities. -1: ENOMEM; clear it anyway. */
int entity_figures_create(struct entity_figures *entities, const struct replay_rules *rules,
			  struct fathom_error *error);
/* Gives a result of the associations' tree the figures of the entities. */
void entity_figures_use(struct entity_figures *entities, const struct fathom_tree *tree,
			struct fathom_result *result);
void entity_figures_clear(struct entity_figures *entities);

#endif
