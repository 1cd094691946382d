/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A section of sums for each partition, which has its name and one row. */
#include "run/saved_pools.h"

#include "base/log.h"

#include <string.h>

#define SECTION_KIND "slot pools"	/* in place of a policy's name, which has no blank */

void saved_pools_copy(const struct pool_seats *seats, struct usage_image *image)
{
	for (size_t i = 0; i < seats->count; i++) {
		const struct pool_seat *seat = &seats->list[i];

		if (strlen(seat->name) <= SECTION_NAME_MAX &&
		    !usage_image_add_section(image, seat->name, SECTION_KIND, 0, 1))
			usage_image_add_sums_row(image, &(struct fathom_policy_sums_row){
				.leaf = (uint32_t)seat->outside, .time = (double)seats->time,
				.own.value = { [FATHOM_SUM_USAGE] = seat->use.seconds } });
	}
}

static int restore_section(struct pool_seats *seats, const struct usage_image *image,
			   const struct sums_section *section, uint32_t first)
{
	struct fathom_policy_sums_row row;

	if (strcmp(section->policy, SECTION_KIND) || !section->row_count)
		return 0;
	row = usage_image_sums_row(image, first);
	seats->time = (time_t)row.time;
	return pool_seats_restore(seats, section->scheme, row.leaf,
				  row.own.value[FATHOM_SUM_USAGE]);
}

void saved_pools_restore(struct pool_seats *seats, struct usage_image *image)
{
	const struct image_sums *sums = &image->sums;
	uint32_t first = 0;
	int status = 0;

	for (uint32_t i = 0; i < sums->section_count; first += sums->section[i++].row_count)
		status |= restore_section(seats, image, &sums->section[i], first);
	usage_image_drop_sections(image, SECTION_KIND);
	if (status)
		error(LOG_PREFIX "out of memory; some partitions of slot pools count as unused");
}
