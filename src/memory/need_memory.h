/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that the command cannot do without: if there is none, these functions print "fathom: out
 * of memory" and end the command with status 2, so that callers need not check. Callers need not
 * free it either: it belongs to the command until need_give_back(). Threads may call all functions
 * but that.
 */
#pragma once

#include "core/list_text.h"
#include "core/piece.h"

#include <stdarg.h>
#include <stddef.h>

/* Returns an array of `count` + 1 elements, all 0: one more than asked for, to end lists with. */
void *need_zeros(size_t count, size_t element_size);
/* Makes room for `count` elements in an array, like array_grow(). Returns the array, which may have
 * moved; new elements are not set. */
void *need_room(void *array, size_t *size, size_t count, size_t element_size);
/* Appends an element of zeros to an array that is only changed by this call, and returns it; see
 * array_append(). */
void *need_append(void *array, size_t *count, size_t element_size);
/* Appends an element to such an array. */
#define NEED_ADD(array, count, ...)                                                               \
	(need_append(&(array), &(count), sizeof(*(array))),                                       \
	 (void)((array)[(count) - 1] = __VA_ARGS__))
/* Gives back early an array from need_zeros() or need_room(), where memory would add up in a loop.
 * array: may be NULL. */
void need_free(void *array);

/* What the following functions return lies among other small things; it cannot be given back
 * early. */

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

/* Returns `made`, what another call has returned that fails only for lack of memory. Ends the
 * command if it is NULL. */
void *need_made(void *made);
/* Ends the command unless `status` is 0: that of a call that fails only for lack of memory. */
void need_done(int status);
/* Makes the memory own an object, so that need_give_back() calls `destroy` for it. Returns the
 * object. made: as for need_made(). */
void *need_owned(void *made, void (*destroy)(void *object));
/* Defines a function for need_owned() that calls `function`, whose parameter has another type. */
#define NEED_DESTROYER(name, function) \
	static void name(void *object) \
	{                              \
		function(object);      \
	}
/* Destroys the objects, the newest first, and frees all memory; for programs that read file after
 * file. */
void need_give_back(void);

/* Makes a memory apart from the command's, which can be given back as a whole while the command
 * goes on. One thread at a time may use it. */
struct need_memory *need_memory_create(void);
/* Lets the calling thread take all its memory from `memory` from now on. Returns the one from which
 * it took before. */
struct need_memory *need_memory_use(struct need_memory *memory);
/* Destroys the objects of a memory, the newest first, and frees it all. No thread may use it
 * then. */
void need_memory_destroy(struct need_memory *memory);
