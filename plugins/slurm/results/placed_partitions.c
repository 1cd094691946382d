/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "results/placed_partitions.h"

#include "policy/traits.h"

#include <stdlib.h>
#include <string.h>

void placed_partitions_free(struct placed_partition *partition, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(partition[i].name);
	free(partition);
}

static int compare_names(const void *x, const void *y)
{
	const struct placed_partition *a = x, *b = y;

	return strcmp(a->name, b->name);
}

void placed_partitions_sort(struct placed_partition *partition, size_t count)
{
	qsort(partition, count, sizeof(*partition), compare_names);
}

bool placed_partitions_find(const struct placed_partition *partition, size_t count,
			    const char *name, uint32_t *at)
{
	struct placed_partition wanted = { .name = (char *)name };
	const struct placed_partition *found =
		name && count ? bsearch(&wanted, partition, count, sizeof(wanted), compare_names)
			      : NULL;

	if (found)
		*at = (uint32_t)(found - partition);
	return found;
}

bool scheme_places_jobs(const struct scheme *scheme)
{
	return scheme->role != SCHEME_SHADOW &&
	       fathom_policy_places_jobs(scheme->policy, &scheme->settings);
}

bool scheme_orders_jobs(const struct scheme *scheme)
{
	return scheme_places_jobs(scheme) || (scheme->role != SCHEME_SHADOW &&
					      policy_is_first_come(scheme->policy));
}

bool placed_partition_has_places(const struct placed_partition *partition,
				 const struct settings *settings, size_t scheme)
{
	return partition->is_pooled || scheme_orders_jobs(&settings->scheme[scheme]);
}
