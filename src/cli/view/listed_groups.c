/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/view/listed_groups.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- where they come from ---------------------------------------------------------------- */

static int make_room(struct listed_groups *groups, size_t count, struct fathom_error *error)
{
	groups->count = count;
	groups->group = calloc(count + 1, sizeof(*groups->group));
	return groups->group ? 0 : fathom_error_no_memory(error);
}

/* Takes UserGroup lines of fathom.conf, or the groups of lsb.users. */
static int take_conf(struct listed_groups *groups, const struct conf_user_groups *conf,
		     struct fathom_error *error)
{
	groups->count = conf->count;
	groups->owns_shares = true;
	groups->group = scope_groups_create(conf->group, conf->count);
	return groups->group ? 0 : fathom_error_no_memory(error);
}

static int take_recorded(struct listed_groups *groups, const struct recorded_scope *scope,
			 struct fathom_error *error)
{
	if (make_room(groups, scope->group_count, error))
		return -1;
	for (size_t i = 0; i < scope->group_count; i++) {
		const struct recorded_group *from = &scope->group[i];

		groups->group[i] = (struct scope_group){ from->name,
							 (const char *const *)from->member,
							 from->member_count, from->user_shares };
	}
	return 0;
}

static int take_head(struct listed_groups *groups, const struct scope_head *head,
		     struct fathom_error *error)
{
	if (make_room(groups, head->group_count, error))
		return -1;
	memcpy(groups->group, head->group, head->group_count * sizeof(*groups->group));
	return 0;
}

static int take(struct listed_groups *groups, const struct tree_source *source,
		struct fathom_error *error)
{
	if (source->shown_scope && source->shown_scope->group_count)
		return take_head(groups, source->shown_scope, error);
	for (size_t i = 0; i < source->scope_count; i++)
		if (source->scope[i].group_count)
			return take_recorded(groups, &source->scope[i], error);
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
	scope_groups_destroy(groups->group, groups->owns_shares ? groups->count : 0);
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
