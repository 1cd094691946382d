/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The totals of accounts: what is used at an account and below it.
 *
 *	root			own 0, total 60
 *	  physics		own 10 (of a deleted member), total 60
 *	    anna		own 20
 *	    bert		own 30
 *
 * They are summed up from the rows of the image without a lock and written in slices.
 * A job that ends meanwhile is charged to its record and to all accounts above it at
 * once, and makes the row late: it is copied again, and the sums corrected, before
 * the next total is written. So each total has the charge once.
 */
#include "fairshare/record_walk.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>

/* ---- the root's total ------------------------------------------------------------- */

static long double root_total(void)
{
	return assoc_mgr_root_assoc ? assoc_mgr_root_assoc->usage->usage_raw : 0;
}

void fairshare_note_total(struct fairshare *fairshare)
{
	fairshare->root_total = root_total();
}

bool fairshare_total_is_known(const struct fairshare *fairshare)
{
	return root_total() == fairshare->root_total;
}

/* ---- sums of rows ----------------------------------------------------------------- */

static void add_row(double *to, const double *row, size_t width)
{
	for (size_t i = 0; i < width; i++)
		to[i] += row[i];
}

/* Returns the totals of all nodes, a row of the image's width for each; NULL: out of memory. */
static double *sum_up(const struct update *update)
{
	const struct fathom_tree *tree = update->fairshare->associations.tree;
	const struct usage_rows *rows = &update->image->associations;
	size_t width = usage_image_width(update->image);
	double *sums = rows->count ? malloc(rows->count * width * sizeof(*sums)) : NULL;

	if (!sums)
		return NULL;
	memcpy(sums, rows->amount, rows->count * width * sizeof(*sums));
	for (size_t node = rows->count - 1; node > 0; node--)
		add_row(sums + fathom_tree_parent(tree, node) * width, sums + node * width, width);
	return sums;
}

/* Adds what a node's row has more than `before` to the totals of the node and of all above it. */
static void add_growth(const struct update *update, double *sums, size_t node, const double *before)
{
	const struct fathom_tree *tree = update->fairshare->associations.tree;
	size_t width = usage_image_width(update->image);
	const double *row = update->image->associations.amount + node * width;

	for (;; node = fathom_tree_parent(tree, node)) {
		for (size_t i = 0; i < width; i++)
			sums[node * width + i] += row[i] - before[i];
		if (!node)
			return;
	}
}

/* Fills the row of a node anew from its record; `sums`, if not NULL, grow by the difference. */
static void copy_again(const struct update *update, uint32_t node, double *sums)
{
	const struct associations *associations = &update->fairshare->associations;
	const slurmdb_assoc_rec_t *record =
		associations_record((uint32_t)fathom_tree_id(associations->tree, node));
	size_t width = usage_image_width(update->image);
	double before[width];

	if (!record || !update->image->associations.count)
		return;
	memcpy(before, update->image->associations.amount + node * width, sizeof(before));
	usage_image_put(update->image, node, record, associations_parent_id(record));
	if (sums)
		add_growth(update, sums, node, before);
}

void update_copy_late(struct update *update, double *sums)
{
	struct fairshare *fairshare = update->fairshare;

	for (size_t i = 0; i < fairshare->progress.late_count; i++) {
		copy_again(update, fairshare->progress.late[i], sums);
		fairshare->progress.is_late[fairshare->progress.late[i]] = false;
	}
	fairshare->progress.late_count = 0;
}

/* ---- the walk --------------------------------------------------------------------- */

static void fetch_record(void *item, size_t at, void *context)
{
	(void)at, (void)context;
	prefetch(&((const slurmdb_assoc_rec_t *)item)->id);
}

/* Where an account has been moved since its members were summed up, or usage has been set to 0, the
 * sums are wrong: this is noted, and another round follows. */
static void write_total(void *item, size_t at, void *context)
{
	struct record_walk *walk = context;
	const struct associations *associations = &walk->update->fairshare->associations;
	const struct usage_image *image = walk->update->image;
	const double *sums = walk->context;
	uint32_t node;

	if (!record_walk_visit(walk, item, at, &node) ||
	    fathom_tree_kind(associations->tree, node) == FATHOM_USER)
		return;
	if (!associations_has_place(associations, item, node))
		walk->update->changes |= ASSOCIATION_PLACE;
	if (!node && !fairshare_total_is_known(walk->update->fairshare))
		walk->update->changes |= ASSOCIATION_VALUE;
	usage_set_total(item, sums + node * usage_image_width(image), image->tres_at,
			image->tres_count);
	if (!node)
		fairshare_note_total(walk->update->fairshare);
}

static void begin_slice(struct record_walk *walk)
{
	update_copy_late(walk->update, walk->context);
}

static bool write_block(struct record_walk *walk)
{
	return record_walk_block(walk, (struct list_walk_stages){ .fetch = fetch_record,
								  .work = write_total });
}

void update_write_totals(struct update *update)
{
	struct record_walk walk = { .update = update, .bit = SUMMED, .context = sum_up(update) };

	if (walk.context)
		record_walk_run(&walk, begin_slice, write_block);
	else
		error(LOG_PREFIX "out of memory; accounts keep the totals of the pass before");
	free(walk.context);
}
