/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the ledger does with a list of charges. */
#pragma once

#include "fathom/usage.h"

/* Drops all charges, and keeps the memory for the next ones. */
void charges_empty(struct fathom_charges *charges, const struct fathom_charge_rules *rules);
/* Returns the rules that the list was created or emptied with. */
const struct fathom_charge_rules *charges_rules(const struct fathom_charges *charges);
/* Adds a charge with a copy of the run; the caller sets all other members. The names of the run's
 * partition and sets of hosts are not copied and have to live as long as the list. NULL: out of
 * memory, nothing was added. */
struct fathom_charge *charges_add(struct fathom_charges *charges, const struct fathom_run *run);
/* Returns the part of a value that belongs to a part of a run, by its CPUs. Multiplies first, so
 * that whole CPUs stay whole. */
static inline double charges_part_of(double value, const struct fathom_run_part *part)
{
	if (part->cpus == part->all_cpus)
		return value;
	return value * (double)part->cpus / (double)part->all_cpus;
}
/* Returns fathom_decayed_seconds() of an interval by the rules of the list. */
double charges_decay(struct fathom_charges *charges, const struct fathom_interval *interval);
