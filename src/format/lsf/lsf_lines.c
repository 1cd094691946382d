/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source: LSF, "If-else constructs" and "Time-based configuration" of lsb.queues and others. */
#include "format/lsf/lsf_lines.h"

#include "core/array.h"
#include "core/error.h"
#include "format/lsf/lsf_keys.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char character)
{
	return character == ' ' || character == '\t' || character == '\r';
}

/* ---- conditions -------------------------------------------------------------------------- */

/* Cuts the first word off a text. */
static struct piece pop_word(struct piece *text)
{
	struct piece word = { text->at, 0 };

	while (word.length < text->length && !is_blank(word.at[word.length]))
		word.length++;
	text->at += word.length;
	text->length -= word.length;
	*text = piece_trim(*text);
	return word;
}

/* A comment may begin with "#if", too: a condition names one of these with '(' behind it. */
static bool is_condition(struct piece text)
{
	static const char *const names[] = { "time", "user", "cluster" };

	while (text.length && strchr(" \t!(", *text.at)) {
		text.at++;
		text.length--;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t length = strlen(names[i]);

		if (text.length > length && !strncasecmp(text.at, names[i], length)) {
			struct piece rest = piece_trim((struct piece){ text.at + length,
								 text.length - length });

			if (rest.length && *rest.at == '(')
				return true;
		}
	}
	return false;
}

static int wrong(struct lsf_lines *lines, const char *what)
{
	return input_wrong(lines->input, lines->lines.number, lines->error, "%s", what);
}

/* Notes what is not read: a condition or a file. */
static int note(struct lsf_lines *lines, const struct lsf_section *as, struct piece word,
		struct piece rest)
{
	struct lsf_entry *entry = lsf_conf_add(lines->conf, as, (struct site_origin){
						       lines->input->name, lines->lines.number });

	if (!entry)
		return fathom_error_no_memory(lines->error);
	return lsf_entry_add(entry, word, rest, lines->lines.number, lines->error);
}

static int begin_condition(struct lsf_lines *lines, struct piece word, struct piece rest)
{
	if (lines->nested == LSF_MOST_NESTED)
		return wrong(lines, "more than 64 #if within each other");
	lines->if_line[lines->nested] = lines->lines.number;
	lines->is_else[lines->nested++] = false;
	return note(lines, &lsf_condition, word, rest);
}

static int turn_condition(struct lsf_lines *lines, bool is_else, bool ends)
{
	if (!lines->nested)
		return wrong(lines, "no #if with time(...), user(...) or cluster(...) before this "
				    "line");
	if (!ends && lines->is_else[lines->nested - 1])
		return wrong(lines, "the #if has an #else already; must be #endif");
	lines->is_else[lines->nested - 1] = is_else;
	lines->nested -= ends;
	return 0;
}

/* Reads a line that begins with '#' if it is not a comment. */
static int read_directive(struct lsf_lines *lines, struct piece text)
{
	struct piece word = pop_word(&text);

	if (piece_is_any_case(word, "#if") && is_condition(text))
		return begin_condition(lines, word, text);
	if (piece_is_any_case(word, "#elif") && is_condition(text))
		return turn_condition(lines, false, false);
	if (piece_is_any_case(word, "#else") && !text.length)
		return turn_condition(lines, true, false);
	if (piece_is_any_case(word, "#endif") && !text.length)
		return turn_condition(lines, false, true);
	if (piece_is_any_case(word, "#include") && text.length && *text.at == '"')
		return note(lines, &lsf_include, word, text);
	return 0;
}

static bool is_left_out(const struct lsf_lines *lines)
{
	for (size_t i = 0; i < lines->nested; i++)
		if (!lines->is_else[i])
			return true;
	return false;
}

/* ---- lines ------------------------------------------------------------------------------- */

/* Cuts off a comment; a '#' in quotes does not begin one. */
static struct piece without_comment(struct piece text)
{
	bool quoted = false;

	for (size_t i = 0; i < text.length; i++) {
		quoted ^= text.at[i] == '"';
		if (text.at[i] == '#' && !quoted)
			text.length = i;
	}
	return piece_trim(text);
}

/* Appends a part of the line, without the '\' at its end. Returns whether there is one; -1:
 * ENOMEM. */
static int append(struct lsf_lines *lines, size_t *length, struct piece part)
{
	bool continued = part.length && part.at[part.length - 1] == '\\';
	char *text = array_grow(lines->text, &lines->room, *length + part.length + 1, 1);

	if (!text)
		return fathom_error_no_memory(lines->error);
	lines->text = text;
	part.length -= continued;
	memcpy(text + *length, part.at, part.length);
	*length += part.length;
	if (continued)
		text[(*length)++] = ' ';
	return continued;
}

/* Reads a line and those that continue it; an empty line ends them. */
static int read_line(struct lsf_lines *lines, struct piece part, struct piece *line)
{
	size_t length = 0;
	int continued;

	lines->number = lines->lines.number;
	while ((continued = append(lines, &length, without_comment(part))) > 0) {
		struct lines before = lines->lines;

		part = lines_next(&lines->lines);
		if (!part.at || lines->lines.number != before.number + 1) {
			lines->lines = before;
			break;
		}
	}
	*line = piece_trim((struct piece){ lines->text, length });
	return continued < 0 ? -1 : 0;
}

int lsf_lines_next(struct lsf_lines *lines, struct piece *line)
{
	struct piece part;

	while ((part = lines_next(&lines->lines)).at) {
		part = piece_trim(part);
		if (part.length && *part.at == '#') {
			if (read_directive(lines, part))
				return -1;
			continue;
		}
		if (is_left_out(lines))
			continue;
		if (read_line(lines, part, line))
			return -1;
		if (line->length)
			return 1;
	}
	if (lines->nested)
		return input_wrong(lines->input, lines->if_line[lines->nested - 1], lines->error,
				   "no #endif ends this #if");
	return 0;
}

void lsf_lines_clear(struct lsf_lines *lines)
{
	free(lines->text);
	lines->text = NULL;
}
