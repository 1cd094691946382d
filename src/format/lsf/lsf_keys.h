/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sections of LSF's configuration that shares depend on, with the keys that are read. */
#pragma once

#include "core/piece.h"
#include "format/lsf/lsf_conf.h"

/* Checks a value, which is not empty, and may shorten it: takes off "USER_SHARES[ ]". -1: EINVAL,
 * without the key. */
typedef int lsf_check(struct lsf_pair *pair, struct fathom_error *error);

struct lsf_key {
	const char *name;	/* in capitals */
	lsf_check *check;
};

struct lsf_section {
	const char *name;
	const struct lsf_key *key;	/* up to one without name */
	const char *name_key;	/* the key that names an entry; NULL: entries have no names */
	bool has_settings;	/* settings of the policy are keys, too */
};

extern const struct lsf_section lsf_user_group, lsf_user, lsf_queue, lsf_host, lsf_host_group,
	lsf_host_partition, lsf_parameters;
/* Stand for what is left out. The key of the one pair is the name of a section; the value is a
 * condition behind #if, or a file behind #include. */
extern const struct lsf_section lsf_other_section, lsf_condition, lsf_include;

/* Returns the section of a name, in any case; NULL: it is left out. */
const struct lsf_section *lsf_section_find(struct piece name);
/* Returns the policy whose settings and user shares LSF has. */
const struct fathom_policy *lsf_policy(void);
/* Returns what is known of a key, in any case; NULL: it is left out. */
const struct lsf_key *lsf_key_find(const struct lsf_section *section, const char *name);
