/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/partition_names.h"

#include "partitions/partition_order.h"

#include <stdlib.h>
#include <string.h>

void partition_names_clear(struct partition_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
	*names = (struct partition_names){ NULL };
}

/* Negative: out of memory, which ends the walk. */
static int add_name(void *item, void *context)
{
	const part_record_t *record = item;
	struct partition_names *names = context;

	names->name[names->count] = strdup(record->name);
	return names->name[names->count] ? (names->count++, 0) : -1;
}

static int list_names(struct partition_names *names)
{
	if (!partitions_exist())
		return 0;
	names->name = calloc((size_t)list_count(part_list), sizeof(*names->name));
	return names->name && list_for_each(part_list, add_name, names) >= 0 ? 0 : -1;
}

int partition_names_read(struct partition_names *names)
{
	slurmctld_lock_t locks = { .part = READ_LOCK };
	struct partition_names fresh = { NULL };
	int status;

	lock_slurmctld(locks);
	status = list_names(&fresh);
	unlock_slurmctld(locks);
	if (status)
		partition_names_clear(&fresh);
	*names = fresh;
	return status;
}
