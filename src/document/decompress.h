/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files that are compressed by xz, gzip or zstd, as far as their libraries are built in. */
#pragma once

#include "fathom.h"

#include <sys/types.h>

/* The state of decompressing one file. */
struct decompressor;

/* Finds out by the first `length` bytes of a file, 0 to 64 KiB, how it is compressed, and keeps a
 * copy of them for decompress(). Sets *decompressor to NULL if the file is not compressed. -1:
 * EINVAL, it is, but that library is not built in; *decompressor is NULL, too. */
int decompressor_create(struct decompressor **decompressor, const char *first, size_t length,
			struct fathom_error *error);
/* Decompresses the next bytes of the file, up to `size`, into `buffer`. file: open, behind the
 * bytes that decompressor_create() got. Returns the number of bytes, 0 at the end. -1: EINVAL, the
 * file is damaged or cut; else errno of read(). */
ssize_t decompress(struct decompressor *decompressor, int file, char *buffer, size_t size,
		   struct fathom_error *error);
/* decompressor: may be NULL. */
void decompressor_destroy(struct decompressor *decompressor);
