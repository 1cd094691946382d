/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Brings the rows (see struct fairshare) from the time of the pass before to that of this one:
 *
 *	row of anna at 12:00		1000
 *	late: a job of hers, 12:03	+ 40, as of 12:00	1040
 *	12:05, half-life 5 min		x 1/2			 520
 *	what runs, 12:00 to 12:05	+ 80			 600
 *
 * The book's late charges are taken, QOS are decayed and charged, and the time of usage moves on,
 * while the locks are held once. (QOS are few, and have no rows: their usage is in their records
 * alone.) So each charge is late either as of the time before or as of the new one.
 */
#include "fairshare/fairshare_private.h"

#include "base/slurm_locks.h"
#include "base/log.h"
#include "core/valid_usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------- */

void fairshare_add_amount(const struct usage_image *image, double *row,
			  const struct fathom_amount *amount, uint32_t tres_count)
{
	row[USAGE_RAW] += amount->billing;
	row[USAGE_WALL] = valid_usage(row[USAGE_WALL] + amount->wall);
	for (uint32_t i = 0; i < image->tres_count; i++)
		if (image->tres_at[i] < tres_count)
			row[USAGE_TRES + i] = valid_usage(row[USAGE_TRES + i] +
							  amount->tres[image->tres_at[i]]);
}

/* Adds an amount to a row, up to a limit: once the caller has multiplied the row by `decay`, 0 to
 * 1, it has at most USAGE_RAW_MOST. Marks a row that comes to the limit, to be logged. A row that
 * was above half of the limit has been logged: it decays and comes to the limit in each pass. */
static void add_to_row(struct fairshare *fairshare, uint32_t node,
		       const struct fathom_amount *amount, uint32_t tres_count, double decay)
{
	double *row = usage_image_row(&fairshare->image, node), before = row[USAGE_RAW];
	double most = fmin(USAGE_RAW_MOST / decay, USAGE_MOST);		/* finite if decay is 0 */

	fairshare_add_amount(&fairshare->image, row, amount, tres_count);
	if (row[USAGE_RAW] > most && before < most / 2)
		fairshare->marks[node] |= ROW_OVERFLOWS;
	row[USAGE_RAW] = fmin(row[USAGE_RAW], most);
}

/* Adds the charges with the indexes from `first` up to, but without, `end` to rows and sums, one by
 * one. decay: as for add_to_row(). */
static void add_one_by_one(struct fairshare *fairshare, const struct fathom_charges *charges,
			   size_t first, size_t end, double decay)
{
	const bool decays = true;
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;
	double tres[tres_count + 1];

	for (size_t i = first; i < end; i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);
		struct fathom_amount amount = fairshare_amount(charge, decays, tres_count, tres,
							       NULL);

		add_to_row(fairshare, fairshare_charged_node(fairshare, charge), &amount,
			   tres_count, decay);
	}
	schemes_charge(fairshare->schemes, charges, first, end);
}

/* Multiplies all amounts of all rows by `decay`, 0 to 1. */
static void decay_rows(const struct fairshare *fairshare, double decay)
{
	size_t count = fairshare->associations.node_count * usage_image_width(&fairshare->image);
	double *value = fairshare->image.associations.amount;

	for (size_t i = 0; i < count; i++)
		value[i] *= decay;
}

/* ---- usage that somebody has set to 0 ------------------------------------------------------ */

/* The usage of an association that was deleted and added again has gone to an account above it,
 * whose record has grown by it: the amounts of the row follow. */
void fairshare_clear_row(struct fairshare *fairshare, uint32_t node, bool is_new,
			 const struct fathom_amount *charged, uint32_t tres_count)
{
	const struct association_seen *seen = fairshare->associations.seen;
	size_t width = usage_image_width(&fairshare->image);
	double *row = usage_image_row(&fairshare->image, node), before[width];
	uint32_t heir = is_new ? fairshare_find_heir(fairshare, node) : node;
	double *heir_row = usage_image_row(&fairshare->image, heir);

	memcpy(before, row, sizeof(before));
	memset(row, 0, sizeof(before));
	if (charged)
		add_to_row(fairshare, node, charged, tres_count, 1);
	if (heir == node) {	/* usage was set to 0, or no account has got it */
		/* the factor 0, and nothing added, sets its sums to 0 */
		schemes_change(fairshare->schemes,
			       &(struct fathom_run_id){ .association = seen[node].id }, 0, NULL);
		return;
	}
	/* the heir gets what is not left in the row */
	for (size_t i = 0; i < width; i++)
		heir_row[i] += fmax(before[i] - row[i], 0);
	schemes_move_one(fairshare->schemes, seen[node].id, seen[heir].id);
}

/* ---- columns ------------------------------------------------------------------------------- */

/* Which of slurmctld's first `count` TRES are used. */
struct used_tres {
	bool *is_used;		/* by slurmctld's index */
	uint32_t count;
};

/* Marks the TRES of which a record has any: tres[], `count` long, or NULL. */
static void mark_tres(const long double *tres, uint32_t count, const struct used_tres *used)
{
	for (uint32_t i = 0; tres && i < MIN(count, used->count); i++)
		used->is_used[i] |= tres[i] != 0;
}

