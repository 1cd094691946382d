/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/partition_records.h"

#include <stdlib.h>

bool partitions_exist(void)
{
	/* Slurm's own tests lack the variable */
	return &part_list && part_list && list_count(part_list);
}

const part_record_t **partition_records(size_t *count)
{
	size_t room = partitions_exist() ? (size_t)list_count(part_list) : 0;
	const part_record_t **records = calloc(room + 1, sizeof(*records));
	compat_iterator iterator;

	*count = 0;
	if (!records || !room)
		return records;
	iterator = list_iterator_create(part_list);
	while (*count < room && (records[*count] = list_next(iterator)))
		++*count;
	list_iterator_destroy(iterator);
	return records;
}

/* ---- hosts of scopes -------------------------------------------------------------------- */

/* Makes an empty bitmap for each scheme with hosts, and nodes->any. Returns -1 if out of memory. */
static int make_bitmaps(struct host_nodes *nodes, const struct settings *settings)
{
	nodes->scheme_count = settings->scheme_count;
	nodes->by_scheme = calloc(settings->scheme_count, sizeof(*nodes->by_scheme));
	nodes->any = bit_alloc(node_record_count);
	if (!nodes->by_scheme || !nodes->any)
		return -1;
	for (size_t i = 0; i < settings->scheme_count; i++)
		if (settings->scheme[i].scope->hosts.text &&
		    !(nodes->by_scheme[i] = bit_alloc(node_record_count)))
			return -1;
	return 0;
}

int host_nodes_read(struct host_nodes *nodes, const struct settings *settings)
{
	*nodes = (struct host_nodes){ NULL };
	if (!settings->has_hosts || node_record_count <= 0)
		return 0;
	if (make_bitmaps(nodes, settings))
		return -1;
	for (int i = 0; i < node_record_count; i++) {
		size_t scheme = scopes_node(settings, i);

		if (!scheme)
			continue;
		bit_set(nodes->by_scheme[scheme], i);
		bit_set(nodes->any, i);
	}
	return 0;
}

void host_nodes_clear(struct host_nodes *nodes)
{
	for (size_t i = 0; nodes->by_scheme && i < nodes->scheme_count; i++)
		FREE_NULL_BITMAP(nodes->by_scheme[i]);
	free(nodes->by_scheme);
	FREE_NULL_BITMAP(nodes->any);
	*nodes = (struct host_nodes){ NULL };
}

bool host_nodes_overlap(bitstr_t *nodes, bitstr_t *others)
{
	return nodes && others && bit_size(nodes) == bit_size(others) &&
	       bit_overlap_any(nodes, others);
}

size_t host_nodes_next_scheme(const struct host_nodes *hosts, bitstr_t *nodes, size_t after)
{
	for (size_t i = after + 1; hosts->by_scheme && i < hosts->scheme_count; i++)
		if (host_nodes_overlap(nodes, hosts->by_scheme[i]))
			return i;
	return 0;
}
