/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes before the shares of a slot pool: tiers and preemption among its partitions. */
#ifndef SLURM_POOL_PREEMPTION_H
#define SLURM_POOL_PREEMPTION_H

#include "base/compat.h"
#include "settings/settings.h"

#include "conf/conf_partitions.h"

/* Returns whether PreemptType is this plugin. */
bool pool_preempts_by(const char *plugin);
/* Returns whether jobs of the partition may be preempted. */
bool pool_may_be_preempted(const part_record_t *record);
/* Logs a warning for each partition of a pool whose PriorityTier differs from that of the first
 * one or whose jobs preempt, or are preempted by, those of the first one, and for a pool with
 * jobs of two QOS of which one preempts the other. The partitions exist. partitions: its queues
 * are settings->queue. The caller holds part read; takes QOS read. */
void pool_preemption_warn(const struct settings *settings,
			  const struct conf_partitions *partitions);

#endif
