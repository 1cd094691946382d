/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that the command cannot do without: where there is none, it prints "fathom: out of memory"
 * and ends with status 2, so that callers have no such error to look at. */
#ifndef MEMORY_NEED_MEMORY_H
#define MEMORY_NEED_MEMORY_H

#include <stddef.h>

/* Returns an array of `count` zeros and one more. */
void *need_zeros(size_t count, size_t element_size);
/* Grows an array, see array_grow(). */
void *need_room(void *array, size_t *size, size_t count, size_t element_size);
/* Returns a copy of a text. */
char *need_text(const char *text);
/* Returns what a call has made, which is NULL only for lack of memory. */
void *need_made(void *made);
/* Takes the status of a call that fails only for lack of memory. */
void need_done(int status);

#endif
