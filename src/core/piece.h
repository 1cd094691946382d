/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CORE_PIECE_H
#define CORE_PIECE_H

#include <stddef.h>

/* A piece of a text, not ended by NUL; at NULL: there is none. */
struct piece {
	const char *at;
	size_t length;
};

#endif
