/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the charges of a pass come to, for each association and each QOS. */
#ifndef SLURM_AMOUNTS_H
#define SLURM_AMOUNTS_H

#include "associations.h"
#include "charge.h"
#include "usage.h"

#define AMOUNT_BLOCK 256

/* Amounts are kept in blocks, as their number is not known before. */
struct amount_pool {
	struct amount **block;
	size_t count, blocks;
};

static inline struct amount *amount_at(const struct amount_pool *pool, size_t i)
{
	return &pool->block[i / AMOUNT_BLOCK][i % AMOUNT_BLOCK];
}

struct amounts {
	uint32_t tres_count;
	uint32_t *row_of_node;		/* from 1; 0: nothing charged */
	struct amount_pool pool;	/* members included */
	/* accounts that were charged themselves, without their members */
	uint32_t *alone_node;
	struct amount_pool alone;
};

/* Sums the charges up the tree; one whose association is gone falls to its
 * account. -1: out of memory, an unknown part is missing. */
int amounts_create(struct amounts *amounts, const struct associations *associations,
		   const struct charges *charges, bool run_seconds, uint32_t tres_count);
void amounts_clear(struct amounts *amounts);

/* Members included; NULL: nothing. */
static inline const struct amount *amounts_total(const struct amounts *amounts, uint32_t node)
{
	uint32_t row = amounts->row_of_node ? amounts->row_of_node[node] : 0;

	return row ? amount_at(&amounts->pool, row - 1) : NULL;
}
/* Of a user the same; of an account what was charged to it alone. */
const struct amount *amounts_own(const struct amounts *amounts,
				 const struct associations *associations, uint32_t node);

/* What each QOS is charged, decayed and not. */
struct qos_amounts {
	uint32_t *row_of_id;		/* from 1; 0: nothing charged */
	uint32_t id_count;
	struct amount_pool decayed, plain;
};

/* -1: out of memory, an unknown part is missing. */
int qos_amounts_create(struct qos_amounts *amounts, const struct charges *charges,
		       bool run_seconds, uint32_t tres_count);
void qos_amounts_clear(struct qos_amounts *amounts);
/* As the QOS counts it; NULL: nothing. */
const struct amount *qos_amount(const struct qos_amounts *amounts, const slurmdb_qos_rec_t *qos);

#endif
