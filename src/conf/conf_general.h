/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Key=Value pairs of fathom.conf on lines that do not begin with Scope, SlotPool or UserGroup. */
#ifndef CONF_CONF_GENERAL_H
#define CONF_CONF_GENERAL_H

#include "conf/conf.h"

/* Sets a general setting, or the setting with this name of every policy that has one.
 * line: where the pair is. -1: ENOENT for an unknown key, EINVAL for a wrong value. */
int conf_set(struct fathom_conf *conf, const char *key, const char *value, unsigned line,
	     struct fathom_error *error);

#endif
