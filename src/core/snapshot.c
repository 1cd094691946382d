/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names in a snapshot, and its nodes in depth-first order, as tables show them. */
#include "core/snapshot.h"

#include "core/array.h"
#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void snapshot_clear(struct snapshot *snapshot)
{
	fathom_tree_destroy(snapshot->tree);
	free(snapshot->text);
	free(snapshot->name);
	free(snapshot->partition);
	free(snapshot->default_account);
	free(snapshot->listed);
	free(snapshot->printed_factor);
	memset(snapshot, 0, sizeof(*snapshot));
}

size_t snapshot_add_text(struct snapshot *snapshot, const char *text)
{
	size_t size = strlen(text) + 1, offset = snapshot->text_length;
	char *grown = array_grow(snapshot->text, &snapshot->text_room, offset + size, 1);

	if (!grown)
		return SNAPSHOT_NO_TEXT;
	snapshot->text = grown;
	memcpy(grown + offset, text, size);
	snapshot->text_length += size;
	return offset;
}

const char *snapshot_name(const struct snapshot *snapshot, size_t node)
{
	return snapshot->text + snapshot->name[node];
}

/* Returns the text of a node by an array of offsets; NULL: it has none. */
static const char *text_at(const struct snapshot *snapshot, const size_t *offset, size_t node)
{
	bool has_text = offset && offset[node] != SNAPSHOT_NO_TEXT;

	return has_text ? snapshot->text + offset[node] : NULL;
}

const char *snapshot_partition(const struct snapshot *snapshot, size_t node)
{
	return text_at(snapshot, snapshot->partition, node);
}

const char *snapshot_default_account(const struct snapshot *snapshot, size_t node)
{
	return text_at(snapshot, snapshot->default_account, node);
}

const char *snapshot_account(const struct snapshot *snapshot, size_t node)
{
	bool user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	return snapshot_name(snapshot, user ? fathom_tree_parent(snapshot->tree, node) : node);
}

/*
 * A node stands behind its parent and the subtrees of the siblings that are listed before it:
 *
 *	node		size	before	place
 *	root		4	0	0
 *	  physics	2	0	0 + 1 + 0 = 1
 *	    ada		1	0	1 + 1 + 0 = 2
 *	  maths		1	2	0 + 1 + 2 = 3
 */

/* Computes for each node: size, the number of nodes in its subtree; before, the number of nodes in
 * the subtrees of the siblings that are listed before it. All start as 0. next: scratch memory; for
 * each node, `before` of the child that is listed next. */
static void measure_subtrees(const struct snapshot *snapshot, size_t count, size_t *size,
			     size_t *before, size_t *next)
{
	for (size_t node = count; node-- > 0;) {
		size[node]++;
		if (node)
			size[fathom_tree_parent(snapshot->tree, node)] += size[node];
	}
	for (size_t i = 0; i < count; i++) {
		size_t node = snapshot->listed ? snapshot->listed[i] : i;
		size_t parent = fathom_tree_parent(snapshot->tree, node);

		if (!node)
			continue;
		before[node] = next[parent];
		next[parent] += size[node];
	}
}

int snapshot_depth_first(const struct snapshot *snapshot, size_t *order, size_t *depth,
			 struct fathom_error *error)
{
	size_t count = fathom_tree_count(snapshot->tree);
	size_t *size = calloc(4 * count, sizeof(*size));
	size_t *before, *next, *place;

	if (!size)
		return fathom_error_set(error, ENOMEM, "%zu associations: out of memory", count);
	before = size + count;
	next = before + count;
	place = next + count;
	measure_subtrees(snapshot, count, size, before, next);
	for (size_t node = 0; node < count; node++) {
		size_t parent = fathom_tree_parent(snapshot->tree, node);

		place[node] = node ? place[parent] + 1 + before[node] : 0;
		if (depth)
			depth[node] = node ? depth[parent] + 1 : 0;
		order[place[node]] = node;
	}
	free(size);
	return 0;
}
