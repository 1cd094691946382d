/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks a tree for a writer, and checks names. */
#include "format/tree_writer.h"

#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int tree_writer_run(struct tree_writer *writer,
		    int (*put)(struct tree_writer *writer, size_t node, size_t depth))
{
	size_t count = fathom_tree_count(writer->snapshot->tree);
	size_t *order = calloc(count, sizeof(*order)), *depth = calloc(count, sizeof(*depth));
	int status = 0;

	if (!order || !depth)
		status = fathom_error_no_memory(writer->error);
	else
		status = snapshot_depth_first(writer->snapshot, order, depth, writer->error);
	for (size_t i = 0; !status && i < count; i++) {
		status = put(writer, order[i], depth[order[i]]);
		writer->count++;
	}
	free(order);
	free(depth);
	return status;
}

const char *tree_writer_kind(const struct tree_writer *writer, size_t node)
{
	return fathom_tree_kind(writer->snapshot->tree, node) == FATHOM_USER ? "user" : "account";
}

int tree_writer_check_shares(const struct tree_writer *writer, size_t node, const char *format)
{
	if (!node ||
	    fathom_tree_raw_shares(writer->snapshot->tree, node) != FATHOM_SHARES_PARENT)
		return 0;
	return fathom_error_set(writer->error, EINVAL,
				"%s '%.64s': has shares \"parent\", which %s cannot have; give a "
				"number", tree_writer_kind(writer, node),
				snapshot_name(writer->snapshot, node), format);
}

int tree_writer_check_name(const struct tree_writer *writer, size_t node, const char *name,
			   const char *refused, const char *at_start, const char *format)
{
	size_t at = strcspn(name, refused);

	if (!name[at] && *name && !strchr(at_start, *name))
		return 0;
	return fathom_error_set(writer->error, EINVAL,
				"%s '%.64s': %s cannot have '%c' %s a name; rename it",
				tree_writer_kind(writer, node), name, format,
				name[at] ? name[at] : *name, name[at] ? "in" : "at the start of");
}
