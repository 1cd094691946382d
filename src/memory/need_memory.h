/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that the command cannot do without: where there is none, it prints "fathom: out of memory"
 * and ends with status 2, so that callers have no such error to look at. Nor need they free it: it
 * belongs to the command until need_give_back(). Threads may call all but that.
 */
#pragma once

#include "core/list_text.h"
#include "core/piece.h"

#include <stdarg.h>
#include <stddef.h>

/* Returns an array of `count` zeros and one more. */
void *need_zeros(size_t count, size_t element_size);
/* Grows an array, see array_grow(). It gives back the old one. */
void *need_room(void *array, size_t *size, size_t count, size_t element_size);
/* Gives an array of the above back early, for memory that would add up. array: may be NULL. */
void need_free(void *array);

/* Return what lies among other small things, and so cannot be given back early. */

/* Returns `size` zeros. */
void *need_object(size_t size);
/* Returns a copy of a text; NULL for NULL. */
char *need_text(const char *text);
/* Returns a copy of a piece as a text. */
char *need_copy(struct piece piece);
/* Returns a text as printf() writes it. */
char *need_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *need_vprint(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* Returns names as list_text() writes them to `size` bytes. */
const char *need_list(struct name_list names, const char *last, size_t size);

/* Returns what a call has made, which is NULL only for lack of memory. */
void *need_made(void *made);
/* Takes the status of a call that fails only for lack of memory. */
void need_done(int status);
/* Has need_give_back() destroy an object; returns it. made: as for need_made(). */
void *need_owned(void *made, void (*destroy)(void *object));
/* Destroys the objects, the newest first, and frees all memory; for programs that read file after
 * file. */
void need_give_back(void);

/* Memory apart from the command's, which is given back at once. One thread at a time may use it. */
struct need_memory *need_memory_create(void);
/* From now on the thread takes from this memory. Returns that from which it did before. */
struct need_memory *need_memory_use(struct need_memory *memory);
/* Destroys its objects, the newest first, and frees it. No thread may use it. */
void need_memory_destroy(struct need_memory *memory);
