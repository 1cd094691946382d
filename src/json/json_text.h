/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads JSON that lies in memory, without a library: slurmctld may have loaded json-c or jansson,
 * whose names are partly the same. Functions of the caller read each member and element:
 *
 *	{"time": 5, "usage": [1, 2]}	json_text_members() calls read_member (.., "time", ..) and
 *					read_member (.., "usage", ..), which calls
 *					json_text_elements()
 *
 * Strings are decoded in place, so they are valid as long as the text. All functions that return
 * int return 0, and have moved behind what they read; or -1: the text is wrong, the error (EINVAL)
 * says what is expected, and `line` is the wrong line.
 */
#pragma once

#include "fathom.h"

#include <stddef.h>

struct json_text {
	char *at;		/* the text that is not read yet */
	const char *end;	/* the text's NUL */
	unsigned line;		/* of `at`, from 1 */
	unsigned depth;		/* of objects and lists around `at` */
	struct fathom_error *error;
};

/* Starts reading a text, behind its byte order mark if it has one. text: will be changed; has a NUL
 * behind its `length` bytes. error: where the functions set errors. */
struct json_text json_text_begin(char *text, size_t length, struct fathom_error *error);

/* A function of the caller that reads the value which comes next, of a member or of an element. It
 * must read a whole value: one that it does not know by json_text_ignore(). It may return -1 with
 * an error of its own. */
typedef int json_text_member(struct json_text *json, const char *key, void *into);
typedef int json_text_element(struct json_text *json, void *into);

/* Reads an object; calls read(json, KEY, into) for each member. */
int json_text_members(struct json_text *json, json_text_member *read, void *into);
/* Reads a list; calls read(json, into) for each element. */
int json_text_elements(struct json_text *json, json_text_element *read, void *into);
/* Reads a string without control characters, or null, for which *text is NULL. */
int json_text_string(struct json_text *json, const char **text);
/* Reads a finite number. */
int json_text_number(struct json_text *json, double *value);
/* Reads any value and drops it. */
int json_text_ignore(struct json_text *json);
/* Checks that nothing but blanks follows. */
int json_text_finish(struct json_text *json);
/* Sets the error "'KEY' WHAT". Returns -1. */
int json_text_wrong(struct json_text *json, const char *key, const char *what);
