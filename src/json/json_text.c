/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads JSON token by token. Objects and lists within each other are read by recursion: a function
 * of the caller calls json_text_members() again. Source: RFC 8259. */
#include "json/json_text.h"

#include "core/error.h"
#include "core/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 64	/* objects and lists in each other; the stack must hold them */
#define BLANK " \t\r\n"

struct json_text json_text_begin(char *text, size_t length, struct fathom_error *error)
{
	size_t mark = strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3;

	return (struct json_text){ .at = text + mark, .end = text + length, .line = 1,
				   .error = error };
}

int json_text_wrong(struct json_text *json, const char *key, const char *what)
{
	return fathom_error_set(json->error, EINVAL, "'%.48s' %s", key, what);
}

/* ---- tokens -------------------------------------------------------------------- */

/* Skips blanks, and returns the next character without skipping it; NUL at the end. */
static char next_character(struct json_text *json)
{
	for (; json->at < json->end && *json->at && strchr(BLANK, *json->at); json->at++)
		json->line += *json->at == '\n';
	return json->at < json->end ? *json->at : '\0';
}

/* Sets the error that something other than `what` comes next. Returns -1. */
static int expected(struct json_text *json, const char *what)
{
	char found = next_character(json);

	if (json->at == json->end)
		return fathom_error_set(json->error, EINVAL,
					"the file ends where %s is expected", what);
	if (found <= ' ' || found >= 0x7f)
		return fathom_error_set(json->error, EINVAL, "byte 0x%02x where %s is expected",
					(unsigned char)found, what);
	return fathom_error_set(json->error, EINVAL, "'%c' where %s is expected", found, what);
}

/* Skips blanks, and the character `wanted` if it comes next. Returns whether it does. */
static bool skip(struct json_text *json, char wanted)
{
	if (next_character(json) != wanted || json->at == json->end)
		return false;
	json->at++;
	return true;
}

/* Skips blanks, and the word if it comes next. Returns whether it does. */
static bool skip_word(struct json_text *json, const char *word)
{
	next_character(json);
	if (strncmp(json->at, word, strlen(word)))
		return false;
	json->at += strlen(word);
	return true;
}

int json_text_finish(struct json_text *json)
{
	next_character(json);
	return json->at == json->end ? 0 : expected(json, "the end of the file");
}

/* ---- strings ------------------------------------------------------------------- */

/* Reads four hexadecimal digits; -1: there is another character among the four. */
static int read_hex(const char *at, uint32_t *value)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	*value = 0;
	for (int i = 0; i < 4; i++) {
		const char *digit = at[i] ? strchr(digits, at[i]) : NULL;

		if (!digit)
			return -1;
		/* a capital stands 6 places behind its small letter */
		*value = 16 * *value + (uint32_t)(digit - digits - (digit - digits > 15 ? 6 : 0));
	}
	return 0;
}

/* Writes a character in UTF-8, which is shorter than the escape it is decoded from, so that it fits
 * in place. Returns the end of what it has written. */
static char *put_utf8(char *to, uint32_t c)
{
	/* of the first byte, by the number of bytes that follow */
	static const unsigned char marks[] = { 0, 0xc0, 0xe0, 0xf0 };
	size_t more = (size_t)(c >= 0x80) + (c >= 0x800) + (c >= 0x10000);

	*to++ = (char)(marks[more] | c >> 6 * more);
	while (more--)
		*to++ = (char)(0x80 | (c >> 6 * more & 0x3f));
	return to;
}

/* Decodes the digits of "\uXXXX", or of a pair of these that stands for one character, writes the
 * character to *to, and moves *to behind it. */
static int decode_number(struct json_text *json, char **to)
{
	uint32_t c, second;

	if (read_hex(json->at, &c))
		return expected(json, "four hexadecimal digits");
	json->at += 4;
	if (utf16_is_first(c)) {
		if (strncmp(json->at, "\\u", 2) || read_hex(json->at + 2, &second) ||
		    !utf16_is_second(second))
			return expected(json, "the second half of a character");
		json->at += 6;
		c = 0x10000 + ((c & 0x3ff) << 10 | (second & 0x3ff));
	} else if (c < 0x20 || c == 0x7f || utf16_is_second(c)) {
		return fathom_error_set(json->error, EINVAL, "\\u%04x in a string", c);
	}
	*to = put_utf8(*to, c);
	return 0;
}

/* Decodes what follows a '\'. Escapes of control characters, such as \n, are refused: no string
 * that is read here has any. */
