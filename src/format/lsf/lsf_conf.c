/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the sections of a file; lsf.h shows both forms. The first line of a section tells its form:
 * with '=', each line is a pair; otherwise the line is the heading of a table, and each further
 * line is a row. Values that are lists stand in parentheses; "-" and "()" are the default.
 * Source: LSF, "Configuration files".
 */
#include "core/plural.h"
#include "format/lsf/lsf.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#define MOST_COLUMNS 64

/* A file while it is read. */
struct reader {
	struct document *input;
	struct lsf_conf *conf;
	struct lsf_lines lines;
	/* The present section: */
	const struct lsf_section *section;	/* NULL: it is left out */
	char *name;			/* as Begin names it; NULL: outside of sections */
	size_t begin;			/* the line with Begin */
	bool is_begun;			/* the line after Begin has been read */
	size_t entry;			/* index of its entry, or of that of its last row */
	char *column[MOST_COLUMNS];	/* of a table: the keys in its heading */
	size_t column_count;		/* 0: it is no table */
};

/* ---- entries ----------------------------------------------------------------------------- */

struct lsf_entry *lsf_conf_add(struct lsf_conf *conf, const struct lsf_section *section,
			       struct site_origin origin)
{
	struct lsf_entry *entry = need_append(&conf->entry, &conf->count, sizeof(*entry));

	*entry = (struct lsf_entry){ .section = section, .origin = origin };
	return entry;
}

struct lsf_pair *lsf_entry_add(struct lsf_entry *entry, struct piece key, struct piece value,
			       size_t line)
{
	struct lsf_pair *pair = need_append(&entry->pair, &entry->count, sizeof(*pair));

	*pair = (struct lsf_pair){ need_copy(key), need_copy(value), line };
	return pair;
}

const struct lsf_pair *lsf_entry_pair(const struct lsf_entry *entry, const char *key)
{
	for (size_t i = 0; i < entry->count; i++)
		if (!strcasecmp(entry->pair[i].key, key))
			return *entry->pair[i].value ? &entry->pair[i] : NULL;
	return NULL;
}

const char *lsf_entry_value(const struct lsf_entry *entry, const char *key)
{
	const struct lsf_pair *pair = lsf_entry_pair(entry, key);

	return pair ? pair->value : NULL;
}

const struct lsf_entry *lsf_conf_next(const struct lsf_conf *conf,
				      const struct lsf_section *section,
				      const struct lsf_entry *entry)
{
	size_t at = entry ? (size_t)(entry - conf->entry) + 1 : 0;

	for (; at < conf->count; at++)
		if (conf->entry[at].section == section)
			return &conf->entry[at];
	return NULL;
}

const struct lsf_entry *lsf_conf_find(const struct lsf_conf *conf,
				      const struct lsf_section *section, struct piece name)
{
	const struct lsf_entry *entry = NULL;

	while ((entry = lsf_conf_next(conf, section, entry)) &&
	       !piece_is(name, lsf_entry_value(entry, section->name_key)))
		continue;
	return entry;
}

/* ---- values ------------------------------------------------------------------------------ */

/* Returns the length of the list with which a text begins, from its '(' to its ')'; 0: no ')' ends
 * it. */
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

/* Returns a value without the parentheses or quotes that enclose all of it; "" for "-" and "()",
 * the default. */
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

/* Returns the length of the value that a row begins with: of a list, or of a word up to a blank or
 * a list; 0: no ')' ends the list. row: not empty. */
static size_t value_length(struct piece row)
{
	size_t length = 0;

	if (*row.at == '(')
		return list_length(row);
	while (length < row.length && !is_blank(row.at[length]) && row.at[length] != '(')
		length++;
	return length;
}

/* Splits a row of a table, or its heading, into values, lists with their parentheses. Returns their
 * number, which may be more than MOST_COLUMNS, and puts the first MOST_COLUMNS into `values`. */
