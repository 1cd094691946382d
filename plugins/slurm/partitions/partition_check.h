/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether slurmctld's partitions allow what fathom.conf says of them. */
#ifndef SLURM_PARTITION_CHECK_H
#define SLURM_PARTITION_CHECK_H

#include "base/compat.h"
#include "partitions/partition_order.h"

/*
 * Checks that each partition and host that fathom.conf names exists, that no partition outside a
 * cross-queue scope has a PriorityJobFactor within the scope's, and that partitions of a slot
 * pool have the same nodes. -1: problem->text is "FILE:LINE: Key: what is wrong, what is right".
 * Warns of tiers and preemption that go before the shares of a pool, and of partitions with nodes
 * of several scopes.
 * The caller holds node, part read.
 */
int partitions_check(const struct settings *settings, struct fathom_error *problem);

#endif
