/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Binary heaps: arrays whose element 0 goes before all others. The children of element i are 2i + 1
 * and 2i + 2, neither of which goes before it. The functions are inline, so that the compiler makes
 * them anew for the size and order of the elements.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef bool heap_order(const void *a, const void *b);	/* whether `a` goes before `b` */

/* Returns element `at` of a heap whose elements have `size` bytes. */
static inline void *heap_at(void *heap, size_t at, size_t size)
{
	return (char *)heap + at * size;
}

/* Copies an element of `size` bytes into a heap of `count` elements, which must have room for one
 * more. The caller counts it. */
static inline void heap_push(void *heap, size_t count, const void *added, size_t size,
			     heap_order *goes_before)
{
	size_t at = count, parent;

	for (; at && goes_before(added, heap_at(heap, parent = (at - 1) / 2, size)); at = parent)
		memcpy(heap_at(heap, at, size), heap_at(heap, parent, size), size);
	memcpy(heap_at(heap, at, size), added, size);
}

/* Removes element 0 of a heap. count: the number of elements without it; the caller has counted it
 * off. */
static inline void heap_pop(void *heap, size_t count, size_t size, heap_order *goes_before)
{
	const void *last = heap_at(heap, count, size);
	size_t at = 0, child;

	for (; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && goes_before(heap_at(heap, child + 1, size),
						     heap_at(heap, child, size)))
			child++;
		if (!goes_before(heap_at(heap, child, size), last))
			break;
		memcpy(heap_at(heap, at, size), heap_at(heap, child, size), size);
	}
	memmove(heap_at(heap, at, size), last, size);
}
