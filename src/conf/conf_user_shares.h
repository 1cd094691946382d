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

#include "conf/conf_fault.h"
#include "core/name_index.h"
#include "fathom.h"

#define CONF_NO_MEMBERS "none"	/* the value of Members for a group without members */

/* A list of assignments. It owns their names. */
struct conf_assignments {
	struct fathom_assignment *list;
	size_t count;
};

/* Lines that begin with UserGroup. The struct owns all that the groups point to. */
struct conf_user_groups {
	struct fathom_user_group *group;	/* after the check: groups before those that
						 * have them as members */
	unsigned *line;		/* of fathom.conf, by group */
	size_t count;
};

/* Replaces the list by that of a text, "[u1, 10] [default, 1]". -1: EINVAL, ENOMEM; the list has
 * those before the wrong one. */
int conf_assignments_parse(struct conf_assignments *assignments, const char *text,
			   struct fathom_error *error);
void conf_assignments_clear(struct conf_assignments *assignments);

/* Returns whether a name is a word that stands for several users: all, default or others. No group
 * may have such a name. */
bool conf_name_is_reserved(const char *name);
/* Adds a group whose `member` is NULL until its members are set. line: of fathom.conf. -1: EINVAL,
 * the name is not allowed; ENOMEM. */
int conf_user_groups_add(struct conf_user_groups *groups, const char *name, unsigned line,
			 struct fathom_error *error);
/* In these, each a key_storer, groups is a struct conf_user_groups. -1: EINVAL, ENOMEM. */

/* Sets the members of the last group: "u2 u3 g2", or CONF_NO_MEMBERS. */
int conf_user_groups_set_members(void *groups, const char *text, struct fathom_error *error);
/* Sets the assignments of the last group, as conf_assignments_parse() reads them. */
int conf_user_groups_set_shares(void *groups, const char *text, struct fathom_error *error);

void conf_user_groups_clear(struct conf_user_groups *groups);

/* Returns the assignments and groups for fathom_share_tree_create(), without users. The result
 * points into both. */
struct fathom_user_shares conf_user_shares(const struct conf_assignments *assignments,
					   const struct conf_user_groups *groups);

/* Sorts the groups, so that each comes behind the groups that are its members, and checks their
 * names, members and assignments. names: empty; gets the names. -1: *fault says what is wrong. */
int conf_user_groups_check(struct conf_user_groups *groups, struct name_index *names,
			   struct conf_fault *fault);

/* Checks UserShares with groups that are sorted, by making their tree. -1: *fault says what is
 * wrong, without the line. */
int conf_assignments_check(const struct conf_assignments *assignments,
			   const struct conf_user_groups *groups, struct conf_fault *fault);
