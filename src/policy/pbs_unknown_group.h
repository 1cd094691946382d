/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The group "unknown" of PBS as a node of the tree. */
#pragma once

#include "core/snapshot.h"

/* Returns whether a node is that group. */
bool pbs_unknown_group_is(const struct snapshot *snapshot, size_t node);
/* If the tree has a group "unknown", and the setting unknown_shares is above 0, moves these
 * shares to the group: its raw shares become the setting, and the setting becomes 0. */
void pbs_unknown_group_set_shares(const struct snapshot *snapshot,
				  const struct fathom_policy *policy,
				  struct fathom_settings *settings);
