/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slot pools in files: those that were divided elsewhere, by a pass of the plugin or by fathom
 * pools; and one that is to be divided. */
#pragma once

#include "format/format.h"
#include "json/pool_division.h"

struct pool_divisions {
	int64_t time;		/* of the pass; 0: not known */
	const char *cluster;	/* or NULL */
	struct pool_division *list;
	size_t count;
};

/* Returns whether the input has divided pools: a FiguresFile, a cluster's snapshot,
 * or JSON of fathom pools. */
bool pool_divisions_recognize(const struct document *input);
/* Reads the pools of an input that pool_divisions_recognize() knows; a FiguresFile may have none.
 * Fails, see wrong_at(), if the input is wrong. */
void pool_divisions_read(struct document *input, struct pool_divisions *divisions);

/* Reads a slot pool that is not divided yet: its rule, which is returned, and its queues, with room
 * for their grants. Fails, see wrong_at(), if it is wrong, or if two queues have the same name. */
struct fathom_pool pool_read(struct document *input, struct pool_division *division);
