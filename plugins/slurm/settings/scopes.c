/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "settings/scopes.h"

#include "conf/conf_partitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- partitions ----------------------------------------------------------------------- */

static int compare_queues(const void *x, const void *y)
{
	const struct queue *a = x, *b = y;

	return strcmp(a->name, b->name);
}

static void sort_queues(struct settings *settings)
{
	qsort(settings->queue, settings->queue_count, sizeof(*settings->queue), compare_queues);
}

/* Looks among the first `count` queues. */
static struct queue *find_queue(const struct settings *settings, size_t count, const char *name)
{
	struct queue wanted = { .name = name };

	return bsearch(&wanted, settings->queue, count, sizeof(wanted), compare_queues);
}

/* Adds the scheme of a scope, and its partitions. -1: out of memory. */
static int add_scope(struct settings *settings, const struct conf_scope *scope)
{
	size_t index = settings->scheme_count;
	struct scheme *scheme = &settings->scheme[index];

	*scheme = (struct scheme){
		.role = SCHEME_SCOPE,
		.policy = scope->policy ? scope->policy : settings->scheme->policy,
		.keeps_sums = true,
		.scope = scope,
	};
	if (asprintf(&scheme->name, "scope %s", scope->name) < 0)
		return -1;
	settings->scheme_count++;
	scheme->settings = conf_scope_settings(&settings->conf, &settings->slurm, scope,
					       scheme->policy);
	for (size_t i = 0; i < scope->partition_count; i++)
		settings->queue[settings->queue_count++] =
			(struct queue){ .name = scope->partition[i], .scheme = index };
	return 0;
}

static size_t number_of_pool(const struct settings *settings, const struct conf_slot_share *first)
{
	size_t number = 1;

	while (settings->pool[number - 1] != first)
		number++;
	return number;
}

/* Gives a partition its share of a pool. scoped: the number of queues that scopes have added,
 * sorted by name; one of them may be this partition. */
static void add_share(struct settings *settings, const struct conf_slot_share *share, size_t scoped)
{
	const struct conf_slot_share *first = &settings->conf.slot_share[share->first];
	struct queue *queue = find_queue(settings, scoped, share->partition);

	if (share == first)
		settings->pool[settings->pool_count++] = share;
	if (!queue)
		queue = &settings->queue[settings->queue_count++];
	queue->name = share->partition;
	queue->share = share;
	queue->pool = number_of_pool(settings, first);
}

/* ---- hosts -------------------------------------------------------------------------- */

/* Notes the scheme of hosts. -1: out of memory. */
static int add_hosts(struct settings *settings, const struct host_list *hosts, size_t scheme)
{
	for (size_t i = 0; i < hosts->count; i++)
		if (name_index_put(&settings->scheme_of_host, piece_of(hosts->name[i]), scheme,
				   NULL))
			return -1;
	return 0;
}

/* Hosts that are excluded from all come before those that a scope has: they may be the same. */
static int add_all_hosts(struct settings *settings)
{
	for (size_t i = 0; i < settings->scheme_count; i++) {
		const struct conf_hosts *of = &settings->scheme[i].scope->hosts;

		settings->has_hosts |= of->text != NULL;
		if (!of->all)
			continue;
		settings->scheme_of_others = i;
		if (add_hosts(settings, &of->excluded, 0))
			return -1;
	}
	for (size_t i = 0; i < settings->scheme_count; i++)
		if (add_hosts(settings, &settings->scheme[i].scope->hosts.named, i))
			return -1;
	return 0;
}

/* ---- all ------------------------------------------------------------------------------ */

int scopes_create(struct settings *settings)
{
	const struct fathom_conf *conf = &settings->conf;
	size_t scoped;

	settings->queue = calloc(conf_queue_count(conf) + 1, sizeof(*settings->queue));
	settings->pool = calloc(conf->slot_share_count + 1, sizeof(*settings->pool));
	if (!settings->queue || !settings->pool)
		return -1;
	for (size_t i = 0; i < conf->scope_count; i++)
		if (add_scope(settings, &conf->scope[i]))
			return -1;
	sort_queues(settings);
	scoped = settings->queue_count;
	for (size_t i = 0; i < conf->slot_share_count; i++)
		add_share(settings, &conf->slot_share[i], scoped);
	sort_queues(settings);
	return add_all_hosts(settings);
}

void scopes_destroy(struct settings *settings)
{
	name_index_clear(&settings->scheme_of_host);
	free(settings->queue);
	free(settings->pool);
}

/* ---- look-up ------------------------------------------------------------------------- */

const struct queue *scopes_queue(const struct settings *settings, const char *partition)
{
	if (!partition || !settings->queue_count)
		return NULL;
	return find_queue(settings, settings->queue_count, partition);
}

size_t scopes_node(const struct settings *settings, int node)
{
	const node_record_t *record =
		node < node_record_count ? node_record_table_ptr[node] : NULL;
	size_t scheme;

	if (!record || !record->name)
		return 0;
	scheme = name_index_get(&settings->scheme_of_host, piece_of(record->name));
	return scheme == NAME_INDEX_NONE ? settings->scheme_of_others : scheme;
}

bool scopes_scheme_includes(const struct settings *settings, size_t scheme, const char *partition)
{
	const struct scheme *of = &settings->scheme[scheme];
	const struct queue *queue;

	if (of->role != SCHEME_SCOPE || of->scope->hosts.text)
		return true;
	queue = scopes_queue(settings, partition);
	return queue && queue->scheme == scheme;
}
