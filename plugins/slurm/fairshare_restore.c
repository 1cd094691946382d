/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare_parts.h"

#include "usage.h"

#include <stdlib.h>

struct heir {
	const struct associations *associations;
	const struct usage_image *image;
	slurmdb_assoc_rec_t **record;	/* by node */
};

/* The association itself, or the nearest account that is left above it. */
static slurmdb_assoc_rec_t *find_heir(const struct heir *heir, uint32_t id)
{
	const struct usage_rows *rows = &heir->image->associations;
	uint32_t node;

	for (uint32_t steps = 0; id && steps <= rows->count; steps++) {
		const struct usage_row *row;

		if (associations_find(heir->associations, id, &node) && heir->record[node])
			return heir->record[node];
		row = usage_rows_find(rows, id);
		id = row ? row->parent_id : 0;
	}
	return heir->record[0];		/* the root */
}

/* The same by ids, for what policies keep beside usage. The image has no row
 * of a user without usage. */
static uint32_t heir_of(uint32_t id, uint32_t account_id, const void *context)
{
	const struct heir *heir = context;
	const struct usage_rows *rows = &heir->image->associations;
	uint32_t at = id, node;

	for (uint32_t steps = 0; at && steps <= rows->count; steps++) {
		const struct usage_row *row;

		if (associations_find(heir->associations, at, &node))
			return at;
		row = usage_rows_find(rows, at);
		at = row ? row->parent_id : at == id ? account_id : 0;
	}
	return account_id;
}

static void restore_associations(const struct heir *heir, double *tres)
{
	const struct usage_image *image = heir->image;
	const struct usage_rows *rows = &image->associations;

	for (uint32_t i = 0; i < rows->count; i++) {
		struct amount amount = { rows->row[i].raw, rows->row[i].wall, tres, NULL };
		slurmdb_assoc_rec_t *at = find_heir(heir, rows->row[i].id);

		usage_image_tres(image, rows, i, tres);
		usage_add_to_account_alone(at, &amount, 1, (uint32_t)slurmctld_tres_cnt);
		for (; at; at = at->usage->parent_assoc_ptr)
			usage_add_association(at, &amount, 1, (uint32_t)slurmctld_tres_cnt);
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
		const struct usage_row *row = usage_rows_find(&image->qos, qos->id);
		struct amount amount = { .tres = tres };

		usage_clear_qos(qos);
		if (!row)
			continue;
		usage_image_tres(image, &image->qos, (size_t)(row - image->qos.row), tres);
		amount.raw = row->raw;
		amount.wall = row->wall;
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

/* All associations' usage becomes the image's. The caller holds assoc write;
 * `tres` is room for a row. False: out of memory. */
static bool put_back(const struct association_rows *rows, const struct associations *associations,
		     const struct usage_image *image, double *tres)
{
	struct heir heir = { associations, image,
			     calloc(associations->node_count, sizeof(*heir.record)) };
	uint32_t node;

	if (!heir.record)
		return false;
	for (size_t i = 0; i < rows->count; i++)
		if (associations_find(associations, rows->record[i]->id, &node))
			heir.record[node] = rows->record[i];
	list_for_each(assoc_mgr_assoc_list, clear_association, NULL);
	restore_associations(&heir, tres);
	free(heir.record);
	return true;
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
		       put_back(&rows, &associations, image, tres);
		association_rows_clear(&rows);
	}
	if (done) {
		schemes_restore(fairshare, image);
		schemes_move(fairshare, heir_of,
			     &(struct heir){ .associations = &associations, .image = image });
		restore_qos(image, tres);
		fairshare->time = (time_t)image->time;
		fairshare->unread = true;
	}
	assoc_mgr_unlock(&locks);
	slurm_mutex_unlock(&fairshare->solve_lock);
	associations_forget(&associations);
	free(tres);
	return done;
}
