/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces a file as a whole: a crash at any instant leaves the old file or the new one, never a
 * part. The new file is written under the name PATH.new, synced to disk, and renamed to PATH.
 *
 *	struct atomic_file new;
 *	int status = atomic_file_begin(&new, path);
 *
 *	if (!status)
 *		status = atomic_file_end(&new, print(new.file), NULL);
 */
#ifndef SLURM_ATOMIC_FILE_H
#define SLURM_ATOMIC_FILE_H

#include <limits.h>
#include <stddef.h>

struct atomic_file {
	char path[PATH_MAX];
	char temporary[PATH_MAX];	/* PATH.new */
	int file;		/* open for writing */
};

/* Opens PATH.new, readable by its owner alone. -1: errno tells why. */
int atomic_file_begin(struct atomic_file *new, const char *path);
/* Writes all of the data, also where the system writes it in parts. -1: errno tells why. */
int atomic_file_write(struct atomic_file *new, const void *data, size_t length);
/* Closes the file, and replaces PATH by it if `status`, the caller's result of writing, is 0; else
 * removes it. previous: another name that the old file gets, if the file system has hard links; or
 * NULL. -1: the old file is still PATH; errno tells why, and is the caller's if `status` is not
 * 0. */
int atomic_file_end(struct atomic_file *new, int status, const char *previous);

#endif
