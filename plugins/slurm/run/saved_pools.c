/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A section of sums for each partition, which has its name and one row. */
#include "run/saved_pools.h"

#include "base/log.h"

#include <stdio.h>
#include <string.h>

#define SECTION_KIND "slot pools"	/* in place of a policy's name, which has no blank */

void saved_pools_copy(const struct pool_partitions *partitions, struct usage_image *image)
{
	struct saved_pool_use use;
	uint32_t first;

	for (size_t at = 0; pool_partitions_use(partitions, at, &use); at++) {
		struct sums_section section = { .row_count = 1, .policy = SECTION_KIND };
		struct sums_row row = { .leaf = use.outside, .time = (int64_t)use.time };
		struct fathom_sums sums = { { [FATHOM_SUM_USAGE] = use.seconds } };
		size_t room = sizeof(section.scheme);

		if ((size_t)snprintf(section.scheme, room, "%s", use.partition) < room &&
		    !usage_image_add_section(image, &section, &first))
			usage_image_put_sums(image, first, &row, &sums);
	}
}

void saved_pools_restore(struct pool_partitions *partitions, struct usage_image *image)
{
	const struct image_sums *sums = &image->sums;
	uint32_t row = 0;
	int status = 0;

	for (uint32_t i = 0; i < sums->section_count; row += sums->section[i++].row_count)
		if (!strcmp(sums->section[i].policy, SECTION_KIND) && sums->section[i].row_count)
			status |= pool_partitions_restore(partitions, &(struct saved_pool_use){
				sums->section[i].scheme, sums->row[row].leaf,
				usage_image_sums(image, row).value[FATHOM_SUM_USAGE],
				(time_t)sums->row[row].time });
	usage_image_drop_sections(image, SECTION_KIND);
	if (status)
		error(LOG_PREFIX "out of memory; some partitions of slot pools count as unused");
}
