/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of fathom.conf that begin with Scope, SlotPool, UserGroup or GlobalShare and describe one
 * scope, one queue of a slot pool, one group of users, or one other cluster. */
#pragma once

#include "conf/conf.h"

/* A kind of line. */
struct conf_line {
	struct fathom_setting setting;	/* its name is the key with which the line begins */
	const struct key *keys;		/* that are allowed only on such a line */
	/* adds a scope, slot share or group; name: the value of the line's first key */
	int (*begin)(struct fathom_conf *conf, const char *name, unsigned line,
		     struct fathom_error *error);
	void *(*last)(struct fathom_conf *conf);	/* returns what begin() has added last */
	/* what it describes; NULL: a scope, which has settings of a policy, too */
	const char *what;
	bool is_voidable;	/* an error makes the line void, and the file stays */
};

/* Returns the kind of line that begins with this key, or NULL. */
const struct conf_line *conf_line_find(const char *key);
/* Stores another pair of the line in what begin() has added last. */
int conf_line_set(const struct conf_line *kind, struct fathom_conf *conf, const char *key,
		  const char *value, struct fathom_error *error);

/* Sets a general setting by its key, or the setting with this name of every policy that has one.
 * line: where the pair is. -1: ENOENT for an unknown key, EINVAL for a wrong value. */
int conf_set(struct fathom_conf *conf, const char *key, const char *value, unsigned line,
	     struct fathom_error *error);