static int decode_escape(struct json_text *json, char **to)
{
	char c = *json->at++;

	if (c == 'u')
		return decode_number(json, to);
	if (!c || !strchr("\"\\/", c)) {
		json->at--;
		return expected(json, "'\"', '\\', '/' or 'u'");
	}
	*(*to)++ = c;
	return 0;
}

/* Decodes a string behind its first quote, in place, and ends it by NUL. */
static int decode_string(struct json_text *json)
{
	char *to = json->at;

	while (*json->at != '"') {
		unsigned char c = (unsigned char)*json->at;

		if (json->at == json->end)
			return expected(json, "the end of a string");
		if (c < 0x20 || c == 0x7f)
			return fathom_error_set(json->error, EINVAL, "byte 0x%02x in a string", c);
		json->at++;
		if (c != '\\')
			*to++ = (char)c;
		else if (decode_escape(json, &to))
			return -1;
	}
	json->at++;
	*to = '\0';
	return 0;
}

int json_text_string(struct json_text *json, const char **text)
{
	*text = NULL;
	if (skip_word(json, "null"))
		return 0;
	if (!skip(json, '"'))
		return expected(json, "a string");
	*text = json->at;
	return decode_string(json);
}

/* ---- other values -------------------------------------------------------------- */

int json_text_number(struct json_text *json, double *value)
{
	char first = next_character(json), *end;
	size_t length = strspn(json->at, "+-.0123456789eE");

	*value = strtod(json->at, &end);
	/* strtod() would also read "+1", "0x10", "inf" and "nan" */
	if (!strchr("-0123456789", first) || !first || end != json->at + length ||
	    !isfinite(*value))
		return expected(json, "a number");
	json->at = end;
	return 0;
}

static int ignore_member(struct json_text *json, const char *key, void *into)
{
	(void)key, (void)into;
	return json_text_ignore(json);
}

static int ignore_element(struct json_text *json, void *into)
{
	(void)into;
	return json_text_ignore(json);
}

int json_text_ignore(struct json_text *json)
{
	char first = next_character(json);
	const char *text;
	double value;

	if (first == '{')
		return json_text_members(json, ignore_member, NULL);
	if (first == '[')
		return json_text_elements(json, ignore_element, NULL);
	if (skip_word(json, "true") || skip_word(json, "false"))
		return 0;
	if (first == '"' || first == 'n')	/* a string, or null */
		return json_text_string(json, &text);
	return json_text_number(json, &value) ? expected(json, "a value") : 0;
}

/* ---- objects and lists --------------------------------------------------------- */

/* Skips the comma behind a value, and sets *more; or skips the bracket with which the list or
 * object ends. */
static int next_or_leave(struct json_text *json, char bracket, bool *more)
{
	char what[] = "',' or ' '";	/* the bracket goes between the last two quotes */

	*more = skip(json, ',');
	if (*more)
		return 0;
	what[sizeof(what) - 3] = bracket;
	if (!skip(json, bracket))
		return expected(json, what);
	json->depth--;
	return 0;
}

/* Reads a key and its value. */
static int read_member(struct json_text *json, json_text_member *read, void *into)
{
	const char *key;

	if (next_character(json) != '"')
		return expected(json, "a key");
	if (json_text_string(json, &key))
		return -1;
	if (!skip(json, ':'))
		return expected(json, "':'");
	return read(json, key, into);
}

/* Reads a list by the function `element`, or an object by the function `member`; the other one is
 * NULL. brackets: "[]" or "{}". */
static int read_all(struct json_text *json, const char *brackets, json_text_element *element,
		    json_text_member *member, void *into)
{
	const char what[] = { '\'', brackets[0], '\'', '\0' };
	bool more;

	if (!skip(json, brackets[0]))
		return expected(json, what);
	if (json->depth++ == DEEPEST)
		return fathom_error_set(json->error, EINVAL,
					"more than %d objects and lists in each other", DEEPEST);
	if (next_character(json) == brackets[1])
		return next_or_leave(json, brackets[1], &more);
	do
		if ((member ? read_member(json, member, into) : element(json, into)) ||
		    next_or_leave(json, brackets[1], &more))
			return -1;
	while (more);
	return 0;
}

int json_text_members(struct json_text *json, json_text_member *read, void *into)
{
	return read_all(json, "{}", NULL, read, into);
}

int json_text_elements(struct json_text *json, json_text_element *read, void *into)
{
	return read_all(json, "[]", read, NULL, into);
}
