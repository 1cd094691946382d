/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of fathom.conf: pairs, quotes, comments, continued lines. */
#pragma once

#include "conf/conf.h"

/* Reads `text` in slurm.conf's syntax: Key=Value, '#' to the end of the line,
 * '\' to continue, values in double quotes. All or nothing: -1 leaves *conf
 * as it was; the text is "FILE:LINE: Key: what is wrong, what is right". */
int conf_parse_text(struct fathom_conf *conf, const char *file, const char *text,
		    struct fathom_error *error);

/* An error of a text: "Key: what is wrong, what is right". */
struct conf_error {
	unsigned line;
	struct fathom_error error;
};

struct conf_errors {
	struct conf_error *list;
	size_t count;
};

/* Like conf_parse_text(), but goes on behind the line of an error. -1: there are errors, in the
 * order of their lines but for lines that contradict each other, of which the first comes last; or
 * ENOMEM, and the list is empty. The caller calls conf_errors_clear(). */
int conf_parse_all(struct fathom_conf *conf, const char *text, struct conf_errors *errors);
void conf_errors_clear(struct conf_errors *errors);

/* Returns the length of a '\' at the end of a line or of the text, with the blanks and end of
 * line behind it, all of which the next line replaces; else 0. */
size_t conf_continuation(const char *at);
/* Returns the length of a value with its continuations; one of `ends`, or NUL, ends it. */
size_t conf_value_length(const char *value, const char *ends);
/* Takes the continuations out of a value, as slurm.conf's reader does. Returns its new end. */
char *conf_value_join(char *value, const char *end);

/* Returns whether a text begins as fathom.conf does: the first that is neither blank nor a comment
 * is a name and '='. */
bool conf_recognize(const char *text);
