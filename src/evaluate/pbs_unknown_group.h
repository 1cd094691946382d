/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EVALUATE_PBS_UNKNOWN_GROUP_H
#define EVALUATE_PBS_UNKNOWN_GROUP_H

#include "core/snapshot.h"

/* In a tree with PBS's group "unknown" that group gets the unknown_shares, where they are
 * above 0, and `settings` none any more, which would be for a group beside the tree. */
void unknown_give_shares(const struct snapshot *snapshot, const struct fathom_policy *policy,
			 struct fathom_settings *settings);

#endif
