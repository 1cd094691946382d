/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a document by the table of its members. Objects and lists are walked through
 * here; single values and the elements of lists are parsed by jansson.
 */
#include "document/json_reader.h"

#include "core/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define VALUE_FLAGS (JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES)
#define BLANK " \t\r\n"
#define NO_INDEX SIZE_MAX
#define HEAD 4096	/* bytes in which a file must have its "format" */

/* ---- tokens ------------------------------------------------------------------ */

static size_t count_lines(const char *from, const char *to)
{
	size_t lines = 0;

	while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) {
		lines++;
		from++;
	}
	return lines;
}

/* Skips blanks, and returns the next character; NUL at the end of the file. */
static char next_character(struct json_reader *reader)
{
	for (; reader->at < reader->end && strchr(BLANK, *reader->at) && *reader->at; reader->at++)
		reader->line += *reader->at == '\n';
	return reader->at < reader->end ? *reader->at : '\0';
}

/* Skips a character of punctuation, if it is the next one. */
static bool skip(struct json_reader *reader, char wanted)
{
	if (next_character(reader) != wanted || reader->at == reader->end)
		return false;
	reader->at++;
	return true;
}

/* Sets the error that `what` is missing here. Returns -1. */
static int expected(struct json_reader *reader, const char *what)
{
	char found = next_character(reader);

	if (reader->at == reader->end)
		return input_wrong(reader->input, reader->line, reader->error,
				   "the file ends where %s is expected", what);
	if (found <= ' ' || found >= 0x7f)
		return input_wrong(reader->input, reader->line, reader->error,
				   "byte 0x%02x where %s is expected", (unsigned char)found, what);
	return input_wrong(reader->input, reader->line, reader->error, "'%c' where %s is expected",
			   found, what);
}

static json_t *read_value(struct json_reader *reader)
{
	json_error_t wrong;
	const char *from;
	json_t *value;

	next_character(reader);
	from = reader->at;
	value = json_loadb(from, (size_t)(reader->end - from), VALUE_FLAGS, &wrong);
	if (!value) {
		size_t line = reader->line + (wrong.line > 0 ? (size_t)wrong.line - 1 : 0);

		input_wrong(reader->input, line, reader->error, "not JSON: %.200s", wrong.text);
		return NULL;
	}
	reader->at += wrong.position;
	reader->line += count_lines(from, reader->at);
	return value;
}

/* Reads a null, which stands for an object that is not there. */
static int read_null(struct json_reader *reader)
{
	json_t *value = read_value(reader);

	json_decref(value);
	return value ? 0 : -1;
}

/* ---- what is wrong, and where --------------------------------------------------- */

static void begin_part(struct json_reader *reader, const char *name, size_t index)
{
	next_character(reader);
	reader->part = name;
	reader->part_index = index;
	reader->part_at = reader->at;
	reader->part_line = reader->line;
}

/* Returns the line of "key": in the text of the part. */
static size_t line_of_key(const struct json_reader *reader, const char *key)
{
	size_t length = strlen(key);
	const char *at = reader->part_at;

	while ((at = memchr(at, '"', (size_t)(reader->at - at)))) {
		const char *behind = at + 1 + length;

		at++;
		if (behind >= reader->at || strncmp(at, key, length) || *behind != '"')
			continue;
		behind++;
		if (behind[strspn(behind, BLANK)] == ':')
			return reader->part_line + count_lines(reader->part_at, at);
	}
	return reader->part_line;
}

int json_wrong_key(struct json_reader *reader, const char *key, const char *what)
{
	char index[32] = "";

	if (reader->part_index != NO_INDEX)
		snprintf(index, sizeof(index), "[%zu]", reader->part_index);
	return input_wrong(reader->input, line_of_key(reader, key), reader->error,
			   "%s%s: '%.48s' %s", reader->part, index, key, what);
}

int json_wrong_member(struct json_reader *reader, const char *what)
{
	return input_wrong(reader->input, reader->part_line, reader->error, "\"%s\" %s",
			   reader->part, what);
}

int json_read_time(struct json_reader *reader, const json_t *value, bool *has_time, int64_t *time)
{
	*has_time = !json_is_null(value);
	*time = json_integer_value(value);
	if (!*has_time || (json_is_integer(value) && *time >= 0))
		return 0;
	return json_wrong_member(reader, "must be an integer, in seconds since 1970");
}

/* ---- keys of an object --------------------------------------------------------- */

