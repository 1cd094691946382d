/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "usage_image.h"

#include "usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void usage_image_clear(struct usage_image *image)
{
	free(image->tres_id);
	free(image->tres_at);
	free(image->associations.row);
	free(image->associations.tres);
	free(image->qos.row);
	free(image->qos.tres);
	free(image->job);
	free(image->job_tres);
	*image = (struct usage_image){ 0 };
}

static uint32_t tres_id_now(uint32_t i)
{
	return assoc_mgr_tres_array && assoc_mgr_tres_array[i] ? assoc_mgr_tres_array[i]->id : 0;
}

int usage_image_begin(struct usage_image *image, const bool *used)
{
	uint32_t all = slurmctld_tres_cnt > 0 ? (uint32_t)slurmctld_tres_cnt : 0, count = 0;

	for (uint32_t i = 0; i < all; i++)
		count += used[i];
	if (count != image->tres_count || !image->tres_at) {
		usage_image_clear(image);
		image->tres_id = calloc(count + 1, sizeof(*image->tres_id));
		image->tres_at = calloc(count + 1, sizeof(*image->tres_at));
		if (!image->tres_id || !image->tres_at)
			return -1;
		image->tres_count = count;
	}
	for (uint32_t i = 0, at = 0; i < all; i++)
		if (used[i]) {
			image->tres_at[at] = i;
			image->tres_id[at++] = tres_id_now(i);
		}
	image->associations.count = image->qos.count = image->job_count = 0;
	return 0;
}

static int grow(struct usage_rows *rows, uint32_t tres_count)
{
	uint32_t size = rows->size ? 2 * rows->size : 256;
	struct usage_row *row = realloc(rows->row, size * sizeof(*row));
	double *tres;

	if (!row)
		return -1;
	rows->row = row;
	tres = realloc(rows->tres, ((size_t)size * tres_count + 1) * sizeof(*tres));
	if (!tres)
		return -1;
	rows->tres = tres;
	rows->size = size;
	return 0;
}

/* What is no number is not kept: it would never go away again. */
static double number(double value)
{
	return isfinite(value) ? value : 0;
}

static bool is_zero(const struct usage_image *image, double raw, double wall,
		    const long double *tres)
{
	if (raw != 0 || wall != 0)
		return false;
	for (uint32_t i = 0; tres && i < image->tres_count; i++)
		if (tres[image->tres_at[i]] != 0)
			return false;
	return true;
}

/* Where the row's TRES go; NULL: out of memory. */
static double *add_row(struct usage_image *image, struct usage_rows *rows, struct usage_row row)
{
	if (rows->count == rows->size && grow(rows, image->tres_count)) {
		image->time = 0;
		return NULL;
	}
	rows->row[rows->count] = row;
	return rows->tres + (size_t)rows->count++ * image->tres_count;
}

static void copy_tres(const struct usage_image *image, const long double *tres, double *to)
{
	uint32_t count = to ? image->tres_count : 0;
	const uint32_t *from = image->tres_at;
	double sum = 0;		/* no number if one of them is none */

	if (!tres && to)
		memset(to, 0, count * sizeof(*to));
	for (uint32_t i = 0; tres && i < count; i++) {
		to[i] = (double)tres[from[i]];
		sum += to[i];
	}
	for (uint32_t i = 0; !isfinite(sum) && i < count; i++)
		to[i] = number(to[i]);
}

void usage_rows_add(struct usage_image *image, struct usage_rows *rows, uint32_t id,
		    uint32_t parent_id, const slurmdb_assoc_usage_t *usage, bool needed)
{
	struct usage_row row = { .id = id, .parent_id = parent_id };
	const long double *tres = usage ? usage->usage_tres_raw : NULL;

	if (usage) {
		row.raw = number((double)usage->usage_raw);
		row.wall = number(usage->grp_used_wall);
	}
	if (needed || !is_zero(image, row.raw, row.wall, tres))
		copy_tres(image, tres, add_row(image, rows, row));
}

void usage_rows_add_qos(struct usage_image *image, const slurmdb_qos_rec_t *qos)
{
	const slurmdb_qos_usage_t *usage = qos->usage;
	struct usage_row row = { qos->id, 0, number((double)usage->usage_raw),
				 number(usage->grp_used_wall) };

	if (!is_zero(image, row.raw, row.wall, usage->usage_tres_raw))
		copy_tres(image, usage->usage_tres_raw, add_row(image, &image->qos, row));
}

uint32_t usage_rows_amend(struct usage_image *image, struct usage_rows *rows, uint32_t row,
			  uint32_t id, uint32_t parent_id, const struct amount *amount)
{
	double *tres;

	if (!row) {
		tres = add_row(image, rows, (struct usage_row){ .id = id, .parent_id = parent_id });
		if (!tres)
			return 0;
		memset(tres, 0, image->tres_count * sizeof(*tres));
		row = rows->count;
	}
	rows->row[row - 1].raw += amount->raw;
	rows->row[row - 1].wall += amount->wall;
	tres = rows->tres + (size_t)(row - 1) * image->tres_count;
	for (uint32_t i = 0; i < image->tres_count; i++)
		tres[i] += amount->tres[image->tres_at[i]];
	return row;
}

const struct usage_row *usage_rows_find(const struct usage_rows *rows, uint32_t id)
{
	for (uint32_t i = 0; i < rows->count; i++)
		if (rows->row[i].id == id)
			return &rows->row[i];
	return NULL;
}

/* Where the image keeps a TRES; false: nobody used it, or there was none. */
static bool find_tres(const struct usage_image *image, uint32_t id, uint32_t *at)
{
	for (*at = 0; *at < image->tres_count; ++*at)
		if (image->tres_id[*at] == id)
			return true;
	return false;
}

void usage_image_tres(const struct usage_image *image, const struct usage_rows *rows, size_t row,
		      double *tres)
{
	const double *from = rows->tres + row * image->tres_count;
	uint32_t at;

	for (uint32_t i = 0; i < (uint32_t)slurmctld_tres_cnt; i++)
		tres[i] = find_tres(image, tres_id_now(i), &at) ? from[at] : 0;
}

void usage_image_job_tres(const struct usage_image *image, size_t job, uint64_t *tres)
{
	const uint64_t *from = image->job_tres + job * image->tres_count;
	uint32_t at;

	for (uint32_t i = 0; i < (uint32_t)slurmctld_tres_cnt; i++)
		tres[i] = find_tres(image, tres_id_now(i), &at) ? from[at] : 0;
}
