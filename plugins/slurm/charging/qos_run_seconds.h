/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running seconds that a QOS counts for each account and each user, besides its own
 * (MaxTRESRunMinsPerAccount, …PerUser). Slurm up to 23.11 does not count them.
 */
#ifndef SLURM_QOS_RUN_SECONDS_H
#define SLURM_QOS_RUN_SECONDS_H

#include "base/compat.h"
#include "fathom.h"

/* Takes off the reserved seconds that the charges release. The caller holds assoc read, qos
 * write, tres read. */
void qos_run_seconds_release(const struct fathom_charges *charges);
/* The same in slices; the caller holds no lock. */
void qos_run_seconds_release_sliced(const struct fathom_charges *charges);

#endif
