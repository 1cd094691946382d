/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goes through slurmctld's job list and charges what jobs ran since the last pass. */
#ifndef SLURM_GATHER_H
#define SLURM_GATHER_H

#include "charging/book.h"
#include "usage/charge_amounts.h"
#include "walk/list_trail.h"

/* What a pass charges. */
struct gathered {
	struct charge_amounts *amounts;	/* added up */
	/* One by one: all, if anybody asks for single charges; else those that `amounts` lacks. */
	struct fathom_charges *charges;
	size_t added;			/* of these, the first ones are in `amounts` */
	uint32_t tres_count;		/* of `amounts` */
};

/*
 * Charges all jobs up to `now`. trail: of the job list, or NULL. *run_seconds_version is for
 * book_counts_from(). Takes job read in slices; the caller holds no lock, and clears the result.
 * -1: out of memory; the next pass charges all that was due.
 */
int book_gather(struct book *book, const struct settings *settings, time_t now,
		struct list_trail *trail, uint32_t *run_seconds_version,
		struct gathered *gathered);
void gathered_clear(struct gathered *gathered);

#endif
