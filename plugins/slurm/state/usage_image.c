/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arrays of an image: its rows, with columns for the TRES that anybody uses, and the sections
 * of sums. */
#include "state/usage_image.h"

#include "core/array.h"
#include "core/valid_usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRES_GONE UINT32_MAX	/* in place of slurmctld's index of a TRES that it lacks now */

/* A struct image_array for the member `name` of `image`, which has `count` elements. */
#define ARRAY(name, count) { (void **)&image->name, (count) * sizeof(*image->name) }

/* Counts and arrays are in the order of the state file: with another order, or another struct, the
 * file needs another STATE_MAGIC. */
struct image_list usage_image_list(struct usage_image *image)
{
	const struct image_sums *sums = &image->sums;
	size_t associations = image->associations.count, qos = image->qos.count;
	size_t width = usage_image_width(image), jobs = image->job_count;

	return (struct image_list){
		.count = {
			&image->tres_count, &image->associations.count, &image->qos.count,
			&image->job_count, &image->names_length, &image->sums.section_count,
			&image->sums.column_count, &image->sums.row_count, &image->part_count,
		},
		.array = {
			ARRAY(tres_id, image->tres_count),
			ARRAY(associations.row, associations),
			ARRAY(associations.amount, associations * width),
			ARRAY(qos.row, qos),
			ARRAY(qos.amount, qos * width),
			[IMAGE_JOB] = ARRAY(job, jobs),
			ARRAY(job_tres, jobs * image->tres_count),
			ARRAY(job_partition, jobs),
			ARRAY(part, image->part_count),
			[IMAGE_NAMES] = ARRAY(names, image->names_length),
			[IMAGE_SECTION] = ARRAY(sums.section, sums->section_count),
			ARRAY(sums.column, sums->column_count),
			ARRAY(sums.row, sums->row_count),
			ARRAY(sums.value, (size_t)sums->row_count * sums->column_count),
		},
	};
}

/* Frees the arrays with the indexes from `first` to `last`, and sets them to NULL. */
static void clear_arrays(struct usage_image *image, enum image_arrays first, enum image_arrays last)
{
	struct image_list list = usage_image_list(image);

	for (size_t i = first; i <= last; i++) {
		free(*list.array[i].data);
		*list.array[i].data = NULL;
	}
}

void usage_image_clear_jobs(struct usage_image *image)
{
	clear_arrays(image, IMAGE_JOB, IMAGE_NAMES);
	image->job_count = image->part_count = image->names_length = 0;
}

void usage_image_clear_sums(struct usage_image *image)
{
	clear_arrays(image, IMAGE_SECTION, IMAGE_ARRAYS - 1);
	image->sums = (struct image_sums){ 0 };
}

void usage_image_clear(struct usage_image *image)
{
	clear_arrays(image, 0, IMAGE_ARRAYS - 1);
	free(image->tres_at);
	*image = (struct usage_image){ 0 };
}

/* Returns the database's id of the TRES at slurmctld's index i; 0: there is no such TRES. */
static uint32_t tres_id_now(uint32_t i)
{
	return assoc_mgr_tres_array && assoc_mgr_tres_array[i] ? assoc_mgr_tres_array[i]->id : 0;
}

void usage_image_reset(struct usage_image *image, int64_t time)
{
	image->time = image->last_reset = time;
	image->associations.count = image->qos.count = 0;
	image->job_count = image->part_count = 0;
	image->sums.section_count = image->sums.row_count = 0;
}

/* ---- columns ------------------------------------------------------------------ */

uint32_t usage_image_column(const struct usage_image *image, uint32_t id)
{
	uint32_t at = 0;

	while (at < image->tres_count && image->tres_id[at] != id)
		at++;
	return at;
}

/* Sets image->tres_at to slurmctld's index of each TRES of the image, or TRES_GONE. tres_count:
 * TRES that slurmctld has. */
static void find_tres_now(struct usage_image *image, uint32_t tres_count)
{
	for (uint32_t i = 0; i < image->tres_count; i++)
		image->tres_at[i] = TRES_GONE;
	for (uint32_t at = 0; at < tres_count; at++) {
		uint32_t i = usage_image_column(image, tres_id_now(at));

		if (i < image->tres_count)
			image->tres_at[i] = at;
	}
}

/* Makes an array at least `size` bytes large. Returns -1 if out of memory; the array stays as it
 * was. */
static int enlarge(void **array, size_t size)
{
	void *larger = realloc(*array, size);

	if (!larger)
		return -1;
	*array = larger;
	return 0;
}

