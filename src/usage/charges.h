/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef USAGE_CHARGES_H
#define USAGE_CHARGES_H

#include "fathom/usage.h"

const struct fathom_charge_rules *charges_rules(const struct fathom_charges *charges);
/* One more, of a copy of the run; the rest of it is 0. Its partition's name has
 * to live as long as the charges. NULL: out of memory, there is none more. */
struct fathom_charge *charges_add(struct fathom_charges *charges, const struct fathom_run *run);

#endif
