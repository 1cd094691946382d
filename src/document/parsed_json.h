/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON that yajl has parsed, as values in memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum parsed_kind { PARSED_NULL, PARSED_FALSE, PARSED_TRUE, PARSED_INTEGER, PARSED_REAL, PARSED_TEXT,
		  PARSED_LIST, PARSED_OBJECT };

struct parsed {
	enum parsed_kind kind;
	size_t count;		/* bytes of a text, values in a list or object */
	union {
		int64_t integer;
		double real;
		const char *text;
		const struct parsed *inner;
	};
	const char *key;	/* in an object; else NULL */
	size_t key_end;		/* where that ends in the text */
};

/* The memory of parsed values, which belongs to the command. Begins with zeros. */
struct parsed_values {
	struct parsed *pending;	/* lists and objects that have not ended, and their values */
	size_t pending_count, room;
	size_t list;			/* index in `pending` of the innermost list or object */
	struct parsed_block *block;	/* for what has ended, and for texts */
	size_t block_used;
	void *parser;			/* yajl's */
};

/* What to parse. */
struct json_source {
	const char *text;	/* NUL behind it */
	size_t length;
	bool is_whole;		/* nothing but blanks may follow the value */
	bool may_repeat;	/* a key may occur twice in an object: the last one counts */
	/* NULL, or the value must be a list: called for each of its elements, which is gone
	 * afterwards. It may fail, see wrong_at(). begin, end: of the element in the text. */
	void (*element)(void *context, const struct parsed *element, size_t begin,
			size_t end);
	void *context;
	size_t used;		/* set: bytes up to the end of the value, or to what is wrong */
	char wrong[160];	/* set: what is wrong; "": nothing */
};

/* Parses the value at the start of the text, in which lists and objects are at most 2048 deep.
 * Returns it, valid until the next call; NULL if it is wrong. */
const struct parsed *json_parse(struct parsed_values *values, struct json_source *source);
/* Returns the first vertical tab or form feed, a blank for yajl alone; NULL: there is none. */
const char *json_find_wrong_blank(const char *text, size_t length);
/* Frees what json_parse() has made. */
void parsed_values_clear(struct parsed_values *values);

/* ---- look at a value; NULL is of no kind ------------------------------------------- */

bool parsed_is(const struct parsed *value, enum parsed_kind kind);
bool parsed_is_switch(const struct parsed *value);
bool parsed_is_number(const struct parsed *value);
/* Returns a number; 0 for any other value. */
double parsed_number(const struct parsed *value);
/* Returns an integer that fits; 0 for any other value. */
int64_t parsed_integer(const struct parsed *value);
/* Returns a text; NULL for any other value. */
const char *parsed_text(const struct parsed *value);
size_t parsed_length(const struct parsed *value);
/* Return how many values a list has, an object; 0 for any other value. */
size_t parsed_count(const struct parsed *list);
size_t parsed_member_count(const struct parsed *object);
/* Return a value of a list, of an object; NULL behind the last one, or of any other value. */
const struct parsed *parsed_at(const struct parsed *list, size_t i);
const struct parsed *parsed_member_at(const struct parsed *object, size_t i);
/* Returns the last value of a key; NULL: it is no object, or lacks the key. */
const struct parsed *parsed_member(const struct parsed *value, const char *key);

#define parsed_for_each(list, i, value) \
	for ((i) = 0; ((value) = parsed_at(list, i)); (i)++)
#define parsed_for_each_key(object, name, value)						\
	for (size_t member_ = 0;							\
	     ((value) = parsed_member_at(object, member_)) && ((name) = (value)->key);	\
	     member_++)
