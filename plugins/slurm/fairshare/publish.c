/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the rows into slurmctld's records: own usage, and the totals of accounts, which include
 * late charges; and the policy's figures. While it writes, it compares each record with what the
 * record was when it was last seen. So it finds what others have changed, by sacctmgr for example.
 *
 * slurmctld replaces all records when slurmdbd is back after a start without it
 * (assoc_mgr_refresh_lists). Accounts lose their own usage then, which nobody has set to 0.
 */
#include "fairshare/fairshare_private.h"

#include "base/slurm_locks.h"
#include "base/log.h"
#include "walk/sliced_walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- totals ------------------------------------------------------------------------------- */

/* Sums up rows into fairshare->total: what is used at each node and below it. A node's parent has a
 * smaller number, so each total is complete before it is added to the parent's. If out of memory,
 * logs that, and the total becomes NULL. */
static void sum_up_totals(struct fairshare *fairshare)
{
	const struct fathom_tree *tree = fairshare->associations.tree;
	const struct usage_image *image = &fairshare->image;
	size_t width = usage_image_width(image), count = fairshare->associations.node_count;
	double *total = realloc(fairshare->total, count * width * sizeof(*total));

	if (!total) {
		error(LOG_PREFIX "out of memory; sshare and limits see usage of the pass before");
		free(fairshare->total);		/* it may have fewer rows or columns than are
						 * needed */
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

/* Returns the total of a node, which has the columns of a row. */
static double *total_of(const struct fairshare *fairshare, uint32_t node)
{
	return fairshare->total + node * usage_image_width(&fairshare->image);
}

/* Adds a late charge to the totals; no row has it yet. If the tree lacks the association, so that
 * its account is charged, the walk writes own usage of the account without the charge, and another
 * walk must follow: ASSOCIATION_VALUE makes the pass publish again. */
static void add_late_to_totals(struct update *update, const struct fathom_charge *charge)
{
	struct fairshare *fairshare = update->fairshare;
	const struct fathom_tree *tree = fairshare->associations.tree;
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;
	uint32_t node = fairshare_charged_node(fairshare, charge);
	const bool decays = true;
	double tres[tres_count + 1];
	struct fathom_amount amount = fairshare_amount(charge, decays, tres_count, tres, NULL);

	if (fathom_tree_kind(tree, node) == FATHOM_ACCOUNT)
		update->changes |= ASSOCIATION_VALUE;
	/* to the node and each account above, and then to the root, which is node 0 */
	for (; node; node = (uint32_t)fathom_tree_parent(tree, node))
		fairshare_add_amount(&fairshare->image, total_of(fairshare, node), &amount,
				     tres_count);
	fairshare_add_amount(&fairshare->image, fairshare->total, &amount, tres_count);
}

/* ---- a record ----------------------------------------------------------------------------- */

/* Writes a row and its total into the record. */
static void write_usage(const struct fairshare *fairshare, slurmdb_assoc_rec_t *record,
			uint32_t node)
{
	const struct usage_image *image = &fairshare->image;

	if (!fairshare->total)
		return;
	if (fairshare->must_clear)
		usage_clear_association(record);
	usage_set(record, usage_image_row(image, node), total_of(fairshare, node), image->tres_at,
		  image->tres_count);
	fairshare->marks[node] |= ROW_WRITTEN;
}

/* Takes the seconds that the pass's charges release off the running seconds of a record and of all
 * accounts above it. Does so only in the first walk that writes: later walks would take them off
 * again. charged: what the record's node was charged; NULL: nothing. */
static void release_seconds(struct update *update, slurmdb_assoc_rec_t *record,
			    const struct fathom_amount *charged)
{
	if (charged && update->take_run_seconds && !update->has_released)
		usage_release(record, charged, update->tres_count);
}

/* Returns whether a charge of the node is late. Marks the nodes of late charges, once in a walk:
 * usage of all users may have been set to 0 after thousands of jobs have ended. */
static bool has_late_charge(struct update *update, uint32_t node)
{
	const struct fairshare *fairshare = update->fairshare;
	const struct fathom_charges *late = book_late(fairshare->book);

	for (; late && update->late_marked < fathom_charges_count(late); update->late_marked++)
		fairshare->marks[fairshare_charged_node(
			fairshare, fathom_charges_at(late, update->late_marked))] |= ROW_LATE;
	return fairshare->marks[node] & ROW_LATE;
}

/* Clears the row of a node whose record's usage has become 0. is_new: the association was deleted
 * and added again, which may have been before this pass, so the row keeps `charged`, the pass's
 * charges; but not if the pass had written them into the record that was deleted. If a charge of
 * the node is late, all that is charged before it is gone. */
static void clear_row(struct update *update, uint32_t node, bool is_new,
		      const struct fathom_amount *charged)
{
	struct fairshare *fairshare = update->fairshare;
	bool is_written = fairshare->marks[node] & ROW_WRITTEN;
	const struct fathom_amount *kept = is_new && !is_written ? charged : NULL;

	if (has_late_charge(update, node)) {
		fairshare_note_cleared(fairshare, fairshare->associations.seen[node].id, is_new,
				       fathom_charges_count(book_late(fairshare->book)));
		kept = NULL;
	}
	fairshare_clear_row(fairshare, node, is_new, kept, update->tres_count);
}

/* Notes what others have changed in a record, and clears its row if usage has been set to 0. If
 * slurmctld has replaced all records, an account with usage below it has only lost its own usage,
 * which nobody has set to 0 (see the head of this file). */
static void note_changes(struct update *update, const slurmdb_assoc_rec_t *record, uint32_t node,
			 const struct fathom_amount *charged)
{
	struct fairshare *fairshare = update->fairshare;
	unsigned changes = associations_changes(&fairshare->associations, record, node);
	bool is_lost = fairshare->records_are_new && !record->user && record->usage->usage_raw > 0;

	update->changes |= changes & ~(unsigned)ASSOCIATION_NEW;
	if (changes & ASSOCIATION_INHERITED)
		fairshare->marks[node] |= ROW_INHERITED;
	if (changes & ASSOCIATION_NEW)
		fairshare->marks[node] |= ROW_NEW;
	if ((changes & ASSOCIATION_CLEARED) && fairshare->has_rows && !is_lost)
		clear_row(update, node, changes & ASSOCIATION_NEW, charged);
}

/* If the row is marked so, logs that its usage has come to USAGE_RAW_MOST, and removes the mark. */
static void log_overflow(const struct fairshare *fairshare, const slurmdb_assoc_rec_t *record,
			 uint32_t node)
{
	if (!(fairshare->marks[node] & ROW_OVERFLOWS))
		return;
	error(LOG_PREFIX "usage of %s%s%s is infinite; it counts as %g", record->acct,
	      record->user ? "/" : "", record->user ? record->user : "", USAGE_RAW_MOST);
	fairshare->marks[node] &= (uint8_t)~ROW_OVERFLOWS;
}

/* Notes what others have changed in a record; unless the walk only looks, writes usage; and writes
 * figures, if there are any to write. Then remembers the record as it is. */
static void publish_record(struct update *update, slurmdb_assoc_rec_t *record, uint32_t node)
{
	struct fairshare *fairshare = update->fairshare;
	const struct fathom_amount *charged = fathom_charge_totals_at(update->charged, node);

	note_changes(update, record, node, charged);
	if (fairshare->has_rows && !update->only_looks) {
		log_overflow(fairshare, record, node);
		write_usage(fairshare, record, node);
		release_seconds(update, record, charged);
	}
	if (update->columns)
		sshare_write(update->columns, record, node);
	associations_see(&fairshare->associations, record, node);
}

/* ---- the walk ------------------------------------------------------------------------------- */

/* Prefetches what publish_record() reads first; see struct list_walk_stages. */
static void fetch_usage(void *item, size_t at, void *context)
{
	const struct update *update = context;
	const struct fairshare *fairshare = update->fairshare;
	uint32_t node = associations_guess(&fairshare->associations, at);

	associations_fetch_usage(item);
	prefetch_all(&fairshare->associations.seen[node], sizeof(struct association_seen));
	if (update->only_looks)
		return;
	if (fairshare->has_rows && fairshare->total)
		prefetch_all(total_of(fairshare, node),
			     usage_image_width(&fairshare->image) * sizeof(double));
	prefetch_all(fathom_charge_totals_at(update->charged, node), sizeof(struct fathom_amount));
	if (update->columns)
		sshare_fetch(update->columns, node);
}

/* Prefetches the arrays of TRES to which usage and charges point that fetch_usage() has
 * prefetched. */
static void fetch_tres(void *item, size_t at, void *context)
{
	const slurmdb_assoc_usage_t *usage = ((const slurmdb_assoc_rec_t *)item)->usage;
	const struct update *update = context;
	uint32_t node = associations_guess(&update->fairshare->associations, at);
	const struct fathom_amount *charged = fathom_charge_totals_at(update->charged, node);
	size_t count = (size_t)slurmctld_tres_cnt;

	if (update->only_looks)
		return;
	if (usage->usage_tres_raw)
		prefetch_all(usage->usage_tres_raw, count * sizeof(*usage->usage_tres_raw));
	if (!charged)
		return;
	prefetch_all(charged->released, count * sizeof(*charged->released));
	if (usage->grp_used_tres_run_secs)
		prefetch_all(usage->grp_used_tres_run_secs,
			    count * sizeof(*usage->grp_used_tres_run_secs));
}

/* Publishes a record, unless the walk has met it before. A record that the tree lacks has come
 * since the tree was read: that is only noted, as ASSOCIATION_MOVED, and the tree is read anew. */
static void publish_item(void *item, size_t at, void *context)
{
	struct update *update = context;
	struct associations *associations = &update->fairshare->associations;
	uint32_t node;

	if (!associations_find_at(associations, item, at, &node)) {
		update->changes |= ASSOCIATION_MOVED;
		return;
	}
	if (update->fairshare->marks[node] & ROW_MET)
		return;
	update->fairshare->marks[node] |= ROW_MET;
	update->visited++;
	publish_record(update, item, node);
}

/* Notes if slurmctld has counted running seconds anew, as whole time limits, so that this pass must
 * take no more off them. The caller holds an assoc lock. */
static void note_recount(struct update *update)
{
	if (update->accounting && update->take_run_seconds)
		update->take_run_seconds = !book_run_seconds_are_new(update->fairshare->book);
}

/* Takes in what may have happened since the last slice: jobs have ended, and their late charges
 * must get into the totals; slurmctld has counted running seconds anew, or has replaced all
 * records, which note_changes() must know; somebody has changed the root's total, so that the pass
 * must publish again. */
static void begin_slice(void *context)
{
	struct update *update = context;
	struct fairshare *fairshare = update->fairshare;
	const struct fathom_charges *late = book_late(fairshare->book);

	if (fairshare->has_rows && fairshare->total && !update->only_looks)
		while (late && update->late_in_totals < fathom_charges_count(late))
			add_late_to_totals(update,
					   fathom_charges_at(late, update->late_in_totals++));
	note_recount(update);
	if (fairshare->associations.root != assoc_mgr_root_assoc) {
		fairshare->associations.root = assoc_mgr_root_assoc;
		fairshare->records_are_new = true;
	}
	if (!update->visited)	/* the walk will meet all that has changed up to now */
		fairshare_note_total(fairshare);
	else if (fairshare->has_rows && !fairshare_total_is_known(fairshare))
		update->changes |= ASSOCIATION_VALUE;
}

/* Others may change the root's total from now on. */
static void end_slice(void *context)
{
	struct update *update = context;

	fairshare_note_total(update->fairshare);
}

/* Walks over all records. slurmctld sorts its list by emptying and refilling it; when it does so
 * between two slices, the walk ends early or begins again, and another walk meets the rest. */
static void walk_records(struct update *update)
{
	const struct sliced_walk walk = {
		.list = &assoc_mgr_assoc_list,
		.assoc_locks = WALK_ASSOC_LOCKS(
			.assoc = update->only_looks ? READ_LOCK : WRITE_LOCK, .tres = READ_LOCK),
		.begin_slice = begin_slice, .end_slice = end_slice,
		.trail = &update->fairshare->trail,
	};
	static const struct list_walk_stages stages = {
		.fetch = associations_fetch, .follow = fetch_usage, .follow_far = fetch_tres,
		.work = publish_item, .touch = offsetof(slurmdb_assoc_rec_t, id),
	};
	size_t before;

	do {
		before = update->visited;
		sliced_walk(&walk, stages, update);
	} while (update->visited < update->fairshare->associations.node_count &&
		 update->visited > before);
}

/* Sets update->changes also to what others have changed since the last slice, and if associations
 * have come or gone. */
static void note_late_changes(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct fairshare *fairshare = update->fairshare;

	locks_take(NULL, &locks);
	if (update->visited < fairshare->associations.node_count ||
	    !associations_are_as_many(&fairshare->associations))
		update->changes |= ASSOCIATION_MOVED;
	if (fairshare->has_rows &&
	    (!fairshare_total_is_known(fairshare) || fairshare->cleared_count))
		update->changes |= ASSOCIATION_VALUE;
	locks_release(NULL, &locks);
}

/* Publishes all records, or only looks at them, and sets update->changes. */
static void walk_all(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;

	update->changes = 0;
	update->visited = update->late_in_totals = update->late_marked = 0;
	for (size_t node = 0; node < fairshare->associations.node_count; node++)
		fairshare->marks[node] &= (uint8_t)~(ROW_MET | ROW_LATE);
	walk_records(update);
	note_late_changes(update);
}

/* Releases the seconds of a node whose record the walk has not met, since it is gone: in the record
 * of the nearest account above that is left. */
static void release_unmet(struct update *update, uint32_t node)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	const struct associations *associations = &update->fairshare->associations;
	const struct fathom_amount *charged = fathom_charge_totals_at(update->charged, node);
	slurmdb_assoc_rec_t *record;

	locks_take(NULL, &locks);
	note_recount(update);
	while (!(record = associations_record(associations->seen[node].id)) && node)
		node = (uint32_t)fathom_tree_parent(associations->tree, node);
	release_seconds(update, record, charged);
	locks_release(NULL, &locks);
}

/* Releases the seconds of all nodes whose records the walk has not met. The next walks of the pass
 * release nothing: they may be by another tree, in which the charges of associations that are gone
 * are their accounts'. */
static void release_rest(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;
	size_t count = fairshare->associations.node_count;

	if (update->visited < count)
		for (uint32_t node = 0; node < count; node++)
			if (!(fairshare->marks[node] & ROW_MET) &&
			    fathom_charge_totals_at(update->charged, node))
				release_unmet(update, node);
	update->has_released = true;
}

void update_find_changes(struct update *update)
{
	update->only_looks = true;
	walk_all(update);
	update->only_looks = false;
}

void update_publish(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;

	if (fairshare->has_rows)
		sum_up_totals(fairshare);
	walk_all(update);
	release_rest(update);
	/* all records have been written, and are as they were last seen */
	if (!update->changes && fairshare->has_rows && fairshare->total)
		fairshare->records_are_new = fairshare->must_clear = false;
}
