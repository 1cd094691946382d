/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of what a pass has computed: the last evaluation and the names of accounts and users. Only
 * slurmctld's records have those names. A thread makes the text of FiguresFile from it, without a
 * lock.
 */
#ifndef SLURM_FIGURES_COPY_H
#define SLURM_FIGURES_COPY_H

#include "core/snapshot.h"
#include "results/results.h"
#include "settings/settings.h"

struct figures_copy {
	struct evaluation *evaluation;	/* with the settings of the pass */
	struct snapshot names;		/* its tree belongs to the evaluation */
};

/* Takes assoc read in slices. False: out of memory, the last evaluation had other settings, or an
 * association is gone since then; the copy is empty. */
bool figures_copy_make(struct figures_copy *copy, struct results *results,
		       const struct settings *settings);
void figures_copy_clear(struct figures_copy *copy);
/* Returns JSON of format JSON_FIGURES_FORMAT, which the caller frees. NULL: errno says why. */
char *figures_copy_text(const struct figures_copy *copy, size_t *size);

#endif
