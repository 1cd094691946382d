/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goes through slurmctld's job list and charges what jobs ran since the last pass. */
#ifndef SLURM_GATHER_H
#define SLURM_GATHER_H

#include "charging/book.h"
#include "walk/list_trail.h"

/*
 * Charges all jobs up to `now`. trail: of the job list, or NULL. *run_seconds_version is for
 * book_counts_from(). Takes job read in slices; the caller holds no lock, and destroys the result.
 * NULL: out of memory; the next pass charges all that was due.
 */
struct fathom_charges *book_gather(struct book *book, const struct settings *settings, time_t now,
				   struct list_trail *trail, uint32_t *run_seconds_version);

#endif
