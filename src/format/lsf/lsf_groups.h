/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User groups without exclusions, and all users that are named anywhere. A group with exclusions
 * gets the names of its users in their place:
 *
 *	physics  (ada bob)		physics  ada bob
 *	others   (physics cy ~bob)	others   ada cy
 */
#ifndef FORMAT_LSF_GROUPS_H
#define FORMAT_LSF_GROUPS_H

#include "conf/conf_user_shares.h"
#include "core/numbered_names.h"
#include "format/lsf/lsf_conf.h"

/* Start with all members 0. */
struct lsf_groups {
	struct numbered_names user;	/* users that the configuration or the caller names */
	struct numbered_names name;	/* of groups; those of `groups` have the same numbers */
	struct conf_user_groups groups;
	const struct lsf_entry **entry;		/* by group */
};

/* Reads the groups of a configuration, which must live as long. groups->user: the caller may have
 * added users. -1: EINVAL, *wrong is the origin of the mistake; ENOMEM. */
int lsf_groups_create(struct lsf_groups *groups, const struct lsf_conf *conf,
		      struct site_origin *wrong, struct fathom_error *error);
void lsf_groups_clear(struct lsf_groups *groups);

/* A word of a list of members or hosts. */
struct lsf_word {
	const char *at;
	size_t length;
	bool is_excluded;	/* it stands behind '~' */
};

/* Takes the next word from *text. */
bool lsf_next_word(const char **text, struct lsf_word *word);
/* Returns whether LSF asks egroup, or the system, for these members: "!", "staff/". */
bool lsf_word_is_unknown(const struct lsf_word *word);

#endif
