/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that the command cannot do without: if there is none, these functions print "fathom: out
 * of memory" and end the command with status 2, so that callers need not check. Callers need not
 * free it either: it belongs to the command until need_give_back(), or to another memory of
 * need_memory_use(). Threads may call all functions at the same time, except need_give_back().
 */
#pragma once

#include "core/list_text.h"
#include "core/piece.h"

#include <stdarg.h>
#include <stddef.h>

/* Returns an array of `count` + 1 elements, all 0: one more than asked for, to end lists with. */
void *need_zeros(size_t count, size_t element_size);
/* Makes room for `count` elements in an array. Returns the array, which may have moved; new
 * elements are not set. *size: the number of elements that it has room for. Start with array NULL
 * and *size 0. */
void *need_room(void *array, size_t *size, size_t count, size_t element_size);
/* Appends an element of zeros to an array, and returns it. array: the address of the pointer to the
 * array, which starts as NULL; *count: the number of elements, which starts as 0. Only this call
 * and NEED_ADD() may change it. */
void *need_append(void *array, size_t *count, size_t element_size);
/* Appends an element to an array of need_append(). array, count: variables, without '&'; behind
 * them the element's value. */
#define NEED_ADD(array, count, ...)                                                               \
	(need_append(&(array), &(count), sizeof(*(array))),                                       \
	 (void)((array)[(count) - 1] = __VA_ARGS__))
/* Frees an array from need_zeros() or need_room() early, where memory would add up in a loop. It
 * may be NULL. */
void need_free(void *array);

/* What the next functions return lies among other small things, and cannot be freed early. */

/* Returns an object of `size` bytes, all 0. */
void *need_object(size_t size);
/* Returns a copy of a text; NULL for NULL. */
char *need_text(const char *text);
/* Returns a copy of a piece as a text. */
char *need_copy(struct piece piece);
/* Both return a text as printf() writes it. */
char *need_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *need_vprint(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
/* Returns a time, seconds since 1970, in the local time zone, as strftime() writes it; as a number
 * of seconds if it is NAN or the C library knows no such year. */
char *need_date(double time, const char *format) __attribute__((format(strftime, 2, 0)));

/* Returns names as list_text() writes them to `size` bytes, such as "a, b or c". */
const char *need_list(struct name_list names, const char *last, size_t size);
/* Returns words in the same way. */
const char *need_words(const char *const *word, size_t count, const char *last, size_t size);
/* Returns words with a separator between them; "" for no words. */
char *need_join(const char *const *word, size_t count, const char *separator);

/* Returns `made`, or ends the command if it is NULL. made: the result of a call that fails only for
 * lack of memory. */
void *need_made(void *made);
/* Ends the command unless `status` is 0. status: the result of a call that fails only for lack of
 * memory. */
void need_done(int status);
/* Makes the memory own an object: destroy(made) is called when the memory is freed. Returns `made`,
 * or ends the command if it is NULL. */
void *need_owned(void *made, void (*destroy)(void *object));
/* Defines a function `name` for need_owned() that calls `function`, whose parameter is a pointer of
 * another type. */
#define NEED_DESTROYER(name, function) \
	static void name(void *object) \
	{                              \
		function(object);      \
	}
/* Destroys the command's objects, the newest first, and frees all its memory; for programs that
 * read file after file. */
void need_give_back(void);

/* Makes a memory apart from the command's, which can be freed as a whole while the command goes
 * on. One thread at a time may use it. */
struct need_memory *need_memory_create(void);
/* Lets the calling thread take all its memory from `memory` from now on; NULL: that of the command.
 * Returns the memory from which it has taken so far. */
struct need_memory *need_memory_use(struct need_memory *memory);
/* Destroys the objects of a memory, the newest first, and frees it all. No thread may use it any
 * more. */
void need_memory_destroy(struct need_memory *memory);
