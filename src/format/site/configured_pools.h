/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slot pools that files of a site describe, such as LSF's lsb.queues or fathom.conf. */
#pragma once

#include "conf/conf.h"
#include "format/pool_divisions.h"
#include "format/site/site_settings.h"
#include "jobs/queue_list.h"

/* Divides each pool of a fathom.conf, which must be checked, among its queues, for fathom pools
 * without a running cluster. Each pool has `slots` slots, and each of its queues wants all of them,
 * or as many as its limit allows. queues: their priorities and limits; a queue that is missing
 * there has priority 1 and no limit. */
struct pool_divisions configured_pools_divide(const struct fathom_conf *conf,
					      struct queue_list *queues, uint64_t slots);
/* Divides the pools of settings. Fails, see wrong_at(), if the lines of pools are wrong. */
struct pool_divisions configured_pools_divide_settings(const struct site_settings *settings,
						       struct queue_list *queues, uint64_t slots);
