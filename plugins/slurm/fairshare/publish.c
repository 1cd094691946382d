/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the rows into slurmctld's records, with the policy's figures: own usage, the totals of
 * accounts, and what is late. While it writes, it compares each record with what was written the
 * last time: so it finds what others have changed, by sacctmgr for example.
 *
 * slurmctld replaces all records when slurmdbd is back after a start without it
 * (assoc_mgr_refresh_lists). Accounts lose their own usage then, which nobody has set to 0.
 */
#include "fairshare/fairshare_private.h"

#include "base/log.h"
#include "walk/sliced_walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- totals ------------------------------------------------------------------------------- */

/* Sums up rows: what is used at an account and below it. */
static void sum_up(struct fairshare *fairshare)
{
	const struct fathom_tree *tree = fairshare->associations.tree;
	const struct usage_image *image = &fairshare->image;
	size_t width = usage_image_width(image), count = fairshare->associations.node_count;
	double *total = realloc(fairshare->total, count * width * sizeof(*total));

	if (!total) {
		error(LOG_PREFIX "out of memory; accounts keep the totals of the pass before");
		free(fairshare->total);		/* is of fewer rows or columns */
		fairshare->total = NULL;
		return;
	}
	fairshare->total = total;
	memcpy(total, image->associations.amount, count * width * sizeof(*total));
	for (size_t node = count - 1; node > 0; node--) {
		const double *from = total + node * width;
		double *to = total + fathom_tree_parent(tree, node) * width;

		for (size_t i = 0; i < width; i++)
			to[i] += from[i];
	}
}

/* ---- a record ----------------------------------------------------------------------------- */

static struct usage_amounts amounts_of(const struct fairshare *fairshare, const double *rows,
				       const double *late, uint32_t node)
{
	const struct usage_image *image = &fairshare->image;
	bool is_late = fairshare->late.is_late[node];

	return (struct usage_amounts){
		.value = rows + node * usage_image_width(image),
		.tres_at = image->tres_at, .tres_count = image->tres_count,
		.late = is_late ? late + node * (2 + (size_t)fairshare->late.tres_count) : NULL,
		.late_tres = fairshare->late.tres_count,
	};
}

static void write_usage(const struct fairshare *fairshare, slurmdb_assoc_rec_t *record,
			uint32_t node)
{
	const double *rows = fairshare->image.associations.amount;
	struct usage_amounts own = amounts_of(fairshare, rows, fairshare->late.own, node), total;

	if (fairshare->must_clear)
		usage_clear_association(record);
	usage_set_own(record, &own);
	if (record->leaf_usage == record->usage || !fairshare->total)
		return;
	total = amounts_of(fairshare, fairshare->total, fairshare->late.total, node);
	usage_set_total(record, &total);
}

/* Takes the seconds that have run off the running ones, once. */
static void release(struct update *update, slurmdb_assoc_rec_t *record, uint32_t node,
		    const struct fathom_amount *charged)
{
	uint8_t *mark = &update->fairshare->marks[node];

	if (!charged || !update->take_run_seconds || (*mark & ROW_RELEASED))
		return;
	usage_release(record, charged, update->tres_count);
	*mark |= ROW_RELEASED;
}

/* Usage of the record has become 0. Of this pass's charges those stay that may have come later:
 * none, if the pass has written the record, or a job's end has charged it in the pass. */
static void clear(struct update *update, uint32_t node, const struct fathom_amount *charged)
{
	struct fairshare *fairshare = update->fairshare;
	bool is_late = late_has_own(&fairshare->late, node);
	bool came_before = is_late || (fairshare->marks[node] & ROW_WRITTEN);

	if (is_late && late_note_cleared(&fairshare->late, &fairshare->associations, node,
					 fathom_charges_count(book_late(fairshare->book))))
		error(LOG_PREFIX "out of memory; a job's end is charged though usage has been set "
				 "to 0 since");
	fairshare_clear_row(fairshare, node, came_before ? NULL : charged, update->tres_count);
}

static void note_changes(struct update *update, const slurmdb_assoc_rec_t *record, uint32_t node,
			 const struct fathom_amount *charged)
{
	struct fairshare *fairshare = update->fairshare;
	unsigned changes = associations_changes(&fairshare->associations, record, node);
	bool is_lost = fairshare->records_are_new && !record->user && record->usage->usage_raw > 0;

	update->changes |= changes;
	if (changes & ASSOCIATION_INHERITED)
		fairshare->marks[node] |= ROW_INHERITED;
	if ((changes & ASSOCIATION_CLEARED) && fairshare->has_rows && !is_lost)
		clear(update, node, charged);
}

static void log_overflow(const struct fairshare *fairshare, const slurmdb_assoc_rec_t *record,
			 uint32_t node)
{
	if (!(fairshare->marks[node] & ROW_OVERFLOWS))
		return;
	error(LOG_PREFIX "usage of %s%s%s is infinite; it counts as %g", record->acct,
	      record->user ? "/" : "", record->user ? record->user : "", USAGE_RAW_MOST);
	fairshare->marks[node] &= (uint8_t)~ROW_OVERFLOWS;
}

static void publish(struct update *update, slurmdb_assoc_rec_t *record, uint32_t node)
{
	struct fairshare *fairshare = update->fairshare;
	const struct fathom_amount *charged = fathom_charge_totals_at(update->charged, node);

	note_changes(update, record, node, charged);
	if (fairshare->has_rows) {
		log_overflow(fairshare, record, node);
		write_usage(fairshare, record, node);
		release(update, record, node, charged);
		fairshare->marks[node] |= ROW_WRITTEN;
	}
	if (update->columns)
		sshare_write(update->columns, update->settings, record, node);
	associations_see(&fairshare->associations, record, node);
}