static size_t split_row(struct reader *reader, struct piece line, struct piece *values)
{
	size_t count = 0;

	for (line = piece_trim(line); line.length; line = piece_trim(line)) {
		size_t length = value_length(line);

		if (!length)
			WRONG_LINE(reader, "no ')' ends the list '%.*s'", PIECE(line));
		if (count < MOST_COLUMNS)
			values[count] = (struct piece){ line.at, length };
		piece_cut(&line, length);
		count++;
	}
	return count;
}

/* Checks the value of a pair whose key is read, and makes tabs in it blanks. length: of the value
 * in the file; the copy is shorter if it has a NUL byte. */
static void check_pair(struct reader *reader, const struct lsf_key *key, struct lsf_pair *pair,
		       size_t length)
{
	struct fathom_error inner;

	for (char *at = pair->value; *at; at++)
		if (*at == '\t')
			*at = ' ';
	if (strlen(pair->value) != length ||
	    !piece_is_printable((struct piece){ pair->value, length }))
		WRONG_LINE(reader, "%.64s: has a byte that is not a printable UTF-8 character",
			   key->name);
	if (!length || !key->rule->check(key->rule, pair, &inner))
		return;
	need_done(inner.code == ENOMEM);	/* ends the command if it is out of memory */
	WRONG_LINE(reader, "%.64s: %s", pair->key, inner.text);
}

/* Adds a pair to the section, or to its last row. Fails, see wrong_at(), if its key is read, and
 * the value is wrong or the second one. */
static void add_pair(struct reader *reader, struct piece name, struct piece value)
{
	struct lsf_entry *entry = &reader->conf->entry[reader->entry];
	const struct lsf_key *key;
	struct lsf_pair *pair;

	value = unwrap(value);
	pair = lsf_entry_add(entry, name, value, reader->lines.number);
	key = lsf_key_find(entry->section, pair->key);
	for (size_t i = 0; key && i + 1 < entry->count; i++)
		if (!strcasecmp(entry->pair[i].key, pair->key))
			WRONG_LINE(reader, "%.64s: has a value in line %zu already; must be given "
				   "once", pair->key, entry->pair[i].line);
	if (key)
		check_pair(reader, key, pair, value.length);
}

/* ---- sections ---------------------------------------------------------------------------- */

/* Adds an entry for the section, or for a row of it. line: of Begin, or of the row. */
static void begin_entry(struct reader *reader, size_t line)
{
	struct site_origin origin = { reader->input->name, line };

	lsf_conf_add(reader->conf, reader->section, origin);
	reader->entry = reader->conf->count - 1;
}

/* Fails, see wrong_at(), if the entry lacks the name that entries of its section have. */
static void end_entry(struct reader *reader, size_t line)
{
	const struct lsf_entry *entry = &reader->conf->entry[reader->entry];
	const char *key = reader->section->name_key;

	if (key && !lsf_entry_value(entry, key))
		wrong_at(reader->input, line, "%s: must be given", key);
}

/* Reads the heading of a table. */
static void read_heading(struct reader *reader, struct piece line)
{
	const char *key = reader->section->name_key;
	struct piece word[MOST_COLUMNS];
	size_t count = split_row(reader, line, word);
	bool has_key = false;

	if (count > MOST_COLUMNS)
		WRONG_LINE(reader, "more than %d columns", MOST_COLUMNS);
	for (size_t i = 0; i < count; i++) {
		has_key |= piece_is_any_case(word[i], key);
		reader->column[i] = need_copy(word[i]);
	}
	reader->column_count = count;
	if (!has_key)
		WRONG_LINE(reader, "no '=' behind '%.64s'; must be KEY = VALUE, or the heading of "
			   "a table with the column %s", reader->column[0], key);
}

/* Reads a row of a table, which becomes an entry. */
static void read_row(struct reader *reader, struct piece line)
{
	struct piece value[MOST_COLUMNS];
	size_t count = split_row(reader, line, value);

	if (count != reader->column_count)
		WRONG_LINE(reader, "%zu value%s, must be %zu, as in the heading; () is the "
			   "default, and a list stands in parentheses", count, PLURAL(count),
			   reader->column_count);
	begin_entry(reader, reader->lines.number);
	for (size_t i = 0; i < count; i++)
		add_pair(reader, piece_of(reader->column[i]), value[i]);
	end_entry(reader, reader->lines.number);
}

