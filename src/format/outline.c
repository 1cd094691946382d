/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/outline.h"

#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_DEPTH 16

static int no_memory(struct fathom_error *error)
{
	return fathom_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
}

const char *outline_parent(const struct outline *outline, size_t depth)
{
	return outline->draft.text + outline->draft.name[outline->path[depth - 1]];
}

static int keep_usage(struct outline *outline, size_t row, size_t depth, double usage,
		      struct fathom_error *error)
{
	if (row >= outline->usage_room) {
		size_t room = outline->draft.room;
		double *grown = reallocarray(outline->usage, room, sizeof(*grown));

		if (grown)
			outline->usage = grown;
		grown = grown ? reallocarray(outline->children, room, sizeof(*grown)) : NULL;
		if (!grown)
			return no_memory(error);
		outline->children = grown;
		outline->usage_room = room;
	}
	outline->usage[row] = usage;
	outline->children[row] = 0;
	if (depth)
		outline->children[outline->path[depth - 1]] += usage;
	return 0;
}

static int enter_path(struct outline *outline, size_t row, size_t depth, enum fathom_kind kind,
		      struct fathom_error *error)
{
	outline->depth = depth;
	if (kind == FATHOM_USER)
		return 0;
	if (depth == outline->path_room) {
		size_t room = depth ? 2 * depth : FIRST_DEPTH;
		uint32_t *path = reallocarray(outline->path, room, sizeof(*path));

		if (!path)
			return no_memory(error);
		outline->path = path;
		outline->path_room = room;
	}
	outline->path[depth] = (uint32_t)row;
	outline->depth++;
	return 0;
}

int outline_add(struct outline *outline, struct input *input, size_t line, size_t depth,
		const struct fathom_row *row, struct piece name, struct piece partition,
		double usage, struct fathom_error *error)
{
	struct fathom_row placed = *row;
	size_t at = outline->draft.count;

	placed.is_root = !depth;
	if (depth)
		placed.parent_id = outline->draft.row[outline->path[depth - 1]].id;
	if (draft_add(&outline->draft, input, line, &placed, name, partition, error) ||
	    keep_usage(outline, at, depth, usage, error))
		return -1;
	return enter_path(outline, at, depth, row->kind, error);
}

int outline_finish(struct outline *outline, struct input *input, bool partitions_known,
		   struct snapshot *snapshot, struct fathom_error *error)
{
	for (size_t row = 0; row < outline->draft.count; row++) {
		double own = outline->usage[row] - outline->children[row];

		/* rounding may make children exceed their parent */
		outline->draft.row[row].usage = own > 0 ? own : 0;
	}
	return draft_finish(&outline->draft, input, partitions_known, snapshot, error);
}

void outline_clear(struct outline *outline)
{
	draft_clear(&outline->draft);
	free(outline->usage);
	free(outline->children);
	free(outline->path);
	memset(outline, 0, sizeof(*outline));
}
