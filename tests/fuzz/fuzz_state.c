/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A target of libFuzzer: reads its input as the plugin's state file, and once more with a length
 * and a checksum that fit, however wrong the rest is. Of an image that is accepted it reads what a
 * start reads, and would save it with the same header.
 * tests/fuzz/run builds and runs it; no function of slurmctld is called.
 */
#include "state/state.c"	/* for the header and its checksum */

#define MOST_BYTES ((size_t)1 << 16)	/* of a state file */
#define TRES_NOW 6			/* of slurmctld */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static slurmdb_tres_rec_t tres_record[TRES_NOW] = { { .id = 1 }, { .id = 2 }, { .id = 3 },
						    { .id = 4 }, { .id = 5 }, { .id = 1001 } };
static slurmdb_tres_rec_t *tres_records[TRES_NOW] = {
	&tres_record[0], &tres_record[1], &tres_record[2],
	&tres_record[3], &tres_record[4], &tres_record[5],
};

slurmdb_tres_rec_t **assoc_mgr_tres_array = tres_records;
int slurmctld_tres_cnt = TRES_NOW;

static void read_rows(const struct usage_image *image, const struct usage_rows *rows)
{
	double tres[TRES_NOW];
	uint32_t at;

	for (uint32_t row = 0; row < rows->count; row++)
		if (usage_rows_find(rows, rows->row[row].id, &at))
			usage_image_amount(image, rows, at, tres);
}

static void read_jobs(const struct usage_image *image)
{
	uint64_t tres[TRES_NOW];
	size_t letters = 0;

	for (uint32_t i = 0; i < image->job_count; i++) {
		usage_image_job_tres(image, i, tres);
		if (image->job_partition[i])
			letters += strlen(image->names + image->job_partition[i] - 1);
	}
	for (uint32_t i = 0; i < image->part_count; i++)
		letters += strlen(image->names + image->part[i].hosts - 1);
	if (letters > (size_t)image->names_length * (image->job_count + image->part_count))
		abort();
}

static void read_sums(const struct usage_image *image)
{
	struct usage_image copy = { .time = 1 };
	uint32_t first;

	for (uint32_t i = 0; i < image->sums.section_count; i++)
		if (!usage_image_section(image, image->sums.section[i].scheme,
					 image->sums.section[i].policy, &first))
			abort();
	usage_image_add_all_sums(&copy, image);
	usage_image_clear(&copy);
}

static void check_header(const struct whole_file *file, struct usage_image *image)
{
	struct image_list list = usage_image_list(image);
	struct header header = header_of(image, &list);

	if (memcmp(file->data, MAGIC_BEFORE, sizeof(MAGIC_BEFORE)) &&
	    memcmp(file->data, &header, sizeof(header)))
		abort();
}

static void read_state(const struct whole_file *file)
{
	static const bool used[TRES_NOW] = { true, true, true, true, true, true };
	struct usage_image image = { .time = 0 };

	if (!parse_image(file, &image)) {
		check_header(file, &image);
		read_rows(&image, &image.associations);
		read_rows(&image, &image.qos);
		read_jobs(&image);
		read_sums(&image);
		usage_image_widen(&image, used, TRES_NOW);
	}
	usage_image_clear(&image);
}

/* Makes the file as long as its counts say, and gives it a checksum that fits. Returns whether it
 * can; the length of the data is MOST_BYTES. */
static bool fit(struct whole_file *file)
{
	struct usage_image image = { .time = 0 };
	struct image_list list = usage_image_list(&image);
	struct header header;
	size_t begin = header_length(file->data);
	char *at = file->data + begin;

	memcpy(&header, file->data, sizeof(header));
	for (size_t i = 0; i < IMAGE_COUNTS; i++)
		*list.count[i] = header.count[i];
	list = usage_image_list(&image);
	header.length = 0;
	for (size_t i = 0; i < IMAGE_ARRAYS; i++) {
		header.length += list.array[i].length;
		if (header.length > MOST_BYTES - begin)
			return false;
		*list.array[i].data = at;
		at += list.array[i].length;
	}
	file->length = begin + header.length;
	header.checksum = checksum_all(&header, &list);
	memcpy(file->data, &header, begin);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct whole_file file = { .data = calloc(1, MOST_BYTES), .length = size };

	if (file.data && size < MOST_BYTES) {
		memcpy(file.data, data, size);
		read_state(&file);
		if (fit(&file))
			read_state(&file);
	}
	free(file.data);
	return 0;
}