/* Widens rows of `before` amounts to `width` amounts, in an array that has room for that. New
 * columns are 0. The last row is moved first, because each row moves to where later rows were. */
static void spread_rows(struct usage_rows *rows, size_t before, size_t width)
{
	for (size_t i = rows->count; i-- > 0;) {
		double *to = rows->amount + i * width;

		memmove(to, rows->amount + i * before, before * sizeof(*to));
		memset(to + before, 0, (width - before) * sizeof(*to));
	}
}

/* Adds columns for the TRES with these `count` ids, and forgets all jobs, as their arrays have the
 * columns of before. Returns -1 if out of memory; no column has been added then. */
static int add_columns(struct usage_image *image, const uint32_t *id, uint32_t count)
{
	size_t before = usage_image_width(image), width = before + count;
	size_t tres_size = ((size_t)image->tres_count + count + 1) * sizeof(*id);
	size_t row_size = width * sizeof(*image->qos.amount);

	if (enlarge((void **)&image->tres_id, tres_size) ||
	    enlarge((void **)&image->tres_at, tres_size) ||
	    enlarge((void **)&image->associations.amount,
		    (image->associations.count + (size_t)1) * row_size) ||
	    enlarge((void **)&image->qos.amount, (image->qos.count + (size_t)1) * row_size))
		return -1;
	memcpy(image->tres_id + image->tres_count, id, count * sizeof(*id));
	spread_rows(&image->associations, before, width);
	spread_rows(&image->qos, before, width);
	image->tres_count += count;
	image->job_count = image->part_count = 0;
	return 0;
}

int usage_image_widen(struct usage_image *image, const bool *used, uint32_t tres_count)
{
	uint32_t id[tres_count + 1], count = 0;	/* of the TRES that have no column yet */
	int status = 0;

	for (uint32_t i = 0; i < tres_count; i++)
		if (used[i] && tres_id_now(i) &&
		    usage_image_column(image, tres_id_now(i)) == image->tres_count)
			id[count++] = tres_id_now(i);
	if (count || !image->tres_at)	/* the first call makes tres_at in any case */
		status = add_columns(image, id, count);
	if (image->tres_at)
		find_tres_now(image, tres_count);
	return status;
}

/* ---- rows --------------------------------------------------------------------- */

int usage_rows_create(struct usage_rows *rows, size_t count, size_t width)
{
	*rows = (struct usage_rows){ .row = calloc(count + 1, sizeof(*rows->row)),
				     .amount = calloc(count * width + 1, sizeof(*rows->amount)),
				     .count = (uint32_t)count };
	if (rows->row && rows->amount)
		return 0;
	usage_rows_clear(rows);
	return -1;
}

void usage_rows_clear(struct usage_rows *rows)
{
	free(rows->row);
	free(rows->amount);
	*rows = (struct usage_rows){ 0 };
}

bool usage_rows_find(const struct usage_rows *rows, uint32_t id, uint32_t *at)
{
	for (*at = 0; *at < rows->count; ++*at)
		if (rows->row[*at].id == id)
			return true;
	return false;
}

/* Adds a row with the usage of a QOS to the image, which has room for it; for list_for_each(). */
static int put_qos(void *item, void *context)
{
	const slurmdb_qos_rec_t *qos = item;
	struct usage_image *image = context;
	double *amount = image->qos.amount + image->qos.count * usage_image_width(image);

	image->qos.row[image->qos.count++] = (struct usage_row){ .id = qos->id };
	usage_get_qos(qos, amount, image->tres_at, image->tres_count);
	return 0;
}

void usage_image_copy_qos(struct usage_image *image)
{
	size_t count = assoc_mgr_qos_list ? (size_t)list_count(assoc_mgr_qos_list) : 0;

	usage_rows_clear(&image->qos);
	if (usage_rows_create(&image->qos, count, usage_image_width(image)))
		return;
	image->qos.count = 0;	/* put_qos() counts the rows */
	if (count)
		list_for_each(assoc_mgr_qos_list, put_qos, image);
}

struct fathom_amount usage_image_amount(const struct usage_image *image,
					const struct usage_rows *rows, size_t row, double *tres)
{
	const double *amount = rows->amount + row * usage_image_width(image);

	for (uint32_t i = 0; i < (uint32_t)slurmctld_tres_cnt; i++) {
		uint32_t at = usage_image_column(image, tres_id_now(i));

		tres[i] = at < image->tres_count ? amount[USAGE_TRES + at] : 0;
	}
	return (struct fathom_amount){ .billing = amount[USAGE_RAW], .wall = amount[USAGE_WALL],
				       .tres = tres };
}

