/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tools of the readers of text files: lines, fields and numbers. Pieces point into the text, which
 * no function changes, except that line_stream_next() loads more of it. */
#pragma once

#include "core/piece.h"
#include "document/document.h"

/* The two arguments of "%.*s" in a message: the first 64 bytes of a piece, which may be all. */
#define PIECE(piece) (int)((piece).length < 64 ? (piece).length : 64), (piece).at

/* Returns whether a character is a space or a tab. */
static inline bool is_blank(char character)
{
	return character == ' ' || character == '\t';
}

static inline bool is_blank_or_return(char character)
{
	return is_blank(character) || character == '\r';
}

/* Returns whether the piece is exactly this word. */
bool piece_is(struct piece piece, const char *word);
/* Returns whether the piece is this word, in upper or lower case. */
bool piece_is_any_case(struct piece piece, const char *word);
/* Returns the piece without spaces, tabs and carriage returns at both ends. */
struct piece piece_trim(struct piece piece);
/* Cuts the characters before the next space or tab, or all, off the beginning of *text, and returns
 * them. *text then begins with that space or tab. */
struct piece piece_cut_word(struct piece *text);
/* Returns the decimal digits with which a piece begins; a piece of length 0 if there are none. */
struct piece piece_digits(struct piece piece);
/* Returns whether the piece begins with a text of this form, in which each 'd' stands for a
 * digit. */
bool piece_begins_like(struct piece piece, const char *form);
/* Returns whether the piece is UTF-8 without control characters; an empty piece is. */
bool piece_is_printable(struct piece piece);

/* The lines of a text, read one after the other. */
struct lines {
	const char *at, *end;	/* the text that is not read yet */
	size_t number;		/* of the line that was read last, from 1; 0: none was read */
};

/* Starts reading lines of a loaded input, after the byte order mark if there is one. */
struct lines lines_of(const struct document *input);
/* Returns the next line that is not empty, without its line end. Its `at` is NULL after the
 * last line. */
struct piece lines_next(struct lines *lines);

/* The lines of an input of which only a part is in memory. */
struct line_stream {
	struct document *input;
	size_t at;		/* offset in input->text of the next line */
	size_t number;		/* of the line that was read last, from 1; 0: none was read */
	size_t joined;		/* lines that were joined with that one */
};

/* Starts at the beginning of an input that document_open() has opened. */
struct line_stream line_stream_of(struct document *input);
/* Takes the next line that is not empty, without its line end; it is valid until the next call.
 * Returns false after the last line. Fails, see wrong_at(), for a line of more than 16 MiB. */
bool line_stream_next(struct line_stream *stream, struct piece *line);
/* Joins the line that was taken last, as it was given, with the one behind it, *added, and the line
 * end between them. They become that line: its number stays, and both are valid until the next
 * call. Returns false if there is no further line; then *line is not valid any more. */
bool line_stream_join(struct line_stream *stream, struct piece *line, struct piece *added);

/* Returns the number of line ends, "\n", in the text from `from` up to, but without, `to`. */
size_t count_lines(const char *from, const char *to);

/* Splits a line at each separator: "a,,b" has 3 fields, "" has 1. Returns the number of fields,
 * which may be more than `room`, and puts the first `room` of them into `fields`. */
size_t split_at(char separator, struct piece line, struct piece *fields, size_t room);
/* Does the same for a separator of one or more characters. */
size_t split_by(struct piece separator, struct piece line, struct piece *fields, size_t room);
/* Splits a line into words between spaces and tabs: " a  b" has 2 words, "" has 0. Returns the
 * number of words, which may be more than `room`, and puts the first `room` of them into
 * `words`. */
size_t split_words(struct piece line, struct piece *words, size_t room);

/* Reads an integer from 0 to `most`, written in digits only. -1: the field is something else, and
 * *value is unchanged. */
int parse_whole(struct piece field, uint64_t most, uint64_t *value);
/* Reads a finite decimal number of 0 or more, such as 7, 7.5 or 1e3. -1: the field is something
 * else, and *value is undefined. */
int parse_amount(struct piece field, double *value);

#define SHARES_RIGHT "must be an integer from 0 to 4294967294"
#define AMOUNT_RIGHT "must be a number of 0 or more"

/* Reads raw shares. -1: the field is not as SHARES_RIGHT says, and *shares is unchanged. */
int parse_shares(struct piece field, uint32_t *shares);
/* Fails, see wrong_at(), with "NAME is 'FIELD', RIGHT" or "NAME is empty, RIGHT". */
_Noreturn void wrong_field(struct document *input, size_t line, const char *name,
			   struct piece field, const char *right);
