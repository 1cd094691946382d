/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits the text of fathom.conf into pairs, one by one, and gives each to the code that knows
 * its key: conf_lines.c. An error makes the whole file wrong; on a GlobalShare line it only makes
 * that line void.
 *
 *	Policy=lsf HistHours=10		# two general pairs
 *	Scope=gpu Partitions=a,b \
 *		RunTimeFactor=2		# continued: still a pair of the scope
 */
#include "conf/conf_parse.h"

#include "conf/conf_check.h"
#include "conf/conf_lines.h"
#include "core/array.h"
#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NUL_MARK '\001'	/* stands for a NUL; see conf_mark_nuls() */

/* The state of reading a text. A key and its value are ended by NUL, and the value is joined, in
 * `copy`; lines are counted in `text`. */
struct conf_reader {
	char *copy;			/* of the text */
	char *at;			/* the position in it */
	const char *text;		/* as it was given */
	size_t counted;			/* bytes of it whose line ends are counted in `line` */
	unsigned line;			/* of the pair that is being read, from 1 */
	bool line_begins;		/* the next pair is the first of its line */
	const struct conf_line *kind;	/* of this line; NULL: a line of general pairs */
	void *object;			/* what the begin() of the kind has returned */
	unsigned kind_line;		/* where this line begins, if it is continued */
	struct fathom_conf *conf;	/* what has been read */
	struct conf_errors *errors;	/* found so far */
	bool no_memory;			/* stop */
};

/* Returns whether an error in the pair that is being read makes only its line void. */
static bool is_voidable(const struct conf_reader *reader)
{
	return !reader->line_begins && reader->kind && reader->kind->is_voidable;
}

/* Adds the error "KEY: WHAT" at the reader's line, or makes the line void, see is_voidable(). key:
 * "": the error is about no key. Returns -1. */
static int wrong(struct conf_reader *reader, const char *key, const char *what)
{
	struct conf_errors *errors = reader->errors;
	struct conf_error *added;

	if (is_voidable(reader)) {
		reader->no_memory |= conf_global_void(&reader->conf->global, reader->kind_line,
						      reader->line, key, what);
		return -1;
	}
	added = array_append(&errors->list, &errors->count, sizeof(*added));
	reader->no_memory |= !added;
	if (!added)
		return -1;
	added->line = reader->line;
	return fathom_error_set(&added->error, EINVAL, "%s%s%s", key, *key ? ": " : "", what);
}

size_t conf_continuation(const char *text)
{
	size_t length;

	if (*text != '\\')
		return 0;
	length = 1 + strspn(text + 1, " \t\r");
	if (text[length] == '\n')
		return length + 1;
	return text[length] ? 0 : length;
}

/* Returns the place behind these blanks and continuations. */
static char *skip_within(char *at, const char *blanks)
{
	size_t continued;

	do {
		at += strspn(at, blanks);
		continued = conf_continuation(at);
		at += continued;
	} while (continued);
	return at;
}

/* Moves to the next pair or the end, past blanks, comments and ends of lines. */
static void skip_blank(struct conf_reader *reader)
{
	for (;; reader->at++) {
		reader->at = skip_within(reader->at, " \t\r");
		if (*reader->at == '#')
			reader->at += strcspn(reader->at, "\n");
		if (*reader->at != '\n')
			return;
		reader->line_begins = true;
	}
}

/* Counts the lines up to the reader's position. */
static void count_lines(struct conf_reader *reader)
{
	for (; reader->counted < (size_t)(reader->at - reader->copy); reader->counted++)
		reader->line += reader->text[reader->counted] == '\n';
}

size_t conf_value_length(const char *value, const char *ends)
{
	size_t length = 0;

	while (!strchr(ends, value[length])) {
		size_t continued = conf_continuation(value + length);

		length += continued ? continued : 1;
	}
	return length;
}

char *conf_value_join(char *value, const char *end)
{
	char *to = value;

	for (const char *at = value; at < end;) {
		size_t continued = conf_continuation(at);

		at += continued;
		if (!continued)
			*to++ = *at++;
	}
	return to;
}

