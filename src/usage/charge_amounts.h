/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charges added up by association and by QOS, while they come in. So a round of a hundred thousand
 * charges need not be kept until it is known to which nodes of a tree the associations belong.
 */
#ifndef USAGE_CHARGE_AMOUNTS_H
#define USAGE_CHARGE_AMOUNTS_H

#include "fathom/usage.h"

struct charge_amounts;

/* Makes an empty one, for so many TRES, with room for so many associations at first. NULL: out of
 * memory. */
struct charge_amounts *charge_amounts_create(uint32_t tres_count, size_t room);
/* Frees it; NULL is allowed. */
void charge_amounts_destroy(struct charge_amounts *amounts);
/* Adds all charges of a list from *at on, and moves *at behind the last one that was added. -1: out
 * of memory. */
int charge_amounts_add(struct charge_amounts *amounts, const struct fathom_charges *charges,
		       size_t *at);

/* Returns the number of associations that were charged. */
size_t charge_amounts_count(const struct charge_amounts *amounts);
/* Puts such an association and its account into *id, and returns what it was charged. at: below
 * charge_amounts_count(). The result is valid until the next charge is added. */
const struct fathom_amount *charge_amounts_at(const struct charge_amounts *amounts, size_t at,
					      struct fathom_run_id *id);
/* Returns what QOS were charged, valid as long as `amounts`. */
const struct fathom_qos_totals *charge_amounts_of_qos(const struct charge_amounts *amounts);
/* As fathom_charge_totals_create(), with released seconds; valid as long as `amounts`. */
struct fathom_charge_totals *charge_amounts_by_node(const struct charge_amounts *amounts,
						    const struct fathom_tree *tree,
						    const struct fathom_node_index *index);

#endif
