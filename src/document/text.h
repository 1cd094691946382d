/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tools of the readers of text files: lines, fields and numbers. */
#pragma once

#include "core/piece.h"
#include "document/document.h"

/* For "%.*s": as much of a piece as a message has room for. */
#define PIECE(piece) (int)((piece).length < 64 ? (piece).length : 64), (piece).at

/* Return whether a character is a space or tab, or a carriage return, too. */
static inline bool is_blank(char character)
{
	return character == ' ' || character == '\t';
}

static inline bool is_blank_or_return(char character)
{
	return is_blank(character) || character == '\r';
}

bool piece_is(struct piece piece, const char *word);
/* Returns the piece without spaces, tabs and carriage returns at both ends. */
struct piece piece_trim(struct piece piece);
bool piece_is_any_case(struct piece piece, const char *word);
/* Cuts off what stands before the next space or tab. */
struct piece piece_cut_word(struct piece *text);
/* Returns the digits with which a piece begins. */
struct piece piece_digits(struct piece piece);
/* Returns whether the piece is UTF-8 without control characters; an empty piece is. */
bool piece_is_printable(struct piece piece);

/* The lines of a text, read one after the other. */
struct lines {
	const char *at, *end;	/* the text that is not read yet */
	size_t number;		/* of the line that was read last, from 1 */
};

/* Starts reading lines, after the byte order mark if there is one. */
struct lines lines_of(const struct document *input);
/* Returns the next line that is not empty, without its line end. Its `at` is NULL after the
 * last line. */
struct piece lines_next(struct lines *lines);

/* Counts the ends of lines between two places. */
size_t count_lines(const char *from, const char *to);

/* Splits a line at each separator. Returns the number of fields, and puts the first `room`
 * of them into `fields`. */
size_t split_at(char separator, struct piece line, struct piece *fields, size_t room);
/* Splits a line into words between spaces and tabs. Returns the number of words, and puts
 * the first `room` of them into `words`. */
size_t split_words(struct piece line, struct piece *words, size_t room);

/* Reads a whole number, 0 to `most`, of digits only. -1: it is no such number. */
int parse_whole(struct piece field, uint64_t most, uint64_t *value);
/* Reads a decimal number of 0 or more. -1: it is no such number. */
int parse_amount(struct piece field, double *value);

#define SHARES_RIGHT "must be an integer from 0 to 4294967294"
#define AMOUNT_RIGHT "must be a number of 0 or more"

/* Reads shares. -1: the field is not as SHARES_RIGHT says. */
int parse_shares(struct piece field, uint32_t *shares);
/* Fails, see wrong_at(), with "NAME is 'FIELD', RIGHT" or "NAME is empty, RIGHT". */
_Noreturn void wrong_field(struct document *input, size_t line, const char *name,
			   struct piece field, const char *right);
