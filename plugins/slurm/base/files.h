/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and replaces files as a whole. A crash at any instant leaves the old file or the new one,
 * never a part: the new file is written under the name PATH.new, synced to disk, and renamed.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>

/* Writes the path of a file in a folder into `path`, cut to PATH_MAX bytes. */
static inline void file_path(const char *folder, const char *name, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", folder, name);
}

/* Writes the path of a file into `path`, cut to `size` bytes. A name that does not begin with a
 * slash is in the folder; the name "" gives "". */
static inline void file_path_from(const char *folder, const char *name, char *path, size_t size)
{
	bool is_relative = *name && *name != '/';

	snprintf(path, size, "%s%s%s", is_relative ? folder : "", is_relative ? "/" : "", name);
}

/* A file that was read. */
struct whole_file {
	char *data;		/* its content, with a NUL behind it; NULL: not read */
	size_t length;		/* bytes, without the NUL; 0 if it is no regular file */
	struct stat status;
};

/* Reads an open file until its end, at most `most` bytes, into data; sets *length to their number.
 * Returns 0; or -1, and errno tells why. */
int file_read(int file, char *data, size_t most, size_t *length);
/* Reads a file, and never waits for the writer of a pipe. flags: more flags of open(). most: bytes;
 * a larger file gives EFBIG, and its length. The caller frees file->data. Returns 0; or -1, errno
 * tells why, and file->data is NULL. */
int whole_file_read(struct whole_file *file, const char *path, int flags, size_t most);
/* Returns whether a call that failed with this errno may succeed later, with the same file. */
bool whole_file_problem_passes(int problem);
/* Returns a hash of the content, which is never 0, by which a file is known again. */
uint64_t whole_file_hash(const struct whole_file *file);

/* A file that takes the place of an old one. */
struct file_replacement {
	const char *path;
	mode_t mode;		/* 0: 0600, so that only its owner may read it */
	const struct iovec *piece;	/* the content is these pieces, one after the other */
	size_t count;		/* number of pieces */
	const char *previous;	/* another path that the old file gets; NULL: it is removed */
	int *previous_problem;	/* with `previous`: gets 0, or the errno if the old file cannot get
				 * that name */
	/* Called with `context` when the new file is on disk: if it returns true, the old file
	 * stays, and file_replace() fails with ECANCELED. It may be NULL. */
	bool (*is_abandoned)(void *context);
	void *context;
};

/* Replaces a file, or makes it if there is none. Returns 0; or -1, with the old file still there,
 * and errno tells why. */
int file_replace(const struct file_replacement *file);
