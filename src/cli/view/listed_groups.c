/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/view/listed_groups.h"

#include "core/error.h"

#include <stdlib.h>

/* ---- where they come from ---------------------------------------------------------------- */

/* Takes UserGroup lines of fathom.conf, or the groups of lsb.users. */
static int take_conf(struct listed_groups *groups, const struct conf_user_groups *conf,
		     struct fathom_error *error)
{
	groups->count = conf->count;
	groups->group = groups->made = scope_groups_create(conf->group, conf->count);
	return groups->made ? 0 : fathom_error_no_memory(error);
}

static int take(struct listed_groups *groups, const struct tree_source *source,
		struct fathom_error *error)
{
	const struct scope_head *head = source->shown_scope;

	for (size_t i = 0; (!head || !head->group_count) && i < source->scope_count; i++)
		head = &source->scope[i].head;
	if (head && head->group_count) {
		groups->group = head->group;
		groups->count = head->group_count;
		return 0;
	}
	if (source->conf && source->conf->fathom.user_groups.count)
		return take_conf(groups, &source->conf->fathom.user_groups, error);
	groups->snapshot = source->snapshot;
	groups->count = fathom_tree_count(source->snapshot->tree);
	return 0;
}

int listed_groups_create(struct listed_groups *groups, const struct tree_source *source,
			 struct fathom_error *error)
{
	*groups = (struct listed_groups){ 0 };
	if (take(groups, source, error))
		return -1;
	for (size_t i = 0; i < groups->count; i++)
		if (listed_groups_has(groups, i) &&
		    name_index_put(&groups->numbers, piece_of(listed_groups_name(groups, i)), i,
				   error))
			return -1;
	return 0;
}

void listed_groups_clear(struct listed_groups *groups)
{
	scope_groups_destroy(groups->made, groups->count);
	name_index_clear(&groups->numbers);
}

/* ---- groups and members -------------------------------------------------------------------- */

const char *listed_groups_name(const struct listed_groups *groups, size_t i)
{
	return groups->snapshot ? snapshot_name(groups->snapshot, i) : groups->group[i].name;
}

bool listed_groups_has(const struct listed_groups *groups, size_t i)
{
	return !groups->snapshot || fathom_tree_kind(groups->snapshot->tree, i) == FATHOM_ACCOUNT;
}

size_t listed_groups_find(const struct listed_groups *groups, const char *name)
{
	return name_index_get(&groups->numbers, piece_of(name));
}

size_t listed_groups_member_count(const struct listed_groups *groups, size_t i)
{
	return groups->snapshot ? fathom_tree_child_count(groups->snapshot->tree, i)
				: groups->group[i].member_count;
}

const char *listed_groups_member(const struct listed_groups *groups, size_t i, size_t member)
{
	const struct snapshot *snapshot = groups->snapshot;

	return snapshot ? snapshot_name(snapshot, fathom_tree_first_child(snapshot->tree, i) +
							  member)
			: groups->group[i].member[member];
}

size_t listed_groups_group_of(const struct listed_groups *groups, size_t i, size_t member)
{
	size_t node;

	if (!groups->snapshot)
		return listed_groups_find(groups, listed_groups_member(groups, i, member));
	node = fathom_tree_first_child(groups->snapshot->tree, i) + member;
	return listed_groups_has(groups, node) ? node : NO_GROUP;
}
