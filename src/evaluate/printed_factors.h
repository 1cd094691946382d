/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the FairShare that sshare printed tells of a tree and of its policy. */
#ifndef EVALUATE_PRINTED_FACTORS_H
#define EVALUATE_PRINTED_FACTORS_H

#include "core/snapshot.h"
#include "fathom.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"

/* Returns whether users seem to be missing, as sshare without -a prints all accounts
 * but the caller's users alone. */
bool printed_lacks_users(const struct snapshot *snapshot);

struct printed_policy {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
};

/* Finds one of Slurm's own policies that gives nearly all users the factor that was
 * printed, if `policy` gives most of them another one. */
bool printed_find_other(const struct snapshot *snapshot, const struct fathom_policy *policy,
			const struct fathom_settings *settings, struct printed_policy *other);

#endif
