/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells at which leaf of a scope's own tree a run counts: at the one at which the job was last
 * placed. The ledger keeps it. Before the first charge the last places tell. slurmctld gives a task
 * of a job array a new id when it starts: it counts where the array was placed. Without places, the
 * last evaluation has the best leaf of the association.
 */
#ifndef SLURM_RUN_LEAVES_H
#define SLURM_RUN_LEAVES_H

#include "charging/book.h"
#include "results/results.h"

struct run_leaves {
	struct book *book;
	struct places *places;
	struct evaluation *evaluation;
};

/* Takes references; book: the ledger, or NULL. */
struct run_leaves run_leaves_begin(struct results *results, struct book *book);
void run_leaves_end(struct run_leaves *leaves);
/* Returns the key of the leaf; 0: not known. scheme: index of a scope in these settings. */
uint32_t run_leaves_find(const struct run_leaves *leaves, const struct settings *settings,
			 size_t scheme, const struct fathom_run_id *id);

#endif
