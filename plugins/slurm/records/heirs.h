/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The usage of a deleted association goes to its heir, the nearest account above it
 * that still exists. Rows tell which account each association was in.
 *
 *	rows: 1 root, 2 in 1, 3 in 2, 4 in 3; left: 1 and 2
 *	heirs_find of 4, of 3 and of 2: the node of 2
 */
#pragma once

#include "core/id_index.h"

#define HEIRS_ROOT 0	/* the root's node */

/* Finds the node of an association; false: it does not exist. */
typedef bool heirs_find_node(const void *context, uint32_t id, uint32_t *node);

/* Start with the last two members set, and all else 0. Rows of associations that exist may be left
 * out. */
struct heirs {
	struct id_index account_of;	/* by association that has a row: its account, or once that
					 * has been looked for, its heir */
	heirs_find_node *find_node;
	const void *context;
};

/* Adds a row: `id` was in the account with the id `account`. Returns -1 if out of memory. The
 * caller calls heirs_clear() in each case. */
int heirs_add(struct heirs *heirs, uint32_t id, uint32_t account);
void heirs_clear(struct heirs *heirs);
/* Sets *node to that of the association if it exists, else to that of its heir. Returns false if it
 * does not exist and has no row. */
bool heirs_find(struct heirs *heirs, uint32_t id, uint32_t *node);
