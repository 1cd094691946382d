/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of texts. */
#pragma once

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

/* Returns a hash of the piece: FNV-1a. */
static inline uint64_t piece_hash(struct piece piece)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < piece.length; i++)
		hash = (hash ^ (unsigned char)piece.at[i]) * UINT64_C(0x100000001b3);
	return hash;
}
