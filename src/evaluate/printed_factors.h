/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the FairShare column in sshare's text tells about the tree and its policy. */
#pragma once

#include "core/snapshot.h"
#include "fathom.h"
#include "policy/settings_layout.h"

/* Returns whether the tree seems to lack users: without -a, sshare prints all accounts, but only
 * the caller's own associations. */
bool printed_lacks_users(const struct snapshot *snapshot);

/* A policy that explains the printed factors. */
struct printed_policy {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
};

/* If `policy` gives most users another factor than the printed one, looks for one of Slurm's
 * own policies that gives nearly all users the printed one. Returns whether it found one; else
 * other->policy is NULL. The snapshot must have printed_factor. */
bool printed_find_other(const struct snapshot *snapshot, const struct fathom_policy *policy,
			const struct fathom_settings *settings, struct printed_policy *other);
