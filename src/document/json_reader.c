/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a document by the table of its members. The document's object, and objects and lists that
 * have .members, are walked through here, token by token; values and lists that have .element are
 * parsed by yajl, see parsed_json.h:
 *
 *	{"time": 5, "nodes": [{"id": 1}, {"id": 2}]}
 *	 ------     -------                           read_pair(): names
 *	         -                                    json_parse(): a value
 *	                     -----------------------  json_parse(): a list, whose elements it passes
 *	                                              to read_element()
 */
#include "document/json_reader.h"

#include "document/text.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLANK " \t\r\n"
#define NO_INDEX SIZE_MAX	/* the part is not an element of a list */
#define HEAD_SIZE 4096	/* bytes in which a file must have its "format" */

/* ---- tokens ------------------------------------------------------------------ */

/* Skips blanks, and returns the next character without skipping it; NUL at the end of the file. */
static char next_character(struct json_reader *reader)
{
	for (; reader->at < reader->end && strchr(BLANK, *reader->at) && *reader->at; reader->at++)
		reader->line += *reader->at == '\n';
	return reader->at < reader->end ? *reader->at : '\0';
}

/* Skips blanks, and the character `wanted` if it comes next. Returns whether it does. */
static bool skip(struct json_reader *reader, char wanted)
{
	if (next_character(reader) != wanted || reader->at == reader->end)
		return false;
	reader->at++;
	return true;
}

/* Fails because something other than `what` comes next. */
static _Noreturn void expected(struct json_reader *reader, const char *what)
{
	char found = next_character(reader);

	if (reader->at == reader->end)
		wrong_at(reader->input, reader->line, "the file ends where %s is expected", what);
	if (found <= ' ' || found >= 0x7f)
		wrong_at(reader->input, reader->line, "byte 0x%02x where %s is expected",
			 (unsigned char)found, what);
	wrong_at(reader->input, reader->line, "'%c' where %s is expected", found, what);
}

/* Skips the character `wanted`. Fails if another one comes next. what: its name in the error. */
static void expect(struct json_reader *reader, char wanted, const char *what)
{
	if (!skip(reader, wanted))
		expected(reader, what);
}

/* Moves to a later place in the text, and counts the lines up to there. */
static void advance(struct json_reader *reader, const char *at)
{
	reader->line += count_lines(reader->at, at);
	reader->at = at;
}

/* Parses the value that comes next, and moves behind it. Sets reader->value. The caller has set how
 * to parse in *source, but neither its text nor its length. */
static void parse(struct json_reader *reader, struct json_source *source)
{
	const char *from = reader->at;

	source->text = from;
	source->length = (size_t)(reader->end - from);
	reader->value = json_parse(&reader->values, source);
	advance(reader, from + source->used);
	if (!reader->value)
		wrong_at(reader->input, reader->line, "not JSON: %s", source->wrong);
}

/* Parses the value that comes next as a whole. Returns it, valid until the next one is parsed. */
static const struct parsed *read_value(struct json_reader *reader)
{
	next_character(reader);
	parse(reader, &(struct json_source){ 0 });
	return reader->value;
}

/* ---- what is wrong, and where --------------------------------------------------- */

/* Notes that the part which comes next is being read. index: in the list; or NO_INDEX. */
static void begin_part(struct json_reader *reader, const char *name, size_t index)
{
	next_character(reader);
	reader->part = name;
	reader->part_index = index;
	reader->part_at = reader->at;
	reader->part_line = reader->line;
}

/* Returns the line on which the text of the part, as far as it is read, has "key" and a colon. If
 * it does not, because the key is missing, returns the line of the part's start. */
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

void json_wrong_key(struct json_reader *reader, const char *key, const char *what)
{
	char index[32] = "";

	if (reader->part_index != NO_INDEX)
		snprintf(index, sizeof(index), "[%zu]", reader->part_index);
	wrong_at(reader->input, line_of_key(reader, key), "%s%s: '%.48s' %s", reader->part, index,
		 key, what);
}

