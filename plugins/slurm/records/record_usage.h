/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage in slurmctld's own records of associations and QOS. */
#ifndef SLURM_RECORD_USAGE_H
#define SLURM_RECORD_USAGE_H

#include "base/compat.h"
#include "fathom.h"

/* Every amount of usage is multiplied; 1 changes nothing. An account's own is
 * kept in leaf_usage, which is the same record for a user. */
void usage_scale_association(slurmdb_assoc_rec_t *association, double factor);
void usage_scale_qos(slurmdb_qos_rec_t *qos, double factor);
/* Nothing used; an account's own record goes. */
void usage_clear_association(slurmdb_assoc_rec_t *association);
void usage_clear_qos(slurmdb_qos_rec_t *qos);

/* An account's usage as a sum: cleared with its running seconds, and own usage
 * added to it. A user's is its own, and stays. */
void usage_clear_sum(slurmdb_assoc_rec_t *association);
void usage_add_to_sum(slurmdb_assoc_usage_t *sum, const slurmdb_assoc_usage_t *own);
/* An account's own usage, worked out in three steps: take its total, subtract each member's,
 * and drop the rest if it is mere rounding. They leave users alone. */
void usage_begin_own(slurmdb_assoc_rec_t *account);
void usage_take_member(slurmdb_assoc_rec_t *account, const slurmdb_assoc_rec_t *member);
void usage_end_own(slurmdb_assoc_rec_t *account);

/* `scale` times the amount; running seconds are not scaled. */
void usage_add_association(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
			   double scale, uint32_t tres_count);
void usage_add_qos(slurmdb_qos_rec_t *qos, const struct fathom_amount *amount, uint32_t tres_count);
/* Running seconds off those that are left, never below 0; `name` is whose, for
 * the log, and far away in memory. */
void usage_take_run_seconds(uint64_t *left, const struct fathom_amount *amount, uint32_t tres_count,
			    char *const *name);
/* To an account's usage without its members', made if it has none; of a user,
 * that is the same record and nothing is added. */
void usage_add_own(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
		   double scale, uint32_t tres_count);

/* What a QOS is charged, as it counts it; NULL: nothing. */
const struct fathom_amount *usage_charged_qos(const struct fathom_qos_totals *totals,
					      const slurmdb_qos_rec_t *qos);

#endif
