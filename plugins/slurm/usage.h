/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Usage in slurmctld's own records of associations and QOS. */
#ifndef SLURM_USAGE_H
#define SLURM_USAGE_H

#include "charge.h"
#include "compat.h"

/* Every amount of usage is multiplied. An account's own is kept in leaf_usage,
 * which is the same record for a user. */
void usage_scale_association(slurmdb_assoc_rec_t *association, double factor);
/* Nothing used; an account's own record goes. */
void usage_clear_association(slurmdb_assoc_rec_t *association);
void usage_scale_qos(slurmdb_qos_rec_t *qos, double factor);

/* The association, all accounts above it, and both QOS (NULL: none). */
void usage_charge(const struct charge *charge, slurmdb_assoc_rec_t *association,
		  slurmdb_qos_rec_t *qos, slurmdb_qos_rec_t *partition_qos,
		  bool take_run_seconds);

/* Adds usage that is an association's own to it and to all accounts above it.
 * tres: slurmctld_tres_cnt long, or NULL. */
void usage_add_own(slurmdb_assoc_rec_t *association, double raw, double wall, const double *tres);

/* An account's usage without its children's; made if it has none. */
slurmdb_assoc_usage_t *usage_own(slurmdb_assoc_rec_t *association);

#endif
