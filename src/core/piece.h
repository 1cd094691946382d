/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of texts. */
#pragma once

#include <stddef.h>
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
