/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads JSON that lies in memory, without a library: slurmctld may have loaded json-c or jansson,
 * whose names are partly the same. Functions of the caller read each member and element:
 *
 *	{"time": 5, "usage": [1, 2]}	json_text_members() calls read_member (.., "time", ..) and
 *					read_member (.., "usage", ..), which calls
 *					json_text_elements()
 *
 * Strings are decoded in place, so they live as long as the text. All functions return -1 if the
 * text is wrong: the error says what is expected, and `line` is the line of it.
 */
#pragma once

#include "fathom.h"

#include <stddef.h>

struct json_text {
	char *at;		/* what is not read yet; ends with NUL at `end` */
	const char *end;
	unsigned line;		/* of `at`, from 1 */
	unsigned depth;		/* of objects and lists around `at` */
	struct fathom_error *error;
};

/* text: changes, has a NUL behind it. The byte order mark at its beginning is skipped. */
struct json_text json_text_begin(char *text, size_t length, struct fathom_error *error);

typedef int json_text_member(struct json_text *json, const char *key, void *into);
typedef int json_text_element(struct json_text *json, void *into);

/* Read an object, a list. `read` reads one value, for an unknown key by json_text_ignore(). */
int json_text_members(struct json_text *json, json_text_member *read, void *into);
int json_text_elements(struct json_text *json, json_text_element *read, void *into);
/* Reads a string without control characters. null: *text is NULL. */
int json_text_string(struct json_text *json, const char **text);
/* Reads a number. */
int json_text_number(struct json_text *json, double *value);
/* Reads any value. */
int json_text_ignore(struct json_text *json);
/* Checks that nothing follows. */
int json_text_finish(struct json_text *json);
/* Sets the error "'KEY' WHAT". Returns -1. */
int json_text_wrong(struct json_text *json, const char *key, const char *what);
