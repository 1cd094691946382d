/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds whose usage a word of the command line means: an account, a user, ACCOUNT/USER. */
#pragma once

#include "core/snapshot.h"
#include "json/usage_list.h"

/* The tree in which names are looked up. */
struct owner_names {
	const char *source;	/* name of the file or cluster, for messages */
	const struct snapshot *snapshot;
	const bool *is_hidden;	/* by node: the caller may not see it; NULL: all may be seen */
};

#define OWNER_ALL "all"		/* the root with all below it */

/* Returns whom a word means; usage_owners.c lists the forms. The names point into the snapshot.
 * Refuses a word that means nobody, or several; option: whose value it is, without "--", for
 * messages. */
struct usage_owner usage_owner_find(const struct owner_names *names, const char *option,
				    const char *word);
/* Returns the node of an account that usage_owner_find() has found. */
size_t usage_owner_account(const struct owner_names *names, const char *account);
