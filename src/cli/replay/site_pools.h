/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slot pools of a site's fathom.conf, as a replay needs them. */
#ifndef CLI_SITE_POOLS_H
#define CLI_SITE_POOLS_H

#include "cli/replay/site_partitions.h"
#include "conf/conf_partitions.h"

/* For struct conf_partitions: context is a struct site_partitions. */
bool site_pools_same_nodes(const void *context, size_t a, size_t b);
/* Makes the pools, and sets the pool and share of each partition. queue: those of the SlotPool
 * lines, which have been checked. Returns 0, or EXIT_WRONG after printing an error. */
int site_pools_set(struct site_partitions *partitions, const struct replay_site *site,
		   const struct conf_queue *queue);

#endif
