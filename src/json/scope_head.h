/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fathom.conf says of a scope, apart from policy and settings; scope_head.c shows it in
 * JSON. */
#pragma once

#include "fathom.h"

#include <stddef.h>
#include <stdio.h>

/* Members whose value is a text, spelled as in fathom.conf. */
enum scope_text { SCOPE_KIND, SCOPE_HOSTS, SCOPE_MASTER_QUEUE, SCOPE_DISPATCH_ORDER,
		  SCOPE_USER_SHARES, SCOPE_TEXT_COUNT };

#define SCOPE_QUEUE_FIRST "queue"	/* of SCOPE_DISPATCH_ORDER; any other value: users first */

/* A group of users, as on a line of fathom.conf that begins with UserGroup. */
struct scope_group {
	const char *name;
	const char *const *member;	/* names of users and groups */
	size_t member_count;
	const char *user_shares;	/* "[u2, 2] [others, 1]"; NULL: not given */
};

struct scope_head {
	const char *name;
	const char *const *partition;	/* names */
	size_t partition_count;
	const char *text[SCOPE_TEXT_COUNT];	/* NULL: the scope has no such setting */
	const struct scope_group *group;	/* all groups, if the scope has UserShares */
	size_t group_count;
};

/* Returns the key of fathom.conf, such as "MasterQueue". */
const char *scope_text_heading(enum scope_text text);

/* Returns `count` groups with UserShares as text; names and members point into `from`. The caller
 * frees them by scope_groups_destroy(). NULL: out of memory. */
struct scope_group *scope_groups_create(const struct fathom_user_group *from, size_t count);
/* group: may be NULL. */
void scope_groups_destroy(struct scope_group *group, size_t count);

/* Writes the members of a scope's object, without braces around them. */
void json_put_scope_head(FILE *out, const struct scope_head *head);