/* Marks the TRES of which a QOS has any; for list_for_each(). */
static int mark_qos_tres(void *item, void *context)
{
	const slurmdb_qos_usage_t *usage = ((slurmdb_qos_rec_t *)item)->usage;

	mark_tres(usage->usage_tres_raw, usage->tres_cnt, context);
	return 0;
}

/* Marks the TRES that a saved image has. */
static void mark_saved_tres(const struct usage_image *saved, const struct used_tres *used)
{
	for (uint32_t i = 0; i < used->count; i++)
		used->is_used[i] |= assoc_mgr_tres_array[i] &&
			usage_image_column(saved, assoc_mgr_tres_array[i]->id) < saved->tres_count;
}

int fairshare_make_columns(struct fairshare *fairshare, const struct usage_image *saved)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK };
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;
	bool is_used[tres_count + 1];
	struct used_tres used = { is_used, tres_count };
	int status;

	memset(is_used, 0, sizeof(is_used));
	book_mark_tres(fairshare->book, is_used, tres_count);
	locks_take(NULL, &locks);
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, mark_qos_tres, &used);
	if (saved)
		mark_saved_tres(saved, &used);
	else if (!fairshare->has_rows && assoc_mgr_root_assoc)	/* what all records have */
		mark_tres(assoc_mgr_root_assoc->usage->usage_tres_raw,
			  assoc_mgr_root_assoc->usage->tres_cnt, &used);
	status = usage_image_widen(&fairshare->image, is_used, tres_count);
	locks_release(NULL, &locks);
	return status;
}

/* Adds columns to the rows for TRES that are new; what has no column is not counted. */
static void add_columns(struct fairshare *fairshare)
{
	if (fairshare_make_columns(fairshare, NULL))
		error(LOG_PREFIX "out of memory; TRES that are new are not counted");
}

/* ---- late charges -------------------------------------------------------------------------- */

/* What take_out_late() has taken out of the book and out of struct fairshare; charge_late() frees
 * it. */
struct taken {
	struct fathom_charges *charges;		/* late charges; NULL: there were none */
	struct cleared *cleared;		/* in the order in which usage became 0 */
	size_t cleared_count;
};

/* Takes late charges out of the book. The records of QOS have these charges already, so the caller
 * copies them into the image under the same locks: assoc, QOS write and tres read. */
static struct taken take_out_late(struct fairshare *fairshare)
{
	struct taken taken = { .charges = book_take_late(fairshare->book),
			       .cleared = fairshare->cleared,
			       .cleared_count = fairshare->cleared_count };

	fairshare->cleared = NULL;
	fairshare->cleared_count = fairshare->cleared_room = 0;
	return taken;
}

/* Clears the row of an association, if the tree has it. */
static void clear_association(struct fairshare *fairshare, const struct cleared *cleared)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	uint32_t node;

	locks_take(NULL, &locks);
	if (associations_find(&fairshare->associations, cleared->association, &node))
		fairshare_clear_row(fairshare, node, cleared->is_new, NULL, 0);
	locks_release(NULL, &locks);
}

/* Adds late charges to rows and sums, and clears rows, in the order in which jobs have ended and
 * usage was set to 0: a charge that came before usage was set to 0 is gone. Frees what was taken.
 * decay: what is left now of usage as of the rows' time, 0 to 1. Charges of later seconds than that
 * time count as more usage as of it, so that rows may be above USAGE_RAW_MOST until they are
 * decayed. */
static void charge_late(struct fairshare *fairshare, struct taken *taken, double decay)
{
	size_t count = taken->charges ? fathom_charges_count(taken->charges) : 0, added = 0;

	if (count && !fairshare_knows(fairshare, taken->charges))
		fairshare_read_tree(fairshare, NULL);	/* if that fails, a charge whose association
							 * is missing goes to the account */
	if (count)
		add_columns(fairshare);
	for (size_t i = 0; i < taken->cleared_count; i++) {
		const struct cleared *cleared = &taken->cleared[i];

		add_one_by_one(fairshare, taken->charges, added, cleared->charges_before, decay);
		clear_association(fairshare, cleared);
		added = cleared->charges_before;
	}
	add_one_by_one(fairshare, taken->charges, added, count, decay);
	fathom_charges_destroy(taken->charges);
	free(taken->cleared);
}

/* The locks under which late charges are taken. */
static const assoc_mgr_lock_t take_locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK,
					     .tres = READ_LOCK };

void fairshare_take_late(struct fairshare *fairshare)
{
	double elapsed = fmax(difftime(time(NULL), fairshare->time), 0);
	struct taken taken;

	if (!fairshare->has_rows)
		return;
	book_take_most_runs(fairshare->book);
	locks_take(NULL, &take_locks);
	taken = take_out_late(fairshare);
	usage_image_copy_qos(&fairshare->image);
	locks_release(NULL, &take_locks);
	/* this decays nothing: the factor tells how much above the limit rows may be */
	charge_late(fairshare, &taken,
		    fathom_decay(elapsed, schemes_settings(fairshare->schemes)->half_life));
}