/* Sets the error about the first key that is not in the table. Returns -1. */
static int refuse_unknown_key(struct json_reader *reader, const json_t *object,
			    const struct json_key *keys, size_t count)
{
	const char *name;
	const json_t *value;
	char what[64];

	snprintf(what, sizeof(what), "is unknown, see %s", reader->document->page);
	json_object_foreach((json_t *)object, name, value) {
		size_t i = 0;

		while (i < count && strcmp(keys[i].name, name))
			i++;
		if (i == count)
			return json_wrong_key(reader, name, what);
	}
	return 0;
}

int json_read_keys(struct json_reader *reader, const json_t *object, const struct json_key *keys,
		   size_t count, void *into)
{
	size_t known = 0;	/* number of the object's keys that are in the table */

	for (size_t i = 0; i < count; i++) {
		const json_t *value = json_object_get(object, keys[i].name);

		if (!value && keys[i].needed)
			return json_wrong_key(reader, keys[i].name, "is missing");
		if (value && keys[i].read(reader, keys[i].name, value, into))
			return -1;
		known += value != NULL;
	}
	if (known < json_object_size(object))
		return refuse_unknown_key(reader, object, keys, count);
	return 0;
}

/* ---- lists of objects ------------------------------------------------------------ */

static int read_inner(struct json_reader *reader, const struct json_member *member, void *into);

static int refuse_element(struct json_reader *reader, const struct json_member *member,
			  size_t index)
{
	return input_wrong(reader->input, reader->part_line, reader->error,
			   "%s[%zu] is not an object, must be %s", member->name, index,
			   member->shape);
}

static int read_element(struct json_reader *reader, const struct json_member *member, size_t index,
			void *into)
{
	json_t *object;
	int status;

	begin_part(reader, member->name, index);
	if (member->is_list && next_character(reader) != '{')
		return refuse_element(reader, member, index);
	if (member->is_list)
		return read_inner(reader, member, into);
	object = read_value(reader);
	if (!object)
		return -1;
	if (json_is_object(object))
		status = member->element(reader, object, into);
	else
		status = refuse_element(reader, member, index);
	json_decref(object);
	return status;
}

static int read_list(struct json_reader *reader, const struct json_member *member, void *into)
{
	char what[64];

	snprintf(what, sizeof(what), "the '[' of \"%s\"", member->name);
	if (!skip(reader, '['))
		return expected(reader, what);
	if (skip(reader, ']'))
		return 0;
	for (size_t index = 0; !index || skip(reader, ','); index++)
		if (read_element(reader, member, index, into))
			return -1;
	return skip(reader, ']') ? 0 : expected(reader, "',' or ']'");
}

/* ---- the object around them ------------------------------------------------------- */

/* The members "format" and "version" of every document; `into` is the document's table. */
static int read_format(struct json_reader *reader, const json_t *value, void *into)
{
	const struct json_document *document = into;
	const char *word = json_string_value(value);

	if (word && !strcmp(word, document->format))
		return 0;
	return input_wrong(reader->input, reader->part_line, reader->error,
			   "\"format\" is %s%.48s%s, must be \"%s\"", word ? "\"" : "",
			   word ? word : "not a string", word ? "\"" : "", document->format);
}

static int read_version(struct json_reader *reader, const json_t *value, void *into)
{
	const struct json_document *document = into;

	if (json_is_integer(value) && json_integer_value(value) == document->version)
		return 0;
	if (json_is_integer(value))
		return input_wrong(reader->input, reader->part_line, reader->error,
				   "\"version\" is %lld, this fathom reads %d",
				   (long long)json_integer_value(value), document->version);
	return input_wrong(reader->input, reader->part_line, reader->error,
			   "\"version\" must be %d", document->version);
}

static const struct json_member head[] = {
	{ .name = "format", .needed = true, .read = read_format },
	{ .name = "version", .needed = true, .read = read_version },
};

#define HEAD_COUNT (sizeof(head) / sizeof(*head))

/* An object while it is read: the document, or a member of it. */
struct level {
	const struct json_member *members;
	size_t count;
	bool has_head;		/* the document: it also has the members of `head` */
	unsigned seen;		/* a bit for each member that occurred */
	void *into;
};

/* Returns a member of the object, the head's first; NULL after the last one. */
static const struct json_member *member_at(const struct level *level, size_t index)
{
	if (level->has_head && index < HEAD_COUNT)
		return &head[index];
	index -= level->has_head ? HEAD_COUNT : 0;
	return index < level->count ? &level->members[index] : NULL;
}

static int read_object(struct json_reader *reader, struct level *level);

