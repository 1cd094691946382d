/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON that yajl has parsed, as values in memory. {"a": [1, 2.5]} is
 *
 *	{ PARSED_OBJECT, .count = 1 }
 *	    { PARSED_LIST, .count = 2, .key = "a" }
 *		{ PARSED_INTEGER, .integer = 1 }, { PARSED_REAL, .real = 2.5 }
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum parsed_kind {
	PARSED_NULL, PARSED_FALSE, PARSED_TRUE,
	PARSED_INTEGER,		/* a whole number that fits 64 bits and has no point or exponent */
	PARSED_REAL,		/* any other number */
	PARSED_TEXT, PARSED_LIST, PARSED_OBJECT
};

struct parsed {
	enum parsed_kind kind;
	size_t count;		/* bytes of a text, values in a list or object; else 0 */
	union {
		int64_t integer;
		double real;
		const char *text;		/* UTF-8, NUL behind it */
		const struct parsed *inner;	/* the values in a list or object */
	};
	const char *key;	/* of a value in an object; else NULL */
	size_t key_end;		/* offset in the parsed text behind that key's quote */
};

/* The memory of parsed values. It is taken from need_memory.h, but for yajl's. Begins with zeros;
 * free it by parsed_values_clear(). */
struct parsed_values {
	struct parsed *pending;	/* lists and objects that have not ended, and their values */
	size_t pending_count, room;
	size_t list;			/* index in `pending` of the innermost list or object that
					 * has not ended; SIZE_MAX: all have */
	struct parsed_block *block;	/* has values of lists and objects that ended, and texts */
	size_t block_used;		/* bytes of it */
	void *parser;			/* yajl's; NULL before the first json_parse() */
};

/* What to parse, and how it went. */
struct json_source {
	const char *text;	/* NUL behind it; is not changed */
	size_t length;
	bool is_whole;		/* nothing but blanks may follow the value */
	bool may_repeat;	/* a key may occur twice in an object: the last one counts */
	/* NULL, or the value must be a list, whose elements are not kept: called for each of them,
	 * as soon as it is parsed. It may fail, see wrong_at(). begin, end: offsets in the text
	 * from the element's bracket or brace to behind its end. */
	void (*element)(void *context, const struct parsed *element, size_t begin, size_t end);
	void *context;		/* for element() */
	size_t used;		/* set: bytes up to the end of the value, or to what is wrong */
	char wrong[160];	/* set if the text is wrong: how */
};

/* Parses the value at the start of the text, in which lists and objects are at most 2048 deep.
 * Returns it, valid until the next call; NULL: the text is wrong, see source->wrong. */
const struct parsed *json_parse(struct parsed_values *values, struct json_source *source);
/* Returns the first vertical tab or form feed, which yajl takes as a blank, but JSON does not
 * allow; NULL: the text has none. */
const char *json_find_wrong_blank(const char *text, size_t length);
/* Frees what json_parse() has made, and sets all to zeros. */
void parsed_values_clear(struct parsed_values *values);

/* ---- look at a value: NULL is allowed, and is of no kind ----------------------------- */

bool parsed_is(const struct parsed *value, enum parsed_kind kind);
/* Returns whether the value is true or false. */
bool parsed_is_switch(const struct parsed *value);
bool parsed_is_number(const struct parsed *value);
/* Returns a number; 0 for any other value. */
double parsed_number(const struct parsed *value);
/* Returns an integer; 0 for any other value, also for a PARSED_REAL such as 7.0 or 1e30. */
int64_t parsed_integer(const struct parsed *value);
/* Returns a text; NULL for any other value. */
const char *parsed_text(const struct parsed *value);
/* Returns the number of bytes of a text; 0 for any other value. */
size_t parsed_length(const struct parsed *value);
/* Returns the number of values in a list; 0 for any other value. */
size_t parsed_count(const struct parsed *list);
/* Returns the number of values in an object; 0 for any other value. */
size_t parsed_member_count(const struct parsed *object);
/* Returns value i of a list; NULL behind the last one, or if `list` is another value. */
const struct parsed *parsed_at(const struct parsed *list, size_t i);
/* Returns value i of an object; NULL behind the last one, or if `object` is another value. */
const struct parsed *parsed_member_at(const struct parsed *object, size_t i);
/* Returns the value of a key, the last one if it occurs twice; NULL: the object lacks the key, or
 * `object` is another value. */
const struct parsed *parsed_member(const struct parsed *object, const char *key);

/* Loops over the values of a list: sets i, a size_t, and value. Of another value: no round. */
#define parsed_for_each(list, i, value) \
	for ((i) = 0; ((value) = parsed_at(list, i)); (i)++)
/* Loops over the members of an object: sets name, the key, and value. Of another value: no
 * round. */
#define parsed_for_each_key(object, name, value)						\
	for (size_t member_ = 0;							\
	     ((value) = parsed_member_at(object, member_)) && ((name) = (value)->key);	\
	     member_++)
