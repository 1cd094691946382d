/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running seconds that a QOS counts for each account and each user, beside its
 * own (MaxTRESRunMinsPerAccount, …PerUser). Up to 23.11 there are none.
 */
#ifndef SLURM_LIMITS_H
#define SLURM_LIMITS_H

#include "charge.h"

/* Takes off what the charges say will not come any more. The caller holds
 * assoc read, qos write, tres read. */
void limits_take_off(const struct charge *charge, size_t count);
/* The same in slices; the caller holds no lock. */
void limits_take_off_all(const struct charges *charges);

#endif