/* ---- the walk ------------------------------------------------------------------------------- */

struct publishing {
	struct update *update;
	size_t position;	/* in the list, if it does not change; guesses the node */
};

static void fetch_record(void *item, size_t at, void *context)
{
	(void)at, (void)context;
	associations_fetch(item);
}

static void fetch_usage(void *item, size_t at, void *context)
{
	const struct publishing *publishing = context;
	const struct update *update = publishing->update;
	const struct fairshare *fairshare = update->fairshare;
	uint32_t node = associations_guess(&fairshare->associations, publishing->position + at);

	associations_fetch_usage(item);
	prefetch_all(&fairshare->associations.seen[node], sizeof(struct association_seen));
	if (fairshare->has_rows)
		prefetch_all(usage_image_row(&fairshare->image, node),
			     usage_image_width(&fairshare->image) * sizeof(double));
	prefetch_all(fathom_charge_totals_at(update->charged, node), sizeof(struct fathom_amount));
	if (update->columns)
		sshare_fetch(update->columns, node);
}

static void fetch_tres(void *item, size_t at, void *context)
{
	const slurmdb_assoc_usage_t *usage = ((const slurmdb_assoc_rec_t *)item)->usage;
	const struct publishing *publishing = context;
	const struct update *update = publishing->update;
	uint32_t node = associations_guess(&update->fairshare->associations,
					   publishing->position + at);
	const struct fathom_amount *charged = fathom_charge_totals_at(update->charged, node);
	size_t count = (size_t)slurmctld_tres_cnt;

	if (usage->usage_tres_raw)
		prefetch_all(usage->usage_tres_raw, count * sizeof(*usage->usage_tres_raw));
	if (!charged)
		return;
	prefetch_all(charged->released, count * sizeof(*charged->released));
	if (usage->grp_used_tres_run_secs)
		prefetch_all(usage->grp_used_tres_run_secs,
			    count * sizeof(*usage->grp_used_tres_run_secs));
}

static void publish_item(void *item, size_t at, void *context)
{
	struct publishing *publishing = context;
	struct update *update = publishing->update;
	struct associations *associations = &update->fairshare->associations;
	uint32_t node;

	if (!associations_find_at(associations, item, publishing->position + at, &node)) {
		if (!associations->orphans)
			update->changes |= ASSOCIATION_MOVED;
		return;
	}
	if (update->fairshare->marks[node] & ROW_PUBLISHED)
		return;
	update->fairshare->marks[node] |= ROW_PUBLISHED;
	update->visited++;
	publish(update, item, node);
}

/* slurmctld may have counted running seconds anew since the last slice, from whole time limits:
 * then no more seconds are taken off in this pass. */
static void begin_slice(void *context)
{
	struct publishing *publishing = context;
	struct update *update = publishing->update;
	struct fairshare *fairshare = update->fairshare;

	if (update->accounting && update->take_run_seconds && associations_exist())
		update->take_run_seconds = book_counts_from(
			fairshare->book, update->accounting->run_seconds_version);
	if (fairshare->associations.root != assoc_mgr_root_assoc) {
		fairshare->associations.root = assoc_mgr_root_assoc;
		fairshare->records_are_new = true;
	}
	if (fairshare->has_rows && !fairshare_total_is_known(fairshare))
		update->changes |= ASSOCIATION_VALUE;
}

static void end_slice(void *context, bool is_last)
{
	struct publishing *publishing = context;

	(void)is_last;
	fairshare_note_total(publishing->update->fairshare);
}

static void next_block(void *context, size_t position)
{
	struct publishing *publishing = context;

	publishing->position = position;
}

/* slurmctld sorts its list by emptying and refilling it. When it does so between two slices, the
 * walk ends early or begins again. */
static void walk(struct update *update)
{
	static const assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	const struct sliced_walk walk = {
		.list = &assoc_mgr_assoc_list, .assoc_locks = &locks, .next_block = next_block,
		.begin_slice = begin_slice, .end_slice = end_slice,
		.trail = &update->fairshare->trail,
	};
	static const struct list_walk_stages stages = { fetch_record, fetch_usage, fetch_tres,
						       publish_item,
						       offsetof(slurmdb_assoc_rec_t, id) };
	struct publishing publishing = { .update = update };
	size_t before;

	do {
		before = update->visited;
		sliced_walk(&walk, stages, &publishing);
	} while (update->visited < update->fairshare->associations.node_count &&
		 update->visited > before);
}

/* Notes whether others have changed something since the last slice, or whether some associations
 * have come or gone. */
static void note_late_changes(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct fairshare *fairshare = update->fairshare;

	assoc_mgr_lock(&locks);
	if (update->visited < fairshare->associations.node_count ||
	    !associations_are_as_many(&fairshare->associations))
		update->changes |= ASSOCIATION_MOVED;
	if (fairshare->has_rows &&
	    (!fairshare_total_is_known(fairshare) || fairshare->late.cleared_count))
		update->changes |= ASSOCIATION_VALUE;
	assoc_mgr_unlock(&locks);
}

void update_publish(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;

	update->changes = 0;
	update->visited = 0;
	for (size_t node = 0; node < fairshare->associations.node_count; node++)
		fairshare->marks[node] &= (uint8_t)~ROW_PUBLISHED;
	if (fairshare->has_rows)
		sum_up(fairshare);
	walk(update);
	note_late_changes(update);
	if (!update->changes && fairshare->has_rows)
		fairshare->records_are_new = fairshare->must_clear = false;
}
