/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "settings/scopes.h"

#include "conf/conf_effect.h"
#include "conf/conf_policy.h"
#include "core/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- from fathom.conf ------------------------------------------------------- */

/* Partitions are sorted by name, for bsearch(). */
static int compare_queues(const void *x, const void *y)
{
	const struct queue *a = x, *b = y;

	return strcmp(a->name, b->name);
}

static int add_queue(struct settings *settings, const char *name, struct queue queue)
{
	queue.name = strdup(name);
	if (!queue.name)
		return -1;
	settings->queue[settings->queue_count++] = queue;
	return 0;
}

/* ---- hosts -------------------------------------------------------------------------- */

/* Adds hosts that the line of a scope names. -1: out of memory. */
static int add_hosts(struct scoped_hosts *hosts, const struct host_list *list, size_t scheme)
{
	for (size_t i = 0; i < list->count; i++) {
		char *name = strdup(list->name[i]);

		if (!name)
			return -1;
		hosts->host[hosts->count++] = (struct scoped_host){ name, scheme };
	}
	return 0;
}

/* Notes the scheme of the last `count` hosts that were added. -1: out of memory. */
static int index_hosts(struct scoped_hosts *hosts, size_t count, size_t scheme)
{
	struct fathom_error error;

	for (size_t i = hosts->count - count; i < hosts->count; i++)
		if (name_index_put(&hosts->scheme, piece_of(hosts->host[i].name), scheme, &error))
			return -1;
	return 0;
}

/* Hosts that are excluded from all come before those that a scope has: they may be the same. */
static int fill_hosts(struct settings *settings, const struct fathom_conf *conf, size_t first)
{
	struct scoped_hosts *hosts = &settings->hosts;

	for (size_t i = 0; i < conf->scope_count; i++) {
		const struct conf_hosts *of = &conf->scope[i].hosts;

		if (of->all)
			hosts->others = first + i;
		settings->has_hosts |= of->text != NULL;
		if (add_hosts(hosts, &of->excluded, first + i) ||
		    (of->all && index_hosts(hosts, of->excluded.count, 0)))
			return -1;
	}
	for (size_t i = 0; i < conf->scope_count; i++) {
		const struct conf_hosts *of = &conf->scope[i].hosts;

		if (add_hosts(hosts, &of->named, first + i) ||
		    index_hosts(hosts, of->named.count, first + i))
			return -1;
	}
	return 0;
}

static size_t count_hosts(const struct fathom_conf *conf)
{
	size_t count = 0;

	for (size_t i = 0; i < conf->scope_count; i++)
		count += conf->scope[i].hosts.named.count + conf->scope[i].hosts.excluded.count;
	return count;
}

static void free_hosts(struct scoped_hosts *hosts)
{
	for (size_t i = 0; i < hosts->count; i++)
		free(hosts->host[i].name);
	free(hosts->host);
	name_index_clear(&hosts->scheme);
}

/* ---- scopes and pools ---------------------------------------------------------------- */

static int copy_user_shares(struct scheme *scheme, const struct conf_scope *scope)
{
	if (!scope->user_shares)
		return 0;
	scheme->user_shares = strdup(scope->user_shares);
	return scheme->user_shares && !conf_assignments_parse(&scheme->assignments,
							      scope->user_shares, NULL) ? 0 : -1;
}

/* Adds the scheme of a scope, and its partitions. -1: out of memory. */
static int add_scope(struct settings *settings, const struct fathom_conf *conf,
		     const struct conf_slurm *slurm, const struct conf_scope *scope)
{
	size_t index = settings->scheme_count++;
	struct scheme *scheme = &settings->scheme[index];

	*scheme = (struct scheme){
		.role = SCHEME_SCOPE,
		.policy = scope->policy ? scope->policy : settings->scheme->policy,
		.keeps_sums = true,
		.kind = conf_scope_kinds[scope->kind],
		.line = scope->line,
		.is_set = scope->kind == CONF_CROSS_QUEUE,
		.queue_first = scope->queue_first,
	};
	if (asprintf(&scheme->scope, "scope %s", scope->name) < 0) {
		scheme->scope = NULL;
		return -1;
	}
	scheme->name = scheme->scope;
	if (scope->master_queue && !(scheme->master_queue = strdup(scope->master_queue)))
		return -1;
	if (copy_user_shares(scheme, scope) ||
	    (scope->hosts.text && !(scheme->hosts = strdup(scope->hosts.text))))
		return -1;
	scheme->settings = conf_scope_settings(conf, slurm, scope, scheme->policy);
	for (size_t i = 0; i < scope->partition_count; i++)
		if (add_queue(settings, scope->partition[i],
			      (struct queue){ .scheme = index, .scope_line = scope->line }))
			return -1;
	return 0;
}

