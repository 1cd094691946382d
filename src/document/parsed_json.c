/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a tree of values from the calls of yajl's parser, and refuses what yajl lets pass.
 *
 * Values of a list or object are pending until it ends: then they move to the block, side by side.
 * Of [1, {"a": 2}, 3]:
 *
 *	read		pending			block
 *	[ 1 { "a": 2	[ 1 { 2
 *	}		[ 1 {a}			2
 *	3 ]		[]			2 1 {a} 3
 */
#include "document/parsed_json.h"

#include "core/duration.h"
#include "core/utf8.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#define NO_LIST SIZE_MAX
#define FIRST_BLOCK 4096	/* bytes */
#define MOST_DEPTH 2048	/* readers may call themselves for each level */
#define FEW_KEYS 24	/* of an object: up to here each is compared with each */
#define BLANK " \t\r\n"
#define NEAR 24		/* bytes of a wrong token in a message */

/* A call of json_parse(). Offsets are those of source->text. */
struct parse {
	struct parsed_values *values;
	struct json_source *source;
	const char *key;	/* of the next value; NULL: it is in a list, or the outermost */
	size_t token_end;	/* offset behind the last token */
	size_t key_end;		/* offset behind the key */
	size_t element_begin;	/* offset of the element's bracket or brace */
	size_t depth;		/* lists and objects that have not ended */
	bool is_at_end;		/* yajl has read the whole text, and may still call for a number
				 * that the text ends with */
};

/* ---- memory ----------------------------------------------------------------------- */

/* A block, followed by `size` bytes. The struct's own size is a multiple of what any value is
 * aligned to. */
struct parsed_block {
	struct parsed_block *older;	/* full, but its values are in use; NULL: none */
	size_t size;
};

/* Returns room for `size` bytes in the newest block. If it is full, adds a new block, so that
 * values never move. */
static void *take_room(struct parsed_values *values, size_t size)
{
	struct parsed_block *block = values->block;
	char *taken;

	/* a multiple of 16, so that what comes next is aligned; not 0, so that there is a block */
	size = (size + 16) & ~(size_t)15;
	if (!block || block->size - values->block_used < size) {
		size_t room = (block ? 2 * block->size : 0) + size + FIRST_BLOCK;

		block = need_zeros(sizeof(*block) + room, 1);
		block->older = values->block;
		block->size = room;
		values->block = block;
		values->block_used = 0;
	}
	taken = (char *)(block + 1) + values->block_used;
	values->block_used += size;
	return taken;
}

/* Empties the newest block and frees the others; all values in them are gone. */
static void forget(struct parsed_values *values)
{
	struct parsed_block *older = values->block ? values->block->older : NULL;

	while (older) {
		struct parsed_block *next = older->older;

		need_free(older);
		older = next;
	}
	if (values->block)
		values->block->older = NULL;
	values->block_used = 0;
}

/* Returns a copy of a text in a block. */
static const char *keep_text(struct parsed_values *values, const unsigned char *text, size_t length)
{
	char *copy = take_room(values, length + 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

/* ---- what yajl lets pass ------------------------------------------------------------- */

/* Notes what is wrong, and at which offset. Returns 0, with which a callback ends yajl_parse(). */
static int refuse(struct parse *parse, size_t at, const char *what)
{
	parse->source->used = at;
	snprintf(parse->source->wrong, sizeof(parse->source->wrong), "%s", what);
	return 0;
}

/* Returns the number of an escape such as "\u00e9". yajl has checked its four digits. */
static unsigned code_of(const char *escape)
{
	char digits[5] = "";

	memcpy(digits, escape + 2, 4);
	return (unsigned)strtoul(digits, NULL, 16);
}

/* Returns whether the token from `at` to `end` has only escapes that are characters, in pairs if
 * they are surrogates, and no \u0000, as NUL ends texts here. */
static bool has_right_escapes(const char *at, const char *end)
{
	while ((at = memchr(at, '\\', (size_t)(end - at)))) {
		unsigned code = at[1] == 'u' ? code_of(at) : 1;	/* 1: \n and such, all right */

		if (!code || utf16_is_second(code))
			return false;
		at += at[1] == 'u' ? 6 : 2;
		if (!utf16_is_first(code))
			continue;
		if (at[0] != '\\' || at[1] != 'u' || !utf16_is_second(code_of(at)))
			return false;
		at += 6;
	}
	return true;
}

/* Does what find_twice() does, faster for objects with many members. */
static const struct parsed *find_twice_by_table(const struct parsed *member, size_t count)
{
	struct name_index keys = { .size = 0 };
	size_t i = 0;

	while (i < count && name_index_get(&keys, piece_of(member[i].key)) == NAME_INDEX_NONE) {
		need_put(&keys, piece_of(member[i].key), i);
		i++;
	}
	name_index_clear(&keys);
	return i < count ? &member[i] : NULL;
}

/* Returns a member whose key an earlier one of these `count` members has, too; NULL: all keys
 * differ. */
static const struct parsed *find_twice(const struct parsed *member, size_t count)
{
	if (count > FEW_KEYS)
		return find_twice_by_table(member, count);
	for (size_t i = 1; i < count; i++)
		for (size_t j = 0; j < i; j++)
			if (*member[i].key == *member[j].key &&
			    !strcmp(member[i].key, member[j].key))
				return &member[i];
	return NULL;
}

/* Returns whether a text that yajl has decoded is UTF-8: yajl's own check is less strict, and
 * switched off. */
static bool is_utf8(const char *text, size_t length)
{
	for (size_t at = 0; at < length;) {
		uint32_t code;
		size_t size = (unsigned char)text[at] < 0x80 ? 1 : utf8_read(text + at,
									   length - at, &code);

		if (!size)
			return false;
		at += size;
	}
	return true;
}

/* ---- yajl's callbacks: they return 1 to go on, 0 to stop ------------------------------ */

/* Returns the offset behind the token for which yajl is calling. */
static size_t token_end(const struct parse *parse)
{
	return parse->is_at_end ? parse->source->length
				: yajl_get_bytes_consumed(parse->values->parser);
}

/* Returns whether the value that begins or ends here is one that source->element() gets: directly
 * in the outermost list, which is pending[0]. */
static bool is_element(const struct parse *parse)
{
	return parse->source->element && parse->values->list == 0;
}

/* Ends the value that was added last. If source->element() wants it, passes it on and forgets
 * it. */
static int end_value(struct parse *parse)
{
	struct parsed_values *values = parse->values;

	parse->token_end = token_end(parse);
	if (!is_element(parse))
		return 1;
	values->pending_count--;
	parse->source->element(parse->source->context, &values->pending[values->pending_count],
			       parse->element_begin, parse->token_end);
	forget(values);
	return 1;
}

/* Adds a pending value with the key that was read before it. Returns it, valid until the next one
 * is added. */
static struct parsed *add(struct parse *parse, enum parsed_kind kind)
{
	struct parsed_values *values = parse->values;
	struct parsed *value;

	if (is_element(parse))	/* its first token is a bracket or brace, of one byte */
		parse->element_begin = token_end(parse) - 1;
	values->pending = need_room(values->pending, &values->room, values->pending_count + 1,
				    sizeof(*values->pending));
	value = &values->pending[values->pending_count++];
	*value = (struct parsed){ .kind = kind, .key = parse->key, .key_end = parse->key_end };
	parse->key = NULL;
	return value;
}

static int add_null(void *context)
{
	add(context, PARSED_NULL);
	return end_value(context);
}

static int add_switch(void *context, int is_true)
{
	add(context, is_true ? PARSED_TRUE : PARSED_FALSE);
	return end_value(context);
}

/* Reads an integer that is short enough to fit 64 bits in any case. Most numbers of a file are, and
 * this takes a third of strtoll()'s time. Returns false: it is longer, or not an integer. */
static bool read_short_integer(const char *text, size_t length, int64_t *integer)
{
	bool is_negative = *text == '-';
	int64_t sum = 0;

	if (length > 18)
		return false;
	for (size_t i = is_negative; i < length; i++) {
		if (!isdigit((unsigned char)text[i]))
			return false;
		sum = 10 * sum + (text[i] - '0');
	}
	*integer = is_negative ? -sum : sum;
	return true;
}

/* Reads an integer. Returns false: the number does not fit 64 bits, or has a point or an
 * exponent. */
static bool read_integer(const char *text, size_t length, int64_t *integer)
{
	char *stop;

	if (read_short_integer(text, length, integer))
		return true;
	errno = 0;
	*integer = strtoll(text, &stop, 10);
	return stop == text + length && !errno;
}

/* Adds an integer, or any other number as a double. text: not ended by NUL, but by the character
 * behind the number. */
static int add_number(void *context, const char *text, size_t length)
{
	struct parsed *value = add(context, PARSED_INTEGER);
	const char *end;

	if (!read_integer(text, length, &value->integer)) {
		value->kind = PARSED_REAL;
		if (number_parse(text, &value->real, &end))
			return refuse(context, token_end(context), "a number is too large");
	}
	return end_value(context);
}

/* Returns whether a string or key is right, as yajl has decoded it and as the file has it; else
 * notes what is wrong. */
static bool is_text(struct parse *parse, const unsigned char *text, size_t length)
{
	const char *from = parse->source->text;

	if (!has_right_escapes(from + parse->token_end, from + token_end(parse)))
		return refuse(parse, token_end(parse),
			      "a text has \\u0000, or half of a pair of \\u");
	return is_utf8((const char *)text, length) ||
	       refuse(parse, token_end(parse), "a text is not in UTF-8; convert the file, as by "
					       "iconv -f latin1 -t utf-8");
}

static int add_text(void *context, const unsigned char *text, size_t length)
{
	struct parse *parse = context;
	struct parsed *value;

	if (!is_text(parse, text, length))
		return 0;
	value = add(parse, PARSED_TEXT);
	value->text = keep_text(parse->values, text, length);
	value->count = length;
	return end_value(parse);
}

/* Keeps a key for the value that follows. */
static int note_key(void *context, const unsigned char *text, size_t length)
{
	struct parse *parse = context;

	if (!is_text(parse, text, length))
		return 0;
	parse->key = keep_text(parse->values, text, length);
	parse->token_end = parse->key_end = token_end(parse);
	return 1;
}

/* Begins a list or an object. Until it ends, its `count` holds values->list of before: the index in
 * `pending` of the list or object around it, or NO_LIST. */
static int begin(struct parse *parse, enum parsed_kind kind)
{
	struct parsed_values *values = parse->values;

	if (parse->depth++ == MOST_DEPTH)
		return refuse(parse, token_end(parse), "lists and objects are nested too deep");
	add(parse, kind)->count = values->list;
	values->list = values->pending_count - 1;
	parse->token_end = token_end(parse);
	return 1;
}

static int begin_list(void *context)
{
	return begin(context, PARSED_LIST);
}

static int begin_object(void *context)
{
	return begin(context, PARSED_OBJECT);
}

/* Ends a list or an object: moves its values from `pending` to the block. */
static int end_list(void *context)
{
	struct parse *parse = context;
	struct parsed_values *values = parse->values;
	struct parsed *list = &values->pending[values->list];
	size_t count = values->pending_count - values->list - 1;

	list->inner = memcpy(take_room(values, count * sizeof(*list)), list + 1,
			     count * sizeof(*list));
	values->pending_count = values->list + 1;
	parse->depth--;
	values->list = list->count;
	list->count = count;
	return end_value(parse);
}

/* Ends an object. If a key must not be repeated, refuses one that is. */
static int end_object(void *context)
{
	struct parse *parse = context;
	const struct parsed_values *values = parse->values;
	const struct parsed *object = &values->pending[values->list];
	const struct parsed *twice = NULL;

	if (!parse->source->may_repeat)
		twice = find_twice(object + 1, values->pending_count - values->list - 1);
	if (twice) {
		char what[80];

		snprintf(what, sizeof(what), "key \"%.48s\" occurs twice", twice->key);
		return refuse(parse, twice->key_end, what);
	}
	return end_list(context);
}

/* ---- errors, and the call of yajl ------------------------------------------------------- */

static const yajl_callbacks callbacks = {
	.yajl_null = add_null, .yajl_boolean = add_switch, .yajl_number = add_number,
	.yajl_string = add_text, .yajl_start_map = begin_object, .yajl_map_key = note_key,
	.yajl_end_map = end_object, .yajl_start_array = begin_list, .yajl_end_array = end_list,
};

/* Notes which end is missing in a text that ends too early. */
static void tell_early_end(struct parse *parse)
{
	const struct parsed_values *values = parse->values;
	size_t end = parse->source->length;

	if (values->list == NO_LIST)
		refuse(parse, end, "it ends before a value");
	else if (values->pending[values->list].kind == PARSED_LIST)
		refuse(parse, end, "it ends before the ']' of a list");
	else
		refuse(parse, end, "it ends before the '}' of an object");
}

/* Notes what yajl says of a wrong string, such as "lexical error: invalid character inside
 * string.", without its beginning and its point. */
static void tell_wrong_text(struct parse *parse)
{
	unsigned char *text = yajl_get_error(parse->values->parser, 0, NULL, 0);
	const char *from = (const char *)text, *behind = strstr(from, "error: ");

	from = behind ? behind + strlen("error: ") : from;
	snprintf(parse->source->wrong, sizeof(parse->source->wrong), "%.*s",
		 (int)strcspn(from, ".\n"), from);
	yajl_free_error(parse->values->parser, text);
}

/* Returns the wrong token: the first one behind the last token that yajl has taken. yajl has
 * stopped at source->used, behind the wrong token. It takes commas and colons without a call:
 *
 *	[1, x]	token_end is behind 1, used behind x: the comma is skipped, x is wrong
 *	[1 , ,]	used is behind the second comma, which is wrong
 *	[1,	the text has ended: what is missing is behind the comma */
static const char *find_wrong_token(const struct parse *parse)
{
	const struct json_source *source = parse->source;
	const char *at = source->text + parse->token_end, *end = source->text + source->used;

	while (at + 1 < end && strchr(BLANK ",:", *at))
		at++;
	return at + strspn(at, parse->is_at_end ? BLANK ",:" : BLANK);
}

/* Notes what is wrong, and where. */
static void tell_error(struct parse *parse)
{
	struct json_source *source = parse->source;
	const char *at = find_wrong_token(parse);

	if (*at == '"') {
		tell_wrong_text(parse);
		return;
	}
	source->used = (size_t)(at - source->text);
	if (source->used >= source->length)
		tell_early_end(parse);
	else
		snprintf(source->wrong, sizeof(source->wrong), "'%.*s' is not expected here",
			 (int)fmin(1 + (double)strcspn(at + 1, BLANK ",:]}"), NEAR), at);
}

const char *json_find_wrong_blank(const char *text, size_t length)
{
	const char *tab = memchr(text, '\v', length);

	return tab ? tab : memchr(text, '\f', length);
}

/* If the text has a blank that only yajl allows, notes that. */
static bool has_wrong_blank(struct json_source *source)
{
	const char *wrong = json_find_wrong_blank(source->text, source->length);

	if (!wrong)
		return false;
	source->used = (size_t)(wrong - source->text);
	snprintf(source->wrong, sizeof(source->wrong), "byte 0x%02x is no blank", (unsigned)*wrong);
	return true;
}

const struct parsed *json_parse(struct parsed_values *values, struct json_source *source)
{
	struct parse parse = { .values = values, .source = source };
	yajl_status status;

	/* if it is not, the caller looks once, not for each value */
	if (source->is_whole && has_wrong_blank(source))
		return NULL;
	if (values->parser)
		yajl_free(values->parser);
	values->parser = need_made(yajl_alloc(&callbacks, NULL, &parse));
	yajl_config(values->parser, yajl_allow_trailing_garbage, !source->is_whole);
	yajl_config(values->parser, yajl_dont_validate_strings, 1);
	values->pending_count = 0;
	values->list = NO_LIST;
	forget(values);
	status = yajl_parse(values->parser, (const unsigned char *)source->text, source->length);
	if (status != yajl_status_client_canceled)	/* else refuse() has set it */
		source->used = token_end(&parse);
	parse.is_at_end = status == yajl_status_ok;
	if (parse.is_at_end)
		status = yajl_complete_parse(values->parser);
	if (status == yajl_status_error)
		tell_error(&parse);
	return status == yajl_status_ok ? values->pending : NULL;
}

void parsed_values_clear(struct parsed_values *values)
{
	if (values->parser)
		yajl_free(values->parser);
	forget(values);
	need_free(values->pending);
	need_free(values->block);
	*values = (struct parsed_values){ 0 };
}

/* ---- look at a value ---------------------------------------------------------------------- */

bool parsed_is(const struct parsed *value, enum parsed_kind kind)
{
	return value && value->kind == kind;
}

bool parsed_is_switch(const struct parsed *value)
{
	return parsed_is(value, PARSED_TRUE) || parsed_is(value, PARSED_FALSE);
}

bool parsed_is_number(const struct parsed *value)
{
	return parsed_is(value, PARSED_INTEGER) || parsed_is(value, PARSED_REAL);
}

double parsed_number(const struct parsed *value)
{
	if (parsed_is(value, PARSED_INTEGER))
		return (double)value->integer;
	return parsed_is(value, PARSED_REAL) ? value->real : 0;
}

int64_t parsed_integer(const struct parsed *value)
{
	return parsed_is(value, PARSED_INTEGER) ? value->integer : 0;
}

const char *parsed_text(const struct parsed *value)
{
	return parsed_is(value, PARSED_TEXT) ? value->text : NULL;
}

size_t parsed_length(const struct parsed *value)
{
	return parsed_is(value, PARSED_TEXT) ? value->count : 0;
}

size_t parsed_count(const struct parsed *list)
{
	return parsed_is(list, PARSED_LIST) ? list->count : 0;
}

size_t parsed_member_count(const struct parsed *object)
{
	return parsed_is(object, PARSED_OBJECT) ? object->count : 0;
}

const struct parsed *parsed_at(const struct parsed *list, size_t i)
{
	return parsed_is(list, PARSED_LIST) && i < list->count ? &list->inner[i] : NULL;
}

const struct parsed *parsed_member_at(const struct parsed *object, size_t i)
{
	return parsed_is(object, PARSED_OBJECT) && i < object->count ? &object->inner[i] : NULL;
}

const struct parsed *parsed_member(const struct parsed *object, const char *key)
{
	for (size_t i = parsed_member_count(object); i > 0; i--)
		if (!strcmp(object->inner[i - 1].key, key))
			return &object->inner[i - 1];
	return NULL;
}
