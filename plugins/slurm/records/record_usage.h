/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage in slurmctld's own records of associations and QOS. */
#ifndef SLURM_RECORD_USAGE_H
#define SLURM_RECORD_USAGE_H

#include "base/compat.h"
#include "fathom.h"

/*
 * What an association uses itself is its own usage: all of a user's, and of an
 * account what deleted members have left to it (leaf_usage, which is the same
 * record as `usage` for a user). An account's `usage` is its total.
 */

/* Own usage is multiplied; 1 changes nothing. */
void usage_scale_own(slurmdb_assoc_rec_t *association, double factor);
void usage_scale_qos(slurmdb_qos_rec_t *qos, double factor);
/* Nothing is used any more; an account loses its record of own usage. */
void usage_clear_own(slurmdb_assoc_rec_t *association);
void usage_clear_association(slurmdb_assoc_rec_t *association);
void usage_clear_qos(slurmdb_qos_rec_t *qos);

/* Adds `factor` times the amount to own usage. */
void usage_add_own(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
		   double factor, uint32_t tres_count);
/* The same for the totals of all accounts above it, and its own total. */
void usage_add_to_totals(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
			 double factor, uint32_t tres_count);
void usage_add_qos(slurmdb_qos_rec_t *qos, const struct fathom_amount *amount, uint32_t tres_count);
/* Sets an account's total: billing, wall, and those TRES whose places are in `tres_at`. */
void usage_set_total(slurmdb_assoc_rec_t *account, const double *amount, const uint32_t *tres_at,
		     uint32_t tres_count);

/* Takes reserved seconds that have run off those that are left of the association and
 * of all accounts above it. */
void usage_release(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
		   uint32_t tres_count);
/* The same for one count, never below 0; `name` is whose, for the log, and far away in memory. */
void usage_release_from(uint64_t *left, const struct fathom_amount *amount, uint32_t tres_count,
			char *const *name);

/* What a QOS is charged, as it counts it; NULL: nothing. */
const struct fathom_amount *usage_charged_qos(const struct fathom_qos_totals *totals,
					      const slurmdb_qos_rec_t *qos);

#endif
