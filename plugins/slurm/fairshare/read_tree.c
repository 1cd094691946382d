/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads which associations there are, when some have come, gone or moved, into a new tree. What is
 * known of an association goes on in the new tree, by its id. The row of one that is gone goes to
 * the nearest account above it that is left, and so do the policies' sums.
 */
#include "fairshare/fairshare_private.h"

#include "walk/slice.h"

#include <stdlib.h>
#include <string.h>

#define NODES_AT_ONCE 256	/* between two looks at the clock */
#define CHARGES_AHEAD 8		/* prefetch for this many charges later */

/* The tree before and after reading, for heir_of(). */
struct succession {
	const struct associations *before, *after;
};

/* Returns the association that gets the usage of another: itself if it still exists, else the
 * nearest account above it that does. */
static uint32_t heir_of(uint32_t id, uint32_t account_id, const void *context)
{
	const struct succession *succession = context;
	const struct fathom_tree *tree = succession->before->tree;
	uint32_t node, unused;

	if (associations_find(succession->after, id, &unused))
		return id;
	if (!associations_find(succession->before, id, &node))	/* came and went since */
		return account_id;
	while (node && !associations_find(succession->after, (uint32_t)fathom_tree_id(tree, node),
					  &unused))
		node = (uint32_t)fathom_tree_parent(tree, node);
	return (uint32_t)fathom_tree_id(tree, node);
}

/* What belongs to a tree, by node. */
struct by_node {
	struct usage_rows rows;
	uint8_t *marks;
};

static void by_node_free(struct by_node *by_node)
{
	usage_rows_clear(&by_node->rows);
	free(by_node->marks);
}

static int by_node_create(struct by_node *by_node, size_t count, size_t width)
{
	*by_node = (struct by_node){ .marks = calloc(count, sizeof(*by_node->marks)) };
	if (by_node->marks && !usage_rows_create(&by_node->rows, count, width))
		return 0;
	by_node_free(by_node);
	return -1;
}

static void name_rows(struct usage_rows *rows, const struct fathom_tree *tree)
{
	for (size_t node = 0; node < rows->count; node++)
		rows->row[node] = (struct usage_row){
			.id = (uint32_t)fathom_tree_id(tree, node),
			.parent_id = node ? (uint32_t)fathom_tree_id(
						    tree, fathom_tree_parent(tree, node)) : 0,
		};
}

/* For an association that stays, moves what was last seen of its usage, so that changes since then
 * are noticed. The caller holds an assoc lock. */
static void move_seen(const struct associations *old, struct associations *fresh, uint32_t id)
{
	uint32_t from, to;

	if (associations_find(old, id, &from) && associations_find(fresh, id, &to))
		associations_take_usage(fresh, to, &old->seen[from]);
}

static void move_all_seen(const struct associations *old, struct associations *fresh)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	uint32_t node = 0;

	while (node < old->node_count) {
		struct slice slice;

		assoc_mgr_lock(&locks);
		slice = slice_begin();
		do
			for (uint32_t i = 0; i < NODES_AT_ONCE && node < old->node_count; i++)
				move_seen(old, fresh, old->seen[node++].id);
		while (node < old->node_count && !slice_is_over(&slice));
		assoc_mgr_unlock(&locks);
	}
}

/* The same for those that jobs' ends have charged since. The caller holds assoc write. */
static void move_charged_seen(const struct associations *old, struct associations *fresh,
			      const struct fathom_charges *ended)
{
	for (size_t i = 0; ended && i < fathom_charges_count(ended); i++) {
		const struct fathom_run_id *id = &fathom_charges_at(ended, i)->run.id;

		move_seen(old, fresh, id->association);
		move_seen(old, fresh, id->account);
	}
	if (ended)
		move_seen(old, fresh, old->seen[0].id);		/* the root */
}

static void move_rows(const struct fairshare *fairshare, const struct associations *fresh,
		      struct by_node *by_node)
{
	const struct associations *old = &fairshare->associations;
	const struct succession succession = { old, fresh };
	size_t width = usage_image_width(&fairshare->image);

