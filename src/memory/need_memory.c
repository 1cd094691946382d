/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memory/need_memory.h"

#include "core/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_WITHOUT_MEMORY 2

void *need_made(void *made)
{
	if (made)
		return made;
	fputs("fathom: out of memory\n", stderr);
	_exit(EXIT_WITHOUT_MEMORY);	/* drops what stdout has buffered */
}

void need_done(int status)
{
	need_made(status ? NULL : &status);
}

void *need_zeros(size_t count, size_t element_size)
{
	return need_made(calloc(count + 1, element_size));
}

void *need_room(void *array, size_t *size, size_t count, size_t element_size)
{
	return need_made(array_grow(array, size, count, element_size));
}

char *need_text(const char *text)
{
	return need_made(strdup(text));
}
