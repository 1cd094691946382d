/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source: LSF, "If-else constructs" and "Time-based configuration" of lsb.queues and others. */
#include "format/lsf/lsf.h"

#include "memory/need_memory.h"

#include <string.h>
#include <strings.h>

/* ---- conditions -------------------------------------------------------------------------- */

/* Cuts the first word off a text. */
static struct piece pop_word(struct piece *text)
{
	size_t length = 0;
	struct piece word;

	while (length < text->length && !is_blank_or_return(text->at[length]))
		length++;
	word = piece_cut(text, length);
	*text = piece_trim(*text);
	return word;
}

/* A comment may begin with "#if", too: a condition names one of these with '(' behind it. */
static bool is_condition(struct piece text)
{
	static const char *const names[] = { "time", "user", "cluster" };

	while (text.length && strchr(" \t!(", *text.at))
		piece_cut(&text, 1);
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

static _Noreturn void wrong(struct lsf_lines *lines, const char *what)
{
	wrong_at(lines->input, lines->lines.number, "%s", what);
}

/* Notes what is not read: a condition or a file. */
static void note(struct lsf_lines *lines, const struct lsf_section *as, struct piece word,
		 struct piece rest)
{
	struct site_origin origin = { lines->input->name, lines->lines.number };

	lsf_entry_add(lsf_conf_add(lines->conf, as, origin), word, rest, origin.line);
}

static void begin_condition(struct lsf_lines *lines, struct piece word, struct piece rest)
{
	if (lines->nested == LSF_MOST_NESTED)
		wrong(lines, "more than 64 #if within each other");
	lines->if_line[lines->nested] = lines->lines.number;
	lines->is_else[lines->nested++] = false;
	note(lines, &lsf_condition, word, rest);
}

static void turn_condition(struct lsf_lines *lines, bool is_else, bool ends)
{
	if (!lines->nested)
		wrong(lines, "no #if with time(...), user(...) or cluster(...) before this line");
	if (!ends && lines->is_else[lines->nested - 1])
		wrong(lines, "the #if has an #else already; must be #endif");
	lines->is_else[lines->nested - 1] = is_else;
	lines->nested -= ends;
}

/* Reads a line that begins with '#' if it is not a comment. */
static void read_directive(struct lsf_lines *lines, struct piece text)
{
	struct piece word = pop_word(&text);

	if (piece_is_any_case(word, "#if") && is_condition(text))
		begin_condition(lines, word, text);
	else if (piece_is_any_case(word, "#elif") && is_condition(text))
		turn_condition(lines, false, false);
	else if (piece_is_any_case(word, "#else") && !text.length)
		turn_condition(lines, true, false);
	else if (piece_is_any_case(word, "#endif") && !text.length)
		turn_condition(lines, false, true);
	else if (piece_is_any_case(word, "#include") && text.length && *text.at == '"')
		note(lines, &lsf_include, word, text);
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

/* Appends a part of the line, without the '\' at its end. Returns whether there is one. */
static bool append(struct lsf_lines *lines, size_t *length, struct piece part)
{
	bool continued = part.length && part.at[part.length - 1] == '\\';

	lines->text = need_room(lines->text, &lines->room, *length + part.length + 1, 1);
	part.length -= continued;
	memcpy(lines->text + *length, part.at, part.length);
	*length += part.length;
	if (continued)
		lines->text[(*length)++] = ' ';
	return continued;
}

/* Reads a line and those that continue it; an empty line ends them. */
static struct piece read_line(struct lsf_lines *lines, struct piece part)
{
	size_t length = 0;

	lines->number = lines->lines.number;
	while (append(lines, &length, without_comment(part))) {
		struct lines before = lines->lines;

		part = lines_next(&lines->lines);
		if (!part.at || lines->lines.number != before.number + 1) {
			lines->lines = before;
			break;
		}
	}
	return piece_trim((struct piece){ lines->text, length });
}

bool lsf_lines_next(struct lsf_lines *lines, struct piece *line)
{
	struct piece part;

	while ((part = lines_next(&lines->lines)).at) {
		part = piece_trim(part);
		if (part.length && *part.at == '#') {
			read_directive(lines, part);
			continue;
		}
		if (is_left_out(lines))
			continue;
		*line = read_line(lines, part);
		if (line->length)
			return true;
	}
	if (lines->nested)
		wrong_at(lines->input, lines->if_line[lines->nested - 1],
			 "no #endif ends this #if");
	return false;
}
