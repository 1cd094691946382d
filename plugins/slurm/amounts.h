/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the charges of a pass come to, for each association and each QOS. */
#ifndef SLURM_AMOUNTS_H
#define SLURM_AMOUNTS_H

#include "associations.h"
#include "charge.h"
#include "usage.h"

struct amounts {
	uint32_t tres_count;
	uint32_t *row_of_node;		/* from 1; 0: nothing charged */
	struct amount **row;		/* members included */
	size_t count, size;
	/* accounts that were charged themselves, without their members */
	struct { uint32_t node; struct amount *amount; } *alone;
	size_t alone_count;
};

/* Sums the charges up the tree; one whose association is gone falls to its
 * account. -1: out of memory, an unknown part is missing. */
int amounts_create(struct amounts *amounts, const struct associations *associations,
		   const struct charges *charges, bool run_seconds, uint32_t tres_count);
void amounts_clear(struct amounts *amounts);

/* Members included; NULL: nothing. */
const struct amount *amounts_total(const struct amounts *amounts, uint32_t node);
/* Of a user the same; of an account what was charged to it alone. */
const struct amount *amounts_own(const struct amounts *amounts,
				 const struct associations *associations, uint32_t node);

/* What one QOS is charged; NULL: nothing. To be given to amount_free. */
struct amount *amount_of_qos(const struct charges *charges, uint32_t qos_id, bool decayed,
			     bool run_seconds, uint32_t tres_count);
void amount_free(struct amount *amount);

#endif
