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

/* What contradicts what, and where. */
struct conf_fault {
	unsigned line;
	const char *key;
	struct fathom_error error;
};

/* What only the whole file can tell. */
int conf_lines_check(struct fathom_conf *conf, struct conf_fault *fault);
void conf_lines_clear(struct fathom_conf *conf);

/* A policy's place in the table, by a name in any case. */
int conf_find_policy(const char *name, size_t *place, struct fathom_error *error);

#endif
