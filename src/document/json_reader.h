/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads files in fathom's own JSON: an object with "format", "version" and the
 * members of a table. A list of objects is read element by element, so that only
 * one is in memory and errors name the right line. Example, a table for
 * {"format": "fathom-tree", "version": 1, "time": 5, "nodes": [{"id": 1}, ...]}:
 *
 *	{ .name = "time", .read = read_time },
 *	{ .name = "nodes", .needed = true, .element = read_node, .shape = "{\"id\": ...}" }
 */
#pragma once

#include "document/document.h"

#include "document/parsed_json.h"

struct json_reader;

/* What a key's value is, and the type that it is stored as. */
enum json_type {
	JSON_NUMBER,		/* any number, as a double */
	JSON_WHOLE_DOUBLE,	/* a number without a fraction, 7 or 7.0, as a double */
	JSON_UINT64,		/* an integer, as a uint64_t */
	JSON_BOOL,		/* true or false, as a bool */
	JSON_TEXT,		/* a string that is not empty, as a const char *, which is valid
				 * while the object is read */
	JSON_COPY		/* any string, as a const char * to a copy */
};

/* A key of an object. A table has at most 64 rows, and ends with one without a name. */
struct json_key {
	const char *name;
	bool needed;
	bool or_null;		/* null is as if the key were left out */
	enum json_type type;
	size_t at;		/* offset of the field in the struct that json_read_keys() fills */
	double low, high;	/* the range of a number, both included */
	const char *right;	/* what the error says that a number must be, or a text */
	/* Reads a value of another kind, instead; `into` is that of json_read_keys(). */
	void (*read)(struct json_reader *reader, const struct json_key *key,
		     const struct parsed *value, void *into);
};

#define JSON_END { .name = NULL }

/* A member of the document. It is one of these:
 *	a value			.read, or .value, without a name
 *	a list of objects	.element, .shape
 *	an object with members, or null		.members
 *	a list of objects with members		.members, .begin, .is_list, .shape
 *	a list of objects, or an object with members, as the file has it
 *						.element, .shape, .members
 * One that is not needed may be null, which is as if it were left out. */
struct json_member {
	const char *name;
	bool needed;
	struct json_key value;
	void (*read)(struct json_reader *reader, const struct parsed *value, void *into);
	void (*element)(struct json_reader *reader, const struct parsed *object, void *into);
	bool is_list;
	const char *shape;	/* an example of an element, for error messages */
	const struct json_member *members;	/* at most 16, and JSON_END */
	size_t at;		/* where in `into` the object begins that its members are read
				 * into */
	void *(*begin)(void *into);	/* makes that object, instead */
};

struct json_document {
	const char *format;
	int version;
	const char *shape;	/* an example of its members, for error messages */
	const struct json_member *members;	/* at most 16, and JSON_END */
	bool strict;		/* unknown members are errors; else they are ignored */
	const char *page;	/* the manual page that describes the keys */
};

struct json_reader {
	struct document *input;
	const struct json_document *document;
	void *into;		/* of the document */
	struct parsed_values values;
	const struct parsed *value;		/* that is being read */
	const char *at, *end;
	size_t line;
	/* the part that is being read: a member's value, or an element of its list */
	const char *part;	/* name of the member */
	size_t part_index;	/* of the element, or SIZE_MAX */
	const char *part_at;	/* start of its text */
	size_t part_line;	/* line of its start */
};

/* Reads the whole input. The functions of members are called with `into`. */
void json_read_document(struct document *input, const struct json_document *document, void *into);
/* Reads each key of an object by its row. Fails if a key is missing, unknown, or has a wrong
 * value. */
void json_read_keys(struct json_reader *reader, const struct parsed *object,
		    const struct json_key *keys, void *into);

/* Reads the value of a key, or of a member, by its row. */
void json_read_value(struct json_reader *reader, const struct json_key *key,
		     const struct parsed *value, void *into);

/* Fail, which ends json_read_document(): "nodes[3]: 'key' WHAT", for the line of the key, and
 * "\"member\" WHAT", for the line of the member's value. */
void json_wrong_key(struct json_reader *reader, const char *key, const char *what)
	__attribute__((noreturn));
void json_wrong_member(struct json_reader *reader, const char *what) __attribute__((noreturn));

/* Reads a member with a time in seconds since 1970. */
void json_read_time(struct json_reader *reader, const struct parsed *value, bool *has_time,
		    int64_t *time);

/* Return a number, INFINITY for "inf", NAN for null or NULL: of the value of a key, of an object by
 * its key. */
double json_figure(struct json_reader *reader, const struct parsed *value, const char *key);
double json_read_figure(struct json_reader *reader, const struct parsed *object, const char *key);
/* Reads raw shares, an integer or "parent". */
uint32_t json_read_shares(struct json_reader *reader, const struct parsed *value, const char *key);
/* Returns a value as slurm.conf has it; NULL: it has no such values. */
const char *json_value_text(const struct parsed *value);
#define JSON_VALUE_RIGHT "must be a string, a number or true or false"

/* Returns whether the input begins like a JSON object. */
bool json_recognize(const struct document *input);
/* Returns whether the object has this "format", in the first 4096 bytes. */
bool json_is_format(const struct document *input, const char *format);
