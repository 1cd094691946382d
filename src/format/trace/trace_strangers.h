/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users of a trace whom the tree does not have. */
#pragma once

#include "core/numbered_names.h"
#include "core/snapshot.h"

/* Adds users with 1 share each below an account of the tree, as PBS does below its group "unknown".
 * Returns whether the tree has the account; else nothing is changed. */
bool snapshot_add_users(struct snapshot *snapshot, const char *account,
			const struct numbered_names *users);
