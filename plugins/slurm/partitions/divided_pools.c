/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/divided_pools.h"

#include <stdlib.h>

struct divided_pools *divided_pools_create(size_t count)
{
	struct divided_pools *pools = calloc(1, sizeof(*pools));

	if (!pools)
		return NULL;
	pools->references = 1;
	pools->list = calloc(count + 1, sizeof(*pools->list));
	if (pools->list) {
		pools->count = count;
		return pools;
	}
	free(pools);
	return NULL;
}

struct divided_pools *divided_pools_reference(struct divided_pools *pools)
{
	if (pools)
		__atomic_add_fetch(&pools->references, 1, __ATOMIC_RELAXED);
	return pools;
}

void divided_pools_release(struct divided_pools *pools)
{
	if (!pools || __atomic_sub_fetch(&pools->references, 1, __ATOMIC_ACQ_REL))
		return;
	for (size_t i = 0; i < pools->count; i++)
		pool_division_clear(&pools->list[i]);
	free(pools->list);
	free(pools);
}
