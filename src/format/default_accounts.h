/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Users with their default accounts, as "sacctmgr --parsable show user" prints them. */
#ifndef FORMAT_DEFAULT_ACCOUNTS_H
#define FORMAT_DEFAULT_ACCOUNTS_H

#include "format/format.h"

/* Start with all members 0. The names point into a copy of the text. */
struct default_accounts {
	struct default_account { const char *name, *account; } *user;	/* account: "" for none */
	size_t count, room;
	char *text;
};

/* Returns whether the file has such a list, by its header line. */
bool default_accounts_recognize(const struct document *input);
/* -1: EINVAL, a line is shorter than the header, input->line says which; ENOMEM. */
int default_accounts_read(struct document *input, struct default_accounts *accounts,
			  struct fathom_error *error);
void default_accounts_clear(struct default_accounts *accounts);

#endif
