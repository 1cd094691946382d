/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration of LSF and OpenLava as a format: lsb.users, lsb.queues, lsb.hosts and
 * lsb.params, alone or together. Each queue with FAIRSHARE and each host partition is a scope,
 * which has a tree of its own; if there are none of them, the user groups make the tree.
 */
#include "document/text.h"
#include "format/format_parts.h"
#include "format/lsf/lsf.h"
#include "format/tree_builder.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"
#include "policy/lsf/share_tree.h"

/*
 * The tree of shares of one scope. If no scope exists, it is the tree of the user groups: those
 * that are not members of other groups stand side by side, with 1 share each.
 */
struct lsf_tree {
	struct fathom_share_tree *shares;	/* its nodes have the numbers of the snapshot's */
	struct share_leaf *leaf;	/* room for share_tree_list_leaves() */
};

/* ---- assignments ------------------------------------------------------------------------- */

/* Marks the groups that are members of others. is_member: by group, all false before. */
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

/* Returns assignments of 1 share to each group that is not a member of another one. */
static struct conf_assignments assign_to_groups(const struct lsf_groups *groups)
{
	size_t count = groups->groups->count;
	bool *is_member = need_zeros(count, sizeof(*is_member));
	struct conf_assignments made = { .list = need_zeros(count, sizeof(*made.list)) };

	mark_members(groups, is_member);
	for (size_t i = 0; i < count; i++)
		if (!is_member[i])
			made.list[made.count++] = (struct fathom_assignment){
				groups->groups->group[i].name, 1 };
	return made;
}

/* ---- the tree ---------------------------------------------------------------------------- */

/* Returns where assignments stand that fathom_share_tree_create() has refused. row: that of its
 * error: the index of a group, or FATHOM_NO_ROW for the scope. */
