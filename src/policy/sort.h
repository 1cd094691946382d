/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorts siblings, which the policies that rank do in each evaluation. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* An item has 16 bytes and no more, because sorting is mostly copying. */
struct sort_item {
	double key;	/* 0 or more; items are sorted by it */
	float rest;	/* decides between items with equal keys */
	uint32_t node;
};

/* Sorts the items, the greatest first; equal items keep their order. spare: room for `count`
 * items. It takes the place of qsort(), which may allocate memory and may swap equal items. */
void sort_descending(struct sort_item *items, struct sort_item *spare, size_t count);
