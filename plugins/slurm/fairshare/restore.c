/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces all usage in the records by that of a saved image. Rows are found by the ids of
 * associations. A row whose association is gone goes to the nearest account above it that is left,
 * as assoc_mgr would have done.
 *
 * If multifactor ran last, the records have its usage, and only the sums of policies are put back:
 *
 *	anna's sum of CPU time 500, an hour ago	+ 3600 of a job that has run since
 *	her usage 1000 then, 7600 now	- 3600 of that job: 3000 are of jobs that are forgotten
 */
#include "fairshare/fairshare_private.h"

#include "records/heirs.h"
#include "records/record_usage.h"

#include <math.h>
#include <stdlib.h>

struct restoring {
	const struct associations *associations;
	const struct usage_image *image;
	struct heirs heirs;		/* who gets the rows of associations that are gone */
	slurmdb_assoc_rec_t **record;	/* by node */
};

static bool find_node(const void *context, uint32_t id, uint32_t *node)
{
	const struct restoring *restoring = context;

	return associations_find(restoring->associations, id, node) && restoring->record[*node];
}

/* Returns false if out of memory. */
static bool restoring_begin(struct restoring *restoring, const struct association_rows *rows)
{
	const struct usage_rows *saved = &restoring->image->associations;
	uint32_t node;

	restoring->record = calloc(restoring->associations->node_count,
				   sizeof(*restoring->record));
	if (!restoring->record ||
	    !heirs_create(&restoring->heirs, saved->count, find_node, restoring))
		return false;
	for (size_t i = 0; i < rows->count; i++)
		if (associations_find(restoring->associations, rows->record[i]->id, &node))
			restoring->record[node] = rows->record[i];
	for (uint32_t i = 0; i < saved->count; i++)
		restoring->heirs.row[i] = (struct heir_row){ .id = saved->row[i].id,
							      .parent_id =
								      saved->row[i].parent_id };
	heirs_sort(&restoring->heirs);
	return true;
}

static void restoring_end(struct restoring *restoring)
{
	free(restoring->record);
	heirs_clear(&restoring->heirs);
}

/* The same by ids, for the policies' sums. Of an association without a row the account is known. */
static uint32_t heir_of(uint32_t id, uint32_t account_id, const void *context)
{
	struct restoring *const *restoring = context;	/* heirs_find() changes what it points to */
	uint32_t node;

	if (heirs_find(&(*restoring)->heirs, id, &node) ||
	    heirs_find(&(*restoring)->heirs, account_id, &node))
		return (*restoring)->record[node]->id;
	return account_id;
}

static void restore_associations(struct restoring *restoring, double *tres)
{
	const struct usage_image *image = restoring->image;
	const struct usage_rows *rows = &image->associations;

	for (uint32_t i = 0; i < rows->count; i++) {
		struct fathom_amount amount = usage_image_amount(image, rows, i, tres);
		uint32_t node = 0;

		heirs_find(&restoring->heirs, rows->row[i].id, &node);
		usage_add_own(restoring->record[node], &amount, 1, (uint32_t)slurmctld_tres_cnt);
		usage_add_to_totals(restoring->record[node], &amount, 1,
				    (uint32_t)slurmctld_tres_cnt);
	}
}

static void restore_qos(const struct usage_image *image, double *tres)
{
	compat_iterator iterator;
	slurmdb_qos_rec_t *qos;

	if (!assoc_mgr_qos_list)
		return;
	iterator = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(iterator))) {
		struct fathom_amount amount;
		uint32_t row;

		usage_clear_qos(qos);
		if (!usage_rows_find(&image->qos, qos->id, &row))
			continue;
		amount = usage_image_amount(image, &image->qos, row, tres);
		usage_add_qos(qos, &amount, (uint32_t)slurmctld_tres_cnt);
	}
	list_iterator_destroy(iterator);
}

static int clear_association(void *item, void *context)
{
	(void)context;
	usage_clear_association(item);
	return 0;
}

/* Replaces all usage. `tres`: room for a count of each TRES. Returns false if out of memory;
 * nothing has changed then. The caller holds solve_lock and assoc, qos write, tres read. */
static bool put_back(struct fairshare *fairshare, const struct associations *associations,
		     const struct association_rows *rows, const struct usage_image *image,
		     double *tres)
{
	struct restoring restoring = { associations, image, { 0 }, NULL }, *context = &restoring;
	bool done = restoring_begin(&restoring, rows);

	if (done) {
		list_for_each(assoc_mgr_assoc_list, clear_association, NULL);
		restore_associations(&restoring, tres);
		schemes_restore(fairshare, image);
		schemes_move(fairshare, heir_of, &context);
		restore_qos(image, tres);
		fairshare->time = (time_t)image->time;
		associations_forget(&fairshare->associations);	/* what it has seen is replaced */
		fairshare->associations.root = assoc_mgr_root_assoc;	/* nothing to give back */
		fairshare->must_reread = true;
	}
	restoring_end(&restoring);
	return done;
}

/* ---- beside usage of multifactor's ---------------------------------------------------- */