/* Reads a line KEY = VALUE. */
static void read_pair(struct reader *reader, struct piece line)
{
	struct piece value = line, key = { NULL, 0 };

	if (memchr(line.at, '=', line.length))
		piece_next(&value, '=', &key);
	key = piece_trim(key);
	if (!key.length)
		WRONG_LINE(reader, "'%.*s' must be KEY = VALUE", PIECE(line));
	add_pair(reader, key, value);
}

/* Reads a line between Begin and End. */
static void read_in_section(struct reader *reader, struct piece line)
{
	bool is_first = !reader->is_begun, has_equals = memchr(line.at, '=', line.length);

	reader->is_begun = true;
	if (!reader->section)	/* it is left out */
		return;
	/* sections whose entries have no names, such as Parameters, are no tables */
	if (is_first && !has_equals && reader->section->name_key) {
		read_heading(reader, line);
	} else if (reader->column_count) {
		read_row(reader, line);
	} else {
		if (is_first)
			begin_entry(reader, reader->begin);
		read_pair(reader, line);
	}
}

/* Reads a line "Begin NAME". A section that is left out gets an entry that says so. */
static void begin_section(struct reader *reader, struct piece name)
{
	struct site_origin origin = { reader->input->name, reader->lines.number };

	if (reader->name)
		WRONG_LINE(reader, "section %.64s of line %zu has no End before this line",
			   reader->name, reader->begin);
	if (!name.length)
		WRONG_LINE(reader, "no name of a section behind Begin, such as Queue");
	reader->name = need_copy(name);
	reader->begin = reader->lines.number;
	reader->section = lsf_section_find(name);
	reader->is_begun = false;
	if (!reader->section)
		lsf_entry_add(lsf_conf_add(reader->conf, &lsf_other_section, origin), name,
			      (struct piece){ "", 0 }, origin.line);
}

/* Reads a line "End NAME". */
static void end_section(struct reader *reader, struct piece name)
{
	bool has_pairs = reader->section && reader->is_begun && !reader->column_count;

	if (!reader->name)
		WRONG_LINE(reader, "End without a Begin before it");
	if (!piece_is_any_case(name, reader->name))
		WRONG_LINE(reader, "End %.*s, must be End %.64s, for the section of line %zu",
			   PIECE(name), reader->name, reader->begin);
	reader->name = NULL;
	reader->column_count = 0;
	if (has_pairs)
		end_entry(reader, reader->begin);
}

/* ---- the file ---------------------------------------------------------------------------- */

/* Reads a logical line, see lsf_lines_next(). */
static void read_line(struct reader *reader, struct piece line)
{
	struct piece words[2] = { { "", 0 }, { "", 0 } };
	size_t count = split_words(line, words, 2);

	if (count <= 2 && piece_is_any_case(words[0], "Begin"))
		begin_section(reader, words[1]);
	else if (count <= 2 && piece_is_any_case(words[0], "End"))
		end_section(reader, words[1]);
	else if (reader->name)
		read_in_section(reader, line);
	else
		WRONG_LINE(reader, "'%.*s' is outside of a section, must stand between Begin NAME "
			   "and End NAME", PIECE(line));
}

void lsf_conf_read(struct lsf_conf *conf, struct document *input)
{
	struct reader reader = { .input = input, .conf = conf };
	size_t first = conf->count;
	struct piece line;

	reader.lines = (struct lsf_lines){ .input = input, .conf = conf, .lines = lines_of(input) };
	while (lsf_lines_next(&reader.lines, &line))
		read_line(&reader, line);
	if (reader.name)
		wrong_at(input, reader.begin, "section %.64s has no End %.64s", reader.name,
			 reader.name);
	lsf_remark_left_out(conf, first, input);
}