static struct site_origin origin_of_error(const struct lsf_scope *scope,
					  const struct lsf_groups *groups, size_t row)
{
	/* without a scope, assignments were made of the groups, and no line has them; the line
	 * of the last group stands in */
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

/* Makes the snapshot of a tree of shares. Its users need not have unique names, as a level may have
 * a user twice, see fathom_share_tree_name(). */
static void make_snapshot(const struct lsf_tree *tree, struct snapshot *snapshot)
{
	const struct fathom_row *row = fathom_share_tree_rows(tree->shares);
	struct tree_builder builder = { 0 };

	for (size_t i = 0; i < fathom_share_tree_count(tree->shares); i++)
		tree_builder_add(&builder, NULL, 0, &row[i],
				 piece_of(fathom_share_tree_name(tree->shares, i)),
				 (struct piece){ NULL, 0 });
	tree_builder_finish(&builder, NULL, !PARTITIONS_KNOWN, snapshot);
}

/* Makes the tree of a scope and its snapshot, without usage. scope: NULL: of the user groups. */
static struct lsf_tree lsf_tree_of(const struct lsf_scope *scope, const struct lsf_groups *groups,
				   struct snapshot *snapshot)
{
	struct lsf_tree tree = { .shares = make_shares(scope, groups) };

	tree.leaf = need_zeros(share_tree_most_leaves(tree.shares), sizeof(*tree.leaf));
	make_snapshot(&tree, snapshot);
	return tree;
}

/* Returns the node of the leaf at which the usage of a user in an account counts: the first leaf
 * that serves the user as a member of the group with the account's name; if there is no such leaf,
 * the first that serves the user. SIZE_MAX: the user has no shares. */
static size_t lsf_tree_find(const struct lsf_tree *tree, const char *user, const char *account)
{
	if (share_tree_list_leaves(tree->shares, user, account, tree->leaf) ||
	    share_tree_list_leaves(tree->shares, user, "", tree->leaf))
		return tree->leaf->node;
	return SIZE_MAX;
}

/* What the files describe, and the tree that is chosen; see format_parts.h. */
struct lsf_parts {
	struct lsf_conf conf;		/* of all files */
	struct lsf_groups groups;	/* from make() on */
	/* From choose() on: */
	struct lsf_scopes scopes;
	const struct lsf_scope *scope;	/* the chosen one; NULL: the tree is of the user groups */
	bool is_chosen;
	struct lsf_tree tree;		/* from make() on */
};

/* ---- choosing ---------------------------------------------------------------------------- */

/* Returns the name of scope i, or NULL behind the last one; for need_list(). */
static const char *scope_at(const void *context, size_t i)
{
	const struct lsf_scopes *scopes = context;

	return i < scopes->count ? scopes->scope[i].name : NULL;
}

/* Returns whether the configuration has a user group. */
static bool has_groups(const struct lsf_conf *conf)
{
	size_t i = 0;

	return lsf_conf_next(conf, &lsf_user_group, &i);
}

/* Chooses the scope with this name; name NULL: the only scope, or the tree of the user groups if
 * there are no scopes. Fails, see wrong_at(), if no scope has the name, or several could be
 * meant. */
static void choose_scope(struct lsf_parts *parts, const char *name)
{
	const struct lsf_scopes *scopes = &parts->scopes;

	if (name && !scopes->count)
		wrong_at(NULL, 0, "--scope: no queue has FAIRSHARE, and no host partition is "
			 "defined");
	if (scopes->count > 1 && !name)
		wrong_at(NULL, 0, "--scope: must name one of several trees: %s",
			 need_list((struct name_list){ scope_at, scopes }, " or ", 160));
	parts->scope = name ? lsf_scopes_find(scopes, name) : scopes->scope;
	if (name && !parts->scope)
		wrong_at(NULL, 0, "--scope: '%.64s' has no tree, must be %s", name,
			 need_list((struct name_list){ scope_at, scopes }, " or ", 160));
	if (!scopes->count)
		parts->scope = NULL;
}

/* The next functions are those of struct format_parts; the first argument is a struct lsf_parts. */

static bool choose(void *context, const char *scope)
{
	struct lsf_parts *parts = context;

	if (!parts->is_chosen) {
		parts->scopes = lsf_scopes_of(&parts->conf);
		choose_scope(parts, scope);
	}
	parts->is_chosen = true;
	return parts->scope || has_groups(&parts->conf);
}

static void make(void *context, struct numbered_names *users, struct snapshot *snapshot)
{
	struct lsf_parts *parts = context;

	parts->groups = lsf_groups_of(&parts->conf, users);
	parts->tree = lsf_tree_of(parts->scope, &parts->groups, snapshot);
}

/* ---- several files ----------------------------------------------------------------------- */

static void parts_read(void **at, struct document *input)
{
	struct lsf_parts *parts = *at ? *at : need_object(sizeof(*parts));

	*at = parts;
	lsf_conf_read(&parts->conf, input);
}

static const char *parts_scope_name(const void *parts)
{
	const struct lsf_parts *lsf = parts;

	return lsf->scope ? lsf->scope->name : NULL;
}

static bool parts_count(const void *parts, struct piece partition)
{
	const struct lsf_parts *lsf = parts;

	return !lsf->scope || lsf_scope_has_queue(lsf->scope, partition);
}

static size_t parts_find(const void *parts, const char *user, const char *account,
			 const char *partition)
{
	const struct lsf_parts *lsf = parts;

	if (partition && !parts_count(parts, piece_of(partition)))
		return SIZE_MAX;
	return lsf_tree_find(&lsf->tree, user, account);
}

static void parts_list_queues(const void *parts, struct queue_list *list)
{
	const struct lsf_parts *lsf = parts;

	lsf_queues_list(&lsf->conf, list);
}

static void parts_add_hosts(const void *parts, struct site_settings *settings)
{
	const struct lsf_parts *lsf = parts;

	lsf_settings_add_hosts(&lsf->conf, settings);
}

#define WANTED "a queue with FAIRSHARE, a host partition or a user group"

static const struct format_parts parts = {
	.wanted = WANTED,
	.read = parts_read, .choose = choose, .scope_name = parts_scope_name,
	.counts = parts_count, .make = make, .find = parts_find,
	.list_queues = parts_list_queues, .add_hosts = parts_add_hosts,
};

/* ---- one file ---------------------------------------------------------------------------- */

/* For commands that have no --scope. */
static void lsf_read(struct document *input, struct snapshot *snapshot)
{
	struct lsf_parts lsf = { .is_chosen = false };

	lsf_conf_read(&lsf.conf, input);
	lsf.scopes = lsf_scopes_of(&lsf.conf);
	if (lsf.scopes.count > 1)
		wrong_at(input, 0, "has several trees, must have one; fathom convert --scope takes "
			 "one of them, such as %s", lsf.scopes.scope->name);
	if (!choose(&lsf, NULL))
		wrong_at(input, 0, "has no tree, must have " WANTED);
	make(&lsf, need_names(), snapshot);
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
	.parts = &parts,
	.read_settings = lsf_settings_read,
};
