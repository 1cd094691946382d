/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What readers of text have in common: lines, fields, numbers, names. */
#ifndef FORMAT_TEXT_H
#define FORMAT_TEXT_H

#include "core/piece.h"
#include "format/format.h"

/* For "%.*s": as much of a piece as a message has room for. */
#define PIECE(piece) (int)((piece).length < 64 ? (piece).length : 64), (piece).at

bool piece_is(struct piece piece, const char *word);
bool piece_is_any_case(struct piece piece, const char *word);

struct lines {
	const char *at, *end;	/* what is not read yet */
	size_t number;		/* of the line read last, from 1 */
};

/* From behind a byte order mark. */
struct lines lines_of(const struct input *input);
/* The next line that is not empty, without its end; at NULL: there is none. */
struct piece lines_next(struct lines *lines);

/* Fields between two separators; what is beyond `room` is counted but not given. */
size_t split_at(char separator, struct piece line, struct piece *fields, size_t room);
/* Words between spaces and tabs. */
size_t split_words(struct piece line, struct piece *words, size_t room);

/* Digits alone; -1 for anything else, and above `most`. */
int parse_whole(struct piece field, uint64_t most, uint64_t *value);
/* A decimal number of 0 or more; -1 for anything else. */
int parse_amount(struct piece field, double *value);

#define SHARES_RIGHT "must be an integer from 0 to 4294967294"
#define AMOUNT_RIGHT "must be a number of 0 or more"

int parse_shares(struct piece field, uint32_t *shares);
/* "NAME is 'FIELD', RIGHT" or "NAME is empty, RIGHT"; always -1. */
int wrong_field(struct input *input, size_t line, struct fathom_error *error, const char *name,
		struct piece field, const char *right);

#endif
