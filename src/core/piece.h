/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of texts. */
#ifndef CORE_PIECE_H
#define CORE_PIECE_H

#include <stddef.h>

/* A part of a text, not ended by NUL. */
struct piece {
	const char *at;		/* its first character; NULL: the piece stands for no text */
	size_t length;
};

#endif
