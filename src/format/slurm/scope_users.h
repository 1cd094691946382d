/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users whom scopes of fathom.conf give shares. */
#ifndef FORMAT_SCOPE_USERS_H
#define FORMAT_SCOPE_USERS_H

#include "conf/conf.h"
#include "core/snapshot.h"

/* Makes a tree of one account with all users that UserShares and UserGroup name, each with one
 * share: the shares are those of the scopes. -1: EINVAL for a name that a tree cannot have;
 * ENOMEM. */
int scope_users_tree(struct snapshot *snapshot, const struct fathom_conf *conf,
		     struct fathom_error *error);
/* Returns whether a scope has UserShares. */
bool scope_users_given(const struct fathom_conf *conf);

#endif
