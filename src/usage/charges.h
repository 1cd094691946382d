/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls on charges for the files of src/usage only; fathom/usage.h has those for all. */
#pragma once

#include "fathom/usage.h"

/* Drops all charges, and keeps memory for the next ones, which are made by these rules; they are
 * copied. */
void charges_empty(struct fathom_charges *charges, const struct fathom_charge_rules *rules);
/* Returns the rules that the list was created or emptied with. */
const struct fathom_charge_rules *charges_rules(const struct fathom_charges *charges);
/* Adds a charge with a copy of the run; the caller sets all other members. The names of the run's
 * partition and sets of hosts are not copied and have to live as long as the list. NULL: out of
 * memory, nothing was added. */
struct fathom_charge *charges_add(struct fathom_charges *charges, const struct fathom_run *run);
/* Returns what a part of a run has of the value of the whole run, by its share of the CPUs.
 * Multiplies first, so that whole CPUs stay whole. */
static inline double charges_part_of(double value, const struct fathom_run_part *part)
{
	if (part->cpus == part->all_cpus)
		return value;
	return value * (double)part->cpus / (double)part->all_cpus;
}
/* Returns fathom_decayed_seconds() of an interval by `seen` and half_life of the list's rules. */
double charges_decay(struct fathom_charges *charges, const struct fathom_interval *interval);
