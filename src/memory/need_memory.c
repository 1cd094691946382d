/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that the command cannot do without, see need_memory.h. Each array is a block of its own in
 * a ring, by which all can be freed. Small things, which are many and are never freed one by one,
 * lie side by side in blocks of CHUNK bytes:
 *
 *	ring <-> block: array <-> block: "a" object "name" ... <-> block: array <-> ring
 *
 * A thread takes small things from a chunk of its own, so that only blocks need the lock.
 */
#include "memory/need_memory.h"

#include <math.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXIT_WITHOUT_MEMORY 2		/* status of the command */
#define FIRST_SIZE 16			/* elements of an array that grows */
#define CHUNK ((size_t)1 << 16)		/* bytes of small things */
#define LARGE (CHUNK / 8)		/* bytes; larger things get a block of their own */

/* The head of a block: it stands before the bytes that the caller gets. */
struct memory_block {
	alignas(max_align_t) struct memory_block *next, *previous;
};

/* An object that is destroyed with the memory. */
struct owned {
	void *object;
	void (*destroy)(void *object);
	struct owned *older;
};

/* Blocks and objects that are freed together. */
struct need_memory {
	struct memory_block ring;	/* the beginning and end of all blocks; it has no bytes */
	struct owned *newest;	/* the newest of its objects, which `older` links; or NULL */
};

/* The memory of the command. It is static, so that leak checkers find all that it holds. */
static struct need_memory of_command = { .ring = { &of_command.ring, &of_command.ring } };
/* Guards all rings and lists of objects. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned generation;	/* how often need_give_back() was called; it invalidates chunks */

/* The memory that the thread takes from, see need_memory_use(). */
static _Thread_local struct need_memory *current = &of_command;

/* What is left of the chunk from which the thread takes small things. All 0: it has none. */
static _Thread_local struct {
	char *free_end;
	size_t left;		/* bytes from there on */
	unsigned generation;	/* in which the chunk was taken; it is gone in a later one */
} chunk;

/* ---- out of memory ----------------------------------------------------------------------- */

void *need_made(void *made)
{
	if (made)
		return made;
	fputs("fathom: out of memory\n", stderr);
	quick_exit(EXIT_WITHOUT_MEMORY);	/* drops what stdout has buffered */
}

