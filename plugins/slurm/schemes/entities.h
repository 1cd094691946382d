/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PBS's entities: with ResourceGroup in fathom.conf, jobs are charged to the user, group or account
 * that FairshareEntity says, in a tree of its own, and associations have the figures of those.
 * Without it, jobs can be charged to the accounts of the associations. Under FairshareEntity=queue
 * associations have no figures; queue_figures.h has those of partitions.
 */
#ifndef SLURM_ENTITIES_H
#define SLURM_ENTITIES_H

#include "records/associations.h"
#include "settings/settings.h"

/* The tree, and which association is charged to which of its entities. */
struct entities;

/* Makes the entities of a scheme. Takes assoc read in slices, and may ask the system for groups.
 * NULL: *problem says why. */
struct entities *entities_create(const struct settings *settings, const struct scheme *scheme,
				 const struct associations *associations,
				 struct fathom_error *problem);
void entities_destroy(struct entities *entities);	/* NULL is allowed */
/* Whether they are of these associations. */
bool entities_are_of(const struct entities *entities, const struct associations *associations);

/* Evaluates the scheme on the entities and gives their figures to the associations. tree: that of
 * the associations with the usage of the scheme; result: evaluated on it. -1: *problem. */
int entities_evaluate(struct entities *entities, const struct scheme *scheme,
		      const struct fathom_tree *tree, struct fathom_result *result,
		      struct fathom_error *problem);

/* Evaluates the scheme on a tree of entities, which has the group "unknown". NULL: *problem. */
struct fathom_result *entities_result(const struct scheme *scheme, const struct fathom_tree *tree,
				      struct fathom_error *problem);

#endif
