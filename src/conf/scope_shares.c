/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the tree of a scope with UserShares, and lists the leaves of each association. */
#include "conf/scope_shares.h"

#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>

/* ---- leaves of associations -------------------------------------------------------- */

/* Memory while leaves are listed. */
struct leaf_room {
	size_t node, key;		/* room of the arrays leaves.node and leaves.key */
	struct share_leaf *user;	/* room for the leaves of one user */
};

/* Returns the user's name; NULL: the node is not a user, or it or its account has no name. */
static const char *user_of(const struct snapshot *names, size_t node)
{
	if (fathom_tree_kind(names->tree, node) != FATHOM_USER ||
	    names->name[node] == SNAPSHOT_NO_TEXT ||
	    names->name[fathom_tree_parent(names->tree, node)] == SNAPSHOT_NO_TEXT)
		return NULL;
	return snapshot_name(names, node);
}

/* Makes room for `count` elements. -1: out of memory; the array is unchanged. */
static int grow(uint32_t **array, size_t *room, size_t count)
{
	uint32_t *grown = array_grow(*array, room, count, sizeof(*grown));

	if (grown)
		*array = grown;
	return grown ? 0 : -1;
}

/* Lists the leaves of an association behind those of the one before it. -1: out of memory. */
static int list_leaves(struct scope_shares *shares, const struct snapshot *names,
		       size_t association, struct leaf_room *room)
{
	const char *user = user_of(names, association);
	uint32_t first = shares->leaves.first[association];
	size_t count = user ? share_tree_list_leaves(shares->assigned, user,
						     snapshot_account(names, association),
						     room->user) : 0;

	if (grow(&shares->leaves.node, &room->node, first + count + 1) ||
	    grow(&shares->leaves.key, &room->key, first + count + 1))
		return -1;
	shares->leaves.user[association] =
		user ? share_tree_user(shares->assigned, user) : UINT32_MAX;
	for (size_t i = 0; i < count; i++) {
		shares->leaves.node[first + i] = room->user[i].node;
		shares->leaves.key[first + i] = room->user[i].key;
	}
	shares->leaves.first[association + 1] = first + (uint32_t)count;
	return 0;
}

/* Lists the leaves of all associations, one after another. */
static int list_all_leaves(struct scope_shares *shares, const struct snapshot *names, size_t count,
			   struct fathom_error *error)
{
	struct leaf_room room = { 0 };
	int status = 0;

	shares->leaves.first = calloc(count + 1, sizeof(*shares->leaves.first));
	shares->leaves.user = calloc(count + 1, sizeof(*shares->leaves.user));
	room.user = calloc(share_tree_most_leaves(shares->assigned) + 1, sizeof(*room.user));
	if (!shares->leaves.first || !shares->leaves.user || !room.user)
		status = -1;
	for (size_t i = 0; !status && i < count; i++)
		status = list_leaves(shares, names, i, &room);
	free(room.user);
	return status ? fathom_error_no_memory(error) : 0;
}

/* ---- the tree ------------------------------------------------------------------------ */

/* Makes both trees: with the nodes of the assignments, and one for each user of an association that
 * "default" gives shares. */
static int make_nodes(struct scope_shares *shares, const struct conf_assignments *assignments,
		      const struct conf_user_groups *groups, const struct snapshot *names,
		      size_t count, struct fathom_error *error)
{
	struct fathom_user_shares given = conf_user_shares(assignments, groups);
	const char **user = calloc(count, sizeof(*user));

	if (!user)
		return fathom_error_no_memory(error);
	given.user = user;
	for (size_t i = 0; i < count; i++)
		if ((user[given.user_count] = user_of(names, i)))
			given.user_count++;
	shares->assigned = fathom_share_tree_create(&given, error);
	free(user);
	if (shares->assigned)
		shares->tree = fathom_tree_create(fathom_share_tree_rows(shares->assigned),
						  fathom_share_tree_count(shares->assigned), error);
	return shares->tree ? 0 : -1;
}

int scope_shares_create(struct scope_shares *shares, const struct conf_assignments *assignments,
			const struct conf_user_groups *groups, const struct snapshot *names,
			size_t count, struct fathom_error *error)
{
	if (make_nodes(shares, assignments, groups, names, count, error))
		return -1;
	return list_all_leaves(shares, names, count, error);
}

void scope_shares_clear(struct scope_shares *shares)
{
	fathom_share_tree_destroy(shares->assigned);
	fathom_tree_destroy(shares->tree);
	share_leaves_clear(&shares->leaves);
	*shares = (struct scope_shares){ NULL };
}
