/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "state/usage_image.h"

#include "records/record_usage.h"

#include <math.h>
#include <stdio.h>
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
	free(image->job_partition);
	free(image->names);
	usage_image_clear_sums(image);
	*image = (struct usage_image){ 0 };
}

static uint32_t tres_id_now(uint32_t i)
{
	return assoc_mgr_tres_array && assoc_mgr_tres_array[i] ? assoc_mgr_tres_array[i]->id : 0;
}

static bool has_tres(const struct usage_image *image, const bool *used, uint32_t all)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < all; i++) {
		if (!used[i])
			continue;
		if (at == image->tres_count || image->tres_at[at] != i ||
		    image->tres_id[at] != tres_id_now(i))
			return false;
		at++;
	}
	return at == image->tres_count;
}

static int take_tres(struct usage_image *image, const bool *used, uint32_t all)
{
	image->tres_id = calloc((size_t)all + 1, sizeof(*image->tres_id));
	image->tres_at = calloc((size_t)all + 1, sizeof(*image->tres_at));
	if (!image->tres_id || !image->tres_at)
		return -1;
	for (uint32_t i = 0; i < all; i++)
		if (used[i]) {
			image->tres_at[image->tres_count] = i;
			image->tres_id[image->tres_count++] = tres_id_now(i);
		}
	return 0;
}

int usage_image_begin(struct usage_image *image, const bool *used, uint32_t tres_count, bool whole,
		      double decay)
{
	if (!image->tres_at || !has_tres(image, used, tres_count)) {
		usage_image_clear(image);
		if (take_tres(image, used, tres_count))
			return -1;
	}
	image->decay *= decay;
	image->base = image->saved;
	image->qos.count = image->job_count = image->partition_count = 0;
	usage_image_begin_again(image, whole);
	return 0;
}

