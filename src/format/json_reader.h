/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom's own JSON: an object with "format", "version" and the members of a
 * table. Values are read one after the other, and a list of objects element by
 * element, so that lines are known and memory holds one of them, not all.
 */
#ifndef FORMAT_JSON_READER_H
#define FORMAT_JSON_READER_H

#include "format/format.h"

#include <jansson.h>

struct json_reader;

/* A member of the document: one value, a list of objects, or an object that
 * has members itself, or null in its place, or a list of such objects. */
struct json_member {
	const char *name;
	bool needed;
	int (*read)(struct json_reader *reader, const json_t *value, void *into);
	int (*element)(struct json_reader *reader, const json_t *object, void *into);
	bool is_list;		/* of objects that have members */
	const char *shape;	/* of an element, for who wrote something else */
	const struct json_member *members;	/* at most 16 */
	size_t member_count;
	/* What its members' functions are given; NULL: ENOMEM. */
	void *(*begin)(void *into);
};

struct json_document {
	const char *format;
	int version;
	const char *shape;	/* what stands behind "version", as an example */
	const struct json_member *members;
	size_t member_count;	/* at most 16 */
	bool strict;		/* another member is wrong; else it is passed over */
	const char *page;	/* the manual page that tells of keys */
};

/* A key of an object. `into` is what json_read_keys() was given. */
struct json_key {
	const char *name;
	bool needed;
	int (*read)(struct json_reader *reader, const char *key, const json_t *value, void *into);
};

struct json_reader {
	struct input *input;
	const struct json_document *document;
	struct fathom_error *error;
	const char *at, *end;
	size_t line;
	/* what is being looked at: a member's value, or an element of it */
	const char *part;
	size_t part_index;	/* or SIZE_MAX */
	const char *part_at;	/* it begins here, */
	size_t part_line;	/* in this line */
};

/* Reads all of the input; `into` goes to the members' functions. */
int json_read_document(struct input *input, const struct json_document *document, void *into,
		       struct fathom_error *error);
/* Hands each key of an object to its row; another key is wrong. */
int json_read_keys(struct json_reader *reader, const json_t *object, const struct json_key *keys,
		   size_t count, void *into);

/* "nodes[3]: 'key' WHAT", in the line of the key; always -1. */
int json_wrong_key(struct json_reader *reader, const char *key, const char *what);
/* "\"member\" WHAT", in the line of its value; always -1. */
int json_wrong_member(struct json_reader *reader, const char *what);

/* Does the input begin as an object? */
bool json_recognize(const struct input *input);
/* Is the object's "format" this one? Looks at the first bytes alone. */
bool json_is_format(const struct input *input, const char *format);

#endif
