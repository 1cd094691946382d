/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the rows to print. A row whose account is not shown becomes the top of a tree:
 *
 *	root, physics, ada		depths 0, 1, 2
 *	with --account physics:		depths    0, 1
 */
#include "cli/shown_tree.h"

#include "cli/complain.h"
#include "cli/name_set.h"
#include "json/json.h"
#include "json/shares.h"
#include "memory/need_memory.h"

/* The lists of a struct filter, and whether it hides accounts. */
struct filter_sets {
	const struct name_set *accounts, *users, *partitions;
	bool users_only;
};

/* Returns whether a filter shows a node. users and partitions do not hide accounts. */
static bool is_shown(const struct shown_tree *shown, const struct filter_sets *filter, size_t node)
{
	const struct snapshot *snapshot = shown->tree->snapshot;
	const char *partition = snapshot_partition(snapshot, node);
	bool user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	if (shown->live && shown->live->placeholder[node])
		return false;
	if (filter->users_only && !user)
		return false;
	if (user && !(name_set_has(filter->users, snapshot_name(snapshot, node)) &&
		      name_set_has(filter->partitions, partition)))
		return false;
	return name_set_has(filter->accounts, snapshot_account(snapshot, node));
}

/* Adds a row if the node is shown. below: by node, of which the parent's is set: the depth of its
 * children; 0 if it is not shown. */
static void select_node(struct shown_tree *shown, const struct filter_sets *filter, size_t node,
			size_t *below)
{
	size_t depth = node ? below[fathom_tree_parent(shown->tree->snapshot->tree, node)] : 0;

	below[node] = 0;
	if (!is_shown(shown, filter, node))
		return;
	below[node] = depth + 1;
	shown->node[shown->count] = node;
	shown->depth[shown->count++] = depth;
}

const char *shown_users(const char *users, bool is_caller, const struct scope_head *scope)
{
	return is_caller && scope && scope->text[SCOPE_USER_SHARES] ? NULL : users;
}

void shown_tree_create(struct shown_tree *shown, const struct comparison *comparison,
		       const struct live *live, const struct filter *filter)
{
	const struct evaluated_tree *tree = &comparison->tree[0];
	const struct filter_sets sets = { name_set_of(filter->accounts),
					  name_set_of(filter->users),
					  name_set_of(filter->partitions), filter->users_only };
	size_t count = fathom_tree_count(tree->snapshot->tree);
	size_t *below = need_zeros(count, sizeof(*below));
	struct fathom_error error;

	*shown = (struct shown_tree){
		.comparison = comparison, .tree = tree, .live = live,
		.node = need_zeros(count, sizeof(*shown->node)),
		.depth = need_zeros(count, sizeof(*shown->depth)),
	};
	/* shown->node: all nodes, depth first; `below` is only working memory here */
	need_done(snapshot_depth_first(tree->snapshot, shown->node, below, &error));
	/* the nodes of rows replace those of the list, of which no more than i have been used */
	for (size_t i = 0; i < count; i++)
		select_node(shown, &sets, shown->node[i], below);
}

/* Returns the name by which an option filters a node, such as its account; NULL: the option does
 * not filter such nodes. */
typedef const char *filtered_name(const struct snapshot *snapshot, size_t node);

/* For options that name users, and for those that name accounts. */
static const char *user_name(const struct snapshot *snapshot, size_t node)
{
	return fathom_tree_kind(snapshot->tree, node) == FATHOM_USER ? snapshot_name(snapshot, node)
								     : NULL;
}

static const char *account_name(const struct snapshot *snapshot, size_t node)
{
	return user_name(snapshot, node) ? NULL : snapshot_name(snapshot, node);
}

/* Options that filter rows. */
static const struct filter_option {
	const char *name;
	const char *what;	/* that a message says the tree lacks, before a value */
	filtered_name *name_of;
} filter_options[] = {
	[FILTER_ACCOUNT] = { "account", "account", account_name },
	[FILTER_USER] = { "user", "user", user_name },
	[FILTER_PARTITION] = { "partition", "association in partition", snapshot_partition },
};

/* The names by which an option may filter. */
struct filtered {
	const struct shown_tree *shown;
	filtered_name *name_of;
};

/* Returns the name by which an option filters a node, "" if it has none or is hidden; NULL: there
 * are no more nodes. For struct name_list. */
static const char *name_at(const void *context, size_t node)
{
	const struct filtered *filtered = context;
	const struct snapshot *snapshot = filtered->shown->tree->snapshot;
	const struct live *live = filtered->shown->live;
	const char *name;

	if (node >= fathom_tree_count(snapshot->tree))
		return NULL;
	name = live && live->placeholder[node] ? NULL : filtered->name_of(snapshot, node);
	return name ? name : "";
}

void shown_tree_check_names(const struct shown_tree *shown, enum filtered_by by, const char *list,
			    const char *source)
{
	const struct filter_option *option = &filter_options[by];
	const struct filtered filtered = { shown, option->name_of };
	struct name_set *set = name_set_of(list);
	struct suggestion near = { .is_any = true };
	struct list_item item;
	const char *name;

	for (size_t i = 0; list && (name = name_at(&filtered, i)); i++)
		name_set_note(set, name);
	if (!list || !name_set_next_missing(set, &list, &item))
		return;
	near.word = item.name;
	near.length = item.length;
	names_have((struct name_list){ name_at, &filtered }, true, &near);
	refuse_unknown(&near, "--%s: %s has no %s '%.*s'", option->name, source, option->what,
		       list_item_shown(&item), item.name);
}

void shown_tree_sort(struct shown_tree *shown, const struct sort_keys *keys)
{
	sort_rows(keys, shown->node, shown->count);
	for (size_t i = 0; i < shown->count; i++)
		shown->depth[i] = 0;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* Prints the shown associations under one policy; fathom-shares(1) describes the keys. */
static void print_shares(FILE *out, const struct shown_tree *shown,
			 const struct evaluated_tree *tree)
{
	struct json_shares shares = {
		.is_document = shown->comparison->count == 1,
		.has_partitions = true,
		.is_selection = shown->count < fathom_tree_count(tree->snapshot->tree),
		.policy = tree->policy,
		.settings = &tree->settings,
		.snapshot = tree->snapshot,
		.columns = tree->columns,
		.rank = tree->rank,
		.scope = shown->scope,
		.global = shown->global ? &shown->global->usage : NULL,
		.cluster = shown->global ? shown->global->cluster : NULL,
		.order = shown->node,
		.count = shown->count,
	};

	json_put_shares(out, &shares);
}

void print_shares_json(FILE *out, const struct shown_tree *shown)
{
	const struct comparison *compared = shown->comparison;

	if (compared->count == 1) {
		print_shares(out, shown, shown->tree);
		json_put(out, "\n");
		return;
	}
	json_begin(out, JSON_SHARES_FORMAT, JSON_SHARES_VERSION);
	json_put(out, ",\n\"policies\": [\n");
	for (size_t i = 0; i < compared->count; i++) {
		json_put(out, i ? ",\n" : "");
		print_shares(out, shown, &compared->tree[i]);
	}
	json_put(out, "]}\n");
}
