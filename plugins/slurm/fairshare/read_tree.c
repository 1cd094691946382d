/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads which associations there are into a new tree, when some have come, gone or moved. What is
 * known of an association is found by its id, and goes on in the new tree. Row and sums of an
 * association that is gone go to the nearest account above it that is left.
 */
#include "fairshare/fairshare_private.h"

#include "base/slurm_locks.h"
#include "walk/slice.h"

#include <math.h>
#include <stdlib.h>

#define NODES_AT_ONCE 256	/* between two looks at the clock */
#define CHARGES_AHEAD 8		/* prefetch for this many charges later */

/* ---- heirs ------------------------------------------------------------------------------ */

/* associations_find() as a heirs_find_node; context: the associations. */
static bool find_node(const void *context, uint32_t id, uint32_t *node)
{
	return associations_find(context, id, node);
}

/* Returns whether a node has a mark (ROW_*), or its record has changed so since it was last seen
 * (ASSOCIATION_*): the mark tells of the same change earlier in this pass. record: or NULL. */
static bool has_changed(const struct fairshare *fairshare, const slurmdb_assoc_rec_t *record,
			uint32_t node, uint8_t mark, unsigned change)
{
	return fairshare->marks[node] & mark ||
	       (record &&
		associations_changes(&fairshare->associations, record, node) & change);
}

uint32_t fairshare_find_heir(const struct fairshare *fairshare, uint32_t node)
{
	const struct associations *associations = &fairshare->associations;
	uint32_t above = node;

	while (above) {
		above = (uint32_t)fathom_tree_parent(associations->tree, above);
		if (has_changed(fairshare, associations_record(associations->seen[above].id), above,
				ROW_INHERITED, ASSOCIATION_INHERITED))
			return above;
	}
	return node;
}

/* Returns the id of the account that has got the usage of deleted members of the account `id`. That
 * is the account itself; unless it was deleted, too, and added again, without usage: then assoc_mgr
 * has given all to an account above the place where it was. Takes assoc read. */
static uint32_t account_with_usage_of(const struct fairshare *fairshare, uint32_t id)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	const struct associations *associations = &fairshare->associations;
	const slurmdb_assoc_rec_t *record;
	bool has_usage;
	uint32_t node;

	if (!associations->tree || !associations_find(associations, id, &node))
		return id;
	locks_take(NULL, &locks);
	record = associations_record(id);
	has_usage = record && record->leaf_usage && record->leaf_usage->usage_raw > 0;
	if (record && !has_usage &&
	    has_changed(fairshare, record, node, ROW_NEW, ASSOCIATION_NEW))
		node = fairshare_find_heir(fairshare, node);
	locks_release(NULL, &locks);
	return associations->seen[node].id;
}

int fairshare_find_heirs(const struct fairshare *fairshare, struct heirs *heirs,
			 const struct associations *associations, const struct usage_image *image)
{
	const struct usage_rows *rows = &image->associations;
	uint32_t node;

	*heirs = (struct heirs){ .find_node = find_node, .context = associations };
	for (uint32_t i = 0; i < rows->count; i++) {
		const struct usage_row *row = &rows->row[i];

		if (associations_find(associations, row->id, &node))
			continue;
		/* if slurmctld has it all the same, the tree is not whole */
		if (associations_have(row->id) ||
		    heirs_add(heirs, row->id, account_with_usage_of(fairshare, row->parent_id)))
			return -1;
	}
	return 0;
}

uint32_t fairshare_heir_of(uint32_t id, uint32_t account_id, const void *context)
{
	struct heirs *const *heirs = context;	/* heirs_find() changes what it points to */
	const struct associations *associations = (*heirs)->context;
	uint32_t node;

	if (heirs_find(*heirs, id, &node) || heirs_find(*heirs, account_id, &node))
		return associations->seen[node].id;
	return account_id;
}

/* ---- what goes on in the new tree ----------------------------------------------------------- */

/* The new tree, and the marks that go on in it; after exchange_trees(): the old ones. */
struct moving {
	struct fairshare *fairshare;
	struct associations fresh;
	uint8_t *marks;		/* by node of `fresh`: ROW_* */
};

/* Copies the marks of an association to the new tree, if that has it, and the usage that was last
 * seen, so that changes since then are still noticed. node: its node in the old tree; context: a
 * struct moving. The caller holds an assoc lock. */
static void move_seen(void *context, size_t node)
{
	struct moving *moving = context;
	const struct fairshare *fairshare = moving->fairshare;
	const struct association_seen *seen = &fairshare->associations.seen[node];
	uint32_t to;

	if (!associations_find(&moving->fresh, seen->id, &to))
		return;
	moving->marks[to] = fairshare->marks[node];
	moving->fresh.seen[to].own = seen->own;
	moving->fresh.seen[to].wall = seen->wall;
}

