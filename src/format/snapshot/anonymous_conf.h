/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A fathom.conf with neutral names. */
#ifndef FORMAT_ANONYMOUS_CONF_H
#define FORMAT_ANONYMOUS_CONF_H

#include "format/snapshot/anonymous_names.h"

/* Returns the text of a fathom.conf that can be read, with new names, without comments and without
 * paths of files; the caller frees it. NULL: ENOMEM. */
char *anonymous_conf(struct anonymous_names *names, const char *text);

#endif