void need_done(int status)
{
	need_made(status ? NULL : &status);	/* any address stands for success */
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* Puts a block into the ring of the current memory. Returns the bytes behind its head. */
static void *put_into_ring(struct memory_block *block)
{
	struct memory_block *ring = &current->ring;

	pthread_mutex_lock(&lock);
	block->next = ring;
	block->previous = ring->previous;
	block->previous->next = block->next->previous = block;
	pthread_mutex_unlock(&lock);
	return block + 1;
}

/* Takes the block of an array out of its ring, and returns it. */
static struct memory_block *take_from_ring(void *array)
{
	struct memory_block *block = (struct memory_block *)array - 1;

	pthread_mutex_lock(&lock);
	block->previous->next = block->next;
	block->next->previous = block->previous;
	pthread_mutex_unlock(&lock);
	return block;
}

/* Returns how many bytes the block of an array has, with its head. Ends the command if they are
 * more than a size_t can tell. */
static size_t block_size(size_t count, size_t element_size)
{
	size_t size;

	need_done(__builtin_mul_overflow(count, element_size, &size) ||
		  __builtin_add_overflow(size, sizeof(struct memory_block), &size));
	return size;
}

void *need_zeros(size_t count, size_t element_size)
{
	return put_into_ring(need_made(calloc(1, block_size(count + 1, element_size))));
}

void *need_room(void *array, size_t *size, size_t count, size_t element_size)
{
	size_t wanted = *size > FIRST_SIZE / 2 ? 2 * *size : FIRST_SIZE;
	struct memory_block *old;

	if (array && count <= *size)
		return array;
	wanted = wanted < count ? count : wanted;
	old = array ? take_from_ring(array) : NULL;
	*size = wanted;
	return put_into_ring(need_made(realloc(old, block_size(wanted, element_size))));
}

/* Returns whether an array of need_append() with `count` elements has no room for another one: it
 * grows from 0 to FIRST_SIZE, and then to twice its size each time. */
static bool is_full(size_t count)
{
	return !count || (count >= FIRST_SIZE && !(count & (count - 1)));
}

void *need_append(void *array, size_t *count, size_t element_size)
{
	char *elements = *(char **)array;
	size_t room = *count;

	if (is_full(room))
		*(char **)array = elements = need_room(elements, &room, room + 1, element_size);
	return memset(elements + (*count)++ * element_size, 0, element_size);
}

void need_free(void *array)
{
	if (array)
		free(take_from_ring(array));
}

/* ---- small things ------------------------------------------------------------------------ */

/* Returns `size` zeros at an address that is a multiple of `alignment`. They are from the thread's
 * chunk, or from a new one if it has too few left; a large thing gets a block of its own. */
static void *take_zeros(size_t size, size_t alignment)
{
	/* bytes up to the next multiple of the alignment */
	size_t gap = (size_t)-(uintptr_t)chunk.free_end % alignment;
	void *taken;

	if (size >= LARGE)
		return need_zeros(size, 1);
	if (size + gap > chunk.left || chunk.generation != generation) {
		chunk.free_end = need_zeros(CHUNK, 1);
		chunk.left = CHUNK;
		chunk.generation = generation;
		gap = 0;
	}
	taken = chunk.free_end + gap;
	chunk.free_end += gap + size;
	chunk.left -= gap + size;
	return taken;
}

void *need_object(size_t size)
{
	return take_zeros(size, alignof(max_align_t));
}

char *need_copy(struct piece piece)
{
	char *copy = take_zeros(piece.length + 1, 1);		/* zeros, so it ends with NUL */

	return memcpy(copy, piece.length ? piece.at : "", piece.length);
}

char *need_text(const char *text)
{
	return text ? need_copy(piece_of(text)) : NULL;
}

char *need_vprint(const char *format, va_list arguments)
{
	char *printed, *text;

	need_done(vasprintf(&printed, format, arguments) < 0);
	text = need_text(printed);
	free(printed);
	return text;
}

char *need_print(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = need_vprint(format, arguments);
	va_end(arguments);
	return text;
}

char *need_date(double time, const char *format)
{
	bool fits = fabs(time) < 0x1p63;	/* NAN does not */
	time_t seconds = fits ? (time_t)time : 0;
	struct tm local;
	char text[64];

	if (!fits || !localtime_r(&seconds, &local))
		return need_print("%.15g", time);
	strftime(text, sizeof(text), format, &local);
	return need_text(text);
}

const char *need_list(struct name_list names, const char *last, size_t size)
{
	return list_text(names, last, need_zeros(size, 1), size);
}

const char *need_words(const char *const *word, size_t count, const char *last, size_t size)
{
	const char **ended = need_zeros(count, sizeof(*ended));	/* name_list_of() needs the NULL */

	for (size_t i = 0; i < count; i++)
		ended[i] = word[i];
	return need_list(name_list_of(ended), last, size);
}

char *need_join(const char *const *word, size_t count, const char *separator)
{
	size_t length = 1;
	char *text, *end;

	for (size_t i = 0; i < count; i++)
		length += strlen(word[i]) + strlen(separator);
	text = end = need_object(length);
	for (size_t i = 0; i < count; i++)
		end = stpcpy(stpcpy(end, i ? separator : ""), word[i]);
	return text;
}

/* ---- objects ----------------------------------------------------------------------------- */

void *need_owned(void *made, void (*destroy)(void *object))
{
	struct owned *owned = need_object(sizeof(*owned));

	owned->object = need_made(made);
	owned->destroy = destroy;
	pthread_mutex_lock(&lock);
	owned->older = current->newest;
	current->newest = owned;
	pthread_mutex_unlock(&lock);
	return made;
}

/* Destroys all objects of a memory, and frees all its blocks. */
static void free_all(struct need_memory *memory)
{
	while (memory->newest) {
		struct owned *owned = memory->newest;

		memory->newest = owned->older;
		owned->destroy(owned->object);
	}
	while (memory->ring.next != &memory->ring)
		need_free(memory->ring.next + 1);
}

void need_give_back(void)
{
	free_all(&of_command);
	generation++;
}

/* ---- memory apart ------------------------------------------------------------------------ */

struct need_memory *need_memory_create(void)
{
	struct need_memory *memory = need_zeros(1, sizeof(*memory));

	memory->ring.next = memory->ring.previous = &memory->ring;
	return memory;
}

struct need_memory *need_memory_use(struct need_memory *memory)
{
	struct need_memory *before = current;

	chunk.left = 0;		/* the rest of the chunk belongs to the other memory */
	current = memory ? memory : &of_command;
	return before;
}

void need_memory_destroy(struct need_memory *memory)
{
	free_all(memory);
	need_free(memory);
}
