/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of texts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A part of a text, not ended by NUL. */
struct piece {
	const char *at;		/* its first character; NULL: the piece stands for no text */
	size_t length;
};

/* Returns a whole text as a piece. text: may be NULL, for no text. */
static inline struct piece piece_of(const char *text)
{
	return (struct piece){ text, text ? strlen(text) : 0 };
}

/* Returns whether two pieces have the same characters; no text is the same as an empty one. */
static inline bool piece_same(struct piece a, struct piece b)
{
	return a.length == b.length && (!a.length || !memcmp(a.at, b.at, a.length));
}

/* Cuts `length` characters, at most all, off the beginning of a piece, and returns them. */
static inline struct piece piece_cut(struct piece *piece, size_t length)
{
	struct piece cut = { piece->at, length };

	piece->at += length;
	piece->length -= length;
	return cut;
}

/* Cuts the next part off a list, with the separator behind it, and sets *part to it. False: the
 * list is at its end. "a,,b" has the parts "a", "" and "b"; "a," has "a" alone. */
static inline bool piece_next(struct piece *list, char separator, struct piece *part)
{
	const char *end = list->length ? memchr(list->at, separator, list->length) : NULL;

	if (!list->length)
		return false;
	*part = piece_cut(list, end ? (size_t)(end - list->at) : list->length);
	piece_cut(list, end ? 1 : 0);	/* the separator */
	return true;
}

/* Returns a hash of the piece: FNV-1a. */
static inline uint64_t piece_hash(struct piece piece)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < piece.length; i++)
		hash = (hash ^ (unsigned char)piece.at[i]) * UINT64_C(0x100000001b3);
	return hash;
}