void usage_image_job_tres(const struct usage_image *image, size_t job, uint64_t *tres)
{
	const uint64_t *from = image->job_tres + job * image->tres_count;

	for (uint32_t i = 0; i < (uint32_t)slurmctld_tres_cnt; i++) {
		uint32_t at = usage_image_column(image, tres_id_now(i));

		tres[i] = at < image->tres_count ? from[at] : 0;
	}
}

/* ---- sums -------------------------------------------------------------------- */

/* Gives the sums the names of their columns, once. Returns -1 if out of memory. */
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

/* Makes room for another section with `rows` rows. Returns -1 if out of memory; what is there
 * stays. */
static int grow_sums(struct image_sums *sums, size_t rows)
{
	size_t count = sums->row_count + rows;
	struct sums_section *section = array_grow(sums->section, &sums->section_room,
						  (size_t)sums->section_count + 1,
						  sizeof(*section));
	struct sums_row *row = array_grow(sums->row, &sums->row_room, count, sizeof(*row));
	double *value = array_grow(sums->value, &sums->value_room, count * FATHOM_SUM_COUNT,
				   sizeof(*value));

	/* an array that has grown may have moved, also if another one could not grow */
	sums->section = section ? section : sums->section;
	sums->row = row ? row : sums->row;
	sums->value = value ? value : sums->value;
	return section && row && value ? name_columns(sums) : -1;
}

int usage_image_add_section(struct usage_image *image, const char *scheme, const char *policy,
			    int64_t since, size_t rows)
{
	struct sums_section section = { .since = since };

	if (grow_sums(&image->sums, rows)) {
		image->time = 0;
		return -1;
	}
	snprintf(section.scheme, sizeof(section.scheme), "%s", scheme);
	snprintf(section.policy, sizeof(section.policy), "%s", policy);
	image->sums.section[image->sums.section_count++] = section;
	return 0;
}

void usage_image_add_sums_row(struct usage_image *image, const struct fathom_policy_sums_row *row)
{
	struct image_sums *sums = &image->sums;
	double *value = sums->value + (size_t)sums->row_count * FATHOM_SUM_COUNT;

	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		value[i] = valid_usage(row->own.value[i]);
	sums->row[sums->row_count++] = (struct sums_row){ .id = row->association,
							  .account_id = row->account,
							  .leaf = row->leaf,
							  .time = (int64_t)row->time };
	sums->section[sums->section_count - 1].row_count++;
}

const struct sums_section *usage_image_section(const struct usage_image *image, const char *scheme,
					       const char *policy, uint32_t *first)
{
	const struct image_sums *sums = &image->sums;

	*first = 0;
	for (uint32_t i = 0; i < sums->section_count; i++) {
		const struct sums_section *section = &sums->section[i];

		/* usage_image_add_section() cuts off longer names */
		if (!strcmp(section->policy, policy) &&
		    !strncmp(section->scheme, scheme, SECTION_NAME_MAX))
			return section;
		*first += section->row_count;
	}
	return NULL;
}

struct fathom_policy_sums_row usage_image_sums_row(const struct usage_image *image, uint32_t at)
{
	const struct image_sums *saved = &image->sums;
	const double *from = saved->value + (size_t)at * saved->column_count;
	struct fathom_policy_sums_row row = {
		.association = saved->row[at].id, .account = saved->row[at].account_id,
		.leaf = saved->row[at].leaf, .time = (double)saved->row[at].time,
	};

	/* by the names of columns, as another release may have saved other columns */
	for (uint32_t i = 0; i < saved->column_count; i++)
		for (size_t j = 0; j < FATHOM_SUM_COUNT; j++)
			if (!strcmp(saved->column[i].name, fathom_sum_name((enum fathom_sum)j)))
				row.own.value[j] = from[i];
	return row;
}

void usage_image_add_all_sums(struct usage_image *image, const struct usage_image *other)
{
	uint32_t next = 0, end, ignored;	/* rows of the section, in `other` */

	for (uint32_t i = 0; i < other->sums.section_count; i++, next = end) {
		const struct sums_section *section = &other->sums.section[i];

		end = next + section->row_count;
		if (!strcmp(section->policy, SECTION_OF_POOLS) ||
		    usage_image_section(image, section->scheme, section->policy, &ignored))
			continue;
		if (usage_image_add_section(image, section->scheme, section->policy,
					    section->since, section->row_count))
			return;
		for (; next < end; next++) {
			struct fathom_policy_sums_row row = usage_image_sums_row(other, next);

			usage_image_add_sums_row(image, &row);
		}
	}
}
