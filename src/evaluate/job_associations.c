/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds associations by names. An index has the first node of each user's name; nodes with
 * the same name are linked by `next`, and the few of one user are compared one by one.
 */
#include "evaluate/job_associations.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int job_associations_create(struct job_associations *index, const struct snapshot *snapshot,
			    struct fathom_error *error)
{
	const struct fathom_tree *tree = snapshot->tree;
	size_t count = fathom_tree_count(tree);

	*index = (struct job_associations){ .snapshot = snapshot };
	index->next = calloc(count, sizeof(*index->next));
	if (!index->next)
		return fathom_error_no_memory(error);
	for (size_t node = count; node-- > 0;) {
		const char *name = snapshot_name(snapshot, node);
		struct piece piece = { name, strlen(name) };
		size_t found;

		if (fathom_tree_kind(tree, node) != FATHOM_USER)
			continue;
		found = name_index_get(&index->first, piece);
		index->next[node] = found == NAME_INDEX_NONE ? JOB_NO_NODE : found;
		if (name_index_put(&index->first, piece, node, error))
			return -1;
	}
	return 0;
}

void job_associations_clear(struct job_associations *index)
{
	name_index_clear(&index->first);
	free(index->next);
}

size_t job_associations_find(const struct job_associations *index, const struct job_row *row)
{
	size_t node = JOB_NO_NODE, any = JOB_NO_NODE;

	if (index->snapshot && row->user && row->account) {
		struct piece user = { row->user, strlen(row->user) };
		size_t found = name_index_get(&index->first, user);

		node = found == NAME_INDEX_NONE ? JOB_NO_NODE : found;
	}
	for (; node != JOB_NO_NODE; node = index->next[node]) {
		const char *partition = snapshot_partition(index->snapshot, node);

		/* Slurm stores account names in lower case */
		if (strcasecmp(snapshot_account(index->snapshot, node), row->account))
			continue;
		if (partition && row->partition && !strcmp(partition, row->partition))
			return node;
		if (!partition)
			any = node;
	}
	return any;
}