/* first: the first line of the pool. Returns the number of the pool, from 1; 0: out of memory. */
static size_t add_pool(struct settings *settings, const struct conf_slot_share *first)
{
	char *name = strdup(first->pool);

	if (!name)
		return 0;
	settings->pool[settings->pool_count++] = (struct pool){
		.name = name,
		.max_slots = first->max_slots > 0 ? (uint64_t)first->max_slots : FATHOM_NO_LIMIT,
		.use_priority = first->use_priority,
	};
	return settings->pool_count;
}

/* Gives a partition its share of a pool. scoped: the number of queues that scopes have added,
 * sorted by name; one of them may be this partition. order: the number of the line. */
static int add_share(struct settings *settings, const struct conf_slot_share *share, size_t scoped,
		     size_t order, size_t pool)
{
	struct queue wanted = { .name = share->partition };
	struct queue *queue = bsearch(&wanted, settings->queue, scoped, sizeof(wanted),
				      compare_queues);

	if (!queue) {
		if (add_queue(settings, share->partition, (struct queue){ .scheme = 0 }))
			return -1;
		queue = &settings->queue[settings->queue_count - 1];
	}
	queue->pool = pool;
	queue->pool_line = share->line;
	queue->share = share->share;
	queue->order = order;
	return 0;
}

static void sort_queues(struct settings *settings)
{
	qsort(settings->queue, settings->queue_count, sizeof(*settings->queue), compare_queues);
}

static int add_shares(struct settings *settings, const struct fathom_conf *conf)
{
	size_t scoped = settings->queue_count, *pool;
	int status = 0;

	pool = calloc(conf->slot_share_count + 1, sizeof(*pool));	/* of each line */
	if (!pool)
		return -1;
	for (size_t i = 0; !status && i < conf->slot_share_count; i++) {
		const struct conf_slot_share *share = &conf->slot_share[i];

		pool[i] = share->first == i ? add_pool(settings, share) : pool[share->first];
		status = pool[i] ? add_share(settings, share, scoped, i, pool[i]) : -1;
	}
	free(pool);
	return status;
}

static int fill(struct settings *settings, const struct fathom_conf *conf,
		const struct conf_slurm *slurm)
{
	size_t first = settings->scheme_count;

	for (size_t i = 0; i < conf->scope_count; i++)
		if (add_scope(settings, conf, slurm, &conf->scope[i]))
			return -1;
	if (fill_hosts(settings, conf, first))
		return -1;
	sort_queues(settings);
	if (add_shares(settings, conf))
		return -1;
	sort_queues(settings);
	return 0;
}

int scopes_create(struct settings *settings, const struct fathom_conf *conf,
		  const struct conf_slurm *slurm, struct fathom_error *problem)
{
	size_t count = conf->slot_share_count;

	for (size_t i = 0; i < conf->scope_count; i++)
		count += conf->scope[i].partition_count;
	settings->queue = calloc(count + 1, sizeof(*settings->queue));
	settings->pool = calloc(conf->slot_share_count + 1, sizeof(*settings->pool));
	settings->hosts.host = calloc(count_hosts(conf) + 1, sizeof(*settings->hosts.host));
	if (settings->queue && settings->pool && settings->hosts.host &&
	    !fill(settings, conf, slurm))
		return 0;
	return fathom_error_set(problem, ENOMEM, "out of memory");
}

void scopes_destroy(struct settings *settings)
{
	for (size_t i = 0; i < settings->scheme_count; i++) {
		free(settings->scheme[i].scope);
		free(settings->scheme[i].master_queue);
		free(settings->scheme[i].hosts);
		free(settings->scheme[i].user_shares);
		conf_assignments_clear(&settings->scheme[i].assignments);
	}
	free_hosts(&settings->hosts);
	for (size_t i = 0; i < settings->queue_count; i++)
		free(settings->queue[i].name);
	for (size_t i = 0; i < settings->pool_count; i++)
		free(settings->pool[i].name);
	free(settings->queue);
	free(settings->pool);
}

/* ---- look-up ------------------------------------------------------------------------- */

const struct queue *scopes_queue(const struct settings *settings, const char *partition)
{
	struct queue wanted = { .name = (char *)partition };

	if (!partition || !settings->queue_count)
		return NULL;
	return bsearch(&wanted, settings->queue, settings->queue_count, sizeof(wanted),
		       compare_queues);
}

const char *scopes_name(const struct settings *settings, size_t scheme)
{
	return settings->scheme[scheme].scope + strlen("scope ");
}

size_t scopes_scheme(const struct settings *settings, const char *partition)
{
	const struct queue *queue = scopes_queue(settings, partition);

	return queue ? queue->scheme : 0;
}

size_t scopes_host(const struct settings *settings, const char *host)
{
	size_t scheme = name_index_get(&settings->hosts.scheme, piece_of(host));

	return scheme == NAME_INDEX_NONE ? settings->hosts.others : scheme;
}

bool scopes_scheme_includes(const struct settings *settings, size_t scheme, const char *partition)
{
	return settings->scheme[scheme].role != SCHEME_SCOPE || settings->scheme[scheme].hosts ||
	       scopes_scheme(settings, partition) == scheme;
}
