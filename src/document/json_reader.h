/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads files in fathom's own JSON: an object with "format", "version" and the
 * members of a table. A list of objects is read element by element, so that only
 * one is in memory and errors name the right line. Example, a table for
 * {"format": "fathom-tree", "version": 1, "time": 5, "nodes": [{"id": 1}, ...]}:
 *
 *	{ .name = "time", .read = read_time },
 *	{ .name = "nodes", .needed = true, .element = read_node, .shape = "{\"id\": ...}" },
 *	JSON_END
 *
 * read_node() reads the keys of one element by a table of its own, see json_read_keys(). All
 * functions fail, see wrong_at(), if the file is wrong.
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
	const char *right;	/* "must be ...", for the error: of numbers, and of JSON_COPY, for
				 * which NULL means "must be a string" */
	/* Reads the value, instead of `type`; `into` is that of json_read_keys(). NULL: `type`
	 * says how to read it. */
	void (*read)(struct json_reader *reader, const struct json_key *key,
		     const struct parsed *value, void *into);
};

#define JSON_END { .name = NULL }

/* A member of the document. It is one of these:
 *	a value			.read, or .value, whose `name` is NULL
 *	a list of objects	.element, .shape
 *	an object with members, or null		.members
 *	a list of objects with members		.members, JSON_LIST(), .shape
 *	a list of objects, or an object with members, as the file has it
 *						.element, .shape, .members
 * One that is not needed may be null, which is as if it were left out. */
struct json_member {
	const char *name;
	bool needed;
	struct json_key value;
	/* `into` is that of the object around the member, of json_read_document() at first. */
	void (*read)(struct json_reader *reader, const struct parsed *value, void *into);
	void (*element)(struct json_reader *reader, const struct parsed *object, void *into);
	bool is_list;		/* of objects with members */
	const char *shape;	/* an example of an element, for error messages */
	const struct json_member *members;	/* at most 16, and JSON_END */
	/* The struct that `members` are read into lies at this offset of `into`. Of a list, the
	 * array of these structs does, to which each element is added by need_append(). */
	size_t at;
	/* Of a list: the offset of the array's count; bytes of a struct, 0: all elements are read
	 * into the struct that lies at `at`. */
	size_t count_at, size;
};

/* Of a list of objects with members: the array in a struct, and its count there. */
#define JSON_LIST(type, array, number) .is_list = true, .at = offsetof(struct type, array), \
				       .count_at = offsetof(struct type, number), \
				       .size = sizeof(*((struct type *)0)->array)

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
	void *into;		/* that of json_read_document() */
	struct parsed_values values;
	const struct parsed *value;	/* the value that was parsed last */
	const char *at, *end;	/* the text that is not read yet */
	size_t line;		/* of `at`, from 1 */
	/* the part that is being read, for errors: a member's value, or an element of its list */
	const char *part;	/* name of the member */
	size_t part_index;	/* of the element; SIZE_MAX: the part is a value */
	const char *part_at;	/* start of its text */
	size_t part_line;	/* line of its start */
};

/* Reads the whole input, which is loaded. The functions of members are called with `into`. */
void json_read_document(struct document *input, const struct json_document *document, void *into);
/* Reads each key of an object by its row of the table `keys` into the struct `into`. Fails if a
 * needed key is missing, or if a key is unknown or has a wrong value. */
void json_read_keys(struct json_reader *reader, const struct parsed *object,
		    const struct json_key *keys, void *into);

/* Reads one value by the row of its key into a field of the struct `into`. A row without a name is
 * that of a member of the document. */
void json_read_value(struct json_reader *reader, const struct json_key *key,
		     const struct parsed *value, void *into);

/* Fails with "PART: 'KEY' WHAT", such as "nodes[3]: 'id' is missing", for the line on which the
 * part that is being read has the key. */
void json_wrong_key(struct json_reader *reader, const char *key, const char *what)
	__attribute__((noreturn));
/* Fails with "\"MEMBER\" WHAT" for the line of the value of the member that is being read. */
void json_wrong_member(struct json_reader *reader, const char *what) __attribute__((noreturn));

/* Reads the value of a member: an integer, the time in seconds since 1970. Sets *has_time. */
void json_read_time(struct json_reader *reader, const struct parsed *value, bool *has_time,
		    int64_t *time);

/* Returns the value of a key: a number; INFINITY for "inf"; NAN for null, or if value is NULL. key:
 * for the error. */
double json_figure(struct json_reader *reader, const struct parsed *value, const char *key);
/* Returns json_figure() of the value that a key of the object has; NAN: it lacks the key. */
double json_read_figure(struct json_reader *reader, const struct parsed *object, const char *key);
/* Returns the raw shares that are the value of a key: an integer, or FATHOM_SHARES_PARENT for
 * "parent". value: NULL: the key is missing, which fails. */
uint32_t json_read_shares(struct json_reader *reader, const struct parsed *value, const char *key);
/* Returns a value as slurm.conf would have it: "yes" for true. NULL: it is null, a list or an
 * object. The text is valid as long as the value. */
const char *json_value_text(const struct parsed *value);
/* What a value must be for json_value_text(), for errors. */
#define JSON_VALUE_RIGHT "must be a string, a number or true or false"

/* Returns whether the input begins like a JSON object. */
bool json_recognize(const struct document *input);
/* Returns whether the input is a JSON object whose first 4096 bytes have this "format". */
bool json_is_format(const struct document *input, const char *format);
