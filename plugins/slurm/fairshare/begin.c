/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The beginning of a pass, in one hold: usage moves on from the time of the pass before to now. QOS
 * are few, and are decayed and charged here; associations are many, and follow in slices.
 */
#include "fairshare/fairshare_private.h"

#include "base/log.h"

#include <string.h>

/* Decays and charges all QOS, and copies them into the image. */
static void update_qos(struct update *update, const struct fathom_qos_totals *totals)
{
	compat_iterator iterator;
	slurmdb_qos_rec_t *qos;

	if (!assoc_mgr_qos_list)
		return;
	iterator = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(iterator))) {
		const struct fathom_amount *amount = usage_charged_qos(totals, qos);
		struct fathom_amount charged;

		if (!(qos->flags & QOS_FLAG_NO_DECAY))
			usage_scale_qos(qos, update->fairshare->decay);
		if (amount) {
			charged = update_charged_amount(update, amount);
			usage_add_qos(qos, &charged, update->tres_count);
		}
		if (update->accounting->reset)
			usage_clear_qos(qos);
		usage_image_put_qos(update->image, qos);
	}
	list_iterator_destroy(iterator);
}

/* Marks the TRES that somebody has used. `have`: entries of `tres`, which may be fewer or more than
 * tres_count, as slurmctld may have learnt of more TRES since that was read. */
static void mark_tres(bool *used, uint32_t tres_count, const long double *tres, uint32_t have)
{
	for (uint32_t i = 0; tres && i < MIN(tres_count, have); i++)
		used[i] |= tres[i] != 0;
}

/* Marks the TRES that associations or QOS have used. The caller holds assoc, qos, tres. */
static void mark_used_tres(bool *used, uint32_t tres_count)
{
	const slurmdb_assoc_usage_t *all = assoc_mgr_root_assoc->usage;
	compat_iterator iterator;
	slurmdb_qos_rec_t *qos;

	mark_tres(used, tres_count, all->usage_tres_raw, all->tres_cnt);
	iterator = assoc_mgr_qos_list ? list_iterator_create(assoc_mgr_qos_list) : NULL;
	while (iterator && (qos = list_next(iterator)))
		mark_tres(used, tres_count, qos->usage->usage_tres_raw, qos->usage->tres_cnt);
	if (iterator)
		list_iterator_destroy(iterator);
}

/* Adds the charges to the policies' own sums, and sets these to 0 when usage is reset. */
static void charge_schemes(const struct update *update)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };

	if (update->settings->keeps_sums) {
		assoc_mgr_lock(&locks);
		schemes_charge(update->fairshare, update->accounting->charges);
		assoc_mgr_unlock(&locks);
	}
	/* even if no scheme keeps sums: saved sums that wait for their scheme are dropped too */
	if (update->accounting->reset)
		schemes_reset(update->fairshare, update->accounting->now);
}

/* Marks the TRES of the runs that are charged in this pass. A run that is over is among them, but
 * no longer in the ledger, whose TRES book_mark_tres() marks. */
static void mark_charged_tres(bool *used, uint32_t tres_count, const struct fathom_charges *charges)
{
	for (size_t n = 0; n < fathom_charges_count(charges); n++) {
		const struct fathom_run_rate *rate = &fathom_charges_at(charges, n)->run.rate;

		for (uint32_t i = 0; i < MIN(rate->tres_count, tres_count); i++)
			used[i] |= rate->tres[i] != 0;
	}
}

/* Empties the image for this pass, with columns for all TRES in use. Its time is 0 if that fails,
 * or if any later step of the pass does: such an image is not saved. */
static void begin_image(struct update *update)
{
	uint32_t tres_count = update->tres_count;
	bool used[tres_count + 1];

	memset(used, 0, sizeof(used));
	book_mark_tres(update->book, used, tres_count);
	mark_charged_tres(used, tres_count, update->charges);
	mark_used_tres(used, tres_count);
	update->image->time = usage_image_begin(update->image, used, tres_count)
				      ? 0 : update->accounting->now;
}

/* From here on the time of usage is `now`. The caller holds assoc, qos write and tres read. */
static void move_on(struct update *update, const struct fathom_qos_totals *qos_totals)
{
	struct fairshare *fairshare = update->fairshare;
	time_t now = update->accounting->now;
	double elapsed = fairshare->time ? difftime(now, fairshare->time) : 0;

	begin_image(update);
	fairshare->image = update->image;
	fairshare->decay = fathom_decay(elapsed, update->settings->half_life);
	fairshare->updating = true;
	fairshare->time = now;
	fairshare_begin_round(fairshare, 0);
	update_qos(update, qos_totals);
}

bool update_begin(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	struct fathom_qos_totals *qos_totals =
		fathom_qos_totals_create(update->charges, update->tres_count);
	bool done;

	if (!qos_totals)
		error(LOG_PREFIX "out of memory; QOS are not charged");
	assoc_mgr_lock(&locks);
	update->take_run_seconds =
		book_counts_from(update->book, update->accounting->run_seconds_round);
	done = associations_exist();
	if (done)
		move_on(update, qos_totals);
	assoc_mgr_unlock(&locks);
	fathom_qos_totals_destroy(qos_totals);
	if (done)
		charge_schemes(update);
	return done;
}
