/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/partition_records.h"

#include <stdlib.h>

bool partitions_exist(void)
{
	/* Slurm's own tests lack the variable */
	return &part_list && part_list && list_count(part_list);
}

const part_record_t **partition_records(size_t *count)
{
	size_t room = partitions_exist() ? (size_t)list_count(part_list) : 0;
	const part_record_t **records = calloc(room + 1, sizeof(*records));
	compat_iterator iterator;

	*count = 0;
	if (!records || !room)
		return records;
	iterator = list_iterator_create(part_list);
	while (*count < room && (records[*count] = list_next(iterator)))
		++*count;
	list_iterator_destroy(iterator);
	return records;
}
