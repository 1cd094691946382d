/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/scope_tree.h"

#include "core/array.h"
#include "core/error.h"
#include "core/share_tree.h"
#include "records/association_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- leaves of associations -------------------------------------------------------- */

/* Room for the leaves that have been listed so far, and for those of one more user. */
struct leaf_room {
	size_t node, key;	/* of the arrays of the tree */
	struct share_leaf *user;
};

/* NULL: the association is no user's, or is gone since; the next pass notices. */
static const char *user_of(const struct snapshot *names, size_t node)
{
	if (fathom_tree_kind(names->tree, node) != FATHOM_USER ||
	    names->name[node] == SNAPSHOT_NO_TEXT ||
	    names->name[fathom_tree_parent(names->tree, node)] == SNAPSHOT_NO_TEXT)
		return NULL;
	return snapshot_name(names, node);
}

static int grow(uint32_t **array, size_t *room, size_t count)
{
	uint32_t *grown = array_grow(*array, room, count, sizeof(*grown));

	if (grown)
		*array = grown;
	return grown ? 0 : -1;
}

/* Lists the leaves of one association behind those of the others. */
static int list_leaves(struct scope_tree *tree, const struct snapshot *names, size_t association,
		       struct leaf_room *room)
{
	const char *user = user_of(names, association);
	uint32_t first = tree->first[association];
	size_t count = user ? share_tree_list_leaves(tree->shares, user,
						     snapshot_account(names, association),
						     room->user) : 0;

	if (grow(&tree->node, &room->node, first + count + 1) ||
	    grow(&tree->key, &room->key, first + count + 1))
		return -1;
	for (size_t i = 0; i < count; i++) {
		tree->node[first + i] = room->user[i].node;
		tree->key[first + i] = room->user[i].key;
	}
	tree->first[association + 1] = first + (uint32_t)count;
	return 0;
}

static int list_all_leaves(struct scope_tree *tree, const struct snapshot *names, size_t count)
{
	struct leaf_room room = { 0 };
	int status = 0;

	tree->first = calloc(count + 1, sizeof(*tree->first));
	room.user = calloc(share_tree_most_leaves(tree->shares) + 1, sizeof(*room.user));
	if (!tree->first || !room.user)
		status = -1;
	for (size_t i = 0; !status && i < count; i++)
		status = list_leaves(tree, names, i, &room);
	free(room.user);
	return status;
}

/* ---- the tree ------------------------------------------------------------------------ */

/* Makes the nodes: those of the assignments, and of "default" for the users of associations. */
static int make_nodes(struct scope_tree *tree, const struct settings *settings,
		      const struct scheme *scheme, const struct snapshot *names, size_t count,
		      struct fathom_error *problem)
{
	struct fathom_user_shares given = conf_user_shares(&scheme->assignments,
							   &settings->user_groups);
	const char **user = calloc(count, sizeof(*user));

	if (!user)
		return fathom_error_no_memory(problem);
	given.user = user;
	for (size_t i = 0; i < count; i++)
		if ((user[given.user_count] = user_of(names, i)))
			given.user_count++;
	tree->shares = fathom_share_tree_create(&given, problem);
	free(user);
	if (tree->shares)
		tree->tree = fathom_tree_create(fathom_share_tree_rows(tree->shares),
						fathom_share_tree_count(tree->shares), problem);
	return tree->tree ? 0 : -1;
}

static int fill(struct scope_tree *tree, const struct settings *settings,
		const struct scheme *scheme, const struct associations *associations,
		struct fathom_error *problem)
{
	size_t count = associations->node_count;
	struct snapshot names = { .tree = associations->tree };
	int status = fathom_error_no_memory(problem);

	association_names_read(&names, associations->map, count);
	if (names.name && names.listed)
		status = make_nodes(tree, settings, scheme, &names, count, problem);
	if (!status && list_all_leaves(tree, &names, count))
		status = fathom_error_no_memory(problem);
	names.tree = NULL;	/* the associations' */
	snapshot_clear(&names);
	return status;
}

struct scope_tree *scope_tree_create(const struct settings *settings, const struct scheme *scheme,
				     const struct associations *associations,
				     struct fathom_error *problem)
{
	struct scope_tree *tree = calloc(1, sizeof(*tree));

	if (!tree) {
		fathom_error_no_memory(problem);
		return NULL;
	}
	tree->references = 1;
	tree->map = fathom_node_index_share(associations->map);
	if (!fill(tree, settings, scheme, associations, problem))
		return tree;
	scope_tree_release(tree);
	return NULL;
}

struct scope_tree *scope_tree_reference(struct scope_tree *tree)
{
	if (tree)
		__atomic_add_fetch(&tree->references, 1, __ATOMIC_RELAXED);
	return tree;
}

void scope_tree_release(struct scope_tree *tree)
{
	if (!tree || __atomic_sub_fetch(&tree->references, 1, __ATOMIC_ACQ_REL))
		return;
	fathom_node_index_release(tree->map);
	fathom_share_tree_destroy(tree->shares);
	fathom_tree_destroy(tree->tree);
	free(tree->first);
	free(tree->node);
	free(tree->key);
	free(tree);
}

/* ---- look-up ------------------------------------------------------------------------- */

bool scope_tree_is_of(const struct scope_tree *tree, const struct associations *associations)
{
	return tree->map == associations->map;
}

uint32_t scope_tree_best(const struct scope_tree *tree, uint32_t association,
			 const double *factor)
{
	uint32_t best = SCOPE_NO_LEAF;

	for (uint32_t i = tree->first[association]; i < tree->first[association + 1]; i++)
		if (best == SCOPE_NO_LEAF || factor[tree->node[i]] > factor[tree->node[best]])
			best = i;
	return best;
}

uint32_t scope_tree_charged(const struct scope_tree *tree, uint32_t association, uint32_t leaf)
{
	uint32_t node, first, end;

	if (!fathom_node_index_find(tree->map, association, &node))
		return 0;
	first = tree->first[node];
	end = tree->first[node + 1];
	for (uint32_t i = first; i < end; i++)
		if (tree->key[i] == leaf)
			return tree->node[i];
	return first < end ? tree->node[first] : 0;
}

/* ---- names ---------------------------------------------------------------------------- */

/* Accounts and users are those of associations. So are the names of nodes here: each is copied. */
int scope_tree_snapshot(const struct scope_tree *tree, struct snapshot *snapshot)
{
	size_t count = fathom_share_tree_count(tree->shares), length = 0;

	for (size_t node = 0; node < count; node++)
		length += strlen(fathom_share_tree_name(tree->shares, node)) + 1;
	snapshot->text = malloc(length);
	snapshot->name = malloc(count * sizeof(*snapshot->name));
	snapshot->partition = malloc(count * sizeof(*snapshot->partition));
	if (!snapshot->text || !snapshot->name || !snapshot->partition)
		return -1;
	length = 0;
	for (size_t node = 0; node < count; node++) {
		const char *name = fathom_share_tree_name(tree->shares, node);

		snapshot->name[node] = length;
		snapshot->partition[node] = SNAPSHOT_NO_TEXT;
		strcpy(snapshot->text + length, name);
		length += strlen(name) + 1;
	}
	return 0;
}
