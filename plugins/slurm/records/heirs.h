/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The usage of a deleted association goes to its heir, the nearest account above it that still
 * exists; if none does, to the root. Rows tell which account each association was in.
 *
 *	rows: 1 root, 2 in 1, 3 in 2, 4 in 3; left: 1 and 2
 *	heirs_find of 4, of 3 and of 2: the node of 2
 */
#pragma once

#include "core/id_index.h"

#define HEIRS_ROOT 0	/* the root's node */

/* Sets *node to the node of an association; returns false if the association does not exist.
 * context: that of struct heirs. */
typedef bool heirs_find_node(const void *context, uint32_t id, uint32_t *node);

/* Start with the last two members set, and account_of 0. Rows of associations that exist may be
 * left out. */
struct heirs {
	struct id_index account_of;	/* by id of an association that has a row: the id of its
					 * account; of its heir, once heirs_find() has found that */
	heirs_find_node *find_node;
	const void *context;		/* for find_node() */
};

/* Adds a row: `id` was in the account with the id `account`. Returns -1 if out of memory. The
 * caller calls heirs_clear() in each case. */
int heirs_add(struct heirs *heirs, uint32_t id, uint32_t account);
/* Frees the rows. */
void heirs_clear(struct heirs *heirs);
/* Sets *node to that of the association if it exists, else to that of its heir. Returns false if it
 * does not exist and has no row. Notes what it finds, in heirs->account_of. */
bool heirs_find(struct heirs *heirs, uint32_t id, uint32_t *node);
