/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld's partitions, and its nodes that are hosts of scopes (Hosts in fathom.conf). */
#pragma once

#include "base/compat.h"
#include "settings/settings.h"

/* Returns whether slurmctld has read its partitions. The caller holds part read. */
bool partitions_exist(void);
/* Returns an array of slurmctld's partitions, which the caller frees, and sets *count. NULL: out of
 * memory. The caller holds part read. */
const part_record_t **partition_records(size_t *count);

/* The nodes of each scope. Valid as long as the locks are held under which they were read. */
struct host_nodes {
	bitstr_t **by_scheme;	/* by scheme of the settings; NULL: the scheme has no hosts */
	bitstr_t *any;		/* the nodes of all scopes; NULL: no scope has hosts */
	size_t scheme_count;
};

/* Finds the nodes of each scope. Returns -1 if out of memory. The caller holds node read, and calls
 * host_nodes_clear() in each case. */
int host_nodes_read(struct host_nodes *nodes, const struct settings *settings);
/* Frees the bitmaps. */
void host_nodes_clear(struct host_nodes *nodes);

/* Returns whether the two bitmaps have a node in common. Either may be NULL, for no nodes; if their
 * sizes differ, one is out of date, and the result is false. */
bool host_nodes_overlap(bitstr_t *nodes, bitstr_t *others);
/* Returns the first scheme above `after` whose scope has one of the nodes; 0: there is no such
 * scheme. Schemes of scopes are in the order of fathom.conf, and above 0. nodes: NULL, or a bitmap
 * over all of slurmctld's nodes. */
size_t host_nodes_next_scheme(const struct host_nodes *hosts, bitstr_t *nodes, size_t after);
