/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of fathom.conf that begin with Scope, SlotPool or UserGroup and describe one scope, one
 * queue of a slot pool, or one group of users. */
#ifndef CONF_CONF_LINES_H
#define CONF_CONF_LINES_H

#include "conf/conf.h"

/* A kind of line. */
struct conf_line {
	struct fathom_setting setting;	/* its name is the key with which the line begins */
	/* returns a key that is allowed only on such a line; NULL after the last one */
	const struct fathom_setting *(*key_at)(size_t i);
	/* adds a scope, slot share or group; name: the value of the line's first key */
	int (*begin)(struct fathom_conf *conf, const char *name, unsigned line,
		     struct fathom_error *error);
	/* stores another pair of the line in what begin() has added last */
	int (*set)(struct fathom_conf *conf, const char *key, const char *value,
		   struct fathom_error *error);
};

/* Returns the kind of line that begins with this key, or NULL. */
const struct conf_line *conf_line_find(const char *key);
/* Returns the kind of line on which this key may stand, or NULL. */
const struct conf_line *conf_line_with(const char *key);

#endif
