/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The FiguresFile of fathom.conf: what a pass has computed, for commands. */
#ifndef SLURM_FIGURES_FILE_H
#define SLURM_FIGURES_FILE_H

#include "fairshare.h"
#include "settings.h"

struct figures_write;

struct figures_file {
	struct figures_write *write;	/* the last; NULL: it is over */
	int problem;	/* the errno that was told of last; 0: all is well */
	const struct settings *told_for;	/* whose readers cannot enter the folder; never read */
};

/* To be called where settings name one. Takes assoc read in slices, for a copy that
 * a thread of its own writes; while that does, another call does nothing. A relative
 * path is below `folder`. What goes wrong is told once, and leaves the file as it
 * was; so is anything else of that name. */
void figures_file_write(struct figures_file *file, const char *folder,
			const struct settings *settings, struct fairshare *fairshare);
/* Waits for a write that is under way; one that takes too long is left behind. */
void figures_file_close(struct figures_file *file);

#endif
