/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing arrays: each growth doubles the room, so that adding n elements copies at most 2n. */
#include "core/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 16	/* elements that a new array has room for */

void *array_grow(void *array, size_t *size, size_t count, size_t element_size)
{
	size_t wanted = *size > FIRST_SIZE / 2 ? 2 * *size : FIRST_SIZE;
	void *grown;

	if (array && count <= *size)
		return array;
	if (wanted < count)
		wanted = count;
	if (wanted > SIZE_MAX / element_size)
		return NULL;
	grown = realloc(array, wanted * element_size);
	if (grown)
		*size = wanted;
	return grown;
}

void *array_append(void *array, size_t *count, size_t element_size)
{
	char **items = array, *grown;

	/* The room is the least power of two that is not below the count, so it need not be stored:
	 * the array is full if the count is 0 or a power of two. */
	if (!(*count & (*count - 1))) {
		grown = realloc(*items, (*count ? 2 * *count : 1) * element_size);
		if (!grown)
			return NULL;
		*items = grown;
	}
	return memset(*items + (*count)++ * element_size, 0, element_size);
}