/* It takes 0.693 for ln 2, and adds up the decay of seconds. */
static double left_by_multifactor(const struct settings *settings, double elapsed)
{
	return settings->half_life > 0
		? pow(fmax(1 - 0.693 / settings->half_life, 0), fmax(elapsed, 0)) : 1;
}

/* Returns how far own usage of a node is above `expected`; below 0: it has been set to 0, while
 * others have some. */
static double growth_of(const slurmdb_assoc_rec_t *record, double expected)
{
	const slurmdb_assoc_usage_t *own = record ? record->leaf_usage : NULL;
	double usage = own ? (double)own->usage_raw : 0;

	if (usage == 0 && expected > 0 && assoc_mgr_root_assoc->usage->usage_raw > 0)
		return -1;
	return fmax(usage - expected, 0);
}

/* Adds to the sums what usage has grown by beyond what is left of the image's and the charges. */
static void add_growth(struct fairshare *fairshare, struct restoring *restoring,
		       const struct fathom_charge_totals *totals)
{
	const struct usage_image *image = restoring->image;
	const struct usage_rows *saved = &image->associations;
	size_t count = restoring->associations->node_count;
	double left = left_by_multifactor(fairshare->settings,
					  (double)(fairshare->time - image->time));
	double *growth = calloc(count, sizeof(*growth));
	struct usage_edits *edits = NULL;

	for (uint32_t i = 0; growth && i < saved->count; i++) {
		uint32_t node = 0;

		heirs_find(&restoring->heirs, saved->row[i].id, &node);
		growth[node] += left * saved->amount[i * usage_image_width(image) + USAGE_RAW];
	}
	for (size_t node = 0; growth && node < count; node++) {
		const struct fathom_amount *amount = fathom_charge_totals_at(totals, node);

		growth[node] = growth_of(restoring->record[node],
					 growth[node] + (amount ? amount->billing : 0));
	}
	if (growth)
		edits = usage_edits_of_growth(restoring->associations, growth);
	if (edits)
		schemes_edit(fairshare, edits);
	usage_edits_destroy(edits);
	free(growth);
}

/* Returns false if out of memory; nothing has changed then. */
static bool keep_sums(struct fairshare *fairshare, const struct associations *associations,
		      const struct association_rows *rows, const struct usage_image *image,
		      const struct fathom_charges *meanwhile)
{
	struct restoring restoring = { associations, image, { 0 }, NULL }, *context = &restoring;
	struct fathom_charge_totals *totals =
		fathom_charge_totals_create(associations->tree, associations->map, meanwhile, false,
					    (uint32_t)slurmctld_tres_cnt);
	bool done = restoring_begin(&restoring, rows) && totals;

	if (done) {
		schemes_restore(fairshare, image);
		schemes_move(fairshare, heir_of, &context);
		schemes_charge(fairshare, meanwhile);
		add_growth(fairshare, &restoring, totals);
	}
	restoring_end(&restoring);
	fathom_charge_totals_destroy(totals);
	return done;
}

void fairshare_follow_reset(struct usage_image *image, const struct settings *settings,
			    const struct state_times *times)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	double left = left_by_multifactor(settings, (double)(times->time - image->time)), total = 0;
	bool is_less;

	for (uint32_t i = 0; i < image->associations.count; i++)
		total += image->associations.amount[i * usage_image_width(image) + USAGE_RAW];
	assoc_mgr_lock(&locks);
	is_less = assoc_mgr_root_assoc &&
		  (double)assoc_mgr_root_assoc->usage->usage_raw < total * left * .999;
	assoc_mgr_unlock(&locks);
	/* a new file of multifactor's has the time of its first pass as that of the last reset */
	if (times->last_reset > image->last_reset && (times->last_reset < times->time || is_less))
		usage_image_reset(image, times->last_reset);
}

/* ---- all of it ------------------------------------------------------------------------ */

/* meanwhile: as for fairshare_keep_sums(); NULL: usage is replaced. The caller holds solve_lock. */
static bool restore(struct fairshare *fairshare, const struct usage_image *image,
		    const struct fathom_charges *meanwhile)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	double *tres;
	struct associations associations = { 0 };
	struct association_rows rows;
	bool done;

	assoc_mgr_lock(&locks);
	tres = calloc((size_t)slurmctld_tres_cnt + 1, sizeof(*tres));
	done = tres && association_rows_read(&rows);
	if (done) {
		done = associations_create(&associations, &rows) &&
		       (meanwhile ? keep_sums(fairshare, &associations, &rows, image, meanwhile)
				  : put_back(fairshare, &associations, &rows, image, tres));
		association_rows_clear(&rows);
	}
	assoc_mgr_unlock(&locks);
	associations_forget(&associations);
	free(tres);
	return done;
}

bool fairshare_restore(struct fairshare *fairshare, const struct usage_image *image)
{
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	done = restore(fairshare, image, NULL);
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done;
}

bool fairshare_keep_sums(struct fairshare *fairshare, const struct settings *settings,
			 const struct usage_image *image, const struct fathom_charges *meanwhile)
{
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	done = schemes_follow(fairshare, settings) && restore(fairshare, image, meanwhile);
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done;
}
