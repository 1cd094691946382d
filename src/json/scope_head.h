/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fathom.conf says of a scope, apart from policy and settings. */
#pragma once

#include "fathom.h"

#include <stddef.h>
#include <stdio.h>

/* Members with a text, in the words of fathom.conf. */
enum scope_text { SCOPE_KIND, SCOPE_HOSTS, SCOPE_MASTER_QUEUE, SCOPE_DISPATCH_ORDER,
		  SCOPE_USER_SHARES, SCOPE_TEXT_COUNT };

/* A group of users, as on a line of fathom.conf that begins with UserGroup. */
struct scope_group {
	const char *name;
	const char *const *member;
	size_t member_count;
	const char *user_shares;	/* NULL: none */
};

struct scope_head {
	const char *name;
	const char *const *partition;
	size_t partition_count;
	const char *text[SCOPE_TEXT_COUNT];	/* NULL: the scope has no such setting */
	const struct scope_group *group;	/* all groups, if the scope has UserShares */
	size_t group_count;
};

/* Returns the key of fathom.conf, such as "MasterQueue". */
const char *scope_text_heading(enum scope_text which);

/* Returns groups of fathom.conf, with UserShares in its words, "[u2, 2] [others, 1]"; names are
 * those of `from`. NULL: out of memory. */
struct scope_group *scope_groups_create(const struct fathom_user_group *from, size_t count);
void scope_groups_destroy(struct scope_group *group, size_t count);

/* Writes the members, without braces around them. */
void json_put_scope_head(FILE *out, const struct scope_head *head);
