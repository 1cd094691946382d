/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of fathom.conf: pairs, quotes, comments, continued lines. */
#ifndef CONF_CONF_PARSE_H
#define CONF_CONF_PARSE_H

#include "conf/conf.h"

/* Reads `text` in slurm.conf's syntax: Key=Value, '#' to the end of the line,
 * '\' to continue, values in double quotes. All or nothing: -1 leaves *conf
 * as it was; the text is "FILE:LINE: Key: what is wrong, what is right". */
int conf_parse_text(struct fathom_conf *conf, const char *file, const char *text,
		    struct fathom_error *error);

/* Returns whether a text begins as fathom.conf does: the first that is neither blank nor a comment
 * is a name and '='. */
bool conf_recognize(const char *text);

#endif