void json_wrong_member(struct json_reader *reader, const char *what)
{
	wrong_at(reader->input, reader->part_line, "\"%s\" %s", reader->part, what);
}

void json_read_time(struct json_reader *reader, const struct parsed *value, bool *has_time,
		    int64_t *time)
{
	*has_time = true;
	*time = parsed_integer(value);
	if (!parsed_is(value, PARSED_INTEGER) || *time < 0)
		json_wrong_member(reader, "must be an integer, in seconds since 1970");
}

double json_figure(struct json_reader *reader, const struct parsed *value, const char *key)
{
	const char *word = parsed_text(value);

	if (!value || parsed_is(value, PARSED_NULL))
		return NAN;
	if (word && !strcmp(word, "inf"))
		return INFINITY;
	if (!parsed_is_number(value))
		json_wrong_key(reader, key, "must be a number, \"inf\" or null");
	return parsed_number(value);
}

double json_read_figure(struct json_reader *reader, const struct parsed *object, const char *key)
{
	return json_figure(reader, parsed_member(object, key), key);
}

uint32_t json_read_shares(struct json_reader *reader, const struct parsed *value, const char *key)
{
	const char *word = parsed_text(value);
	int64_t shares = parsed_integer(value);

	if (word && !strcmp(word, "parent"))
		return FATHOM_SHARES_PARENT;
	if (!parsed_is(value, PARSED_INTEGER) || shares < 0 || shares >= FATHOM_SHARES_PARENT)
		json_wrong_key(reader, key,
			       "must be an integer from 0 to 4294967294, or \"parent\"");
	return (uint32_t)shares;
}

const char *json_value_text(const struct parsed *value)
{
	if (parsed_is_switch(value))
		return parsed_is(value, PARSED_TRUE) ? "yes" : "no";
	if (parsed_is_number(value))
		return need_print("%.17g", parsed_number(value));
	return parsed_text(value);
}

/* ---- keys of an object --------------------------------------------------------- */

/* Fails because of the value of a key, or of the member itself if the row has no name. */
static _Noreturn void wrong_value(struct json_reader *reader, const struct json_key *key,
				  const char *what)
{
	if (key->name)
		json_wrong_key(reader, key->name, what);
	json_wrong_member(reader, what);
}

/* Returns whether a value is a number that its row allows. number: the value as a double. */
static bool is_allowed_number(const struct json_key *key, const struct parsed *value, double number)
{
	if (!(number >= key->low && number <= key->high))
		return false;
	/* a large integer above the range may become `high` when it is rounded to a double, so then
	 * integers are compared */
	if (key->type == JSON_UINT64)
		return parsed_is(value, PARSED_INTEGER) &&
		       (number < key->high || parsed_integer(value) <= (int64_t)key->high);
	return parsed_is_number(value) && (key->type == JSON_NUMBER || number == trunc(number));
}

/* Stores a number in a field: a uint64_t for JSON_UINT64, else a double. */
static void read_number(struct json_reader *reader, const struct json_key *key,
			const struct parsed *value, void *field)
{
	double number = parsed_number(value);

	if (!is_allowed_number(key, value, number))
		wrong_value(reader, key, key->right);
	if (key->type == JSON_UINT64)
		*(uint64_t *)field = (uint64_t)parsed_integer(value);
	else
		*(double *)field = number;
}

void json_read_value(struct json_reader *reader, const struct json_key *key,
		     const struct parsed *value, void *into)
{
	void *field = (char *)into + key->at;

	if (parsed_is(value, PARSED_NULL) && key->or_null)
		return;
	if (key->read) {
		key->read(reader, key, value, into);
	} else if (key->type == JSON_BOOL) {
		if (!parsed_is_switch(value))
			wrong_value(reader, key, "must be true or false");
		*(bool *)field = parsed_is(value, PARSED_TRUE);
	} else if (key->type == JSON_COPY) {
		if (!parsed_is(value, PARSED_TEXT))
			wrong_value(reader, key, key->right ? key->right : "must be a string");
		*(const char **)field = need_text(parsed_text(value));
	} else if (key->type == JSON_TEXT) {
		if (!parsed_length(value))
			wrong_value(reader, key, "must be a string with at least one character");
		*(const char **)field = parsed_text(value);
	} else {
		read_number(reader, key, value, field);
	}
}