	for (uint32_t node = 0; node < old->node_count; node++) {
		uint32_t id = old->seen[node].id, to = 0;
		const double *from = usage_image_row(&fairshare->image, node);

		if (associations_find(fresh, id, &to))
			by_node->marks[to] = fairshare->marks[node];
		else
			associations_find(fresh, heir_of(id, 0, &succession), &to);
		for (size_t i = 0; i < width; i++)
			by_node->rows.amount[to * width + i] += from[i];
	}
}

static void replace(struct fairshare *fairshare, struct associations *fresh,
		    struct by_node *by_node)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	struct associations associations = *fresh;
	struct by_node stale = { fairshare->image.associations, fairshare->marks };

	assoc_mgr_lock(&locks);
	if (fairshare->has_rows)
		move_charged_seen(&fairshare->associations, &associations,
				  book_late(fairshare->book));
	*fresh = fairshare->associations;
	fairshare->associations = associations;
	assoc_mgr_unlock(&locks);
	fairshare->image.associations = by_node->rows;
	fairshare->marks = by_node->marks;
	*by_node = stale;
}

/* Usage of an association that is still there must not go to its account. */
static bool misses_any(const struct fairshare *fairshare, const struct association_rows *rows)
{
	const struct associations *old = &fairshare->associations;

	for (size_t node = 0; fairshare->has_rows && node < old->node_count; node++)
		if (association_rows_miss(rows, old->seen[node].id))
			return true;
	return false;
}

bool fairshare_take_tree(struct fairshare *fairshare, const struct association_rows *rows)
{
	struct associations fresh;
	struct by_node by_node;

	if (misses_any(fairshare, rows) || !associations_create(&fresh, rows))
		return false;
	if (by_node_create(&by_node, fresh.node_count, usage_image_width(&fairshare->image))) {
		associations_forget(&fresh);
		return false;
	}
	name_rows(&by_node.rows, fresh.tree);
	if (fairshare->has_rows) {
		move_rows(fairshare, &fresh, &by_node);
		move_all_seen(&fairshare->associations, &fresh);
		schemes_move(fairshare->schemes, heir_of,
			     &(struct succession){ &fairshare->associations, &fresh });
		fairshare->records_are_new |= fresh.root != fairshare->associations.root;
	}
	replace(fairshare, &fresh, &by_node);
	associations_forget(&fresh);
	by_node_free(&by_node);
	fairshare->must_reread = false;
	return true;
}

bool fairshare_read_tree(struct fairshare *fairshare)
{
	struct association_rows rows;
	bool done = association_rows_read(&rows, false) && fairshare_take_tree(fairshare, &rows);

	association_rows_clear(&rows);
	return done;
}

static uint32_t association_of(const struct fathom_charges *charges, size_t at)
{
	return fathom_charges_at(charges, at)->run.id.association;
}

bool fairshare_knows(const struct fairshare *fairshare, const struct fathom_charges *charges)
{
	size_t count = fathom_charges_count(charges);
	uint32_t node;

	if (!fairshare->associations.tree || fairshare->associations.orphans)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (i + CHARGES_AHEAD < count)
			fathom_node_index_prefetch(fairshare->associations.map,
						   association_of(charges, i + CHARGES_AHEAD));
		if (!associations_find(&fairshare->associations, association_of(charges, i), &node))
			return false;
	}
	return true;
}

void fairshare_fill_tree(struct fairshare *fairshare)
{
	const struct associations *associations = &fairshare->associations;
	struct fathom_tree *tree = associations->tree;

	for (size_t node = 0; node < associations->node_count; node++) {
		const struct association_seen *seen = &associations->seen[node];

		fathom_tree_set_own_usage(tree, node, fairshare->has_rows
						  ? *usage_image_row(&fairshare->image, node)
						  : seen->own);
		if (node && seen->raw_shares != fathom_tree_raw_shares(tree, node))
			fathom_tree_set_raw_shares(tree, node, seen->raw_shares);
	}
	fathom_tree_settle(tree);
}