static int check_complete(struct json_reader *reader, const struct level *level, size_t line)
{
	const struct json_document *document = reader->document;
	const struct json_member *member;

	for (size_t i = 0; (member = member_at(level, i)); i++) {
		if (!member->needed || level->seen & 1u << i)
			continue;
		if (!level->has_head)
			return input_wrong(reader->input, line, reader->error,
					   "\"%s\" is missing, see %s", member->name,
					   document->page);
		return input_wrong(reader->input, line, reader->error,
				   "\"%s\" is missing, must be {\"format\": \"%s\", "
				   "\"version\": %d, %s}", member->name, document->format,
				   document->version, document->shape);
	}
	return 0;
}

static int read_inner(struct json_reader *reader, const struct json_member *member, void *into)
{
	struct level level = { .members = member->members, .count = member->member_count };
	size_t line;

	if (next_character(reader) == 'n')
		return read_null(reader);
	line = reader->line;
	level.into = member->begin ? member->begin(into) : into;
	if (!level.into)
		return fathom_error_set(reader->error, ENOMEM, "%s", strerror(ENOMEM));
	return read_object(reader, &level) || check_complete(reader, &level, line) ? -1 : 0;
}

static bool is_list(struct json_reader *reader, const struct json_member *member)
{
	if (member->element && member->members)
		return next_character(reader) != '{';
	return member->element || member->is_list;
}

static int read_member(struct json_reader *reader, const struct json_member *member, void *into)
{
	json_t *value;
	int status = 0;

	if (member && !member->needed && !member->read && next_character(reader) == 'n')
		return read_null(reader);
	if (member && is_list(reader, member))
		return read_list(reader, member, into);
	if (member && member->members)
		return read_inner(reader, member, into);
	begin_part(reader, member ? member->name : "", NO_INDEX);
	value = read_value(reader);
	if (!value)
		return -1;
	if (member)
		status = member->read(reader, value, into);
	json_decref(value);
	return status;
}

static int read_named(struct json_reader *reader, const char *name, struct level *level)
{
	const struct json_document *document = reader->document;
	const struct json_member *member;
	bool of_head;
	size_t i = 0;

	while ((member = member_at(level, i)) && strcmp(member->name, name))
		i++;
	of_head = level->has_head && i < HEAD_COUNT;
	if (member && level->seen & 1u << i)
		return input_wrong(reader->input, reader->line, reader->error,
				   "\"%s\" occurs twice, must occur once", name);
	if (!member && document->strict)
		return input_wrong(reader->input, reader->line, reader->error,
				   "\"%.48s\" is unknown, see %s", name, document->page);
	if (member)
		level->seen |= 1u << i;
	return read_member(reader, member, of_head ? (void *)document : level->into);
}

static int read_pair(struct json_reader *reader, struct level *level)
{
	json_t *key;
	int status;

	if (next_character(reader) != '"')
		return expected(reader, "a key in quotes");
	key = read_value(reader);
	if (!key)
		return -1;
	if (skip(reader, ':'))
		status = read_named(reader, json_string_value(key), level);
	else
		status = expected(reader, "':'");
	json_decref(key);
	return status;
}

static int read_object(struct json_reader *reader, struct level *level)
{
	if (!skip(reader, '{'))
		return expected(reader, "'{'");
	if (skip(reader, '}'))
		return 0;
	do {
		if (read_pair(reader, level))
			return -1;
	} while (skip(reader, ','));
	return skip(reader, '}') ? 0 : expected(reader, "',' or '}'");
}

int json_read_document(struct document *input, const struct json_document *document, void *into,
		       struct fathom_error *error)
{
	struct json_reader reader = {
		.input = input,
		.document = document,
		.error = error,
		.at = input->text + document_mark(input),
		.end = input->text + input->length,
		.line = 1,
	};
	struct level level = { .members = document->members, .count = document->member_count,
			       .has_head = true, .into = into };

	if (read_object(&reader, &level))
		return -1;
	next_character(&reader);
	if (reader.at < reader.end)
		return expected(&reader, "the end of the file");
	return check_complete(&reader, &level, 1);
}

/* ---- recognition -------------------------------------------------------------------- */

bool json_recognize(const struct document *input)
{
	const char *at = input->text + document_mark(input);

	return at[strspn(at, BLANK)] == '{';
}

bool json_is_format(const struct document *input, const char *format)
{
	size_t length = strlen(format), size = input->length < HEAD ? input->length : HEAD;
	const char *found = memmem(input->text, size, "\"format\"", strlen("\"format\""));

	if (!found || !json_recognize(input))
		return false;
	found += strlen("\"format\"");
	found += strspn(found, BLANK ":");
	return *found == '"' && !strncmp(found + 1, format, length) && found[1 + length] == '"';
}
