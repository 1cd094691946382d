/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes usage in slurmctld's records of associations and QOS. An association has two sorts:
 *
 *	own usage (leaf_usage)	a user: what its jobs have used
 *				an account: what deleted members have used; NULL: nothing
 *	total (usage)		a user: the same record as leaf_usage
 *				an account: own usage, and that of all users below
 */
#pragma once

#include "base/compat.h"
#include "fathom.h"

/* Billing seconds in a record: slurmctld tells clients their sum over all users in 64 bits. A
 * thousand million CPUs use so much in 30 years. */
#define USAGE_RAW_MOST 1e18

/* Set an account's own usage; the total of an association. amount: billing seconds, seconds of
 * wall time, and those of tres_count TRES, of which slurmctld has each at the index `tres_at`. An
 * account whose own usage is 0 has no record of it. */
void usage_set_own(slurmdb_assoc_rec_t *account, const double *amount, const uint32_t *tres_at,
		   uint32_t tres_count);
void usage_set_total(slurmdb_assoc_rec_t *association, const double *amount,
		     const uint32_t *tres_at, uint32_t tres_count);
/* Sets own usage and total to 0. */
void usage_clear_association(slurmdb_assoc_rec_t *association);
/* Returns own usage, with tres_count TRES in `tres`. What is infinite or not a number is read as
 * what it counts as, see core/valid_usage.h; it is logged whose it is. */
struct fathom_amount usage_own(const slurmdb_assoc_rec_t *association, double *tres,
			       uint32_t tres_count);

/* Adds the amount to the own usage of an association, and to the totals of all accounts above. */
void usage_add(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
	       uint32_t tres_count);

/* Multiplies a QOS's usage; then adds the amount, and takes off the running seconds that it
 * releases, unless it is NULL. */
void usage_change_qos(slurmdb_qos_rec_t *qos, double factor, const struct fathom_amount *amount,
		      uint32_t tres_count);

/* Takes seconds that have run off the running seconds (GrpTRESRunMins) of the association and of
 * all accounts above it. */
void usage_release(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
		   uint32_t tres_count);
/* Takes them off `left`, a count of each TRES, but not below 0. name: the owner's, for the log; a
 * pointer to it, as reading it would cost a cache miss. */
void usage_release_from(uint64_t *left, const struct fathom_amount *amount, uint32_t tres_count,
			char *const *name);
