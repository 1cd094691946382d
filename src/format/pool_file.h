/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A slot pool that is read from a file in fathom's own JSON; pool_file.c shows one. */
#pragma once

#include "fathom.h"
#include "format/format.h"

struct pool_file {
	struct fathom_pool pool;
	struct fathom_pool_queue *queue;	/* in the order of the file */
	char **name;				/* by queue */
	size_t *line;				/* by queue: line of the file */
	size_t count;				/* of queues */
};

/* Reads a loaded file. Fails, see wrong_at(), if it is wrong, or if two queues have the same
 * name. */
void pool_read(struct document *input, struct pool_file *file);
