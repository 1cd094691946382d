/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/view/listed_groups.h"

#include "memory/need_memory.h"
#include "memory/need_names.h"

/* ---- where they come from ---------------------------------------------------------------- */

static void take(struct listed_groups *groups, const struct tree_source *source)
{
	const struct scope_head *head = source->shown_scope;
	const struct conf_user_groups *conf;

	for (size_t i = 0; (!head || !head->group_count) && i < source->scope_count; i++)
		head = &source->scope[i].head;
	conf = source->conf ? &source->conf->fathom.user_groups : NULL;
	if (head && head->group_count) {
		groups->group = head->group;
		groups->count = head->group_count;
	} else if (conf && conf->count) {	/* UserGroup lines, or the groups of lsb.users */
		groups->group = need_made(scope_groups_create(conf->group, conf->count));
		groups->count = conf->count;
	} else {
		groups->snapshot = source->snapshot;
		groups->count = fathom_tree_count(source->snapshot->tree);
	}
}

void listed_groups_create(struct listed_groups *groups, const struct tree_source *source)
{
	*groups = (struct listed_groups){ .numbers = need_index() };
	take(groups, source);
	for (size_t i = 0; i < groups->count; i++)
		if (listed_groups_has(groups, i))
			need_put(groups->numbers, piece_of(listed_groups_name(groups, i)), i);
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
	return name_index_get(groups->numbers, piece_of(name));
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
