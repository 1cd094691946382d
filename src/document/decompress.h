/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files that are compressed by xz or gzip, as far as their libraries are built in. */
#pragma once

#include "fathom.h"

#include <sys/types.h>

/* What decompresses a file; NULL stands for a file that is not compressed. */
struct decompressor;

/* Finds out by the first bytes of a file how it is compressed, and keeps a copy of these bytes for
 * decompress(). length: 0 to 64 KiB. *decompressor: NULL if it is not. -1: EINVAL, the library is
 * not built in. */
int decompressor_create(struct decompressor **decompressor, const char *first, size_t length,
			struct fathom_error *error);
/* Reads up to `size` bytes of what is in the file. Returns their number, 0 at the end. -1: EINVAL,
 * the file is damaged or cut; else errno of read(). */
ssize_t decompress(struct decompressor *decompressor, int file, char *buffer, size_t size,
		   struct fathom_error *error);
/* NULL is allowed. */
void decompressor_destroy(struct decompressor *decompressor);
