/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/partition_scopes.h"

#include "partitions/host_nodes.h"

#include <stdlib.h>
#include <string.h>

struct scoped_partition {
	char *name;
	size_t scheme;
};

struct partition_scopes {
	unsigned references;
	struct scoped_partition *list;	/* sorted by name */
	size_t count;
};

/* ---- create and release ------------------------------------------------------------ */

static int compare_names(const void *x, const void *y)
{
	const struct scoped_partition *a = x, *b = y;

	return strcmp(a->name, b->name);
}

/* The partitions while they are listed. */
struct scope_survey {
	struct partition_scopes *scopes;
	struct host_nodes nodes;
};

static int add_partition(void *item, void *context)
{
	const part_record_t *record = item;
	struct scope_survey *survey = context;
	struct scoped_partition *to = &survey->scopes->list[survey->scopes->count];

	to->scheme = host_nodes_next_scheme(&survey->nodes, record->node_bitmap, 0);
	to->name = strdup(record->name);
	if (!to->name)
		return -1;
	survey->scopes->count++;
	return 0;
}

/* -1: out of memory. */
static int list_partitions(struct scope_survey *survey)
{
	struct partition_scopes *scopes = survey->scopes;
	size_t count = part_list ? (size_t)list_count(part_list) : 0;

	scopes->list = calloc(count + 1, sizeof(*scopes->list));
	if (!scopes->list)
		return -1;
	if (count)
		list_for_each(part_list, add_partition, survey);
	qsort(scopes->list, scopes->count, sizeof(*scopes->list), compare_names);
	return scopes->count == count ? 0 : -1;
}

struct partition_scopes *partition_scopes_create(const struct settings *settings)
{
	struct scope_survey survey = { .scopes = calloc(1, sizeof(*survey.scopes)) };

	if (!survey.scopes)
		return NULL;
	survey.scopes->references = 1;
	if (host_nodes_read(&survey.nodes, settings) || list_partitions(&survey)) {
		partition_scopes_release(survey.scopes);
		survey.scopes = NULL;
	}
	host_nodes_clear(&survey.nodes);
	return survey.scopes;
}

struct partition_scopes *partition_scopes_reference(struct partition_scopes *scopes)
{
	if (scopes)
		__atomic_add_fetch(&scopes->references, 1, __ATOMIC_RELAXED);
	return scopes;
}

void partition_scopes_release(struct partition_scopes *scopes)
{
	if (!scopes || __atomic_sub_fetch(&scopes->references, 1, __ATOMIC_ACQ_REL))
		return;
	for (size_t i = 0; i < scopes->count; i++)
		free(scopes->list[i].name);
	free(scopes->list);
	free(scopes);
}

/* ---- look-up ------------------------------------------------------------------------ */

size_t partition_scopes_required(const struct settings *settings, const job_record_t *job)
{
	bitstr_t *nodes = settings->has_hosts && job->details ? job->details->req_node_bitmap
							       : NULL;
	int first = nodes ? (int)bit_ffs(nodes) : -1;
	size_t scheme;

	if (first < 0)
		return NO_REQUIRED_NODES;
	scheme = scopes_node(settings, first);
	for (int i = first + 1, last = (int)bit_fls(nodes); i <= last; i++)
		if (bit_test(nodes, i) && scopes_node(settings, i) != scheme)
			return NO_REQUIRED_NODES;
	return scheme;
}

size_t partition_scopes_scheme(const struct partition_scopes *scopes,
			       const struct settings *settings, const char *partition,
			       const struct queue *queue, size_t required)
{
	struct scoped_partition wanted = { .name = (char *)partition };
	const struct scoped_partition *found;

	if (!settings->has_hosts)
		return queue ? queue->scheme : 0;
	if (required != NO_REQUIRED_NODES)
		return required;
	if (!scopes || !partition)
		return 0;
	found = bsearch(&wanted, scopes->list, scopes->count, sizeof(wanted), compare_names);
	return found ? found->scheme : 0;
}
