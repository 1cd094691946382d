/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks whether slurmctld's partitions and nodes allow what fathom.conf says of them. */
#pragma once

#include "base/compat.h"
#include "settings/settings.h"

/*
 * Checks that each partition and host that fathom.conf names exists, that no partition outside a
 * cross-queue scope has a PriorityJobFactor within the scope's, and that partitions of a slot pool
 * have the same nodes, not all of them hosts of scopes. Returns 0; or -1, and problem->text is
 * "FILE:LINE: Key: what is wrong, what is right", or that memory has run out. Logs warnings of
 * tiers and of preemption by QOS, which go before the shares of a pool, and of partitions with
 * nodes of several scopes. The caller holds node, part read. Takes QOS read.
 */
int partitions_check(const struct settings *settings, struct fathom_error *problem);

/* Finds the pools that are void, see conf_pool_preempts(). fault: an element for each pool of the
 * settings, all NULL at first; that of a void pool is set to a text "FILE:LINE: Key: why", which
 * the caller frees. Returns -1 if out of memory. The caller holds node, part read. */
int partitions_find_void_pools(const struct settings *settings, char **fault);
