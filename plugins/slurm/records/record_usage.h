/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and changes usage in slurmctld's records of associations and QOS. The caller holds the lock
 * of what is changed for writing, and tres read. An association has two sorts of usage:
 *
 *	own usage (leaf_usage)	a user: what its jobs have used
 *				an account: what deleted members have used; NULL: nothing
 *	total (usage)		a user: the same record as leaf_usage
 *				an account: own usage, and that of all users below
 */
#pragma once

#include "base/compat.h"
#include "fathom.h"

/* The most billing seconds that a record may have: slurmctld tells clients the sum of all users in
 * 64 bits. A thousand million CPUs use this much in 30 years. */
#define USAGE_RAW_MOST 1e18

/* The amounts of a row of usage: raw usage (billing seconds), wall time (seconds), and from
 * USAGE_TRES on the seconds of some TRES. */
enum { USAGE_RAW, USAGE_WALL, USAGE_TRES };

/* Sets own usage and total of an association. own, total: rows with tres_count TRES; tres_at:
 * slurmctld's index of each. If all amounts of `own` are 0, an account's leaf_usage becomes NULL.
 * Of a user only the total is read, as both are one struct. */
void usage_set(slurmdb_assoc_rec_t *association, const double *own, const double *total,
	       const uint32_t *tres_at, uint32_t tres_count);
/* Sets own usage and total to 0. */
void usage_clear_association(slurmdb_assoc_rec_t *association);
/* Sets a row that is all 0 to own usage of an association. tres_at: slurmctld's index of each of
 * the row's tres_count TRES. An amount that is infinite or not a number is read as what it counts
 * as, see core/valid_usage.h; such billing seconds are logged with their owner. */
void usage_get_own(const slurmdb_assoc_rec_t *association, double *row, const uint32_t *tres_at,
		   uint32_t tres_count);
/* Sets a row that is all 0 to the usage of a QOS, as usage_get_own() does, without a message. */
void usage_get_qos(const slurmdb_qos_rec_t *qos, double *row, const uint32_t *tres_at,
		   uint32_t tres_count);

/* Adds an amount with tres_count TRES to the own usage of an association, and to its total and
 * those of all accounts above. */
void usage_add(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
	       uint32_t tres_count);

/* Multiplies the usage of a QOS by a factor. Then, unless `amount` is NULL, adds the amount, with
 * tres_count TRES, and takes the seconds that it releases off the running seconds of the QOS. */
void usage_change_qos(slurmdb_qos_rec_t *qos, double factor, const struct fathom_amount *amount,
		      uint32_t tres_count);

/* Takes the seconds that the amount releases (of tres_count TRES) off the running seconds
 * (GrpTRESRunMins) of the association and of all accounts above it. */
void usage_release(slurmdb_assoc_rec_t *association, const struct fathom_amount *amount,
		   uint32_t tres_count);
/* Takes the seconds that the amount releases off run_seconds[], the running seconds of tres_count
 * TRES, but not below 0. Does nothing with NULL. name: points to the owner's name, which is read
 * only if there is something to log, as that costs a cache miss. */
void usage_release_from(uint64_t *run_seconds, const struct fathom_amount *amount,
			uint32_t tres_count, char *const *name);
