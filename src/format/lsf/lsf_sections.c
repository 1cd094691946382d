/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the sections of a file. The first line of a section tells how it is written: with '=' it
 * has a pair in each line, otherwise it is the heading of a table. Lists stand in parentheses;
 * "-" and "()" are the default.
 * Source: LSF, "Configuration files".
 */
#include "core/error.h"
#include "core/plural.h"
#include "format/lsf/lsf_keys.h"
#include "format/lsf/lsf_left_out.h"
#include "format/lsf/lsf_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_COLUMNS 64

struct reader {
	struct document *input;
	struct lsf_conf *conf;
	struct lsf_lines lines;
	struct fathom_error *error;
	const struct lsf_section *section;	/* NULL: the present section is left out */
	char *name;			/* of the present section; NULL: outside of sections */
	size_t begin;			/* its first line */
	bool is_begun;			/* its first line has been read */
	size_t entry;			/* index of its entry, or of that of its last row */
	char *column[MOST_COLUMNS];	/* if it is a table: the keys in its heading */
	size_t column_count;
};

#define WRONG(reader, ...) \
	input_wrong((reader)->input, (reader)->lines.number, (reader)->error, __VA_ARGS__)

/* ---- values ------------------------------------------------------------------------------ */

static bool is_blank(char character)
{
	return character == ' ' || character == '\t';
}

/* Returns how long the list is that begins with '(', with its ')'; 0: it has no end. */
static size_t list_length(struct piece text)
{
	size_t depth = 0;

	for (size_t i = 0; i < text.length; i++) {
		depth += text.at[i] == '(';
		depth -= text.at[i] == ')';
		if (!depth)
			return i + 1;
	}
	return 0;
}

/* Takes off what encloses all of a value: parentheses, quotes. "-" is the default, as "()" is. */
static struct piece unwrap(struct piece value)
{
	value = piece_trim(value);
	if (value.length > 1 && *value.at == '"' && value.at[value.length - 1] == '"' &&
	    !memchr(value.at + 1, '"', value.length - 2))
		return piece_trim((struct piece){ value.at + 1, value.length - 2 });
	if (value.length && *value.at == '(' && list_length(value) == value.length)
		return piece_trim((struct piece){ value.at + 1, value.length - 2 });
	if (piece_is(value, "-"))
		value.length = 0;
	return value;
}

/* Cuts the next value of a table's row off the line. Its `at` is NULL after the last one. -1: a
 * list has no end. */
static int next_value(struct reader *reader, struct piece *line, struct piece *value)
{
	*line = piece_trim(*line);
	*value = (struct piece){ line->length ? line->at : NULL, 0 };
	if (!line->length)
		return 0;
	if (*line->at == '(')
		value->length = list_length(*line);
	else
		while (value->length < line->length && !is_blank(line->at[value->length]) &&
		       line->at[value->length] != '(')
			value->length++;
	if (!value->length)
		return WRONG(reader, "no ')' ends the list '%.*s'", PIECE(*line));
	line->at += value->length;
	line->length -= value->length;
	return 0;
}

/* Checks a value of a key that is read. */
static int check_pair(struct reader *reader, const struct lsf_key *key, struct lsf_pair *pair,
		      size_t length)
{
	struct fathom_error inner;

	for (char *at = pair->value; *at; at++)
		if (*at == '\t')
			*at = ' ';
	if (strlen(pair->value) != length ||
	    !piece_is_printable((struct piece){ pair->value, length }))
		return WRONG(reader, "%.64s: has a byte that is not a printable UTF-8 character",
			     key->name);
	if (!length || !key->check(pair, &inner))
		return 0;
	if (inner.code == ENOMEM)
		return fathom_error_no_memory(reader->error);
	return WRONG(reader, "%.64s: %s", pair->key, inner.text);
}

/* Adds a pair to the entry that was added last of those of the section. */
static int add_pair(struct reader *reader, struct piece name, struct piece value)
{
	struct lsf_entry *entry = &reader->conf->entry[reader->entry];
	const struct lsf_key *key;
	struct lsf_pair *pair;

	value = unwrap(value);
	if (lsf_entry_add(entry, name, value, reader->lines.number, reader->error))
		return -1;
	pair = &entry->pair[entry->count - 1];
	key = lsf_key_find(entry->section, pair->key);
	if (!key)
		return 0;
	for (size_t i = 0; i + 1 < entry->count; i++)
		if (!strcasecmp(entry->pair[i].key, pair->key))
			return WRONG(reader, "%.64s: has a value in line %zu already; must be "
				     "given once", pair->key, entry->pair[i].line);
	return check_pair(reader, key, pair, value.length);
}

/* ---- sections ---------------------------------------------------------------------------- */

static int begin_entry(struct reader *reader, size_t line)
{
	struct site_origin origin = { reader->input->name, line };

	if (!lsf_conf_add(reader->conf, reader->section, origin))
		return fathom_error_no_memory(reader->error);
	reader->entry = reader->conf->count - 1;
	return 0;
}

/* Each queue, group and partition has a name. */
static int end_entry(struct reader *reader, size_t line)
{
	const struct lsf_entry *entry = &reader->conf->entry[reader->entry];
	const char *key = reader->section->name_key;

	if (!key || lsf_entry_value(entry, key))
		return 0;
	return input_wrong(reader->input, line, reader->error, "%s: must be given", key);
}

static void forget_columns(struct reader *reader)
{
	while (reader->column_count)
		free(reader->column[--reader->column_count]);
}

