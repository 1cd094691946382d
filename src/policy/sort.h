/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts siblings, which the policies that rank do in each evaluation. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* An item has only 16 bytes, because sorting is mostly copying. */
struct sort_item {
	double key;	/* 0 or more, or INFINITY; items are sorted by it */
	float rest;	/* decides between items with equal keys; any sign */
	uint32_t node;
};

/* Sorts the items, the greatest first; equal items keep their order. spare: room for `count`
 * items, which is overwritten. Used in place of qsort(), which may allocate memory and may swap
 * equal items. */
void sort_descending(struct sort_item *items, struct sort_item *spare, size_t count);
