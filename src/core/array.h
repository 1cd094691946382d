/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow as elements are added. */
#pragma once

#include <stddef.h>

/*
 * Makes room for `count` elements and returns the array, which may have moved.
 * *size: the number of elements that it has room for; it at least doubles when
 * the array grows. Start with NULL and 0. NULL: out of memory, the old array
 * stays valid.
 */
void *array_grow(void *array, size_t *size, size_t count, size_t element_size);
/* Appends an element of zeros to an array that is only changed by this call, and returns it. array:
 * the address of the pointer to the array, which starts with NULL. NULL: out of memory. */
void *array_append(void *array, size_t *count, size_t element_size);
