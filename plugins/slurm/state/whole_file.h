/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a file into memory. */
#ifndef SLURM_WHOLE_FILE_H
#define SLURM_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct whole_file {
	char *data;		/* with a NUL behind it; NULL: not read */
	size_t length;		/* 0 if it is no regular file */
	struct stat status;
};

/* flags: of open(), beside O_RDONLY. most: bytes; a larger file gives EFBIG. The caller frees the
 * data. -1: errno tells why. */
int whole_file_read(struct whole_file *file, const char *path, int flags, size_t most);
/* Returns whether a call that failed with this errno may succeed later, with the same file. */
bool whole_file_problem_passes(int problem);
/* Returns a number that another content gives another one, and that is not 0. */
uint64_t whole_file_hash(const struct whole_file *file);

#endif
