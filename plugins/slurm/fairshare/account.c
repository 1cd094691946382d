/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/fairshare_private.h"

#include "base/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOTAL_TOLERANCE 1e-12	/* what summing in another order may do */

/* Few, and so done at once. They are true at the new time from here on. */
static void update_qos(struct update *update)
{
	compat_iterator iterator;
	slurmdb_qos_rec_t *qos;

	if (!assoc_mgr_qos_list)
		return;
	iterator = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(iterator))) {
		const struct fathom_amount *amount = usage_charged_qos(update->qos_totals, qos);
		struct fathom_amount charged;

		if (!(qos->flags & QOS_FLAG_NO_DECAY))
			usage_scale_qos(qos, update->decay);
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

/* What is known of the records is what the pass computes from. What a job's
 * end adds from here on counts in the next one. */
static void take_over_usage(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct associations *associations = &update->fairshare->associations;

	assoc_mgr_lock(&locks);
	associations_take_over(associations);
	for (size_t node = 0; node < associations->node_count; node++)
		update->excess[node] = associations->seen[node].total;
	assoc_mgr_unlock(&locks);
}

/* Slurmctld may have learnt of more TRES since they were counted. */
static void mark_tres(bool *used, uint32_t tres_count, const long double *tres, uint32_t have)
{
	for (uint32_t i = 0; tres && i < MIN(tres_count, have); i++)
		used[i] |= tres[i] != 0;
}

/* The TRES that anything saved is about. The caller holds assoc, qos, tres. */
static void find_used_tres(bool *used, uint32_t tres_count)
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

/* Records are to be visited anew. Returns how many are to be saved again. */
static size_t begin_progress(struct fairshare *fairshare)
{
	size_t changed = 0;

	for (size_t node = 0; node < fairshare->associations.node_count; node++) {
		fairshare->progress[node] &= CHANGED;
		changed += fairshare->progress[node] / CHANGED;
	}
	return changed;
}

/* From now on changes are counted anew. */
static void begin_whole_image(struct fairshare *fairshare)
{
	for (size_t node = 0; node < fairshare->associations.node_count; node++)
		fairshare->progress[node] &= (uint8_t)~CHANGED;
	fairshare->fresh = false;
}

/* What fails from here on sets the image's time to 0, and nothing is saved. */
static void begin_image(struct update *update, const bool *used, uint32_t tres_count)
{
	struct fairshare *fairshare = update->fairshare;
	bool most = begin_progress(fairshare) > fairshare->associations.node_count / 2;

	update->image->time = usage_image_begin(update->image, used, tres_count,
						most || fairshare->fresh || update->accounting->reset,
						update->decay)
				      ? 0 : update->accounting->now;
	if (usage_image_is_whole(update->image))
		begin_whole_image(fairshare);
}

void update_begin_image_again(struct update *update)
{
	usage_image_begin_again(update->image, update->fairshare->fresh);
	if (usage_image_is_whole(update->image))
		begin_whole_image(update->fairshare);
}

bool update_begin(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	const struct accounting *accounting = update->accounting;
	struct fairshare *fairshare = update->fairshare;
	uint32_t tres_count = update->tres_count;
	bool used[tres_count + 1], done;
	double elapsed;

	memset(used, 0, sizeof(used));
	update->qos_totals = fathom_qos_totals_create(accounting->charges, tres_count);
	if (!update->qos_totals)
		error(LOG_PREFIX "out of memory; QOS are not charged");
	take_over_usage(update);
	book_mark_tres(update->book, used, tres_count);
	assoc_mgr_lock(&locks);
	update->take_run_seconds = book_counts_from(update->book, accounting->run_seconds_round);
	done = associations_exist();
	if (done) {
		elapsed = fairshare->time ? difftime(accounting->now, fairshare->time) : 0;
		update->decay = fathom_decay(elapsed, update->settings->half_life);
		find_used_tres(used, tres_count);
		begin_image(update, used, tres_count);
		fairshare->image = update->image;
		fairshare->decay = update->decay;
		fairshare->updating = true;
		fairshare->settled = false;
		fairshare->resummed = false;
		fairshare->time = accounting->now;
		update_qos(update);
	}
	assoc_mgr_unlock(&locks);
	return done;
}

/* None, but for roundings, unless somebody has changed usage by hand. */
static void find_excess(struct update *update)
{
	const struct associations *associations = &update->fairshare->associations;
	bool any = false;

	for (uint32_t node = 0; node < associations->node_count; node++) {
		const struct fathom_amount *amount = fathom_charge_totals_at(update->totals, node);
		double sum = fathom_tree_usage(associations->tree, node);
		double excess = update->excess[node] * update->decay - sum;

		if (amount)
			excess += amount->billing;
		update->excess[node] = fabs(excess) > TOTAL_TOLERANCE * sum ? excess : 0;
		any |= update->excess[node] != 0;
	}
	update->corrected = any;
	if (!any) {
		free(update->excess);
		update->excess = NULL;
	}
}

/* To what policies keep for themselves. */
static void charge_schemes(struct update *update)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };

	if (!update->settings->keeps_sums)
		return;
	assoc_mgr_lock(&locks);
	schemes_charge(update->fairshare, update->accounting->charges);
	assoc_mgr_unlock(&locks);
	if (update->accounting->reset)
		schemes_reset(update->fairshare, update->accounting->now);
}

void update_bring_to_now(struct update *update)
{
	struct associations *associations = &update->fairshare->associations;
	struct fathom_tree *tree = associations->tree;
	const struct fathom_amount *amount;

	update->totals = fathom_charge_totals_create(tree, associations->map,
						     update->accounting->charges,
						     update->take_run_seconds, update->tres_count);
	if (!update->totals)
		error(LOG_PREFIX "out of memory; %zu charges are lost",
		      fathom_charges_count(update->accounting->charges));
	for (uint32_t node = 0; node < associations->node_count; node++) {
		double usage = fathom_tree_own_usage(tree, node) * update->decay;

		amount = fathom_charge_totals_own(update->totals, node);
		if (amount)
			usage += amount->billing;
		fathom_tree_set_own_usage(tree, node, update->accounting->reset ? 0 : usage);
	}
	fathom_tree_settle(tree);
	find_excess(update);
	charge_schemes(update);
}

void update_end(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };

	/* no job can end from here to the new state of both */
	assoc_mgr_lock(&locks);
	book_copy_jobs(update->book, update->image);
	schemes_copy(update->fairshare, update->image);
	update->fairshare->updating = false;
	update->fairshare->image = NULL;
	assoc_mgr_unlock(&locks);
	schemes_copy_waiting(update->fairshare, update->image);
}
