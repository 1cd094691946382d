/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Since Slurm 24.05 a QOS counts running seconds not only for itself, but also for each account and
 * each user (MaxTRESRunMinsPerAccount, MaxTRESRunMinsPerUser). A job adds its whole time limit when
 * it begins; the seconds that it has run are taken off here.
 */
#ifndef SLURM_QOS_RUN_SECONDS_H
#define SLURM_QOS_RUN_SECONDS_H

#include "base/compat.h"
#include "fathom.h"

/* Takes off the reserved seconds that the charges from `first` on release. The caller holds assoc
 * read, qos write, tres read. */
void qos_run_seconds_release(const struct fathom_charges *charges, size_t first);
/* Like qos_run_seconds_release(), for all charges, in slices; the caller holds no lock. */
void qos_run_seconds_release_sliced(const struct fathom_charges *charges);

#endif
