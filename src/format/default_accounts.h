/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users with their default accounts, as "sacctmgr --parsable show user" prints them. */
#pragma once

#include "format/format.h"

/* Start with all members 0. The memory is that of need_memory.h. */
struct default_accounts {
	/* in the order of the file; account: "": the user has no default account */
	struct default_account { const char *name, *account; } *user;
	size_t count;
};

/* Returns whether the file has such a list, by its header line. */
bool default_accounts_recognize(const struct document *input);
/* Adds the users of a loaded file that default_accounts_recognize() knows. Fails, see wrong_at(),
 * if a line lacks one of the two columns. */
void default_accounts_read(struct document *input, struct default_accounts *accounts);
