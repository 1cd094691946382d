/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the first rows: from a saved image, or from what slurmctld's records have. Rows of the
 * image are found by the ids of associations. A row whose association is gone goes to the nearest
 * account above it that is left, as assoc_mgr would have done.
 *
 * If multifactor ran last, the records have its usage, and only the sums of policies are restored
 * from the image, here one of an hour ago (without decay):
 *
 *	anna's sum: 500 in the image		+ 3600 of a job that has run since
 *	her usage: 1000 in the image, 7600 now	3000 more than 1000 + 3600: of forgotten jobs
 *	anna's sum now				500 + 3600 + 3000 = 7100
 */
#include "fairshare/fairshare_private.h"

#include "base/slurm_locks.h"
#include "base/log.h"
#include "records/record_usage.h"
#include "walk/sliced_walk.h"

#include <math.h>
#include <stdlib.h>

#define RESET_FRACTION .999	/* of expected usage: if there is less, it was reset, not rounded */

/* ---- QOS of a saved image --------------------------------------------------------------- */

/* Sets the usage of a QOS to that of the image, or to 0 if the image lacks it; for
 * list_for_each(). */
static int restore_qos(void *item, void *context)
{
	const struct usage_image *image = context;
	slurmdb_qos_rec_t *qos = item;
	double tres[slurmctld_tres_cnt + 1];
	struct fathom_amount amount;
	uint32_t row;
	bool found = usage_rows_find(&image->qos, qos->id, &row);

	if (found)
		amount = usage_image_amount(image, &image->qos, row, tres);
	usage_change_qos(qos, 0, found ? &amount : NULL, (uint32_t)slurmctld_tres_cnt);
	return 0;
}

/* ---- the first rows ------------------------------------------------------------------------- */

/* Rows that are being made from slurmctld's list of records. */
struct record_rows {
	struct fairshare *fairshare;
	bool *is_added;		/* by node; a record that has moved in the list is met again */
	size_t added;		/* nodes with is_added */
};

/* Adds own usage of a record to its row, unless the walk has met the record before, or the tree
 * lacks it. See list_walk_stage for the parameters. */
static void add_record(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	struct record_rows *rows = context;
	const struct usage_image *image = &rows->fairshare->image;
	uint32_t node;

	if (!associations_find(&rows->fairshare->associations, record->id, &node) ||
	    rows->is_added[node])
		return;
	usage_get_own(record, usage_image_row(image, node), image->tres_at, image->tres_count);
	rows->is_added[node] = true;
	rows->added++;
}

/* Adds the usage of all records to the rows. Returns 1 if the rows have all usage; -1 if out of
 * memory; 0 if some may be missing: slurmctld has sorted its list, which ends a walk early; or
 * associations have come or gone meanwhile, and one that goes leaves its usage to its account,
 * whose record may have been added before. */
static int add_records(struct fairshare *fairshare)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	const struct sliced_walk sliced = {
		.list = &assoc_mgr_assoc_list,
		.assoc_locks = WALK_ASSOC_LOCKS(.assoc = READ_LOCK, .tres = READ_LOCK),
	};
	static const struct list_walk_stages stages = {
		.fetch = associations_fetch, .work = add_record,
		.touch = offsetof(slurmdb_assoc_rec_t, id),
	};
	const struct associations *associations = &fairshare->associations;
	struct record_rows rows = { .fairshare = fairshare,
				    .is_added = calloc(associations->node_count, sizeof(bool)) };
	bool is_whole;

	if (!rows.is_added)
		return -1;
	sliced_walk(&sliced, stages, &rows);
	free(rows.is_added);
	locks_take(NULL, &locks);
	is_whole = associations_are_as_many(associations) && rows.added == associations->node_count;
	locks_release(NULL, &locks);
	return is_whole;
}

/* Makes rows from those of an image; image NULL: from what the records have. If usage of records
 * may be missing, makes them again, up to ATTEMPTS_MAX times in all. Returns false if out of
 * memory, or if there are no associations. */
static bool make_first_rows(struct fairshare *fairshare, const struct usage_image *image)
{
	int added = 0;

	for (int i = 0; !added && i < ATTEMPTS_MAX; i++) {
		usage_image_clear(&fairshare->image);
		if (fairshare_make_columns(fairshare, image)) {
			error(LOG_PREFIX "out of memory; a later pass restores usage");
			return false;
		}
		if (!fairshare_read_tree(fairshare, image))
			return false;
		added = image ? 1 : add_records(fairshare);
	}
	return added >= 0;
}

bool fairshare_begin(struct fairshare *fairshare, const struct usage_image *image)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };

	fairshare->has_rows = false;
	if (!make_first_rows(fairshare, image))
		return false;
	locks_take(NULL, &locks);
	if (image && assoc_mgr_qos_list)
		list_for_each(assoc_mgr_qos_list, restore_qos, (void *)image);
	usage_image_copy_qos(&fairshare->image);
	fairshare_note_total(fairshare);
	locks_release(NULL, &locks);
	if (image)
		fairshare->time = (time_t)image->time;
	fairshare->has_rows = fairshare->must_clear = true;
	return true;
}

/* ---- beside usage of multifactor's ---------------------------------------------------- */

/* Returns the factor, 0 to 1, by which multifactor has decayed usage in `elapsed` seconds. Each
 * second it takes off 0.693 (for ln 2) over the half-life. */
