/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/lsf/lsf_tree.h"

#include "core/error.h"
#include "format/tree_builder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- assignments ------------------------------------------------------------------------- */

/* Marks the groups that are members of others. */
static void mark_members(const struct lsf_groups *groups, bool *is_member)
{
	for (size_t i = 0; i < groups->groups.count; i++) {
		const struct fathom_user_group *group = &groups->groups.group[i];

		for (size_t j = 0; j < group->member_count; j++) {
			size_t member = numbered_names_find(&groups->name, group->member[j]);

			if (member != NAME_INDEX_NONE)
				is_member[member] = true;
		}
	}
}

/* Gives one share to each group that is in no other one. */
static int assign_to_groups(struct conf_assignments *to, const struct lsf_groups *groups,
			    struct fathom_error *error)
{
	size_t count = groups->groups.count;
	bool *is_member = calloc(count + 1, sizeof(*is_member));

	to->list = calloc(count + 1, sizeof(*to->list));
	if (is_member && to->list)
		mark_members(groups, is_member);
	for (size_t i = 0; is_member && to->list && i < count; i++)
		if (!is_member[i]) {
			char *name = strdup(groups->groups.group[i].name);

			if (!name)
				break;
			to->list[to->count++] = (struct fathom_assignment){ name, 1 };
		}
	free(is_member);
	return to->count ? 0 : fathom_error_no_memory(error);
}

/* ---- the tree ---------------------------------------------------------------------------- */

/* Finds the origin of a mistake in the assignments of a group, or in those of the scope. */
static void find_place(struct site_origin *wrong, const struct lsf_scope *scope,
		       const struct lsf_groups *groups, size_t row)
{
	const struct lsf_entry *entry = row < groups->groups.count ? groups->entry[row] :
					scope ? scope->entry : NULL;

	if (entry)
		*wrong = entry->origin;
	if (scope && entry == scope->entry)
		wrong->line = scope->shares->line;
}

static int make_shares(struct lsf_tree *tree, const struct lsf_scope *scope,
		       const struct lsf_groups *groups, struct site_origin *wrong,
		       struct fathom_error *error)
{
	struct conf_assignments assignments = { NULL };
	struct fathom_user_shares given;
	struct fathom_error inner;
	int status = scope ? conf_assignments_parse(&assignments, scope->shares->value, error)
			   : assign_to_groups(&assignments, groups, error);

	given = conf_user_shares(&assignments, &groups->groups);
	given.user = (const char *const *)groups->user.name;
	given.user_count = groups->user.count;
	if (!status)
		tree->shares = fathom_share_tree_create(&given, &inner);
	if (!status && !tree->shares) {
		find_place(wrong, scope, groups, inner.row);
		status = fathom_error_set(error, inner.code, "%s", inner.text);
	}
	conf_assignments_clear(&assignments);
	if (status)
		return -1;
	tree->leaf = calloc(share_tree_most_leaves(tree->shares) + 1, sizeof(*tree->leaf));
	return tree->leaf ? 0 : fathom_error_no_memory(error);
}

/* A level may have a user twice, so names need not be unique. */
static int make_snapshot(const struct lsf_tree *tree, struct snapshot *snapshot,
			 struct fathom_error *error)
{
	const struct fathom_row *row = fathom_share_tree_rows(tree->shares);
	struct tree_builder builder = { 0 };
	struct document input = { .name = "" };
	int status = 0;

	for (size_t i = 0; !status && i < fathom_share_tree_count(tree->shares); i++) {
		const char *name = fathom_share_tree_name(tree->shares, i);

		status = tree_builder_add(&builder, &input, 0, &row[i], piece_of(name),
					  (struct piece){ NULL, 0 }, error);
	}
	if (!status)
		status = tree_builder_finish(&builder, &input, false, snapshot, error);
	tree_builder_clear(&builder);
	return status;
}

int lsf_tree_create(struct lsf_tree *tree, const struct lsf_scope *scope,
		    const struct lsf_groups *groups, struct snapshot *snapshot,
		    struct site_origin *wrong, struct fathom_error *error)
{
	if (make_shares(tree, scope, groups, wrong, error))
		return -1;
	return make_snapshot(tree, snapshot, error);
}

size_t lsf_tree_find(const struct lsf_tree *tree, const char *user, const char *account)
{
	if (share_tree_list_leaves(tree->shares, user, account, tree->leaf) ||
	    share_tree_list_leaves(tree->shares, user, "", tree->leaf))
		return tree->leaf->node;
	return SIZE_MAX;
}

void lsf_tree_clear(struct lsf_tree *tree)
{
	fathom_share_tree_destroy(tree->shares);
	free(tree->leaf);
	*tree = (struct lsf_tree){ NULL };
}
