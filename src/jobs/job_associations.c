/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds associations by names. An index has the first node of each user's name; nodes with
 * the same name are linked by `next`, and the few of one user are compared one by one. Example:
 * nodes 2 and 5 are associations of ann, node 3 is one of bob:
 *
 *	first: ann -> 2, bob -> 3	next[2] = 5, next[3] = next[5] = JOB_NO_NODE
 */
#include "jobs/job_associations.h"

#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <string.h>
#include <strings.h>

void job_associations_create(struct job_associations *index, const struct snapshot *snapshot)
{
	const struct fathom_tree *tree = snapshot->tree;
	size_t count = fathom_tree_count(tree);

	*index = (struct job_associations){ .snapshot = snapshot, .rule = snapshot->rule,
					    .first = need_index(),
					    .next = need_zeros(count, sizeof(*index->next)) };
	need_done(name_index_reserve(index->first, fathom_tree_user_count(tree), NULL));
	/* from the last node on, so that `first` has the first one in the end */
	for (size_t node = count; node-- > 0;)
		if (fathom_tree_kind(tree, node) == FATHOM_USER)
			need_done(name_index_replace(index->first,
						     piece_of(snapshot_name(snapshot, node)), node,
						     &index->next[node], NULL));
}

/* Returns the node that has the one name by which the rule finds the row's node. */
static size_t find_by_name(const struct job_associations *index, const struct job_row *row)
{
	const char *const names[] = {
		[FOUND_BY_USER] = row->user, [FOUND_BY_ACCOUNT] = row->account,
		[FOUND_BY_PARTITION] = row->partition, [FOUND_BY_GROUP] = NULL,
	};
	const char *name = names[index->rule.by];

	return name ? name_index_get(index->first, piece_of(name)) : JOB_NO_NODE;
}

/* Returns the association that the row's user has in the row's account: for its partition, else for
 * all partitions. JOB_NO_NODE: there is none, or the row has no user or no account. */
static size_t find_association(const struct job_associations *index, const struct job_row *row)
{
	const struct snapshot *snapshot = index->snapshot;
	size_t node = JOB_NO_NODE, for_all = JOB_NO_NODE;

	if (row->user && row->account)
		node = name_index_get(index->first, piece_of(row->user));
	for (; node != JOB_NO_NODE; node = index->next[node]) {
		const char *partition = snapshot_partition(snapshot, node);

		/* Slurm stores account names in lower case */
		if (strcasecmp(snapshot_account(snapshot, node), row->account))
			continue;
		if (!partition)
			for_all = node;
		else if (row->partition && !strcmp(partition, row->partition))
			return node;
	}
	return for_all;
}

size_t job_associations_find(const struct job_associations *index, const struct job_row *row)
{
	const struct association_rule *rule = &index->rule;

	if (!index->snapshot)
		return JOB_NO_NODE;
	if (rule->find)
		return row->user ? rule->find(rule->context, row->user,
					      row->account ? row->account : "", row->partition)
				 : JOB_NO_NODE;
	return rule->by == FOUND_BY_ASSOCIATION ? find_association(index, row)
						: find_by_name(index, row);
}

size_t job_associations_search(const struct snapshot *snapshot, const struct job_row *row)
{
	struct job_associations index;

	job_associations_create(&index, snapshot);
	return job_associations_find(&index, row);
}
