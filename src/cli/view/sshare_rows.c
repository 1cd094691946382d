/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/view/sshare_rows.h"

#include "memory/need_memory.h"
#include "policy/traits.h"

#include <math.h>

#define UNKNOWN "-"

/* Only a running cluster has these texts. */
static const char *text_of(const struct shown_tree *shown, enum live_text which, size_t node)
{
	return shown->live ? shown->live->text[which][node] : UNKNOWN;
}

/* sshare shows no shares for the root. */
static uint32_t shares_of(const struct fathom_tree *tree, size_t node)
{
	return node ? fathom_tree_raw_shares(tree, node) : SSHARE_NO_SHARES;
}

/* slurmctld does not normalise the shares of the root where it compares siblings. */
static double norm_shares_of(const struct evaluated_tree *evaluated, size_t node, size_t level)
{
	return node || level == POLICY_HAS_NONE ? evaluated->columns.norm_shares[node] : 0;
}

static void fill_row(struct sshare_row *row, const struct shown_tree *shown, size_t node)
{
	const struct evaluated_tree *evaluated = shown->tree;
	const struct snapshot *snapshot = evaluated->snapshot;
	const struct json_columns *columns = &evaluated->columns;
	size_t level = policy_column_with(evaluated->policy, COLUMN_LEVEL_FS);
	bool is_user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	*row = (struct sshare_row){
		.account = snapshot_account(snapshot, node),
		.parent = node ? snapshot_name(snapshot, fathom_tree_parent(snapshot->tree, node))
			       : NULL,
		.cluster = shown->live ? shown->live->cluster : UNKNOWN,
		.user = is_user ? snapshot_name(snapshot, node) : NULL,
		.partition = snapshot_partition(snapshot, node),
		.id = (uint32_t)fathom_tree_id(snapshot->tree, node),
		.raw_shares = shares_of(snapshot->tree, node),
		.raw_usage = trunc(columns->usage[node]),
		.norm_shares = norm_shares_of(evaluated, node, level),
		.norm_usage = columns->norm_usage[node],
		.effective_usage = columns->effective_usage[node],
		.factor = columns->factor[node],
		.level_fs = level == POLICY_HAS_NONE ? (double)NAN : columns->column[level][node],
	};
	for (size_t i = 0; i < LIVE_TEXT_COUNT; i++)
		row->text[i] = text_of(shown, (enum live_text)i, node);
}

void sshare_rows_fill(struct sshare_list *list, const struct shown_tree *shown)
{
	*list = (struct sshare_list){
		.row = need_zeros(shown->count, sizeof(*list->row)), .count = shown->count,
		.has_level_fs = policy_column_with(shown->tree->policy, COLUMN_LEVEL_FS) !=
				POLICY_HAS_NONE,
		.is_evaluated = true,
	};
	for (size_t i = 0; i < shown->count; i++)
		fill_row(&list->row[i], shown, shown->node[i]);
}
