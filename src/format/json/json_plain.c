/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jansson looks at each byte through several calls. Nearly all elements of large files are plain,
 * and are read here in a fraction of the time. What is here has one meaning in RFC 8259; all that
 * could have another one, or none, is left to jansson.
 */
#include "format/json/json_plain.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KEY 64	/* bytes of a key, with its NUL */
#define DEEPEST 8
#define MOST_DIGITS 18	/* of an integer: fewer than 64 bits hold */
#define DIGITS "0123456789"
#define BLANK " \t\r\n"

static json_t *read_value(const char **at, int depth);

/* Skips blanks and then a character, if it is the wanted one. */
static bool skip(const char **at, char wanted)
{
	*at += strspn(*at, BLANK);
	if (**at != wanted)
		return false;
	++*at;
	return true;
}

/* A control character, also the NUL at the end, is none, nor is a part of a longer character. */
static bool is_plain(char c)
{
	return c >= ' ' && (unsigned char)c < 0x7f && c != '\\';
}

/* Moves *at behind a string. Returns its length; SIZE_MAX: it is not plain. */
static size_t take_string(const char **at, const char **text)
{
	size_t length;

	if (!skip(at, '"'))
		return SIZE_MAX;
	*text = *at;
	for (; **at != '"'; ++*at)
		if (!is_plain(**at))
			return SIZE_MAX;
	length = (size_t)(*at - *text);
	++*at;
	return length;
}

static json_t *read_string(const char **at)
{
	const char *text;
	size_t length = take_string(at, &text);

	return length == SIZE_MAX ? NULL : json_stringn_nocheck(text, length);
}

static json_t *read_number(const char **at)
{
	const char *from = *at, *digits = from + (*from == '-');
	size_t count = strspn(digits, DIGITS);
	char *end;
	double real;

	if (!count || count > MOST_DIGITS || (*digits == '0' && (count > 1 || *from == '-')))
		return NULL;
	*at = digits + count;
	if (!strchr(".eE", **at) || !**at)
		return json_integer(strtoll(from, NULL, 10));
	if (**at == '.' && !strspn(*at + 1, DIGITS))
		return NULL;
	real = strtod(from, &end);
	*at = end;
	return strchr(".eE", *end) && *end ? NULL : json_real(real);
}

static json_t *read_array(const char **at, int depth)
{
	json_t *array = json_array();

	if (skip(at, ']'))
		return array;
	do {
		json_t *value = read_value(at, depth);

		if (!value || json_array_append_new(array, value))
			goto not_plain;
	} while (skip(at, ','));
	if (skip(at, ']'))
		return array;
not_plain:
	json_decref(array);
	return NULL;
}

static int read_pair(const char **at, json_t *object, int depth)
{
	char key[MOST_KEY];
	const char *text;
	size_t length = take_string(at, &text);
	json_t *value;

	if (length >= MOST_KEY || !skip(at, ':'))
		return -1;
	memcpy(key, text, length);
	key[length] = '\0';
	value = read_value(at, depth);
	return value && !json_object_set_new_nocheck(object, key, value) ? 0 : -1;
}

static json_t *read_object(const char **at, int depth)
{
	json_t *object = json_object();
	size_t pairs = 0;

	if (skip(at, '}'))
		return object;
	do
		if (read_pair(at, object, depth))
			goto not_plain;
	while (++pairs && skip(at, ','));
	/* a key that is there twice is an error, which jansson describes */
	if (skip(at, '}') && json_object_size(object) == pairs)
		return object;
not_plain:
	json_decref(object);
	return NULL;
}

static json_t *read_word(const char **at, const char *word, json_t *value)
{
	size_t length = strlen(word);

	if (strncmp(*at, word, length) || isalnum((unsigned char)(*at)[length]))
		return NULL;
	*at += length;
	return value;
}

static json_t *read_value(const char **at, int depth)
{
	*at += strspn(*at, BLANK);
	if (depth == DEEPEST)
		return NULL;
	switch (**at) {
	case '"':
		return read_string(at);
	case '{':
		++*at;
		return read_object(at, depth + 1);
	case '[':
		++*at;
		return read_array(at, depth + 1);
	case 't':
		return read_word(at, "true", json_true());
	case 'f':
		return read_word(at, "false", json_false());
	case 'n':
		return read_word(at, "null", json_null());
	default:
		return read_number(at);
	}
}

json_t *json_plain_read(const char **at)
{
	const char *from = *at;
	json_t *value = read_value(&from, 0);

	if (value)
		*at = from;
	return value;
}
