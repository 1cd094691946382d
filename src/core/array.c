/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays grow to twice their size, so that adding n elements copies at most 2n. */
#include "core/array.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_SIZE 16

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