/* Reads the heading of a table, or the first pair of a section. */
static int read_heading(struct reader *reader, struct piece line)
{
	const char *key = reader->section->name_key;
	bool has_key = false;
	struct piece word;

	while (!next_value(reader, &line, &word) && word.at) {
		if (reader->column_count == MOST_COLUMNS)
			return WRONG(reader, "more than %d columns", MOST_COLUMNS);
		has_key |= piece_is_any_case(word, key);
		reader->column[reader->column_count] = strndup(word.at, word.length);
		if (!reader->column[reader->column_count++])
			return fathom_error_no_memory(reader->error);
	}
	if (word.at)
		return -1;
	if (has_key)
		return 0;
	return WRONG(reader, "no '=' behind '%.64s'; must be KEY = VALUE, or the heading of a "
		     "table with the column %s", reader->column[0], key);
}

/* Are there as many values as columns? */
static int check_row(struct reader *reader, struct piece line)
{
	struct piece value;
	size_t count = 0;
	int status;

	while (!(status = next_value(reader, &line, &value)) && value.at)
		count++;
	if (status || count == reader->column_count)
		return status;
	return WRONG(reader, "%zu value%s, must be %zu, as in the heading; () is the default, and "
		     "a list stands in parentheses", count, PLURAL(count),
		     reader->column_count);
}

static int read_row(struct reader *reader, struct piece line)
{
	if (check_row(reader, line) || begin_entry(reader, reader->lines.number))
		return -1;
	for (size_t i = 0; i < reader->column_count; i++) {
		struct piece key = { reader->column[i], strlen(reader->column[i]) }, value;

		if (next_value(reader, &line, &value) || add_pair(reader, key, value))
			return -1;
	}
	return end_entry(reader, reader->lines.number);
}

static int read_pair(struct reader *reader, struct piece line)
{
	const char *equals = memchr(line.at, '=', line.length);
	struct piece key = { line.at, equals ? (size_t)(equals - line.at) : 0 }, value;

	key = piece_trim(key);
	if (!key.length)
		return WRONG(reader, "'%.*s' must be KEY = VALUE", PIECE(line));
	value = (struct piece){ equals + 1, line.length - (size_t)(equals + 1 - line.at) };
	return add_pair(reader, key, value);
}

static int read_in_section(struct reader *reader, struct piece line)
{
	bool is_first = !reader->is_begun;
	bool is_heading = is_first && reader->section && reader->section->name_key &&
			  !memchr(line.at, '=', line.length);

	reader->is_begun = true;
	if (!reader->section)
		return 0;
	if (is_heading)
		return read_heading(reader, line);
	if (reader->column_count)
		return read_row(reader, line);
	if (is_first && begin_entry(reader, reader->begin))
		return -1;
	return read_pair(reader, line);
}

static int begin_section(struct reader *reader, struct piece name)
{
	struct site_origin origin = { reader->input->name, reader->lines.number };
	struct lsf_entry *entry;

	if (reader->name)
		return WRONG(reader, "section %.64s of line %zu has no End before this line",
			     reader->name, reader->begin);
	if (!name.length)
		return WRONG(reader, "no name of a section behind Begin, such as Queue");
	reader->name = strndup(name.at, name.length);
	if (!reader->name)
		return fathom_error_no_memory(reader->error);
	reader->begin = reader->lines.number;
	reader->section = lsf_section_find(name);
	reader->is_begun = false;
	if (reader->section)
		return 0;
	entry = lsf_conf_add(reader->conf, &lsf_other_section, origin);
	if (!entry)
		return fathom_error_no_memory(reader->error);
	return lsf_entry_add(entry, name, (struct piece){ "", 0 }, origin.line, reader->error);
}

static int end_section(struct reader *reader, struct piece name)
{
	bool has_pairs = reader->section && reader->is_begun && !reader->column_count;

	if (!reader->name)
		return WRONG(reader, "End without a Begin before it");
	if (!piece_is_any_case(name, reader->name))
		return WRONG(reader, "End %.*s, must be End %.64s, for the section of line %zu",
			     PIECE(name), reader->name, reader->begin);
	free(reader->name);
	reader->name = NULL;
	forget_columns(reader);
	return has_pairs ? end_entry(reader, reader->begin) : 0;
}

/* ---- the file ---------------------------------------------------------------------------- */

static int read_line(struct reader *reader, struct piece line)
{
	struct piece words[2] = { { "", 0 }, { "", 0 } };
	size_t count = split_words(line, words, 2);

	if (count <= 2 && piece_is_any_case(words[0], "Begin"))
		return begin_section(reader, words[1]);
	if (count <= 2 && piece_is_any_case(words[0], "End"))
		return end_section(reader, words[1]);
	if (!reader->name)
		return WRONG(reader, "'%.*s' is outside of a section, must stand between Begin "
			     "NAME and End NAME", PIECE(line));
	return read_in_section(reader, line);
}

int lsf_conf_read(struct lsf_conf *conf, struct document *input, struct fathom_error *error)
{
	struct reader reader = { .input = input, .conf = conf, .error = error };
	size_t first = conf->count;
	struct piece line;
	int found;

	reader.lines = (struct lsf_lines){ .input = input, .conf = conf, .error = error,
					   .lines = lines_of(input) };
	while ((found = lsf_lines_next(&reader.lines, &line)) > 0)
		if ((found = read_line(&reader, line)))
			break;
	if (!found && reader.name)
		found = input_wrong(input, reader.begin, error, "section %.64s has no End %.64s",
				    reader.name, reader.name);
	free(reader.name);
	forget_columns(&reader);
	lsf_lines_clear(&reader.lines);
	if (!found)
		found = lsf_remark_left_out(conf, first, input, error);
	return found;
}
