/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that is there whole or not at all: written under another name, on
 * disk, then renamed over the old one. */
#ifndef SLURM_ATOMIC_FILE_H
#define SLURM_ATOMIC_FILE_H

#include <limits.h>

struct atomic_file {
	char path[PATH_MAX];
	char fresh[PATH_MAX];	/* its name until it is whole */
	int file;		/* to be written to */
};

/* Readable by its owner alone. -1: errno says why. */
int atomic_file_begin(struct atomic_file *new, const char *path);
/* Puts it in place of the old one, unless `status` is not 0. `previous`: another
 * name, under which the old one stays, where the file system has hard links; or
 * NULL. -1: the old one stays where it is; errno says why, as it was if `status`
 * is not 0. */
int atomic_file_end(struct atomic_file *new, int status, const char *previous);

#endif
