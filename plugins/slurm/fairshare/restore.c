/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces all usage in the records by that of a saved image. Rows are found by the ids of
 * associations. A row whose association is gone goes to the nearest account above it that is left,
 * as assoc_mgr would have done.
 */
#include "fairshare/fairshare_private.h"

#include "records/heirs.h"
#include "records/record_usage.h"

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

bool fairshare_restore(struct fairshare *fairshare, const struct usage_image *image)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	double *tres;
	struct associations associations = { 0 };
	struct association_rows rows;
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	assoc_mgr_lock(&locks);
	tres = calloc((size_t)slurmctld_tres_cnt + 1, sizeof(*tres));
	done = tres && association_rows_read(&rows);
	if (done) {
		done = associations_create(&associations, &rows) &&
		       put_back(fairshare, &associations, &rows, image, tres);
		association_rows_clear(&rows);
	}
	assoc_mgr_unlock(&locks);
	slurm_mutex_unlock(&fairshare->solve_lock);
	associations_forget(&associations);
	free(tres);
	return done;
}
