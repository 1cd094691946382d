/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The FiguresFile of fathom.conf: what a pass has computed, for commands. */
#ifndef SLURM_FIGURES_FILE_H
#define SLURM_FIGURES_FILE_H

#include "fairshare/fairshare.h"
#include "settings/settings.h"

struct divided_pools;
struct figures_file;

/* NULL: out of memory. */
struct figures_file *figures_file_create(void);
/* Waits for a write that is under way; one that takes too long is left behind. */
void figures_file_destroy(struct figures_file *file);

/* Call it only if the settings name a file. It copies the figures, with assoc read in slices,
 * and starts a thread that writes the copy; until that has ended, other calls do nothing. A
 * relative path is below `folder`. A problem is logged once, and the file stays as it was. A
 * file of that name that has no figures is never replaced. pools: of the pass, or NULL. */
void figures_file_write(struct figures_file *file, const char *folder,
			const struct settings *settings, struct fairshare *fairshare,
			struct divided_pools *pools);

#endif