/* Returns the row of a key; NULL: the table has none. Looks first at row `from`, then at those
 * behind it: most files have their keys in the table's order, so the first look finds them. */
static const struct json_key *find_key(const struct json_key *keys, size_t count, size_t from,
				       const char *name)
{
	for (size_t i = 0; i < count; i++) {
		const struct json_key *key = &keys[(from + i) % count];

		if (!strcmp(key->name, name))
			return key;
	}
	return NULL;
}

void json_read_keys(struct json_reader *reader, const struct parsed *object,
		    const struct json_key *keys, void *into)
{
	const struct parsed *value;
	size_t count = 0, next = 0;	/* next: the row behind that of the last key */
	uint64_t seen = 0;		/* a bit for each row */
	const char *name;

	while (keys[count].name)
		count++;
	parsed_for_each_key(object, name, value) {
		const struct json_key *key = find_key(keys, count, next, name);

		if (!key)
			json_wrong_key(reader, name, need_print("is unknown, see %s",
								reader->document->page));
		json_read_value(reader, key, value, into);
		seen |= UINT64_C(1) << (key - keys);
		next = (size_t)(key - keys) + 1;
	}
	for (size_t i = 0; i < count; i++)
		if (keys[i].needed && !(seen >> i & 1))
			json_wrong_key(reader, keys[i].name, "is missing");
}

/* ---- lists of objects ------------------------------------------------------------ */

static void read_inner(struct json_reader *reader, const struct json_member *member, void *into);

/* Fails because the element that is being read is not an object. */
static _Noreturn void wrong_element(struct json_reader *reader, const struct json_member *member)
{
	wrong_at(reader->input, reader->part_line, "%s[%zu] is not an object, must be %s",
		 member->name, reader->part_index, member->shape);
}

/* A list while it is read. */
struct element_list {
	struct json_reader *reader;
	const struct json_member *member;
	void *into;		/* that of member->element */
	const char *text;	/* the list begins here */
	size_t index;		/* of the next element */
};

/* Called by json_parse() for each element. begin, end: see struct json_source. */
static void read_element(void *context, const struct parsed *element, size_t begin, size_t end)
{
	struct element_list *list = context;
	struct json_reader *reader = list->reader;

	advance(reader, list->text + begin);
	begin_part(reader, list->member->name, list->index++);
	advance(reader, list->text + end);
	if (!parsed_is(element, PARSED_OBJECT))
		wrong_element(reader, list->member);
	list->member->element(reader, element, list->into);
}

/* Reads a list of objects with members, each by read_inner(). into: of the object around the
 * list. */
static void read_inner_list(struct json_reader *reader, const struct json_member *member,
			    void *into)
{
	expect(reader, '[', "'['");
	if (skip(reader, ']'))
		return;
	for (size_t i = 0; !i || skip(reader, ','); i++) {
		begin_part(reader, member->name, i);
		if (next_character(reader) != '{')
			wrong_element(reader, member);
		read_inner(reader, member, into);
	}
	expect(reader, ']', "',' or ']'");
}

/* Reads the list of a member. into: of the object around the member. */
static void read_list(struct json_reader *reader, const struct json_member *member, void *into)
{
	struct element_list list = { .reader = reader, .member = member, .into = into };
	char what[64];	/* the list's bracket, for the error */

	snprintf(what, sizeof(what), "the '[' of \"%s\"", member->name);
	if (next_character(reader) != '[')
		expected(reader, what);
	list.text = reader->at;
	if (member->is_list)
		read_inner_list(reader, member, into);
	else
		parse(reader, &(struct json_source){ .element = read_element, .context = &list });
}