static double multifactor_decay(const struct settings *settings, double elapsed)
{
	if (!(settings->half_life > 0))
		return 1;
	return pow(fmax(1 - 0.693 / settings->half_life, 0), fmax(elapsed, 0));
}

/* Returns own raw usage of a node, in billing seconds. */
static double own_usage(const struct fairshare *fairshare, size_t node)
{
	return usage_image_row(&fairshare->image, node)[USAGE_RAW];
}

/* Adds to the sums of a node by how much its own usage is above what was expected, as an import
 * would. If somebody has set its usage to 0, sets its sums to 0. all: usage of all associations; if
 * that is 0, everything was reset, not this one. */
static void add_growth(struct fairshare *fairshare, size_t node, double expected, double all)
{
	const struct fathom_tree *tree = fairshare->associations.tree;
	const struct fathom_run_id id = {
		.association = (uint32_t)fathom_tree_id(tree, node),
		.account = (uint32_t)fathom_tree_id(tree, fathom_tree_parent(tree, node)),
	};
	double usage = own_usage(fairshare, node), growth = fmax(usage - expected, 0);
	bool is_set_to_0 = usage == 0 && expected > 0 && all > 0;
	const struct usage_added added = { .imported.value = {
		[FATHOM_SUM_USAGE] = growth, [FATHOM_SUM_HIST_RUN_TIME] = growth,
	} };

	if (is_set_to_0 || growth > 0)
		schemes_change(fairshare->schemes, &id, is_set_to_0 ? 0 : 1, &added);
}

/* Returns what own usage of each node should be: what is left of those rows of the image that go to
 * the node, and its charges in `totals`. The caller frees the array. NULL: out of memory. */
static double *expected_usage(const struct fairshare *fairshare, struct heirs *heirs,
			      const struct usage_image *image,
			      const struct fathom_charge_totals *totals)
{
	const struct usage_rows *saved = &image->associations;
	size_t count = fairshare->associations.node_count;
	double decay = multifactor_decay(schemes_settings(fairshare->schemes),
					 (double)(fairshare->time - image->time));
	double *expected = calloc(count, sizeof(*expected));

	for (uint32_t i = 0; expected && i < saved->count; i++) {
		uint32_t node = 0;

		heirs_find(heirs, saved->row[i].id, &node);
		expected[node] += decay * saved->amount[i * usage_image_width(image) + USAGE_RAW];
	}
	for (size_t node = 0; expected && node < count; node++) {
		const struct fathom_amount *amount = fathom_charge_totals_at(totals, node);

		expected[node] += amount ? amount->billing : 0;
	}
	return expected;
}

/* Puts the sums of the image back, charges them, and adds what usage of each node has grown by
 * besides. expected: what own usage of each node should be. */
static void put_sums_back(struct fairshare *fairshare, const struct usage_image *image,
			  struct heirs *heirs, const struct fathom_charges *meanwhile,
			  const double *expected)
{
	size_t count = fairshare->associations.node_count;
	double all = 0;

	schemes_restore(fairshare->schemes, image);
	schemes_move(fairshare->schemes, fairshare_heir_of, &heirs);
	schemes_charge(fairshare->schemes, meanwhile, 0, fathom_charges_count(meanwhile));
	for (size_t node = 0; node < count; node++)
		all += own_usage(fairshare, node);
	for (size_t node = 0; node < count; node++)
		add_growth(fairshare, node, expected[node], all);
}

/* Usage that has grown by more than these charges was charged by multifactor, for jobs that
 * slurmctld has forgotten since: the sums get it, too. */
bool fairshare_keep_sums(struct fairshare *fairshare, const struct settings *settings,
			 const struct usage_image *image, const struct fathom_charges *meanwhile)
{
	const struct associations *associations = &fairshare->associations;
	const bool with_released = false;
	struct fathom_charge_totals *totals =
		fathom_charge_totals_create(associations->tree, associations->map, meanwhile,
					    with_released, (uint32_t)slurmctld_tres_cnt);
	struct heirs heirs;
	double *expected = NULL;
	bool is_known;

	if (!fairshare_find_heirs(fairshare, &heirs, associations, image) && totals &&
	    schemes_follow(fairshare->schemes, settings))
		expected = expected_usage(fairshare, &heirs, image, totals);
	is_known = expected;
	if (is_known)
		put_sums_back(fairshare, image, &heirs, meanwhile, expected);
	heirs_clear(&heirs);
	fathom_charge_totals_destroy(totals);
	free(expected);
	return is_known;
}

void fairshare_follow_reset(struct fairshare *fairshare, struct usage_image *image,
			    const struct settings *settings, const struct state_times *times)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	double decay = multifactor_decay(settings, (double)(times->time - image->time)), total = 0;
	/* in a new file of multifactor's, the time of the first pass stands for that of the last
	 * reset: then only less usage tells of a reset */
	bool is_new_file = times->last_reset >= times->time, is_less;

	for (uint32_t i = 0; i < image->associations.count; i++)
		total += image->associations.amount[i * usage_image_width(image) + USAGE_RAW];
	locks_take(NULL, &locks);
	is_less = assoc_mgr_root_assoc &&
		  (double)assoc_mgr_root_assoc->usage->usage_raw < total * decay * RESET_FRACTION;
	locks_release(NULL, &locks);
	if (times->last_reset > image->last_reset && (!is_new_file || is_less)) {
		usage_image_reset(image, times->last_reset);
		schemes_reset(fairshare->schemes, (time_t)times->last_reset);
	}
}
