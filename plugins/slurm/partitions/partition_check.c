/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/partition_check.h"

#include "base/log.h"
#include "partitions/host_nodes.h"
#include "partitions/pool_places.h"
#include "partitions/pool_preemption.h"

#include "core/error.h"
#include "core/name_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- do the partitions exist? ---------------------------------------------------- */

static int check_exists(const struct settings *settings, const struct queue *queue,
			struct fathom_error *problem)
{
	bool is_scoped = queue->scheme != 0;

	if (find_part_record(queue->name))
		return 0;
	return fathom_error_set(problem, ENOENT, "%s:%u: %s: '%s' is not a partition of slurm.conf",
				settings->conf_path,
				is_scoped ? queue->scope_line : queue->pool_line,
				is_scoped ? "Partitions" : "Partition", queue->name);
}

static int check_names(const struct settings *settings, struct fathom_error *problem)
{
	for (size_t i = 0; i < settings->queue_count; i++)
		if (check_exists(settings, &settings->queue[i], problem))
			return -1;
	return 0;
}

/* ---- priorities outside cross-queue scopes --------------------------------------- */

/* All partitions, as queues of LSF for fathom_queue_within_set(). */
struct served_partitions {
	const struct settings *settings;
	struct fathom_served_queue *queue;
	const part_record_t **record;	/* one for each queue */
	size_t count;
	size_t *master;		/* by scheme: the first of its queues, or FATHOM_NO_SET */
};

static int add_served(void *item, void *context)
{
	const part_record_t *record = item;
	struct served_partitions *served = context;
	size_t scheme_index = scopes_scheme(served->settings, record->name);
	const struct scheme *scheme = &served->settings->scheme[scheme_index];
	size_t *master = &served->master[scheme_index];

	if (scheme->is_set && *master == FATHOM_NO_SET)
		*master = served->count;
	served->queue[served->count] = (struct fathom_served_queue){
		.priority = record->priority_job_factor,
		.is_fairshare = true,
		.master = *master,
		.queue_first = scheme->queue_first,
	};
	served->record[served->count++] = record;
	return 0;
}

static int check_served(struct served_partitions *served, struct fathom_error *problem)
{
	const struct settings *settings = served->settings;
	const part_record_t *record;
	const char *master_name;
	size_t other, master;

	for (size_t i = 0; i < settings->scheme_count; i++)
		served->master[i] = FATHOM_NO_SET;
	list_for_each(part_list, add_served, served);
	if (!fathom_queue_within_set(served->queue, served->count, &other, &master))
		return 0;
	record = served->record[other];
	master_name = served->record[master]->name;
	return fathom_error_set(problem, EINVAL, "%s:%u: Scope: partition '%s' has "
				"PriorityJobFactor %u, which is within those of scope '%s'; it "
				"must be outside, or the scope have DispatchOrder=QUEUE",
				settings->conf_path,
				scopes_queue(settings, master_name)->scope_line,
				record->name, record->priority_job_factor,
				scopes_name(settings, scopes_scheme(settings, master_name)));
}

/* LSF's rule: a queue outside a cross-queue set must not have a priority between the lowest and the
 * highest of the set. */
static int check_ranges(const struct settings *settings, struct fathom_error *problem)
{
	size_t count = (size_t)list_count(part_list);
	struct served_partitions served = {
		.settings = settings,
		.queue = calloc(count, sizeof(*served.queue)),
		.record = calloc(count, sizeof(*served.record)),
		.master = calloc(settings->scheme_count, sizeof(*served.master)),
	};
	int status;

	if (served.queue && served.record && served.master)
		status = check_served(&served, problem);
	else
		status = fathom_error_set(problem, ENOMEM, "out of memory");
	free(served.queue);
	free(served.record);
	free(served.master);
	return status;
}

/* ---- do partitions of a pool have the same nodes? -------------------------------- */

static int check_nodes(const struct settings *settings, const struct queue *queue,
		       const part_record_t *first, struct fathom_error *problem)
{
	const part_record_t *record = find_part_record(queue->name);

	if (!record->node_bitmap || !first->node_bitmap ||
	    bit_equal(record->node_bitmap, first->node_bitmap))
		return 0;
	return fathom_error_set(problem, EINVAL, "%s:%u: Partition: '%s' has other nodes than "
				"'%s'; in a pool they must have the same", settings->conf_path,
				queue->pool_line, record->name, first->name);
}

static int check_pools(const struct settings *settings, struct fathom_error *problem)
{
	const part_record_t **first = pools_first_partitions(settings);
	int status = first ? 0 : fathom_error_set(problem, ENOMEM, "out of memory");

	for (size_t i = 0; !status && i < settings->queue_count; i++)
		if (settings->queue[i].pool)
			status = check_nodes(settings, &settings->queue[i],
					     first[settings->queue[i].pool - 1], problem);
	if (!status && settings->pool_count)
		pool_preemption_warn(settings, first);
	free(first);
	return status;
}

/* ---- hosts ----------------------------------------------------------------------- */

static struct piece piece_of(const char *name)
{
	return (struct piece){ name, strlen(name) };
}

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

static int check_partitions(const struct settings *settings, struct fathom_error *problem)
{
	if (!settings->queue_count)
		return 0;
	if (check_names(settings, problem) || check_ranges(settings, problem))
		return -1;
	return check_pools(settings, problem);
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