/* ---- objects with members, and the document ------------------------------------------ */

/* Checks "format", which every document has. */
static void read_format(struct json_reader *reader, const struct parsed *value, void *into)
{
	const struct json_document *document = reader->document;
	const char *word = parsed_text(value);

	(void)into;
	if (word && !strcmp(word, document->format))
		return;
	wrong_at(reader->input, reader->part_line, "\"format\" is %s%.48s%s, must be \"%s\"",
		 word ? "\"" : "", word ? word : "not a string", word ? "\"" : "",
		 document->format);
}

/* Checks "version", which every document has. */
static void read_version(struct json_reader *reader, const struct parsed *value, void *into)
{
	const struct json_document *document = reader->document;

	(void)into;
	if (parsed_is(value, PARSED_INTEGER) && parsed_integer(value) == document->version)
		return;
	if (parsed_is(value, PARSED_INTEGER))
		wrong_at(reader->input, reader->part_line,
			 "\"version\" is %lld, this fathom reads %d",
			 (long long)parsed_integer(value), document->version);
	wrong_at(reader->input, reader->part_line, "\"version\" must be %d", document->version);
}

static const struct json_member head[] = {
	{ .name = "format", .needed = true, .read = read_format },
	{ .name = "version", .needed = true, .read = read_version },
};

#define HEAD_COUNT (sizeof(head) / sizeof(*head))

/* An object while it is read: the document, or a member of it. */
struct open_object {
	const struct json_member *members;
	bool has_head;		/* it is the document: it also has the members of `head` */
	unsigned seen;		/* a bit for each member that occurred, by member_at() */
	void *into;		/* the struct that members are read into */
};

/* Returns a member of the object, the head's first; NULL after the last one. */
static const struct json_member *member_at(const struct open_object *object, size_t index)
{
	const struct json_member *member;

	if (object->has_head && index < HEAD_COUNT)
		return &head[index];
	member = &object->members[index - (object->has_head ? HEAD_COUNT : 0)];
	return member->name ? member : NULL;
}

static void read_object(struct json_reader *reader, struct open_object *object);

/* Fails if a needed member has not occurred. line: of the object's start. */
static void check_complete(struct json_reader *reader, const struct open_object *object,
			   size_t line)
{
	const struct json_document *document = reader->document;
	const struct json_member *member;

	for (size_t i = 0; (member = member_at(object, i)); i++) {
		if (!member->needed || object->seen & 1u << i)
			continue;
		if (!object->has_head)
			wrong_at(reader->input, line, "\"%s\" is missing, see %s", member->name,
				 document->page);
		wrong_at(reader->input, line, "\"%s\" is missing, must be {\"format\": \"%s\", "
			 "\"version\": %d, %s}", member->name, document->format,
			 document->version, document->shape);
	}
}

/* Reads an object with members, or skips null, even if the member is needed. into: of the object
 * around the member. */
static void read_inner(struct json_reader *reader, const struct json_member *member, void *into)
{
	struct open_object object = { .members = member->members };
	size_t line;

	if (next_character(reader) == 'n') {
		read_value(reader);	/* fails if it is another word than null */
		return;
	}
	line = reader->line;
	object.into = (char *)into + member->at;
	if (member->size)
		object.into = need_append(object.into, (void *)((char *)into + member->count_at),
					 member->size);
	read_object(reader, &object);
	check_complete(reader, &object, line);
}

/* Returns whether the value that comes next must be a list. A member that may be a list or an
 * object is one unless it begins with a brace. */
static bool is_list(struct json_reader *reader, const struct json_member *member)
{
	if (member->element && member->members)
		return next_character(reader) != '{';
	return member->element || member->is_list;
}

