/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The usage of a deleted association goes to its heir, the nearest account above it
 * that still exists. Rows tell which account each association was in.
 *
 *	rows: 1 root, 2 in 1, 3 in 2, 4 in 3; left: 1 and 2
 *	heirs_find of 4, of 3 and of 2: the node of 2
 */
#ifndef SLURM_HEIRS_H
#define SLURM_HEIRS_H

#include "core/id_index.h"

#define HEIRS_ROOT 0	/* the root's node */

/* An association, perhaps deleted, and the account that it was in. */
struct heir_row {
	uint32_t parent_id;
	uint32_t node;		/* of the heir, if `settled`; HEIRS_ROOT until it is found */
	bool settled;		/* the heir has been found, or is being searched for */
};

/* Finds the node of an association; false: it does not exist. */
typedef bool heirs_find_node(const void *context, uint32_t id, uint32_t *node);

struct heirs {
	struct heir_row *row;
	uint32_t count;
	struct id_index index;	/* of rows */
	heirs_find_node *find_node;
	const void *context;
};

/* Makes room for `count` rows, which the caller adds. Returns false if out of memory; the caller
 * calls heirs_clear() in each case. */
bool heirs_create(struct heirs *heirs, size_t count, heirs_find_node *find_node,
		  const void *context);
void heirs_add(struct heirs *heirs, uint32_t id, uint32_t parent_id);
void heirs_clear(struct heirs *heirs);
/* Finds the node of the association if it exists, else that of its heir. Returns
 * false if it does not exist and has no row. */
bool heirs_find(struct heirs *heirs, uint32_t id, uint32_t *node);

#endif
