/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives slurmctld's partitions to the checks of src/conf, which fathom lint makes, too. */
#include "partitions/partition_check.h"

#include "base/log.h"
#include "partitions/host_nodes.h"
#include "partitions/pool_preemption.h"

#include "conf/conf_partitions.h"
#include "core/error.h"
#include "core/name_index.h"

#include <errno.h>
#include <stdlib.h>

/* slurmctld's partitions, and what fathom.conf says of them. */
struct partition_list {
	struct conf_partition *partition;
	const part_record_t **record;	/* one for each partition */
	size_t count;
	struct name_index names;	/* index of each partition */
	struct conf_queue *queue;	/* one for each of settings->queue */
	size_t *first;			/* by pool: the queue on its first line */
};

/* ---- partitions ------------------------------------------------------------------ */

/* Calls for a list's items: a result below 0 ends the walk. */
static int add_partition(void *item, void *context)
{
	const part_record_t *record = item;
	struct partition_list *list = context;

	list->record[list->count] = record;
	list->partition[list->count] = (struct conf_partition){
		.name = record->name,
		.job_factor = record->priority_job_factor,
		.tier = record->priority_tier,
		.may_be_preempted = pool_may_be_preempted(record),
	};
	return name_index_put(&list->names, piece_of(record->name), list->count++, NULL);
}

/* Without bitmaps, as before slurmctld has built them, nodes are not compared. */
static bool same_nodes(const void *context, size_t a, size_t b)
{
	const struct partition_list *list = context;
	const part_record_t *of_a = list->record[a], *of_b = list->record[b];

	return !of_a->node_bitmap || !of_b->node_bitmap ||
	       bit_equal(of_a->node_bitmap, of_b->node_bitmap);
}

/* ---- queues of fathom.conf ------------------------------------------------------- */

/* Finds the first line of each pool. */
static void find_first(struct partition_list *list, const struct settings *settings)
{
	for (size_t i = 0; i < settings->pool_count; i++)
		list->first[i] = settings->queue_count;
	for (size_t i = 0; i < settings->queue_count; i++) {
		const struct queue *queue = &settings->queue[i];
		size_t *first = queue->pool ? &list->first[queue->pool - 1] : NULL;

		if (first && (*first == settings->queue_count ||
			      queue->order < settings->queue[*first].order))
			*first = i;
	}
}

static void set_queue(struct partition_list *list, const struct settings *settings, size_t i)
{
	const struct queue *queue = &settings->queue[i];
	const struct scheme *scheme = &settings->scheme[queue->scheme];

	list->queue[i] = (struct conf_queue){
		.name = queue->name,
		.partition = name_index_get(&list->names, piece_of(queue->name)),
		.scope = queue->scheme, .scope_line = queue->scope_line,
		.scope_name = queue->scheme ? scopes_name(settings, queue->scheme) : NULL,
		.is_set = scheme->is_set, .queue_first = scheme->queue_first,
		.pool = queue->pool ? settings->pool[queue->pool - 1].name : NULL,
		.pool_line = queue->pool_line,
		.first = queue->pool ? list->first[queue->pool - 1] : i,
	};
}

/* -1: out of memory; clear the list anyway. */
static int create(struct partition_list *list, const struct settings *settings)
{
	size_t count = (size_t)list_count(part_list);

	*list = (struct partition_list){
		.partition = calloc(count + 1, sizeof(*list->partition)),
		.record = calloc(count + 1, sizeof(*list->record)),
		.queue = calloc(settings->queue_count + 1, sizeof(*list->queue)),
		.first = calloc(settings->pool_count + 1, sizeof(*list->first)),
	};
	if (!list->partition || !list->record || !list->queue || !list->first ||
	    list_for_each(part_list, add_partition, list) < 0)
		return -1;
	find_first(list, settings);
	for (size_t i = 0; i < settings->queue_count; i++)
		set_queue(list, settings, i);
	return 0;
}

static void clear(struct partition_list *list)
{
	name_index_clear(&list->names);
	free(list->partition);
	free(list->record);
	free(list->queue);
	free(list->first);
}

/* ---- hosts ----------------------------------------------------------------------- */

static int check_host_names(const struct settings *settings, const struct name_index *nodes,
			    struct fathom_error *problem)
{
	for (size_t i = 0; i < settings->hosts.count; i++) {
		const struct scoped_host *host = &settings->hosts.host[i];

		if (name_index_get(nodes, piece_of(host->name)) == NAME_INDEX_NONE)
			return fathom_error_set(problem, ENOENT, "%s:%u: Hosts: '%s' is not a node "
						"of slurm.conf", settings->conf_path,
						settings->scheme[host->scheme].line, host->name);
	}
	return 0;
}

