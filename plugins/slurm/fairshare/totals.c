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
#include "fairshare/fairshare_private.h"

#include "base/log.h"
#include "walk/slice.h"

#include <stdlib.h>
#include <string.h>

#define NODES_AT_ONCE 512	/* between two looks at the clock */

static void add_row(double *to, const double *row, size_t width)
{
	for (size_t i = 0; i < width; i++)
		to[i] += row[i];
}

/* A row a node; NULL: out of memory. */
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

/* From a node up to the root, what its row has more than it had. */
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

/* Returns the node after the last. */
static size_t write_some(const struct update *update, const double *sums, size_t node)
{
	const struct fathom_tree *tree = update->fairshare->associations.tree;
	const struct usage_image *image = update->image;
	size_t width = usage_image_width(image);
	size_t end = MIN(node + NODES_AT_ONCE, fathom_tree_count(tree));

	for (; node < end; node++) {
		slurmdb_assoc_rec_t *record;

		if (fathom_tree_kind(tree, node) == FATHOM_USER)
			continue;
		record = associations_record((uint32_t)fathom_tree_id(tree, node));
		if (record)
			usage_set_total(record, sums + node * width, image->tres_at,
					image->tres_count);
	}
	return node;
}

void update_write_totals(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	size_t node = 0, count = update->image->associations.count;
	double *sums = sum_up(update);

	if (!sums)
		error(LOG_PREFIX "out of memory; accounts keep the totals of the pass before");
	while (sums && node < count) {
		struct slice slice;

		assoc_mgr_lock(&locks);
		slice = slice_begin();
		fairshare_give_back_own(update->fairshare);
		update_copy_late(update, sums);
		do
			node = write_some(update, sums, node);
		while (node < count && !slice_is_over(&slice));
		assoc_mgr_unlock(&locks);
		if (node < count)
			slice_pause();
	}
	free(sums);
}
