/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes usage in slurmctld's records of associations and QOS. An association has two sorts:
 *
 *	own usage (leaf_usage)	a user: what its jobs have used
 *				an account: what deleted members have used; NULL: nothing
 *	total (usage)		a user: the same record as leaf_usage
 *				an account: own usage, and that of all users below
 */
#ifndef SLURM_RECORD_USAGE_H
#define SLURM_RECORD_USAGE_H

#include "base/compat.h"
#include "fathom.h"

/* Multiply own usage by a factor. */
void usage_scale_own(slurmdb_assoc_rec_t *association, double factor);
void usage_scale_qos(slurmdb_qos_rec_t *qos, double factor);
/* Set usage to 0: own usage, of which an account loses the record; own usage and total; a QOS's. */
void usage_clear_own(slurmdb_assoc_rec_t *association);
void usage_clear_association(slurmdb_assoc_rec_t *association);
void usage_clear_qos(slurmdb_qos_rec_t *qos);

/* Replaces own usage that is infinite or not a number by what it counts as, see
 * core/valid_usage.h, and logs whose it is. The next calls for own usage do so, too. */
void usage_repair_own(slurmdb_assoc_rec_t *association);

/* Sets own raw usage, and nothing else. */
void usage_set_own_raw(slurmdb_assoc_rec_t *association, double raw);

/* Add `factor` times the amount to the own usage of an association; to its total, if it is an
 * account, and the totals of all accounts above; to a QOS. */
void usage_add_own(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
		   double factor, uint32_t tres_count);
void usage_add_to_totals(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
			 double factor, uint32_t tres_count);
void usage_add_qos(slurmdb_qos_rec_t *qos, const struct fathom_amount *amount, uint32_t tres_count);
/* Sets an account's total. amount: billing, wall time, and `tres_count` TRES; tres_at: the indexes
 * of these in slurmctld. */
void usage_set_total(slurmdb_assoc_rec_t *account, const double *amount, const uint32_t *tres_at,
		     uint32_t tres_count);

/* Takes seconds that have run off the running seconds (GrpTRESRunMins) of the association and of
 * all accounts above it. */
void usage_release(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
		   uint32_t tres_count);
/* Takes them off `left`, a count of each TRES, but not below 0. name: the owner's, for the log; a
 * pointer to it, as reading it would cost a cache miss. */
void usage_release_from(uint64_t *left, const struct fathom_amount *amount, uint32_t tres_count,
			char *const *name);

/* Returns what a QOS is charged, decayed or not, as the QOS wants it; NULL: nothing. */
const struct fathom_amount *usage_charged_qos(const struct fathom_qos_totals *totals,
					      const slurmdb_qos_rec_t *qos);

#endif