/* Calls move_seen() once more for the associations and accounts that late charges have charged, and
 * for the root: between the slices jobs may have ended, after which the usage last seen is another.
 * The caller holds assoc write. */
static void move_charged_seen(struct moving *moving)
{
	const struct associations *associations = &moving->fairshare->associations;
	const struct fathom_charges *late = book_late(moving->fairshare->book);
	size_t count = late ? fathom_charges_count(late) : 0;
	uint32_t node;

	for (size_t i = 0; i < count; i++) {
		const struct fathom_run_id *id = &fathom_charges_at(late, i)->run.id;

		if (associations_find(associations, id->association, &node))
			move_seen(moving, node);
		if (associations_find(associations, id->account, &node))
			move_seen(moving, node);
	}
	if (count)
		move_seen(moving, 0);	/* the root */
}

/* Adds each row of `from` to the row that its association or its heir has in `to`. `to` may have
 * other columns. */
static void move_rows(const struct usage_image *from, struct heirs *heirs,
		      const struct usage_image *to)
{
	uint32_t column[to->tres_count + 1];	/* the index in `from` of each column of `to` */

	for (uint32_t i = 0; i < to->tres_count; i++)
		column[i] = usage_image_column(from, to->tres_id[i]);
	for (uint32_t at = 0; at < from->associations.count; at++) {
		const double *amount = usage_image_row(from, at);
		uint32_t node = 0;
		double *row;

		heirs_find(heirs, from->associations.row[at].id, &node);
		row = usage_image_row(to, node);
		row[USAGE_RAW] = fmin(row[USAGE_RAW] + amount[USAGE_RAW], USAGE_RAW_MOST);
		row[USAGE_WALL] += amount[USAGE_WALL];
		for (uint32_t i = 0; i < to->tres_count; i++)
			if (column[i] < from->tres_count)
				row[USAGE_TRES + i] += amount[USAGE_TRES + column[i]];
	}
}

/* Returns whether a user who is gone had usage, of which the account has got nothing. Takes assoc
 * read. node: the user's in the old tree. */
static bool left_nothing(const struct fairshare *fairshare, uint32_t node)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	const struct associations *associations = &fairshare->associations;
	uint32_t account = (uint32_t)fathom_tree_parent(associations->tree, node);
	const slurmdb_assoc_rec_t *record;
	bool nothing;

	locks_take(NULL, &locks);
	record = associations_record(associations->seen[account].id);
	nothing = record && association_had_usage(&associations->seen[node]) &&
		  !has_changed(fairshare, record, account, ROW_INHERITED, ASSOCIATION_INHERITED);
	/* one that was deleted, too, and added again has lost it; the root (0) always stays */
	if (nothing && account)
		nothing = !has_changed(fairshare, record, account, ROW_NEW, ASSOCIATION_NEW);
	locks_release(NULL, &locks);
	return nothing;
}

/* Sets the row of an association, and its sums, to 0. */
static void empty_row(struct fairshare *fairshare, uint32_t node)
{
	const struct fathom_run_id id = { .association = fairshare->associations.seen[node].id };
	double *row = usage_image_row(&fairshare->image, node);

	memset(row, 0, usage_image_width(&fairshare->image) * sizeof(*row));
	schemes_change(fairshare->schemes, &id, 0, NULL);
}

/* Empties the rows of users whose usage was set to 0, and who are gone from the new tree: then
 * their account has got nothing. If slurmctld has replaced all records, that tells nothing. */
static void empty_gone(struct fairshare *fairshare, const struct associations *fresh)
{
	const struct associations *associations = &fairshare->associations;
	uint32_t unused;

	if (!fairshare->has_rows || fairshare->records_are_new ||
	    fresh->root != associations->root)
		return;
	for (uint32_t node = 1; node < associations->node_count; node++)
		if (fathom_tree_kind(associations->tree, node) == FATHOM_USER &&
		    !associations_find(fresh, associations->seen[node].id, &unused) &&
		    left_nothing(fairshare, node))
			empty_row(fairshare, node);
}

/* Puts the new tree, with what goes on in it, into struct fairshare, and the old one into *moving,
 * for the caller to free. Takes assoc read in slices, and assoc write. */
static void exchange_trees(struct moving *moving)
{
	assoc_mgr_lock_t read = { .assoc = READ_LOCK }, write = { .assoc = WRITE_LOCK };
	struct fairshare *fairshare = moving->fairshare;
	struct moving old = *moving;

	if (fairshare->has_rows) {
		slice_numbers(fairshare->associations.node_count, NODES_AT_ONCE, &read, move_seen,
			      moving);
		fairshare->records_are_new |= moving->fresh.root != fairshare->associations.root;
	}
	locks_take(NULL, &write);
	if (fairshare->has_rows)
		move_charged_seen(moving);
	old.fresh = fairshare->associations;
	fairshare->associations = moving->fresh;
	locks_release(NULL, &write);
	old.marks = fairshare->marks;
	fairshare->marks = moving->marks;
	*moving = old;
}

