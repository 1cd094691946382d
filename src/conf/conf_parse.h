/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of fathom.conf: pairs, quotes, comments, continued lines. */
#pragma once

#include "conf/conf.h"

/* Makes NULs in the content of a file an error of its text: after a power loss, zeros may be in
 * place of what was written last, and what is before them is not the whole file. */
void conf_mark_nuls(char *text, size_t length);

/* Reads `text` in slurm.conf's syntax: Key=Value, '#' to the end of the line, '\' to continue,
 * values in double quotes. Replaces *conf. -1: *conf is as it was; EINVAL with the text "FILE:LINE:
 * Key: what is wrong, what is right" of the first error, or ENOMEM. file: its name, for that.
 * error: may be NULL. */
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

/* Reads a text as conf_parse_text() does, and replaces *conf if it has no error; but goes on behind
 * the line of an error, and so lists one for each wrong line. -1: there are errors, or the list is
 * empty: out of memory. The errors are in the order of their lines; only that of lines which
 * contradict each other, of which there is at most one, comes last. The caller frees
 * errors->list. */
int conf_parse_all(struct fathom_conf *conf, const char *text, struct conf_errors *errors);

/* A continuation: '\' at the end of a line, with blanks and the line end behind it. The next line
 * takes its place. Returns its length; 0: the text does not begin with one. */
size_t conf_continuation(const char *text);
/* Returns the length of a value with its continuations. It ends before one of `ends`, or NUL. */
size_t conf_value_length(const char *value, const char *ends);
/* Takes the continuations out of a value that ends at `end`, as slurm.conf's reader does. Returns
 * its new end, where it has no NUL. */
char *conf_value_join(char *value, const char *end);

/* Returns whether a text may be a fathom.conf: behind blanks and comments it begins with a name and
 * '='. */
bool conf_recognize(const char *text);