/* ---- a pass ---------------------------------------------------------------------------------- */

/* What each QOS is decayed and charged by in a pass. */
struct qos_charging {
	const struct update *update;
	const struct fathom_qos_totals *totals;	/* NULL: out of memory, and QOS are only decayed */
	const struct fathom_qos_totals *late;	/* what late charges leave after a reset; or NULL */
	double decay;		/* factor, 0 to 1 */
};

/* Sets the usage of a QOS to the late charges that are left after a reset. It takes no running
 * seconds off: the ends of the jobs have done so. */
static void reset_qos(slurmdb_qos_rec_t *qos, const struct qos_charging *charging, bool decays)
{
	const struct fathom_amount *late = fathom_qos_totals_at(charging->late, qos->id, decays);
	struct fathom_amount unreleased = late ? *late : (struct fathom_amount){ 0 };

	unreleased.released = NULL;
	usage_change_qos(qos, 0, late ? &unreleased : NULL, charging->update->tres_count);
}

/* Decays and charges a QOS, after it has been reset if this pass does that. For list_for_each(). */
static int charge_qos(void *item, void *context)
{
	slurmdb_qos_rec_t *qos = item;
	const struct qos_charging *charging = context;
	const struct update *update = charging->update;
	bool decays = !(qos->flags & QOS_FLAG_NO_DECAY);
	const struct fathom_amount *amount =
		fathom_qos_totals_at(charging->totals, qos->id, decays);
	struct fathom_amount charged = amount ? *amount : (struct fathom_amount){ 0 };

	if (!update->take_run_seconds)
		charged.released = NULL;	/* running seconds are whole time limits again */
	if (update->accounting->reset)
		reset_qos(qos, charging, decays);
	usage_change_qos(qos, decays ? charging->decay : 1, amount ? &charged : NULL,
			 update->tres_count);
	return 0;
}

/* Decays and charges the QOS, takes late charges, and moves the time of usage to the time of the
 * pass. A reset leaves only what late charges have after it. decay: the factor from the time before
 * to the new one. Returns the late charges, as of the time before. */
static struct taken charge_all_qos(struct update *update, double decay)
{
	struct fairshare *fairshare = update->fairshare;
	const struct accounting *accounting = update->accounting;
	struct fathom_qos_totals *totals =
		fathom_qos_totals_create(accounting->charges, update->tres_count);
	struct fathom_qos_totals *late = NULL;
	struct qos_charging charging = { .update = update, .totals = totals, .decay = decay };
	struct taken taken;

	if (!totals)
		error(LOG_PREFIX "out of memory; QOS are not charged");
	locks_take(NULL, &take_locks);
	update->take_run_seconds = !book_run_seconds_are_new(fairshare->book);
	taken = take_out_late(fairshare);
	if (accounting->reset && taken.charges) {
		fathom_charges_drop_before(taken.charges, (double)accounting->reset);
		charging.late = late = fathom_qos_totals_create(taken.charges, update->tres_count);
	}
	if (assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, charge_qos, &charging);
	usage_image_copy_qos(&fairshare->image);
	fairshare->time = accounting->now;
	locks_release(NULL, &take_locks);
	fathom_qos_totals_destroy(totals);
	fathom_qos_totals_destroy(late);
	return taken;
}

/* Adds the charges of the pass to rows and sums: to the rows by the totals of each node, which is
 * quicker than one by one. */
static void add_charges(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;
	const struct fathom_charges *charges = update->accounting->charges;
	size_t count = fathom_charges_count(charges);

	if (!update->charged) {		/* out of memory */
		add_one_by_one(fairshare, charges, 0, count, 1);
		return;
	}
	for (uint32_t node = 0; node < fairshare->associations.node_count; node++) {
		const struct fathom_amount *amount = fathom_charge_totals_at(update->charged, node);

		if (amount)
			add_to_row(fairshare, node, amount, update->tres_count, 1);
	}
	schemes_charge(fairshare->schemes, charges, 0, count);
}

void update_count_charges(struct update *update)
{
	const struct associations *associations = &update->fairshare->associations;
	const bool with_released = true;

	fathom_charge_totals_destroy(update->charged);
	update->charged = fathom_charge_totals_create(associations->tree, associations->map,
						      update->accounting->charges, with_released,
						      update->tres_count);
}

/* Late charges are as of the time before, so they are added before the rows decay; charges of the
 * pass are as of its own time, and come last. */
void update_charge(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;
	const struct accounting *accounting = update->accounting;
	double elapsed = fairshare->time ? difftime(accounting->now, fairshare->time) : 0;
	double decay = fathom_decay(elapsed, schemes_settings(fairshare->schemes)->half_life);
	struct taken taken;

	add_columns(fairshare);
	taken = charge_all_qos(update, decay);
	if (accounting->reset) {
		decay_rows(fairshare, 0);
		schemes_reset(fairshare->schemes, accounting->reset);
	}
	charge_late(fairshare, &taken, decay);
	update_count_charges(update);
	decay_rows(fairshare, decay);
	add_charges(update);
}
