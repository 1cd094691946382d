/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds whose usage a word of the command line means: an account, a user, ACCOUNT/USER. */
#pragma once

#include "core/snapshot.h"
#include "json/usage_list.h"

/* The tree in which names are looked up. */
struct owner_names {
	const char *source;	/* of the file or cluster, for messages */
	const struct snapshot *snapshot;
	const bool *is_hidden;	/* by node; NULL: none is */
};

#define OWNER_ALL "all"		/* the root with all below it */

/* Finds the owner; its names are those of the snapshot. option, word: for messages, which
 * name the nearest owner, or the several ones. */
void usage_owner_find(const struct owner_names *names, const char *option, const char *word,
		      struct usage_owner *owner);
/* Returns the node of an account, whose name is that of the snapshot. */
size_t usage_owner_account(const struct owner_names *names, const char *account);
