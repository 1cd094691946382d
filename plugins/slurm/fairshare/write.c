/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/fairshare_private.h"

#include "walk/list_walk.h"
#include "walk/slice.h"

/* Decayed and charged, in the record. */
static void age_record(const struct update *update, slurmdb_assoc_rec_t *record, uint32_t node)
{
	const struct fathom_amount *amount = fathom_charge_totals_at(update->totals, node);
	const struct fathom_amount *own = NULL;
	uint32_t tres_count = update->tres_count;
	struct fathom_amount charged;

	usage_scale_association(record, update->decay);
	if (amount) {
		charged = update_charged_amount(update, amount);
		usage_add_association(record, &charged, 1, tres_count);
	}
	if (amount && !record->user) {
		own = fathom_charge_totals_own(update->totals, node);
		if (own)
			usage_add_own(record, own, 1, tres_count);
	}
	if (record->user ? amount : own)
		update->fairshare->progress[node] |= CHANGED;
	if (update->excess)
		record->usage->usage_raw -= update->excess[node];
	if (update->accounting->reset)
		usage_clear_association(record);
}

static void copy_usage(const struct update *update, const slurmdb_assoc_rec_t *record, uint32_t node)
{
	struct fairshare *fairshare = update->fairshare;
	uint32_t *row = &fairshare->row_of_node[node];

	*row = 0;
	if ((fairshare->progress[node] & CHANGED) || usage_image_is_whole(update->image))
		usage_image_put(update->image, record, associations_parent_id(record), row);
}

/* What one record gets: usage, if the pass has changed it, and figures. */
static void write_record(struct update *update, slurmdb_assoc_rec_t *record, uint32_t node)
{
	struct fairshare *fairshare = update->fairshare;
	uint8_t *progress = &fairshare->progress[node];
	unsigned changes = associations_changes(&fairshare->associations, record, node);

	update->changes |= changes;
	if (changes)
		*progress |= CHANGED;
	if (changes & ASSOCIATION_CLEARED)
		schemes_clear(fairshare, record->id);
	if (update->accounting) {
		if (!(*progress & AGED)) {
			age_record(update, record, node);
			update->aged++;
		}
		copy_usage(update, record, node);
	}
	if (update->columns)
		sshare_write(update->columns, update->settings, record, node);
	*progress |= AGED | WRITTEN;
	update->written++;
	if (changes)
		associations_see(&fairshare->associations, record, node);
	else
		associations_see_usage(&fairshare->associations, record, node);
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
	else if (!(fairshare->progress[node] & WRITTEN))
		write_record(writing->update, item, node);
}

/* assoc_mgr sums accounts up from their members whenever the tree changes. If
 * some of these are aged by then and others are not, no sum is true at any time. */
static void note_sums(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;

	if (!update->aged || update->aged == fairshare->associations.node_count ||
	    (associations_root_is_as_seen(&fairshare->associations) && !fairshare->resummed))
		return;
	update->mixed = true;
	fairshare->resummed = false;
	fairshare->progress[0] |= CHANGED;
	update->changes |= ASSOCIATION_VALUE;
	associations_see_usage(&fairshare->associations, assoc_mgr_root_assoc, 0);
}

static void begin_slice(struct update *update)
{
	if (!update->accounting || !associations_exist())
		return;
	note_sums(update);
	if (update->take_run_seconds)
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

void update_write_back(struct update *update, bool last)
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
		associations_give_back_own(&update->fairshare->associations);
		begin_slice(update);
		do
			more = write_block(update, &walk, &written_before);
		while (more && !slice_is_over(&slice));
		update->fairshare->settled = !more && (last || !update->changes);
		assoc_mgr_unlock(&locks);
		if (more)
			slice_pause();
	}
}
