/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree listed depth first, as tools print it: each row with its depth, and
 * usage that includes what is below. What an account shows beyond its
 * children's is its own.
 */
#ifndef FORMAT_OUTLINE_H
#define FORMAT_OUTLINE_H

#include "format/draft.h"

struct outline {
	struct draft draft;
	double *usage, *children;	/* by row: as listed; its children's sum */
	size_t usage_room;
	uint32_t *path;		/* row of the last account of each depth */
	size_t depth, path_room;	/* accounts in path: the greatest depth of a next row */
};

/* Of a row at `depth`, from 1 to outline->depth: its parent's name. */
const char *outline_parent(const struct outline *outline, size_t depth);
/* A row at `depth`, from 1 to outline->depth, or 0 for the first, the root:
 * draft_add() with the parent filled in. */
int outline_add(struct outline *outline, struct input *input, size_t line, size_t depth,
		const struct fathom_row *row, struct piece name, struct piece partition,
		double usage, struct fathom_error *error);
/* draft_finish() with each row's own usage. */
int outline_finish(struct outline *outline, struct input *input, bool partitions_known,
		   struct snapshot *snapshot, struct fathom_error *error);
void outline_clear(struct outline *outline);

#endif
