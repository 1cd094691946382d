/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The group "unknown" of PBS, for entities that are not listed, as a node of the tree. */
#pragma once

#include "core/snapshot.h"

/* Returns whether a node is that group. */
bool pbs_unknown_group_is(const struct snapshot *snapshot, size_t node);
/* Lets the setting unknown_shares count only once: if the tree has a group "unknown", and the
 * setting is above 0, the group's raw shares become the setting, the tree is settled, and the
 * setting becomes 0. Else nothing changes, as for policies without the setting. Returns whether
 * the shares were set. */
bool pbs_unknown_group_set_shares(const struct snapshot *snapshot,
				  const struct fathom_policy *policy,
				  struct fathom_settings *settings);