/* Reads the value of a member. into: of the object around the member. */
static void read_member(struct json_reader *reader, const struct json_member *member, void *into)
{
	if (!member->needed && next_character(reader) == 'n') {
		read_value(reader);	/* fails if it is another word than null */
	} else if (is_list(reader, member)) {
		read_list(reader, member, into);
	} else if (member->members) {
		read_inner(reader, member, into);
	} else {
		begin_part(reader, member->name, NO_INDEX);
		read_value(reader);
		if (member->read)
			member->read(reader, reader->value, into);
		else
			json_read_value(reader, &member->value, reader->value, into);
	}
}

/* Reads the value of the member with this name, or skips it if it is unknown and the document is
 * not strict. */
static void read_named(struct json_reader *reader, const char *name, struct open_object *object)
{
	const struct json_document *document = reader->document;
	const struct json_member *member;
	size_t i = 0;

	while ((member = member_at(object, i)) && strcmp(member->name, name))
		i++;
	if (member && object->seen & 1u << i)
		wrong_at(reader->input, reader->line, "\"%s\" occurs twice, must occur once", name);
	if (!member && document->strict)
		wrong_at(reader->input, reader->line, "\"%.48s\" is unknown, see %s", name,
			 document->page);
	if (!member) {
		read_value(reader);
		return;
	}
	object->seen |= 1u << i;
	read_member(reader, member, object->into);
}

/* Reads a member's name and its value. */
static void read_pair(struct json_reader *reader, struct open_object *object)
{
	char name[64];	/* longer than any member's, so a name that is cut is unknown */

	if (next_character(reader) != '"')
		expected(reader, "a key in quotes");
	snprintf(name, sizeof(name), "%s", parsed_text(read_value(reader)));
	expect(reader, ':', "':'");
	read_named(reader, name, object);
}

/* Reads an object from its brace to its brace, and notes in object->seen which members it has. */
static void read_object(struct json_reader *reader, struct open_object *object)
{
	expect(reader, '{', "'{'");
	if (skip(reader, '}'))
		return;
	do {
		read_pair(reader, object);
	} while (skip(reader, ','));
	expect(reader, '}', "',' or '}'");
}

/* Reads the document; called by document_try(), as the caller has memory of yajl to free. */
static void read_document(void *context)
{
	struct json_reader *reader = context;
	struct open_object object = { .members = reader->document->members,
			       .has_head = true, .into = reader->into };
	const char *wrong = json_find_wrong_blank(reader->at, (size_t)(reader->end - reader->at));

	if (wrong)
		wrong_at(reader->input, 1 + count_lines(reader->at, wrong),
			 "not JSON: byte 0x%02x is no blank", (unsigned)*wrong);

	read_object(reader, &object);
	next_character(reader);
	if (reader->at < reader->end)
		expected(reader, "the end of the file");
	check_complete(reader, &object, 1);
}

void json_read_document(struct document *input, const struct json_document *document, void *into)
{
	struct json_reader reader = {
		.input = input,
		.document = document,
		.into = into,
		.at = input->text + document_mark(input),
		.end = input->text + input->length,
		.line = 1,
	};
	struct failure failure;
	int status = document_try(read_document, &reader, &failure);

	parsed_values_clear(&reader.values);
	if (status)
		wrong_again(&failure);
}

/* ---- recognition -------------------------------------------------------------------- */

bool json_recognize(const struct document *input)
{
	const char *at = input->text + document_mark(input);

	return at[strspn(at, BLANK)] == '{';
}

bool json_is_format(const struct document *input, const char *format)
{
	size_t length = strlen(format);
	size_t size = input->length < HEAD_SIZE ? input->length : HEAD_SIZE;
	const char *found = memmem(input->text, size, "\"format\"", strlen("\"format\""));

	if (!found || !json_recognize(input))
		return false;
	found += strlen("\"format\"");
	found += strspn(found, BLANK ":");
	return *found == '"' && !strncmp(found + 1, format, length) && found[1 + length] == '"';
}
