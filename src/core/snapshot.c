/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/snapshot.h"

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
	memset(snapshot, 0, sizeof(*snapshot));
}

const char *snapshot_name(const struct snapshot *snapshot, size_t node)
{
	return snapshot->text + snapshot->name[node];
}

const char *snapshot_partition(const struct snapshot *snapshot, size_t node)
{
	size_t at = snapshot->partition[node];

	return at == SNAPSHOT_NO_TEXT ? NULL : snapshot->text + at;
}

const char *snapshot_account(const struct snapshot *snapshot, size_t node)
{
	bool user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	return snapshot_name(snapshot, user ? fathom_tree_parent(snapshot->tree, node) : node);
}

int snapshot_depth_first(const struct snapshot *snapshot, size_t *order, size_t *depth,
			 struct fathom_error *error)
{
	const struct fathom_tree *tree = snapshot->tree;
	size_t count = fathom_tree_count(tree);
	size_t *size = calloc(2 * count, sizeof(*size)), *place = size + count;

	if (!size)
		return fathom_error_set(error, ENOMEM, "%zu associations: out of memory", count);
	for (size_t node = count; node-- > 0;) {
		size[node]++;
		if (node)
			size[fathom_tree_parent(tree, node)] += size[node];
	}
	depth[0] = 0;
	for (size_t node = 0; node < count; node++) {
		size_t child = fathom_tree_first_child(tree, node), next = place[node] + 1;
		size_t end = child + fathom_tree_child_count(tree, node);

		order[place[node]] = node;
		for (; child < end; child++) {
			place[child] = next;
			next += size[child];
			depth[child] = depth[node] + 1;
		}
	}
	free(size);
	return 0;
}
