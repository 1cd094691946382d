/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow. */
#ifndef CORE_ARRAY_H
#define CORE_ARRAY_H

#include <stddef.h>

/*
 * The array with room for `count` elements, perhaps moved; *size is how many it
 * has room for, and at least doubles when it grows. Begin with NULL and 0. NULL:
 * out of memory; the array is then as it was.
 */
void *array_grow(void *array, size_t *size, size_t count, size_t element_size);

#endif
