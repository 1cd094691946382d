/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users with their default accounts, as "sacctmgr --parsable show user" prints them. */
#pragma once

#include "format/format.h"

/* Start with all members 0. The names point into a copy of the text. */
struct default_accounts {
	struct default_account { const char *name, *account; } *user;	/* account: "" for none */
	size_t count;
};

/* Returns whether the file has such a list, by its header line. */
bool default_accounts_recognize(const struct document *input);
/* A line that is shorter than the header is wrong, see wrong_at(). */
void default_accounts_read(struct document *input, struct default_accounts *accounts);
