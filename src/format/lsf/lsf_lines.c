/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the lines of a file, without comments and without what stands under #if and #elif:
 *
 *	# a comment			left out
 *	#if time(8:00-18:00)		noted as a condition
 *	PRIORITY = 20			left out
 *	#else
 *	USERS = ada \			one line, "USERS = ada  bob"
 *		bob
 *	#endif
 *
 * Source: LSF, "If-else constructs" and "Time-based configuration" of lsb.queues and others.
 */
#include "format/lsf/lsf.h"

#include "memory/need_memory.h"

#include <string.h>

/* ---- conditions -------------------------------------------------------------------------- */

/* Returns whether a text behind "#if" is a condition: one of three names with '(' behind it, such
 * as "!time(...)". Otherwise the line is a comment that happens to begin with "#if". */
static bool is_condition(struct piece text)
{
	static const char *const names[] = { "time", "user", "cluster" };
	struct piece name = { NULL, 0 };

	while (text.length && strchr(" \t!(", *text.at))
		piece_cut(&text, 1);
	if (text.length && memchr(text.at, '(', text.length))
		piece_next(&text, '(', &name);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (piece_is_any_case(piece_trim(name), names[i]))
			return true;
	return false;
}

/* Adds an entry for a condition or a file that is left out. kind: lsf_condition or lsf_include.
 * word, rest: of the line. */
static void note_left_out(struct lsf_lines *lines, const struct lsf_section *kind,
			  struct piece word, struct piece rest)
{
	struct site_origin origin = { lines->input->name, lines->lines.number };

	lsf_entry_add(lsf_conf_add(lines->conf, kind, origin), word, rest, origin.line);
}

/* Reads #if. */
static void begin_condition(struct lsf_lines *lines, struct piece word, struct piece rest)
{
	if (lines->nested == LSF_MOST_NESTED)
		WRONG_LINE(lines, "more than %d #if within each other", LSF_MOST_NESTED);
	lines->if_line[lines->nested] = lines->lines.number;
	lines->is_else[lines->nested++] = false;
	note_left_out(lines, &lsf_condition, word, rest);
}

/* Directives that need an #if before them. */
enum directive { ELIF, ELSE, ENDIF };

/* Reads such a directive, which belongs to the innermost #if. */
static void turn_condition(struct lsf_lines *lines, enum directive directive)
{
	if (!lines->nested)
		WRONG_LINE(lines, "no #if with time(...), user(...) or cluster(...) before this "
			   "line");
	if (directive != ENDIF && lines->is_else[lines->nested - 1])
		WRONG_LINE(lines, "the #if has an #else already; must be #endif");
	lines->is_else[lines->nested - 1] = directive == ELSE;
	lines->nested -= directive == ENDIF;
}

/* Reads a line that begins with '#'; does nothing if it is a comment. */
static void read_directive(struct lsf_lines *lines, struct piece text)
{
	struct piece word = piece_cut_word(&text);

	text = piece_trim(text);
	if (piece_is_any_case(word, "#if") && is_condition(text))
		begin_condition(lines, word, text);
	else if (piece_is_any_case(word, "#elif") && is_condition(text))
		turn_condition(lines, ELIF);
	else if (piece_is_any_case(word, "#else") && !text.length)
		turn_condition(lines, ELSE);
	else if (piece_is_any_case(word, "#endif") && !text.length)
		turn_condition(lines, ENDIF);
	else if (piece_is_any_case(word, "#include") && text.length && *text.at == '"')
		note_left_out(lines, &lsf_include, word, text);
}

/* Returns whether the present line is left out: it is under an #if or #elif, not under #else. */
static bool is_left_out(const struct lsf_lines *lines)
{
	for (size_t i = 0; i < lines->nested; i++)
		if (!lines->is_else[i])
			return true;
	return false;
}

/* ---- lines ------------------------------------------------------------------------------- */

/* Returns a line without its comment and the blanks around it. A '#' in quotes begins no
 * comment. */
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

/* Appends a line of the file to the text, of *length bytes; a '\' at its end becomes a blank.
 * Returns whether it had one, so that the next line continues it. */
static bool append(struct lsf_lines *lines, size_t *length, struct piece raw)
{
	bool continued = raw.length && raw.at[raw.length - 1] == '\\';

	lines->text = need_room(lines->text, &lines->room, *length + raw.length + 1, 1);
	raw.length -= continued;
	memcpy(lines->text + *length, raw.at, raw.length);
	*length += raw.length;
	if (continued)
		lines->text[(*length)++] = ' ';
	return continued;
}

/* Returns a line and those that continue it. raw: the first of them. */
static struct piece read_line(struct lsf_lines *lines, struct piece raw)
{
	size_t length = 0;

	lines->number = lines->lines.number;
	while (append(lines, &length, without_comment(raw))) {
		struct lines before = lines->lines;

		raw = lines_next(&lines->lines);
		/* lines_next() passes over an empty line, which ends this one */
		if (!raw.at || lines->lines.number != before.number + 1) {
			lines->lines = before;
			break;
		}
	}
	return piece_trim((struct piece){ lines->text, length });
}

bool lsf_lines_next(struct lsf_lines *lines, struct piece *line)
{
	struct piece raw;

	while ((raw = lines_next(&lines->lines)).at) {
		raw = piece_trim(raw);
		if (raw.length && *raw.at == '#') {
			read_directive(lines, raw);
			continue;
		}
		if (is_left_out(lines))
			continue;
		*line = read_line(lines, raw);
		if (line->length)
			return true;
	}
	if (lines->nested)
		wrong_at(lines->input, lines->if_line[lines->nested - 1],
			 "no #endif ends this #if");
	return false;
}
