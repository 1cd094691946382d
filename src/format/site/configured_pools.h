/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slot pools that files of a site describe, such as LSF's lsb.queues. */
#pragma once

#include "format/pool_divisions.h"
#include "format/site/site_settings.h"

/* Divides the pools of settings, each of so many slots, among their queues, all of which want
 * all of them; queues outside want none. */
struct pool_divisions configured_pools_divide(const struct site_settings *settings, uint64_t slots);
