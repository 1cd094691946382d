/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slot pools that files of a site describe, such as LSF's lsb.queues. */
#pragma once

#include "format/pool_divisions.h"
#include "format/site/site_settings.h"
#include "jobs/queue_list.h"

/* Divides each pool of the settings among its queues, for fathom pools without a running cluster.
 * Each pool has `slots` slots, and each of its queues wants all of them, or as many as its limit
 * allows. queues: their priorities and limits. Fails, see wrong_at(), if the settings are wrong. */
struct pool_divisions configured_pools_divide(const struct site_settings *settings,
					      struct queue_list *queues, uint64_t slots);
