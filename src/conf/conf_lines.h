/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of fathom.conf that begin with Scope, SlotPool, UserGroup or GlobalShare and describe one
 * scope, one queue of a slot pool, one group of users, or one other cluster. */
#pragma once

#include "conf/conf.h"

/* A kind of line. */
struct conf_line {
	struct fathom_setting setting;	/* its name is the key with which the line begins */
	const struct key *keys;		/* that are allowed only on such a line */
	/* Adds a scope, slot share, group or cluster. name: the value of the line's first key.
	 * Returns the object into which `keys` read, valid until another one is added. NULL:
	 * EINVAL, ENOMEM. */
	void *(*begin)(struct fathom_conf *conf, const char *name, unsigned line,
		       struct fathom_error *error);
	/* The thing that the line describes, for an error, such as "a slot pool"; NULL: a scope,
	 * whose line may also have settings of policies. */
	const char *thing;
	bool is_voidable;	/* an error makes only the line void, not the whole file */
};

/* Returns the kind of line that begins with this key; NULL: it begins with general pairs. */
const struct conf_line *conf_line_find(const char *key);
/* Stores another pair of the line in the object that begin() has returned. -1: ENOENT for an
 * unknown key, EINVAL for a wrong value, ENOMEM. */
int conf_line_set(const struct conf_line *kind, void *object, const char *key,
		  const char *value, struct fathom_error *error);

/* Returns the setting of a key that may stand behind the first one of any line, or begins a line
 * of general pairs; NULL: there is none. */
const struct fathom_setting *conf_key_setting(const char *key);
/* Sets a general setting by its key, or the setting with this name of every policy that has one.
 * line: where the pair is. -1: ENOENT for an unknown key, EINVAL for a wrong value or a key of
 * another kind of line, ENOMEM. */
int conf_set(struct fathom_conf *conf, const char *key, const char *value, unsigned line,
	     struct fathom_error *error);
