/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits text into lines and fields, and reads numbers from fields. */
#include "document/text.h"

#include "core/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LONGEST ((size_t)1 << 24)	/* bytes of a line */
#define MOST_NUMBER 400	/* bytes of a number, with its NUL; more than any double needs */

bool piece_is(struct piece piece, const char *word)
{
	return piece.length == strlen(word) && !memcmp(piece.at, word, piece.length);
}

struct piece piece_trim(struct piece piece)
{
	while (piece.length && is_blank_or_return(*piece.at))
		piece_cut(&piece, 1);
	while (piece.length && is_blank_or_return(piece.at[piece.length - 1]))
		piece.length--;
	return piece;
}

struct piece piece_cut_word(struct piece *text)
{
	size_t length = 0;

	while (length < text->length && !is_blank(text->at[length]))
		length++;
	return piece_cut(text, length);
}

struct piece piece_digits(struct piece piece)
{
	size_t length = 0;

	while (length < piece.length && piece.at[length] >= '0' && piece.at[length] <= '9')
		length++;
	return piece_cut(&piece, length);
}

bool piece_begins_like(struct piece piece, const char *form)
{
	size_t length = strlen(form);

	if (piece.length < length)
		return false;
	for (size_t i = 0; i < length; i++) {
		bool is_digit = piece.at[i] >= '0' && piece.at[i] <= '9';

		if (form[i] == 'd' ? !is_digit : piece.at[i] != form[i])
			return false;
	}
	return true;
}

bool piece_is_any_case(struct piece piece, const char *word)
{
	return piece.length == strlen(word) && !strncasecmp(piece.at, word, piece.length);
}

bool piece_is_printable(struct piece piece)
{
	uint32_t code;

	for (size_t at = 0, length; at < piece.length; at += length) {
		length = utf8_read(piece.at + at, piece.length - at, &code);
		if (!length || utf8_is_control(code))
			return false;
	}
	return true;
}

/* ---- lines ----------------------------------------------------------------------- */

/* Returns a line without the carriage return at its end, if it has one. */
static struct piece without_return(struct piece line)
{
	line.length -= line.length && line.at[line.length - 1] == '\r';
	return line;
}

struct lines lines_of(const struct document *input)
{
	return (struct lines){ input->text + document_mark(input), input->text + input->length, 0 };
}

struct piece lines_next(struct lines *lines)
{
	while (lines->at < lines->end) {
		const char *at = lines->at, *end = memchr(at, '\n', (size_t)(lines->end - at));
		struct piece line;

		if (!end)
			end = lines->end;
		lines->at = end + 1;
		lines->number++;
		line = without_return((struct piece){ at, (size_t)(end - at) });
		if (line.length)
			return line;
	}
	return (struct piece){ NULL, 0 };
}

size_t count_lines(const char *from, const char *to)
{
	size_t lines = 0;

	while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) {
		lines++;
		from++;
	}
	return lines;
}

struct line_stream line_stream_of(struct document *input)
{
	return (struct line_stream){ .input = input, .at = document_mark(input) };
}

/* Loads more text behind a line of which the end is not in memory yet. */
static void load_more(struct line_stream *stream)
{
	if (stream->input->length - stream->at >= LONGEST)
		wrong_at(stream->input, stream->number + 1 + stream->joined,
			 "a line of more than %zu bytes", LONGEST);
	document_load_more(stream->input, stream->at);
	stream->at = 0;
}

/* Returns the offset of the '\n' of the line that begins at stream->at, or that of the end of the
 * file. Loads as much as that takes, which changes stream->at. searched: bytes of the line in which
 * no '\n' is looked for. */
static size_t find_end(struct line_stream *stream, size_t searched)
{
	for (;;) {
		const struct document *input = stream->input;
		const char *from = input->text + stream->at;
		size_t left = input->length - stream->at;
		const char *found = memchr(from + searched, '\n', left - searched);

		if (found || !input->is_open)
			return found ? (size_t)(found - input->text) : input->length;
		searched = left;
		load_more(stream);
	}
}

