/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom.conf: pairs on lines that are neither a scope nor a queue of a slot pool. */
#ifndef CONF_CONF_GENERAL_H
#define CONF_CONF_GENERAL_H

#include "conf/conf.h"

/* Sets a general setting, or a setting of every policy that has one of this name.
 * -1: ENOENT for an unknown key, EINVAL for a wrong value. */
int conf_set(struct fathom_conf *conf, const char *key, const char *value, unsigned line,
	     struct fathom_error *error);

#endif
