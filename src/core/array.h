/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow as elements are added. */
#pragma once

#include <stddef.h>

/*
 * Makes room for `count` elements and returns the array, which may have moved. New elements are
 * not set. *size: the number of elements that it has room for; it at least doubles when the array
 * grows. Start with array NULL and *size 0. The caller frees the array. Returns NULL if memory
 * runs out; the old array then stays valid.
 */
void *array_grow(void *array, size_t *size, size_t count, size_t element_size);
/* Appends an element of zeros and returns it. array: the address of the pointer to the array, which
 * starts as NULL; *count starts as 0. Only this call may change the number of elements. The caller
 * frees the array. Returns NULL if memory runs out; nothing has changed then. */
void *array_append(void *array, size_t *count, size_t element_size);