/* Makes empty rows in *to, and marks, for the associations of the new tree. Returns -1 if out of
 * memory. */
static int make_rows(struct moving *moving, struct usage_image *to)
{
	const struct fathom_tree *tree = moving->fresh.tree;
	size_t count = moving->fresh.node_count;

	moving->marks = calloc(count, sizeof(*moving->marks));
	if (!moving->marks ||
	    usage_rows_create(&to->associations, count, usage_image_width(to)))
		return -1;
	for (size_t node = 0; node < count; node++)
		to->associations.row[node] = (struct usage_row){
			.id = (uint32_t)fathom_tree_id(tree, node),
			.parent_id = node ? (uint32_t)fathom_tree_id(
						    tree, fathom_tree_parent(tree, node)) : 0,
		};
	return 0;
}

/* All that is new is made before anything is exchanged, so that the old tree stays whole if memory
 * runs out. */
bool fairshare_read_tree(struct fairshare *fairshare, const struct usage_image *saved)
{
	const struct usage_image *from = saved ? saved : &fairshare->image;
	struct usage_image to = fairshare->image;	/* the same columns; make_rows() gives it
							 * new rows */
	/* fairshare_heir_of() gets the address of a pointer, as its context is const */
	struct heirs heirs = { .context = NULL }, *context = &heirs;
	struct moving moving = { .fairshare = fairshare };
	bool done = associations_read(&moving.fresh) &&
		    !fairshare_find_heirs(fairshare, &heirs, &moving.fresh, from) &&
		    !make_rows(&moving, &to);

	if (done) {
		if (!saved)
			empty_gone(fairshare, &moving.fresh);
		move_rows(from, &heirs, &to);
		if (saved)
			schemes_restore(fairshare->schemes, saved);
		schemes_move(fairshare->schemes, fairshare_heir_of, &context);
		exchange_trees(&moving);
		usage_rows_clear(&fairshare->image.associations);
		fairshare->image.associations = to.associations;
		fairshare->must_reread = false;
	}
	associations_forget(&moving.fresh);	/* the old one, or a new one that is not used */
	free(moving.marks);
	heirs_clear(&heirs);
	return done;
}

/* Returns the id of the association to which the charge at an index belongs. */
static uint32_t charged_association(const struct fathom_charges *charges, size_t at)
{
	return fathom_charges_at(charges, at)->run.id.association;
}

bool fairshare_knows(const struct fairshare *fairshare, const struct fathom_charges *charges)
{
	size_t count = fathom_charges_count(charges);
	uint32_t node;

	if (!fairshare->associations.tree)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (i + CHARGES_AHEAD < count)
			fathom_node_index_prefetch(fairshare->associations.map,
						   charged_association(charges,
								       i + CHARGES_AHEAD));
		if (!associations_find(&fairshare->associations, charged_association(charges, i),
				       &node))
			return false;
	}
	return true;
}

/* Puts own usage and shares into the tree; the caller settles the tree. Before there are rows,
 * usage is that of the records. */
static void put_usage_and_shares(struct fairshare *fairshare)
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
}

void fairshare_fill_tree(struct fairshare *fairshare)
{
	put_usage_and_shares(fairshare);
	fathom_tree_settle(fairshare->associations.tree);
}

/* Returns the own usage in the tree, without that of other clusters, in a shared object for
 * evaluations. NULL: the settings have no file for it, there are no rows, or out of memory. */
static struct own_usage *copy_own(const struct fairshare *fairshare)
{
	size_t count = fairshare->associations.node_count;
	struct own_usage *own = NULL;

	if (fairshare->has_rows && settings_write_own_usage(schemes_settings(fairshare->schemes)))
		own = shared_create(sizeof(*own) + count * sizeof(*own->seconds), free);
	for (size_t node = 0; own && node < count; node++)
		own->seconds[node] = fathom_tree_own_usage(fairshare->associations.tree, node);
	return own;
}

void fairshare_fill_global_tree(struct fairshare *fairshare)
{
	struct fathom_tree *tree = fairshare->associations.tree;
	double *given;

	put_usage_and_shares(fairshare);
	/* by node: what other clusters have used */
	given = schemes_take_global(fairshare->schemes, copy_own(fairshare));
	for (size_t node = 0; given && node < fairshare->associations.node_count; node++)
		fathom_tree_set_own_usage(tree, node,
					  fathom_tree_own_usage(tree, node) + given[node]);
	fathom_tree_settle(tree);
	free(given);
}
