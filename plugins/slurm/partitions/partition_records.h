/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld's partitions, and its nodes that are hosts of scopes (Hosts in fathom.conf). */
#pragma once

#include "base/compat.h"
#include "settings/settings.h"

/* Has slurmctld read its partitions yet? The caller holds part read. */
bool partitions_exist(void);
/* Lists slurmctld's partitions; the caller holds part read, and frees the array. NULL: out of
 * memory. */
const part_record_t **partition_records(size_t *count);

/* Valid as long as the locks are held under which it was read. */
struct host_nodes {
	bitstr_t **of_scheme;	/* by scheme of the settings; NULL: no nodes */
	bitstr_t *any;		/* of any scope; NULL: no scope has hosts */
	size_t scheme_count;
};

/* Finds the nodes of each scope. -1: out of memory; clear it anyway. The caller holds node read. */
int host_nodes_read(struct host_nodes *nodes, const struct settings *settings);
void host_nodes_clear(struct host_nodes *nodes);

/* Whether the two have a node in common. Either may be NULL. */
bool host_nodes_overlap(bitstr_t *nodes, bitstr_t *others);
/* Returns the scheme of the first scope in fathom.conf after `after` that has one of the nodes; 0:
 * none. nodes: NULL, or of as many nodes as slurmctld has. */
size_t host_nodes_next_scheme(const struct host_nodes *hosts, bitstr_t *nodes, size_t after);
