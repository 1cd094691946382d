/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/fairshare_private.h"

#include "walk/list_walk.h"
#include "walk/slice.h"

/* A reset takes the charges with it, but reserved seconds have run all the same. */
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
	struct fairshare *fairshare = update->fairshare;
	const struct fathom_amount *amount = fathom_charge_totals_at(update->totals, node);

	if (!(fairshare->progress.of_node[node] & AGED) && update->accounting->reset)
		usage_clear_own(record);
	else if (!(fairshare->progress.of_node[node] & AGED))
		usage_scale_own(record, fairshare->decay);
	if (amount)
		charge_record(update, record, amount);
	usage_image_put(update->image, node, record, associations_parent_id(record));
}

/* What one record gets: usage, if the pass has changed it, and figures. */
static void write_record(struct update *update, slurmdb_assoc_rec_t *record, uint32_t node)
{
	struct fairshare *fairshare = update->fairshare;
	unsigned changes = associations_changes(&fairshare->associations, record, node);

	update->changes |= changes;
	if (changes & ASSOCIATION_CLEARED)
		schemes_clear(fairshare, record->id);
	if (update->accounting)
		update_usage(update, record, node);
	if (update->columns)
		sshare_write(update->columns, update->settings, record, node);
	fairshare->progress.of_node[node] |= AGED | WRITTEN;
	update->written++;
	associations_see(&fairshare->associations, record, node);
}

struct writing {
	struct update *update;
	const struct list_walk *walk;
};

static void fetch_record(void *item, size_t at, void *context)
{
	(void)at, (void)context;
	associations_fetch(item);
}

static void fetch_usage(void *item, size_t at, void *context)
{
	const struct writing *writing = context;
	uint32_t node = associations_guess(&writing->update->fairshare->associations,
					   writing->walk->position + at);

	associations_fetch_usage(item);
	prefetch_all(&writing->update->fairshare->associations.seen[node],
		    sizeof(struct association_seen));
	prefetch_all(fathom_charge_totals_at(writing->update->totals, node),
		    sizeof(struct fathom_amount));
	if (writing->update->columns)
		sshare_fetch(writing->update->columns, node);
}

static void fetch_tres(void *item, size_t at, void *context)
{
	const slurmdb_assoc_usage_t *usage = ((const slurmdb_assoc_rec_t *)item)->usage;
	const struct writing *writing = context;
	uint32_t node = associations_guess(&writing->update->fairshare->associations,
					   writing->walk->position + at);
	const struct fathom_amount *amount = fathom_charge_totals_at(writing->update->totals, node);
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

/* None is written twice, wherever the walk comes by again. */
static void write_item(void *item, size_t at, void *context)
{
	const struct writing *writing = context;
	struct fairshare *fairshare = writing->update->fairshare;
	uint32_t node;

	if (!associations_find_at(&fairshare->associations, item, writing->walk->position + at,
				  &node))
		writing->update->changes |= fairshare->associations.orphans ? 0 : ASSOCIATION_PLACE;
	else if (!(fairshare->progress.of_node[node] & WRITTEN))
		write_record(writing->update, item, node);
}

/* slurmctld may have counted running seconds anew since the last slice. */
static void begin_slice(struct update *update)
{
	fairshare_give_back_own(update->fairshare);
	if (update->accounting && update->take_run_seconds && associations_exist())
		update->take_run_seconds =
			book_counts_from(update->book, update->accounting->run_seconds_round);
}

/* A block. False: all are written, or others are not to be found. The list is
 * sorted by being emptied and filled again, whereupon a walk ends too early. */
static bool write_block(struct update *update, struct list_walk *walk, size_t *written_before)
{
	static const struct list_walk_stages stages = { fetch_record, fetch_usage, fetch_tres,
						       write_item };
	const struct associations *associations = &update->fairshare->associations;
	struct writing writing = { update, walk };

	if (list_walk_next(walk, assoc_mgr_assoc_list)) {
		list_walk_each(walk, stages, &writing);
		return true;
	}
	if (update->written == associations->node_count) {
		if ((size_t)list_count(assoc_mgr_assoc_list) != associations->node_count &&
		    !associations->orphans)
			update->changes |= ASSOCIATION_PLACE;	/* one has come */
		return false;
	}
	if (update->written == *written_before) {
		update->changes |= ASSOCIATION_PLACE;	/* one is gone */
		return false;
	}
	*written_before = update->written;
	*walk = (struct list_walk){ 0 };
	return true;
}

void update_write_records(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	struct list_walk walk = { 0 };
	size_t written_before = 0;
	bool more = true;

	update->written = 0;
	while (more) {
		struct slice slice;

		assoc_mgr_lock(&locks);
		slice = slice_begin();
		begin_slice(update);
		do
			more = write_block(update, &walk, &written_before);
		while (more && !slice_is_over(&slice));
		assoc_mgr_unlock(&locks);
		if (more)
			slice_pause();
	}
}
