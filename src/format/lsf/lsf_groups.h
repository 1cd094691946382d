/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User groups without exclusions, and all users that are named anywhere. A group with exclusions
 * gets the names of its users in their place:
 *
 *	physics  (ada bob)		physics  ada bob
 *	others   (physics cy ~bob)	others   ada cy
 */
#pragma once

#include "conf/conf_user_shares.h"
#include "core/numbered_names.h"
#include "format/lsf/lsf_conf.h"

struct lsf_groups {
	struct numbered_names *user;	/* users that the configuration or the caller names */
	struct numbered_names *name;	/* of groups; those of `groups` have the same numbers */
	struct conf_user_groups *groups;
	const struct lsf_entry **entry;		/* by group */
};

/* Reads the groups of a configuration. user: users whom the caller knows; more are added. */
struct lsf_groups lsf_groups_of(const struct lsf_conf *conf, struct numbered_names *user);
/* Reads assignments such as [ada, 10] [physics@, 5], which have been checked before. */
struct conf_assignments *lsf_assignments_of(const char *shares);

/* A word of a list of members or hosts. */
struct lsf_word {
	struct piece name;
	bool is_excluded;	/* it stands behind '~' */
};

/* Takes the next word from *text. */
bool lsf_next_word(const char **text, struct lsf_word *word);
/* Returns whether LSF asks egroup, or the system, for these members: "!", "staff/". */
bool lsf_word_is_unknown(const struct lsf_word *word);
