/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom.conf: lines that are one thing, a scope or a queue of a slot pool. */
#ifndef CONF_CONF_LINES_H
#define CONF_CONF_LINES_H

#include "conf/conf.h"

/* A kind of line; the line begins with its key. */
struct conf_line {
	struct fathom_setting setting;
	/* The keys that stand on such a line only, key_count of them. */
	const struct fathom_setting *const *keys;
	size_t key_count;
	int (*begin)(struct fathom_conf *conf, const char *name, unsigned line,
		     struct fathom_error *error);
	/* One more pair of the line begun last. */
	int (*set)(struct fathom_conf *conf, const char *key, const char *value,
		   struct fathom_error *error);
};

/* By its own key, or by one that stands on it; NULL. */
const struct conf_line *conf_line_find(const char *key);
const struct conf_line *conf_line_with(const char *key);

#endif
