/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/cut.h"

#include <string.h>

const char *cut_text(const char *text, size_t width, char *buffer)
{
	size_t count = 0, last = 0;

	/* a byte that goes on with a character of UTF-8 is none by itself */
	for (size_t at = 0; text[at]; at++)
		if ((text[at] & 0xc0) != 0x80 && ++count == width)
			last = at;
	if (count <= width)
		return text;
	memmove(buffer, text, last);
	memcpy(buffer + last, "+", 2);
	return buffer;
}
