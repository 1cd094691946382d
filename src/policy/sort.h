/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef POLICY_SORT_H
#define POLICY_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Ordered by key, 0 or more, then by rest. 16 bytes: sorting is mostly copying. */
struct sort_item {
	double key;
	float rest;
	uint32_t node;
};

/* Greatest first, equal ones as they were. `spare` is `count` long; nothing is
 * allocated (qsort allocates, and is not stable everywhere). */
void sort_descending(struct sort_item *items, struct sort_item *spare, size_t count);

#endif
