/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To whom policy pbs charges the jobs of a trace (fathom.conf: ResourceGroup, FairshareEntity). */
#ifndef CLI_REPLAY_ENTITIES_H
#define CLI_REPLAY_ENTITIES_H

#include "cli/replay/replay_input.h"
#include "core/entity_tree.h"

/* Makes the tree of entities for a policy with these settings; tree NULL: jobs are charged to
 * associations. Entities that a trace does not tell are refused. */
void replay_entities_create(struct entity_tree *entities, const struct replay_input *input,
			    const struct fathom_policy *policy,
			    const struct fathom_settings *settings);

#endif