/* Returns the value at the reader's position, joined and ended by NUL, and moves the reader behind
 * it. key: of the pair. *next: the character there, which the NUL may have replaced, and which the
 * caller puts back. NULL: the value is wrong, and the error is noted. */
static char *cut_value(struct conf_reader *reader, const char *key, char *next)
{
	bool quoted = *reader->at == '"';
	char *value = reader->at + quoted;
	char *end = value + conf_value_length(value, quoted ? "\"\n" : " \t\r\n#");

	if (quoted && *end != '"')
		return wrong(reader, key, "no closing '\"'"), NULL;
	reader->at = end + quoted;
	end = conf_value_join(value, end);
	if (end == value)
		return wrong(reader, key, "no value, must be Key=Value"), NULL;
	if (!strchr(" \t\r\n#", *skip_within(reader->at, "")))
		return wrong(reader, key, "no blank after the closing '\"'"), NULL;
	*next = *reader->at;
	*end = '\0';
	return value;
}

/* Returns the key at the reader's position, ended by NUL, and moves to its value. NULL: the key is
 * wrong, and the error is noted. */
static char *cut_key(struct conf_reader *reader)
{
	char *key = reader->at, *end = key + strcspn(key, "= \t\r\n#");

	reader->at = skip_within(end, " \t");
	if (*reader->at != '=' || end == key) {
		*end = '\0';
		if (*key)
			wrong(reader, key, "no '=' after it, must be Key=Value; quote a value with "
			      "blanks");
		else
			wrong(reader, key, "no key before '=', must be Key=Value");
		return NULL;
	}
	*end = '\0';
	reader->at = skip_within(reader->at + 1, " \t");
	return key;
}

/* Stores a pair by the kind of its line. begun: the kind, if this first pair of the line begins a
 * scope or the like; else NULL. */
static int set_pair(struct conf_reader *reader, const struct conf_line *begun, const char *key,
		    const char *value, struct fathom_error *error)
{
	struct fathom_conf *conf = reader->conf;

	if (begun) {
		reader->object = begun->begin(conf, value, reader->line, error);
		return reader->object ? 0 : -1;
	}
	if (conf_line_find(key))
		return fathom_error_set(error, EINVAL, "must be the first key of its line");
	if (reader->kind)
		return conf_line_set(reader->kind, reader->object, key, value, error);
	return conf_set(conf, key, value, reader->line, error);
}

/* Reads a pair and moves behind it. -1: it is wrong, which is noted; the position is undefined. */
static int read_pair(struct conf_reader *reader)
{
	const struct conf_line *begun = NULL;
	char *key = cut_key(reader), *value, next;
	struct fathom_error inner;

	if (!key)
		return -1;
	if (reader->line_begins) {
		reader->kind = begun = conf_line_find(key);
		reader->kind_line = reader->line;
	}
	reader->line_begins = false;
	value = cut_value(reader, key, &next);
	if (!value)
		return -1;
	if (set_pair(reader, begun, key, value, &inner)) {
		reader->no_memory |= inner.code == ENOMEM;
		return wrong(reader, key, inner.text);
	}
	*reader->at = next;
	return 0;
}

/* Returns the end of the line, or of the last one that continues it: its '\n' or the text's NUL. */
static char *end_of_line(char *at)
{
	bool quoted = false;

	while (*at && *at != '\n' && (quoted || *at != '#')) {
		size_t continued = conf_continuation(at);

		quoted ^= *at == '"';
		at += continued ? continued : 1;
	}
	return at + strcspn(at, "\n");
}

/* Reads a pair. If it is wrong, skips its line. Returns -1 then, unless that only makes the line
 * void. */
static int read_pair_or_skip(struct conf_reader *reader)
{
	/* found beforehand, as a wrong pair may leave NULs in the line, also in place of its end */
	char *end = end_of_line(reader->at), last = *end;

	count_lines(reader);
	if (!read_pair(reader))
		return 0;
	reader->at = end;
	*end = last;
	return is_voidable(reader) ? 0 : -1;
}