/* Do all hosts exist? */
static int check_hosts_exist(const struct settings *settings, struct fathom_error *problem)
{
	struct name_index nodes = { NULL };
	int status = 0;

	for (int i = 0; !status && i < node_record_count; i++) {
		const node_record_t *record = node_record_table_ptr[i];

		if (record && record->name)
			status = name_index_put(&nodes, piece_of(record->name), 0, problem);
	}
	if (!status)
		status = check_host_names(settings, &nodes, problem);
	name_index_clear(&nodes);
	return status;
}

/* What the partitions are held against. */
struct host_check {
	const struct settings *settings;
	struct host_nodes hosts;
};

/* A job has one priority in a partition, so only one scope can order its jobs. */
static int warn_of_mixed(void *item, void *context)
{
	const part_record_t *record = item;
	const struct host_check *check = context;
	const struct settings *settings = check->settings;
	size_t first = host_nodes_next_scheme(&check->hosts, record->node_bitmap, 0), next = first;

	if (!first)
		return 0;
	while ((next = host_nodes_next_scheme(&check->hosts, record->node_bitmap, next)))
		info(LOG_PREFIX "warning: %s:%u: Hosts: partition '%s' has nodes of scope '%s' and "
				"of scope '%s' (line %u); its jobs go by '%s'",
		     settings->conf_path, settings->scheme[first].line, record->name,
		     scopes_name(settings, first), scopes_name(settings, next),
		     settings->scheme[next].line, scopes_name(settings, first));
	if (!bit_super_set(record->node_bitmap, check->hosts.any))
		info(LOG_PREFIX "warning: %s:%u: Hosts: partition '%s' has nodes of scope '%s' and "
				"nodes of no scope; its jobs go by '%s'",
		     settings->conf_path, settings->scheme[first].line, record->name,
		     scopes_name(settings, first), scopes_name(settings, first));
	return 0;
}

/* Hosts of scopes take no part in slot pools, so a pool must have others. */
static int check_pooled_nodes(const struct host_check *check, struct fathom_error *problem)
{
	const struct settings *settings = check->settings;

	for (size_t i = 0; i < settings->queue_count; i++) {
		const struct queue *queue = &settings->queue[i];
		const part_record_t *record = find_part_record(queue->name);
		bitstr_t *nodes = record ? record->node_bitmap : NULL;

		if (queue->pool && host_nodes_overlap(nodes, check->hosts.any) &&
		    bit_super_set(nodes, check->hosts.any))
			return fathom_error_set(problem, EINVAL, "%s:%u: Partition: all nodes of "
						"'%s' are hosts of scopes, which take no part in "
						"slot pools", settings->conf_path,
						queue->pool_line, queue->name);
	}
	return 0;
}

/* Fills check->hosts. */
static int check_hosts(struct host_check *check, struct fathom_error *problem)
{
	if (!check->settings->has_hosts)
		return 0;
	if (check_hosts_exist(check->settings, problem))
		return -1;
	if (host_nodes_read(&check->hosts, check->settings))
		return fathom_error_set(problem, ENOMEM, "out of memory");
	return check_pooled_nodes(check, problem);
}

/* ---- all checks ------------------------------------------------------------------ */

bool partitions_exist(void)
{
	/* Slurm's own tests lack the variable */
	return &part_list && part_list && list_count(part_list);
}

static int check_list(const struct settings *settings, const struct partition_list *list,
		      struct fathom_error *problem)
{
	const struct conf_partitions partitions = {
		.list = list->partition, .count = list->count,
		.queue = list->queue, .queue_count = settings->queue_count,
		.preempt_by_tier = pool_preempts_by("preempt/partition_prio"),
		.same_nodes = same_nodes, .context = list,
	};
	struct conf_fault fault;

	if (conf_check_partition_names(&partitions, &fault) ||
	    conf_check_partition_factors(&partitions, &fault) ||
	    conf_check_pool_nodes(&partitions, &fault))
		return fathom_error_set(problem, fault.error.code, "%s:%u: %s: %s",
					settings->conf_path, fault.line, fault.key,
					fault.error.text);
	if (settings->pool_count)
		pool_preemption_warn(settings, &partitions);
	return 0;
}

static int check_partitions(const struct settings *settings, struct fathom_error *problem)
{
	struct partition_list list;
	int status;

	if (!settings->queue_count)
		return 0;
	if (create(&list, settings))
		status = fathom_error_set(problem, ENOMEM, "out of memory");
	else
		status = check_list(settings, &list, problem);
	clear(&list);
	return status;
}

int partitions_check(const struct settings *settings, struct fathom_error *problem)
{
	struct host_check check = { .settings = settings };
	int status = check_partitions(settings, problem) || check_hosts(&check, problem) ? -1 : 0;

	if (!status && settings->has_hosts)
		list_for_each(part_list, warn_of_mixed, &check);
	host_nodes_clear(&check.hosts);
	return status;
}
