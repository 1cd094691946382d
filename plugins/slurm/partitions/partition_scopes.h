/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By which scope the jobs of each partition go, where scopes have hosts (host partitions of LSF):
 * by the first in fathom.conf that has a node of the partition. A job that requires nodes, all of
 * one scope, goes by that scope. Never changes, and lives as long as somebody has a reference.
 */
#ifndef SLURM_PARTITION_SCOPES_H
#define SLURM_PARTITION_SCOPES_H

#include "base/compat.h"
#include "settings/settings.h"

struct partition_scopes;

/* As of now. NULL: out of memory. The caller holds node, part read. */
struct partition_scopes *partition_scopes_create(const struct settings *settings);
struct partition_scopes *partition_scopes_reference(struct partition_scopes *scopes);
void partition_scopes_release(struct partition_scopes *scopes);

#define NO_REQUIRED_NODES SIZE_MAX
/* Returns the scheme of the scope to which all nodes belong that a pending job requires; 0: they
 * belong to none. NO_REQUIRED_NODES: it requires none, or nodes of several, or no scope has hosts.
 * The caller holds job, node read. */
size_t partition_scopes_required(const struct settings *settings, const job_record_t *job);

/* Returns the scheme by which jobs of a partition go. scopes: of these settings; NULL: not known
 * yet, or no scope has hosts. queue: what scopes_queue() returns for the partition. required: of
 * partition_scopes_required(). */
size_t partition_scopes_scheme(const struct partition_scopes *scopes,
			       const struct settings *settings, const char *partition,
			       const struct queue *queue, size_t required);

#endif
