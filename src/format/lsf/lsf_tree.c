/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/lsf/lsf_tree.h"

#include "format/tree_builder.h"
#include "memory/need_memory.h"

/* ---- assignments ------------------------------------------------------------------------- */

/* Marks the groups that are members of others. */
static void mark_members(const struct lsf_groups *groups, bool *is_member)
{
	for (size_t i = 0; i < groups->groups->count; i++) {
		const struct fathom_user_group *group = &groups->groups->group[i];

		for (size_t j = 0; j < group->member_count; j++) {
			size_t member = numbered_names_find(groups->name, group->member[j]);

			if (member != NAME_INDEX_NONE)
				is_member[member] = true;
		}
	}
}

/* Gives one share to each group that is in no other one. */
static struct conf_assignments assign_to_groups(const struct lsf_groups *groups)
{
	size_t count = groups->groups->count;
	bool *is_member = need_zeros(count, sizeof(*is_member));
	struct conf_assignments to = { .list = need_zeros(count, sizeof(*to.list)) };

	mark_members(groups, is_member);
	for (size_t i = 0; i < count; i++)
		if (!is_member[i])
			to.list[to.count++] = (struct fathom_assignment){
				groups->groups->group[i].name, 1 };
	return to;
}

/* ---- the tree ---------------------------------------------------------------------------- */

/* Finds the origin of a mistake in the assignments of a group, or in those of the scope. */
static struct site_origin find_place(const struct lsf_scope *scope,
				     const struct lsf_groups *groups, size_t row)
{
	size_t last = groups->groups->count - 1;
	const struct lsf_entry *entry = row < groups->groups->count ? groups->entry[row] :
					scope ? scope->entry : groups->entry[last];
	struct site_origin origin = entry->origin;

	if (scope && entry == scope->entry)
		origin.line = scope->shares->line;
	return origin;
}

static void destroy_shares(void *shares)
{
	fathom_share_tree_destroy(shares);
}

static struct fathom_share_tree *make_shares(const struct lsf_scope *scope,
					     const struct lsf_groups *groups)
{
	struct conf_assignments assignments = scope ? *lsf_assignments_of(scope->shares->value)
						    : assign_to_groups(groups);
	struct fathom_user_shares given = conf_user_shares(&assignments, groups->groups);
	struct fathom_share_tree *shares;
	struct fathom_error error;

	given.user = (const char *const *)groups->user->name;
	given.user_count = groups->user->count;
	shares = fathom_share_tree_create(&given, &error);
	if (!shares)
		wrong_by(AT_ORIGIN(find_place(scope, groups, error.row)), &error);
	return need_owned(shares, destroy_shares);
}

/* A level may have a user twice, so names need not be unique. */
static void make_snapshot(const struct lsf_tree *tree, struct snapshot *snapshot)
{
	const struct fathom_row *row = fathom_share_tree_rows(tree->shares);
	struct tree_builder builder = { 0 };

	for (size_t i = 0; i < fathom_share_tree_count(tree->shares); i++)
		tree_builder_add(&builder, NULL, 0, &row[i],
				 piece_of(fathom_share_tree_name(tree->shares, i)),
				 (struct piece){ NULL, 0 });
	tree_builder_finish(&builder, NULL, false, snapshot);
}

struct lsf_tree lsf_tree_of(const struct lsf_scope *scope, const struct lsf_groups *groups,
			    struct snapshot *snapshot)
{
	struct lsf_tree tree = { .shares = make_shares(scope, groups) };

	tree.leaf = need_zeros(share_tree_most_leaves(tree.shares), sizeof(*tree.leaf));
	make_snapshot(&tree, snapshot);
	return tree;
}

size_t lsf_tree_find(const struct lsf_tree *tree, const char *user, const char *account)
{
	if (share_tree_list_leaves(tree->shares, user, account, tree->leaf) ||
	    share_tree_list_leaves(tree->shares, user, "", tree->leaf))
		return tree->leaf->node;
	return SIZE_MAX;
}
