/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Visits each association's record once in a round: decays and charges its own usage, writes the
 * policy's figures, and copies own usage into the image that is saved. Totals of accounts follow in
 * totals.c.
 */
#include "fairshare/record_walk.h"

/* A reset drops the charges, but the seconds have run: they leave the running seconds. */
static void charge_record(const struct update *update, slurmdb_assoc_rec_t *record,
			  const struct fathom_amount *amount)
{
	struct fathom_amount charged = update_charged_amount(update, amount);

	if (!update->accounting->reset)
		usage_add_own(record, &charged, 1, update->tres_count);
	if (charged.released)
		usage_release(record, &charged, update->tres_count);
}

static void update_usage(struct update *update, slurmdb_assoc_rec_t *record, uint32_t node)
{
	const struct fathom_amount *amount = fathom_charge_totals_at(update->totals, node);
	double decay = update_decay(update, node);
	struct usage_edit *edit;

	usage_repair_own(record);
	if (update->accounting->reset && decay == 0)
		usage_clear_own(record);
	else
		usage_scale_own(record, decay);
	if (amount)
		charge_record(update, record, amount);
	edit = update_edit(update, node);
	if (edit)
		usage_edit_record(edit, record);
	usage_image_put(update->image, node, record, associations_parent_id(record));
}

/* Notes what others have changed, and writes usage and figures. */
static void write_record(struct update *update, slurmdb_assoc_rec_t *record, uint32_t node)
{
	struct fairshare *fairshare = update->fairshare;
	unsigned changes = associations_changes(&fairshare->associations, record, node);

	update->changes |= changes;
	if (changes & ASSOCIATION_CLEARED)
		schemes_clear(fairshare, node);
	if (changes & ASSOCIATION_INHERITED)
		fairshare->progress.of_node[node] |= INHERITED;
	if (update->accounting)
		update_usage(update, record, node);
	if (update->columns)
		sshare_write(update->columns, update->settings, record, node);
	fairshare->progress.of_node[node] |= AGED;
	associations_see(&fairshare->associations, record, node);
}

/* ---- prefetching: the record, what it points to, what that points to -------------------- */

static void fetch_record(void *item, size_t at, void *context)
{
	(void)at, (void)context;
	associations_fetch(item);
}

static void fetch_usage(void *item, size_t at, void *context)
{
	const struct record_walk *walk = context;
	const struct update *update = walk->update;
	uint32_t node = associations_guess(&update->fairshare->associations,
					   walk->list.position + at);

	associations_fetch_usage(item);
	prefetch_all(&update->fairshare->associations.seen[node],
		    sizeof(struct association_seen));
	prefetch_all(fathom_charge_totals_at(update->totals, node), sizeof(struct fathom_amount));
	if (update->columns)
		sshare_fetch(update->columns, node);
}

static void fetch_tres(void *item, size_t at, void *context)
{
	const slurmdb_assoc_usage_t *usage = ((const slurmdb_assoc_rec_t *)item)->usage;
	const struct record_walk *walk = context;
	uint32_t node = associations_guess(&walk->update->fairshare->associations,
					   walk->list.position + at);
	const struct fathom_amount *amount = fathom_charge_totals_at(walk->update->totals, node);
	size_t count = (size_t)slurmctld_tres_cnt;

	if (usage->usage_tres_raw)
		prefetch_all(usage->usage_tres_raw, count * sizeof(*usage->usage_tres_raw));
	if (!amount)
		return;
	prefetch_all(amount->tres, count * sizeof(*amount->tres));
	if (amount->released)
		prefetch_all(amount->released, count * sizeof(*amount->released));
	if (usage->grp_used_tres_run_secs)
		prefetch_all(usage->grp_used_tres_run_secs,
			    count * sizeof(*usage->grp_used_tres_run_secs));
}

/* ---- the walk ------------------------------------------------------------------------------ */

static void write_item(void *item, size_t at, void *context)
{
	struct record_walk *walk = context;
	uint32_t node;

	if (record_walk_visit(walk, item, at, &node))
		write_record(walk->update, item, node);
}

/* slurmctld may have counted running seconds anew since the last slice, from whole time limits:
 * then no more seconds are taken off in this pass. */
static void begin_slice(struct record_walk *walk)
{
	struct update *update = walk->update;

	if (update->accounting && update->take_run_seconds && associations_exist())
		update->take_run_seconds =
			book_counts_from(update->book, update->accounting->run_seconds_round);
}

static bool write_block(struct record_walk *walk)
{
	static const struct list_walk_stages stages = { fetch_record, fetch_usage, fetch_tres,
						       write_item,
						       offsetof(slurmdb_assoc_rec_t, id) };

	return record_walk_block(walk, stages);
}

void update_write_records(struct update *update)
{
	struct record_walk walk = { .update = update, .bit = WRITTEN };

	record_walk_run(&walk, begin_slice, write_block);
}
