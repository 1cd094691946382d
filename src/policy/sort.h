/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef POLICY_SORT_H
#define POLICY_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorted by key, which is 0 or more, then by rest. Kept to 16 bytes, because sorting is
 * mostly copying. */
struct sort_item {
	double key;
	float rest;
	uint32_t node;
};

/* Sorts the greatest first; equal items keep their order. spare: room for `count` items.
 * Allocates nothing, unlike qsort, which is not stable everywhere either. */
void sort_descending(struct sort_item *items, struct sort_item *spare, size_t count);

#endif
