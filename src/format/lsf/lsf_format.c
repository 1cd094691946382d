/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration of LSF and OpenLava as a format: lsb.users, lsb.queues, lsb.hosts and
 * lsb.params, alone or together. Each queue with FAIRSHARE and each host partition is a scope,
 * which has a tree of its own; if there are none of them, the user groups make the tree.
 */
#include "document/text.h"
#include "format/lsf/lsf.h"
#include "format/tree_builder.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"
#include "policy/lsf/share_tree.h"

#include <string.h>

/* ---- assignments ------------------------------------------------------------------------- */

/* Returns assignments of 1 share to each group that is not a member of another one. */
static struct conf_assignments assign_to_groups(const struct lsf_groups *groups)
{
	const struct fathom_user_group *group = groups->groups->group;
	size_t count = groups->groups->count;
	bool *is_member = need_zeros(count, sizeof(*is_member));
	struct conf_assignments made = { .list = need_zeros(count, sizeof(*made.list)) };

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < group[i].member_count; j++) {
			size_t member = numbered_names_find(groups->name, group[i].member[j]);

			if (member != NAME_INDEX_NONE)
				is_member[member] = true;
		}
	for (size_t i = 0; i < count; i++)
		if (!is_member[i])
			made.list[made.count++] = (struct fathom_assignment){ group[i].name, 1 };
	return made;
}

/* ---- the tree ---------------------------------------------------------------------------- */

/* Returns where assignments stand that fathom_share_tree_create() has refused. row: that of its
 * error: the index of a group, or FATHOM_NO_ROW for the scope. */
static struct site_origin origin_of_error(const struct lsf_scope *scope,
					  const struct lsf_groups *groups, size_t row)
{
	size_t count = groups->groups->count;

	if (row < count)
		return groups->entry[row]->origin;
	if (scope)
		return (struct site_origin){ scope->entry->origin.file, scope->shares->line };
	/* no line has the assignments, which were made of the groups; that of the last one stands
	 * in */
	return groups->entry[count - 1]->origin;
}

NEED_DESTROYER(destroy_shares, fathom_share_tree_destroy)

/* Makes the tree of shares of a scope; NULL: that of the user groups. Fails, see wrong_at(), if an
 * assignment is wrong. */
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
		wrong_by(AT_ORIGIN(origin_of_error(scope, groups, error.row)), &error);
	return need_owned(shares, destroy_shares);
}

void lsf_parts_make(struct lsf_parts *parts, struct numbered_names *users,
		    struct snapshot *snapshot)
{
	const struct lsf_groups groups = lsf_groups_of(&parts->conf, users);
	struct fathom_share_tree *shares = make_shares(parts->scope, &groups);
	struct tree_builder builder = { 0 };

	parts->shares = shares;
	parts->leaf = need_zeros(share_tree_most_leaves(shares), sizeof(*parts->leaf));
	for (size_t i = 0; i < fathom_share_tree_count(shares); i++)
		tree_builder_add(&builder, NULL, 0, &fathom_share_tree_rows(shares)[i],
				 piece_of(fathom_share_tree_name(shares, i)),
				 (struct piece){ NULL, 0 });
	/* a level may have a user twice, see fathom_share_tree_name() */
	tree_builder_finish(&builder, NULL, !PARTITIONS_KNOWN, snapshot);
}

/* ---- the chosen tree --------------------------------------------------------------------- */

/* Returns the name of scope i, or NULL behind the last one; for need_list(). */
static const char *scope_at(const void *context, size_t i)
{
	const struct lsf_scopes *scopes = context;

	return i < scopes->count ? scopes->scope[i].name : NULL;
}

/* Returns the scope with this name; name NULL: the only scope. NULL: there are no scopes. Fails,
 * see wrong_at(), if no scope has the name, or several could be meant. */
static const struct lsf_scope *find_scope(const struct lsf_scopes *scopes, const char *name)
{
	const char *names = need_list((struct name_list){ scope_at, scopes }, " or ", 160);

	if (name && !scopes->count)
		wrong_at(NULL, 0, "--scope: no queue has FAIRSHARE, and no host partition is "
			 "defined");
	if (scopes->count > 1 && !name)
		wrong_at(NULL, 0, "--scope: must name one of several trees: %s", names);
	for (size_t i = 0; i < scopes->count; i++)
		if (!name || !strcmp(scopes->scope[i].name, name))
			return &scopes->scope[i];
	if (name)
		wrong_at(NULL, 0, "--scope: '%.64s' has no tree, must be %s", name, names);
	return NULL;
}

bool lsf_parts_choose(struct lsf_parts *parts, const char *scope)
{
	if (!parts->is_chosen) {
		parts->scopes = lsf_scopes_of(&parts->conf);
		parts->scope = find_scope(&parts->scopes, scope);
	}
	parts->is_chosen = true;
	return parts->scope || lsf_conf_next(&parts->conf, &lsf_user_group, NULL);
}

bool lsf_parts_count(const void *context, struct piece partition)
{
	const struct lsf_parts *parts = context;

	return !parts->scope || lsf_scope_has_queue(parts->scope, partition);
}

/* Returns the first leaf that serves the user as a member of the group with the account's name; if
 * there is no such leaf, the first that serves the user. */
size_t lsf_parts_find(const void *context, const char *user, const char *account,
		      const char *partition)
{
	const struct lsf_parts *parts = context;

	if (partition && !lsf_parts_count(parts, piece_of(partition)))
		return SIZE_MAX;
	if (share_tree_list_leaves(parts->shares, user, account, parts->leaf) ||
	    share_tree_list_leaves(parts->shares, user, "", parts->leaf))
		return parts->leaf->node;
	return SIZE_MAX;
}

/* ---- one file ---------------------------------------------------------------------------- */

/* Reads the tree of one file, which must have only one, for commands that have no --scope. */
static void lsf_read(struct document *input, struct snapshot *snapshot)
{
	struct lsf_parts parts = { .is_chosen = false };

	lsf_conf_read(&parts.conf, input);
	parts.scopes = lsf_scopes_of(&parts.conf);
	if (parts.scopes.count > 1)
		wrong_at(input, 0, "has several trees, must have one; fathom convert --scope takes "
			 "one of them, such as %s", parts.scopes.scope->name);
	if (!lsf_parts_choose(&parts, NULL))
		wrong_at(input, 0, "has no tree, must have " LSF_TREE);
	lsf_parts_make(&parts, need_names(), snapshot);
}

/* Returns whether the first line that is not a comment begins a section. */
static bool lsf_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line, words[2];
	size_t count;

	do {
		line = lines_next(&lines);
		count = line.at ? split_words(line, words, 2) : 0;
	} while (line.at && (!count || *words[0].at == '#'));
	return count > 1 && piece_is_any_case(words[0], "Begin");
}

const struct format format_lsf = {
	.name = "lsf",
	.summary = "lsb.users, lsb.queues, lsb.hosts and lsb.params of LSF and OpenLava",
	.holds = HOLDS_TREE | HOLDS_SETTINGS,
	.policy = "lsf",
	.recognize = lsf_recognize,
	.read = lsf_read,
	.in_parts = true,
	.read_settings = lsf_settings_read,
};