/* Checks that lines do not contradict each other. If the line of a contradiction is wrong by
 * itself, that is not noted: it may follow from the line's own error. */
static int check_whole(struct conf_reader *reader)
{
	struct conf_fault fault = { 0 };

	reader->line_begins = true;	/* the error makes the file wrong, not the last line void */
	if (!conf_check(reader->conf, &fault))
		return 0;
	if (fault.error.code == ENOMEM) {
		reader->no_memory = true;
		return -1;
	}
	for (size_t i = 0; i < reader->errors->count; i++)
		if (reader->errors->list[i].line == fault.line)
			return -1;
	reader->line = fault.line;
	return wrong(reader, fault.key, fault.error.text);
}

void conf_mark_nuls(char *text, size_t length)
{
	for (char *nul; (nul = memchr(text, '\0', length)); text = nul) {
		*nul = NUL_MARK;
		length -= (size_t)(nul - text);
	}
}

/* Checks that the text has no NUL_MARK. */
static int check_nuls(struct conf_reader *reader)
{
	char *mark = strchr(reader->at, NUL_MARK);

	if (!mark)
		return 0;
	reader->at = mark;
	count_lines(reader);
	return wrong(reader, "", "a NUL byte or \\1, must be text; a power loss may have "
		     "damaged the file");
}

/* Reads pairs up to the end, or until there are `most` errors. -1: there is an error. */
static int read_pairs(struct conf_reader *reader, size_t most)
{
	int status = 0;

	if (check_nuls(reader))
		return -1;
	for (skip_blank(reader); *reader->at && !reader->no_memory && reader->errors->count < most;
	     skip_blank(reader))
		status |= read_pair_or_skip(reader);
	return status;
}

/* Returns the text behind its byte order mark. */
static const char *skip_mark(const char *text)
{
	return text + (strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3);
}

/* Reads a text into *conf, as conf_parse_all() does, but lists no more than `most` errors. */
static int read_text(struct fathom_conf *conf, const char *text, size_t most,
		     struct conf_errors *errors)
{
	struct fathom_conf read = conf_standard();
	char *copy = strdup(skip_mark(text));
	struct conf_reader reader = { .at = copy, .copy = copy, .text = skip_mark(text), .line = 1,
				      .line_begins = true, .conf = &read, .errors = errors,
				      .no_memory = !copy };
	int status;

	*errors = (struct conf_errors){ 0 };
	status = copy ? read_pairs(&reader, most) : -1;
	free(copy);
	if (!reader.no_memory && errors->count < most)
		status |= check_whole(&reader);
	conf_clear(status ? &read : conf);
	if (!status)
		*conf = read;
	if (reader.no_memory) {
		free(errors->list);
		*errors = (struct conf_errors){ 0 };
	}
	return status;
}

int conf_parse_all(struct fathom_conf *conf, const char *text, struct conf_errors *errors)
{
	return read_text(conf, text, SIZE_MAX, errors);
}

/* One error is enough: if the file is some other file, there might be hundreds of thousands. */
int conf_parse_text(struct fathom_conf *conf, const char *file, const char *text,
		    struct fathom_error *error)
{
	struct conf_errors errors;
	int status = read_text(conf, text, 1, &errors);

	if (status && errors.count)
		fathom_error_set(error, EINVAL, "%s:%u: %s", file, errors.list->line,
				 errors.list->error.text);
	else if (status)
		fathom_error_set(error, ENOMEM, "%s: out of memory", file);
	free(errors.list);
	return status;
}

bool conf_recognize(const char *text)
{
	size_t length;

	text = skip_mark(text);
	for (text += strspn(text, " \t\r\n"); *text == '#'; text += strspn(text, " \t\r\n"))
		text += strcspn(text, "\n");
	length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
	return length && text[length + strspn(text + length, " \t")] == '=';
}