void usage_image_begin_again(struct usage_image *image, bool whole)
{
	image->associations.count = 0;
	if (!whole && image->base)
		return;
	image->base = image->saved = 0;
	image->decay = 1;
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

/* Room for one more row, and its number (from 1); 0: out of memory. */
static uint32_t add_row(struct usage_image *image, struct usage_rows *rows)
{
	if (rows->count == rows->size && grow(rows, image->tres_count)) {
		image->time = 0;
		return 0;
	}
	return ++rows->count;
}

/* An association's or a QOS' usage. */
struct source {
	struct usage_row row;
	const long double *tres;
	uint32_t tres_count;
};

/* How many of the image's TRES it has, the first ones. */
static uint32_t known_tres(const struct usage_image *image, const struct source *source)
{
	uint32_t count = source->tres ? image->tres_count : 0;

	while (count && image->tres_at[count - 1] >= source->tres_count)
		count--;
	return count;
}

static bool is_zero(const struct usage_image *image, const struct source *source)
{
	uint32_t count = known_tres(image, source);

	if (source->row.raw != 0 || source->row.wall != 0)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (source->tres[image->tres_at[i]] != 0)
			return false;
	return true;
}

static void copy_tres(const struct usage_image *image, const struct source *source, double *to)
{
	uint32_t count = known_tres(image, source);
	double sum = 0;		/* no number if one of them is none */

	memset(to + count, 0, (image->tres_count - count) * sizeof(*to));
	for (uint32_t i = 0; i < count; i++) {
		to[i] = (double)source->tres[image->tres_at[i]];
		sum += to[i];
	}
	for (uint32_t i = 0; !isfinite(sum) && i < count; i++)
		to[i] = number(to[i]);
}

static void put(struct usage_image *image, struct usage_rows *rows, const struct source *source,
		uint32_t *row)
{
	if (!*row)
		*row = add_row(image, rows);
	if (!*row)
		return;
	rows->row[*row - 1] = source->row;
	copy_tres(image, source, rows->tres + (size_t)(*row - 1) * image->tres_count);
}

/* Accounts are needed to find the heir of a member that is gone; and nothing
 * may be what a row has changed to. */
void usage_image_put(struct usage_image *image, const slurmdb_assoc_rec_t *record,
		     uint32_t parent_id, uint32_t *row)
{
	const slurmdb_assoc_usage_t *usage = record->leaf_usage;
	struct source source = { .row = { .id = record->id, .parent_id = parent_id } };

	if (usage) {
		source.row.raw = number((double)usage->usage_raw);
		source.row.wall = number(usage->grp_used_wall);
		source.tres = usage->usage_tres_raw;
		source.tres_count = usage->tres_cnt;
	}
	if (*row || !record->user || !usage_image_is_whole(image) || !is_zero(image, &source))
		put(image, &image->associations, &source, row);
}

/* The number of a row, from 1; 0: there is none. */
static uint32_t row_of(const struct usage_rows *rows, uint32_t id)
{
	const struct usage_row *row = usage_rows_find(rows, id);

	return row ? (uint32_t)(row - rows->row) + 1 : 0;
}

void usage_image_put_qos(struct usage_image *image, const slurmdb_qos_rec_t *qos)
{
	const slurmdb_qos_usage_t *usage = qos->usage;
	struct source source = {
		.row = { qos->id, 0, number((double)usage->usage_raw), number(usage->grp_used_wall) },
		.tres = usage->usage_tres_raw,
		.tres_count = usage->tres_cnt,
	};
	uint32_t row = row_of(&image->qos, qos->id);

	if (row || !is_zero(image, &source))
		put(image, &image->qos, &source, &row);
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

/* ---- names, sums ------------------------------------------------------------- */

char *usage_image_make_names(struct usage_image *image, uint32_t length)
{
	free(image->names);
	image->names = malloc((size_t)length + 1);
	image->names_length = image->names ? length : 0;
	return image->names;
}

void usage_image_clear_sums(struct usage_image *image)
{
	free(image->sums.section);
	free(image->sums.column);
	free(image->sums.row);
	free(image->sums.value);
	image->sums = (struct image_sums){ 0 };
}

static int name_columns(struct image_sums *sums)
{
	if (sums->column)
		return 0;
	sums->column = calloc(FATHOM_SUM_COUNT, sizeof(*sums->column));
	if (!sums->column)
		return -1;
	sums->column_count = FATHOM_SUM_COUNT;
	for (uint32_t i = 0; i < FATHOM_SUM_COUNT; i++)
		snprintf(sums->column[i].name, sizeof(sums->column[i].name), "%s",
			 fathom_sum_name((enum fathom_sum)i));
	return 0;
}

static int grow_sums(struct image_sums *sums, uint32_t rows)
{
	size_t count = (size_t)sums->row_count + rows;
	struct sums_section *section =
		realloc(sums->section, (sums->section_count + 1) * sizeof(*section));
	struct sums_row *row = realloc(sums->row, (count + 1) * sizeof(*row));
	double *value = realloc(sums->value,
				(count + 1) * FATHOM_SUM_COUNT * sizeof(*value));

	sums->section = section ? section : sums->section;
	sums->row = row ? row : sums->row;
	sums->value = value ? value : sums->value;
	return section && row && value ? 0 : -1;
}

int usage_image_add_section(struct usage_image *image, const struct sums_section *section,
			    uint32_t *first)
{
	struct image_sums *sums = &image->sums;

	if (name_columns(sums) || grow_sums(sums, section->row_count)) {
		image->time = 0;
		return -1;
	}
	*first = sums->row_count;
	sums->section[sums->section_count++] = *section;
	sums->row_count += section->row_count;
	return 0;
}

void usage_image_put_sums(struct usage_image *image, uint32_t at, const struct sums_row *row,
			  const struct fathom_sums *sums)
{
	double *to = image->sums.value + (size_t)at * FATHOM_SUM_COUNT;

	image->sums.row[at] = *row;
	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		to[i] = number(sums->value[i]);
}

const struct sums_section *usage_image_section(const struct usage_image *image,
					       const char *scheme, const char *policy,
					       uint32_t *first)
{
	const struct image_sums *sums = &image->sums;

	*first = 0;
	for (uint32_t i = 0; i < sums->section_count; *first += sums->section[i++].row_count) {
		const struct sums_section *section = &sums->section[i];

		if (!strcmp(section->policy, policy) &&
		    !strncmp(section->scheme, scheme, sizeof(section->scheme) - 1))
			return section;
	}
	return NULL;
}

struct fathom_sums usage_image_sums(const struct usage_image *image, uint32_t at)
{
	const struct image_sums *saved = &image->sums;
	const double *from = saved->value + (size_t)at * saved->column_count;
	struct fathom_sums sums = { { 0 } };

	for (uint32_t i = 0; i < saved->column_count; i++)
		for (size_t j = 0; j < FATHOM_SUM_COUNT; j++)
			if (!strcmp(saved->column[i].name, fathom_sum_name((enum fathom_sum)j)))
				sums.value[j] = from[i];
	return sums;
}

static void add_rows(struct usage_image *image, uint32_t to, const struct usage_image *other,
		     uint32_t from, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct fathom_sums sums = usage_image_sums(other, from + i);

		usage_image_put_sums(image, to + i, &other->sums.row[from + i], &sums);
	}
}

void usage_image_add_sums(struct usage_image *image, const struct usage_image *other)
{
	uint32_t from = 0, to;

	for (uint32_t i = 0; i < other->sums.section_count; i++) {
		const struct sums_section *section = &other->sums.section[i];

		if (usage_image_add_section(image, section, &to))
			return;
		add_rows(image, to, other, from, section->row_count);
		from += section->row_count;
	}
}

/* ---- changes -------------------------------------------------------------------- */

/* Where each row is, by id. */
struct place {
	uint32_t id, row;
};

static int by_id(const void *a, const void *b)
{
	const struct place *first = a, *second = b;

	return (first->id > second->id) - (first->id < second->id);
}

static struct place *sort_rows(const struct usage_rows *rows)
{
	struct place *place = malloc(((size_t)rows->count + 1) * sizeof(*place));

	for (uint32_t i = 0; place && i < rows->count; i++)
		place[i] = (struct place){ rows->row[i].id, i + 1 };
	if (place)
		qsort(place, rows->count, sizeof(*place), by_id);
	return place;
}

static void decay_rows(struct usage_rows *rows, uint32_t tres_count, double decay)
{
	for (uint32_t i = 0; i < rows->count; i++) {
		rows->row[i].raw *= decay;
		rows->row[i].wall *= decay;
	}
	for (size_t i = 0; i < (size_t)rows->count * tres_count; i++)
		rows->tres[i] *= decay;
}

static bool replace_rows(struct usage_image *image, const struct usage_rows *changed)
{
	struct usage_rows *rows = &image->associations;
	struct place *place = sort_rows(rows);
	uint32_t count = rows->count, n = image->tres_count, i = 0;

	for (; place && i < changed->count; i++) {
		struct place wanted = { .id = changed->row[i].id };
		struct place *found = bsearch(&wanted, place, count, sizeof(*place), by_id);
		uint32_t row = found ? found->row : add_row(image, rows);

		if (!row)
			break;
		rows->row[row - 1] = changed->row[i];
		memcpy(rows->tres + (size_t)(row - 1) * n, changed->tres + (size_t)i * n,
		       n * sizeof(*rows->tres));
	}
	free(place);
	return place && i == changed->count;
}

bool usage_image_merge(struct usage_image *image, struct usage_image *changes)
{
	struct usage_image before = *image;

	if (changes->tres_count != image->tres_count ||
	    memcmp(changes->tres_id, image->tres_id, image->tres_count * sizeof(*image->tres_id)))
		return false;
	decay_rows(&image->associations, image->tres_count, changes->decay);
	if (!replace_rows(image, &changes->associations))
		return false;
	image->time = changes->time;
	image->last_reset = changes->last_reset;
	/* all of these are whole in both */
	image->qos = changes->qos;
	image->job = changes->job;
	image->job_tres = changes->job_tres;
	image->job_partition = changes->job_partition;
	image->job_count = changes->job_count;
	image->partition_count = changes->partition_count;
	image->names = changes->names;
	image->names_length = changes->names_length;
	image->sums = changes->sums;
	changes->qos = before.qos;
	changes->job = before.job;
	changes->job_tres = before.job_tres;
	changes->job_partition = before.job_partition;
	changes->names = before.names;
	changes->sums = before.sums;
	usage_image_clear(changes);
	return true;
}
