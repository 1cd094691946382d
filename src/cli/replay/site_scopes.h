/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scopes and slot pools of a site's fathom.conf, as a replay needs them. */
#pragma once

#include "cli/replay/site_partitions.h"

/* Checks whether scopes can be replayed, and whether they and the pools fit the partitions, as the
 * plugin checks those of slurm.conf. Sets the scope, class and pool of each partition, and the
 * pools. */
void site_scopes_find(struct site_partitions *partitions, const struct replay_site *site);
/* Fills scope[] of a replay, one for each scope of fathom.conf. live: policy and settings of jobs
 * outside scopes. */
void site_scopes_set(struct replay_scope *scope, const struct replay_site *site,
		     const struct site_partitions *partitions, const struct replay_scope *live);
