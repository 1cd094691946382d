/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User share assignments and user groups, in LSF's notation:
 *
 *	Scope=q1 ... UserShares="[u1, 10] [g1@, 5] [default, 1]"
 *	UserGroup=g1 Members="u2 u3 g2" UserShares="[u2, 2] [others, 1]"
 *
 * Source: LSF, "User Share Assignments", "Configuring hierarchical fairshare".
 */
#pragma once

#include "fathom.h"

#define CONF_NO_MEMBERS "none"	/* Members of a group that has none yet */

/* A list of assignments. It owns their names. */
struct conf_assignments {
	struct fathom_assignment *list;
	size_t count;
};

/* Lines that begin with UserGroup. It owns all that the groups point to. */
struct conf_user_groups {
	struct fathom_user_group *group;	/* after the check: groups before those that
						 * have them as members */
	unsigned *line;		/* of fathom.conf, by group */
	size_t count;
};

/* Replaces the list by that of a text. -1: EINVAL, ENOMEM. */
int conf_assignments_parse(struct conf_assignments *assignments, const char *text,
			   struct fathom_error *error);
void conf_assignments_clear(struct conf_assignments *assignments);

/* Returns whether a word of assignments stands for several users. */
bool conf_name_is_reserved(const char *name);
/* Adds a group without members. */
int conf_user_groups_add(struct conf_user_groups *groups, const char *name, unsigned line,
			 struct fathom_error *error);
/* Sets the members of the last group, "u2 u3 g2" or CONF_NO_MEMBERS, or its assignments. */
int conf_user_groups_set_members(struct conf_user_groups *groups, const char *text,
				 struct fathom_error *error);
int conf_user_groups_set_shares(struct conf_user_groups *groups, const char *text,
				struct fathom_error *error);
void conf_user_groups_clear(struct conf_user_groups *groups);

/* Returns what fathom_share_tree_create() needs, without users. It points into both. */
struct fathom_user_shares conf_user_shares(const struct conf_assignments *assignments,
					   const struct conf_user_groups *groups);

/* Sorts the groups, and checks their names, members and assignments. Returns the first group
 * that is wrong, and sets *error and *key, the key that is wrong; or groups->count. */
size_t conf_user_groups_check(struct conf_user_groups *groups, const char **key,
			      struct fathom_error *error);