/* Returns the text between two offsets, a line, and goes on behind it. */
static struct piece take_line(struct line_stream *stream, size_t from, size_t end)
{
	stream->at = end < stream->input->length ? end + 1 : end;
	return without_return((struct piece){ stream->input->text + from, end - from });
}

bool line_stream_next(struct line_stream *stream, struct piece *line)
{
	for (;;) {
		size_t end = find_end(stream, 0);

		if (stream->at == stream->input->length)
			return false;
		*line = take_line(stream, stream->at, end);
		stream->number += 1 + stream->joined;
		stream->joined = 0;
		if (line->length)
			return true;
	}
}

bool line_stream_join(struct line_stream *stream, struct piece *line, struct piece *added)
{
	size_t length = stream->at - (size_t)(line->at - stream->input->text), from, end;

	stream->at -= length;
	end = find_end(stream, length);
	from = stream->at;
	if (from + length == stream->input->length) {
		stream->at += length;
		return false;
	}
	*added = take_line(stream, from + length, end);
	*line = take_line(stream, from, end);
	stream->joined++;
	return true;
}

/* ---- fields ---------------------------------------------------------------------- */

size_t split_by(struct piece separator, struct piece line, struct piece *fields, size_t room)
{
	size_t count = 0;
	const char *at = line.at, *end = line.at + line.length;

	for (;;) {
		const char *found = memmem(at, (size_t)(end - at), separator.at, separator.length);

		if (count < room)
			fields[count] = (struct piece){ at, (size_t)((found ? found : end) - at) };
		count++;
		if (!found)
			return count;
		at = found + separator.length;
	}
}

size_t split_at(char separator, struct piece line, struct piece *fields, size_t room)
{
	return split_by((struct piece){ &separator, 1 }, line, fields, room);
}

size_t split_words(struct piece line, struct piece *words, size_t room)
{
	for (size_t count = 0;; count++) {
		struct piece word;

		while (line.length && is_blank(*line.at))
			piece_cut(&line, 1);
		if (!line.length)
			return count;
		word = piece_cut_word(&line);
		if (count < room)
			words[count] = word;
	}
}

/* ---- numbers -------------------------------------------------------------------- */

int parse_whole(struct piece field, uint64_t most, uint64_t *value)
{
	uint64_t sum = 0;

	if (!field.length)
		return -1;
	for (size_t i = 0; i < field.length; i++) {
		uint64_t digit = (uint64_t)(field.at[i] - '0');

		if (field.at[i] < '0' || field.at[i] > '9' || sum > (most - digit) / 10)
			return -1;
		sum = 10 * sum + digit;
	}
	*value = sum;
	return 0;
}

int parse_amount(struct piece field, double *value)
{
	uint64_t whole;
	char text[MOST_NUMBER], *end;

	/* most numbers are integers, and strtod() is slow */
	if (!parse_whole(field, UINT64_MAX, &whole)) {
		*value = (double)whole;
		return 0;
	}
	if (!field.length || field.length >= sizeof(text))
		return -1;
	memcpy(text, field.at, field.length);
	text[field.length] = '\0';
	/* strtod() would also read "inf", "nan", "0x10" and leading blanks */
	if (strspn(text, "0123456789.eE+-") != field.length || *text == '+')
		return -1;
	*value = strtod(text, &end);
	return !*end && *value >= 0 && isfinite(*value) ? 0 : -1;
}

int parse_shares(struct piece field, uint32_t *shares)
{
	uint64_t whole;

	if (parse_whole(field, FATHOM_SHARES_PARENT - 1, &whole))
		return -1;
	*shares = (uint32_t)whole;
	return 0;
}

void wrong_field(struct document *input, size_t line, const char *name, struct piece field,
		 const char *right)
{
	if (!field.length)
		wrong_at(input, line, "%s is empty, %s", name, right);
	wrong_at(input, line, "%s is '%.*s', %s", name, PIECE(field), right);
}
