/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A slot pool in fathom's own JSON. */
#ifndef FORMAT_POOL_FILE_H
#define FORMAT_POOL_FILE_H

#include "fathom.h"
#include "format/format.h"

struct pool_file {
	struct fathom_pool pool;
	struct fathom_pool_queue *queue;	/* in the order of the file */
	char **name;				/* by queue */
	size_t *line;
	size_t count, room;
};

/* Fills *file, all or nothing. -1: input->line and the error say where and
 * what is wrong, and what would be right. */
int pool_read(struct input *input, struct pool_file *file, struct fathom_error *error);
void pool_clear(struct pool_file *file);

#endif
