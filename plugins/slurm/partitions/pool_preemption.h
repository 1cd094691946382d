/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes before the shares of a slot pool: tiers and preemption among its partitions. */
#ifndef SLURM_POOL_PREEMPTION_H
#define SLURM_POOL_PREEMPTION_H

#include "base/compat.h"
#include "settings/settings.h"

/* Logs a warning for each partition of a pool whose PriorityTier differs from that of the first
 * one or whose jobs preempt, or are preempted by, those of the first one, and for a pool with
 * jobs of two QOS of which one preempts the other. The partitions exist. first: by pool. The
 * caller holds part read; takes QOS read. */
void pool_preemption_warn(const struct settings *settings, const part_record_t **first);

#endif
