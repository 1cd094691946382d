/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives slurmctld's partitions and nodes to the checks of src/conf, which lint makes, too. */
#include "partitions/partition_check.h"

#include "base/slurm_locks.h"
#include "base/log.h"
#include "partitions/partition_records.h"

#include "conf/conf_partitions.h"
#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* slurmctld's partitions, in the form that the checks of src/conf take. list_partitions() makes it,
 * clear_list() frees it. */
struct checked_partitions {
	const struct settings *settings;
	const part_record_t **record;	/* slurmctld's, conf.count of them */
	struct conf_partitions conf;	/* conf.list: one for each record; conf.queue: partitions as
					 * Scope and SlotPool lines name them */
};

/* ---- lists for src/conf ------------------------------------------------------------ */

/* Returns whether PreemptType of slurm.conf names this plugin, such as "preempt/qos". */
static bool preempts_by(const char *plugin)
{
	return slurm_conf.preempt_type && !strcmp(slurm_conf.preempt_type, plugin);
}

/* Returns whether jobs of the partition may be preempted: by its own PreemptMode, or by
 * slurm.conf's if it has none. */
static bool may_be_preempted(const part_record_t *record)
{
	uint16_t mode = record->preempt_mode == NO_VAL16 ? slurm_conf.preempt_mode
							 : record->preempt_mode;

	return mode & ~PREEMPT_MODE_GANG;	/* PREEMPT_MODE_OFF is 0 */
}

/* Returns whether two partitions have the same nodes. As long as slurmctld has not built the
 * bitmaps, all partitions count as having the same. context: a struct checked_partitions; a, b:
 * indexes of records in it. */
static bool same_nodes(const void *context, size_t a, size_t b)
{
	const struct checked_partitions *list = context;
	bitstr_t *nodes = list->record[a]->node_bitmap, *others = list->record[b]->node_bitmap;

	return !nodes || !others || bit_equal(nodes, others);
}

/* Returns whether two partitions have a node in common. The parameters are as for same_nodes(). */
static bool share_nodes(const void *context, size_t a, size_t b)
{
	const struct checked_partitions *list = context;

	return host_nodes_overlap(list->record[a]->node_bitmap, list->record[b]->node_bitmap);
}

/* Sets *list to slurmctld's partitions. Returns -1 if out of memory. The caller calls clear_list()
 * in each case. *list must not move, as list->conf.context points to it. The caller holds part
 * read. */
static int list_partitions(struct checked_partitions *list, const struct settings *settings)
{
	size_t count, queue_count = conf_queue_count(&settings->conf);
	const part_record_t **record = partition_records(&count);
	struct conf_partition *partition = calloc(count + 1, sizeof(*partition));
	struct conf_queue *queue = calloc(queue_count + 1, sizeof(*queue));

	*list = (struct checked_partitions){ .settings = settings, .record = record, .conf = {
		.list = partition, .count = count, .queue = queue, .queue_count = queue_count,
		.preempt_by_tier = preempts_by("preempt/partition_prio"),
		.same_nodes = same_nodes, .share_nodes = share_nodes, .context = list,
	} };
	if (!record || !partition || !queue)
		return -1;
	for (size_t i = 0; i < count; i++)
		partition[i] = (struct conf_partition){
			.name = record[i]->name,
			.job_factor = record[i]->priority_job_factor,
			.tier = record[i]->priority_tier,
			.may_be_preempted = may_be_preempted(record[i]),
		};
	return conf_list_queues(&settings->conf, partition, count, queue);
}

/* Frees what list_partitions() has made. */
static void clear_list(struct checked_partitions *list)
{
	free(list->record);
	free((struct conf_partition *)list->conf.list);
	free((struct conf_queue *)list->conf.queue);
}

/* ---- what goes before the shares of a pool ------------------------------------------- */

/* Warns of a partition whose PriorityTier differs from that of the first one of its pool. index: of
 * its queue in list->conf.queue. */
static void warn_of_tiers(const struct checked_partitions *list, size_t index)
{
	struct conf_fault warning;

	if (conf_pool_tier_differs(&list->conf, index, &warning))
		info(LOG_PREFIX "warning: %s:%u: %s: %s", list->settings->conf_path, warning.line,
		     warning.key, warning.error.text);
}

/* Returns whether a bitmap of QOS ids, or NULL, has this one. A QOS that is newer than the bitmap
 * is beyond its end. */
static bool has_qos(bitstr_t *list, uint32_t id)
{
	return list && id < bit_size(list) && bit_test(list, id);
}

/* Returns whether jobs with this QOS may run in the partition. */
static bool takes_qos(const part_record_t *record, uint32_t id)
{
	return record->allow_qos_bitstr ? has_qos(record->allow_qos_bitstr, id)
					: !has_qos(record->deny_qos_bitstr, id);
}

/* Returns whether jobs with this QOS may run in a partition of the pool. pool: 1 + its index in the
 * settings. */
static bool pool_takes_qos(const struct checked_partitions *list, size_t pool, uint32_t id)
{
	for (size_t i = 0; i < list->conf.count; i++) {
		const struct queue *queue = scopes_queue(list->settings, list->record[i]->name);

		if (queue && queue->pool == pool && takes_qos(list->record[i], id))
			return true;
	}
	return false;
}

/* Returns a QOS that `preemptor` preempts and that may run in the pool; NULL: there is no such
 * QOS. pool: 1 + its index. */
static const slurmdb_qos_rec_t *find_preempted(const struct checked_partitions *list, size_t pool,
					       const slurmdb_qos_rec_t *preemptor)
{
	compat_iterator iterator = list_iterator_create(assoc_mgr_qos_list);
	const slurmdb_qos_rec_t *qos;

	while ((qos = list_next(iterator)))
		if (has_qos(preemptor->preempt_bitstr, qos->id) &&
		    pool_takes_qos(list, pool, qos->id))
			break;
	list_iterator_destroy(iterator);
	return qos;
}

/* Warns of the first two QOS of a pool of which one preempts the other. pool: 1 + its index. */
static void warn_of_qos(const struct checked_partitions *list, size_t pool)
{
	compat_iterator iterator = list_iterator_create(assoc_mgr_qos_list);
	const slurmdb_qos_rec_t *qos, *preempted = NULL;

	while (!preempted && (qos = list_next(iterator)))
		if (qos->preempt_bitstr && pool_takes_qos(list, pool, qos->id))
			preempted = find_preempted(list, pool, qos);
	list_iterator_destroy(iterator);
	if (preempted)
		info(LOG_PREFIX "warning: %s: SlotPool: jobs of QOS '%s' preempt those of QOS '%s' "
				"in pool '%s', whatever the shares of their partitions",
		     list->settings->conf_path, qos->name, preempted->name,
		     list->settings->pool[pool - 1]->pool);
}

/* Warns of all that goes before the shares of a pool. */
static void warn_of_preemption(const struct checked_partitions *list)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };

	for (size_t i = 0; i < list->conf.queue_count; i++)
		warn_of_tiers(list, i);
	if (!preempts_by("preempt/qos"))
		return;
	locks_take(NULL, &locks);
	for (size_t pool = 1; assoc_mgr_qos_list && pool <= list->settings->pool_count; pool++)
		warn_of_qos(list, pool);
	locks_release(NULL, &locks);
}

/* ---- hosts ----------------------------------------------------------------------- */

/* Compares two elements of an array of names, for qsort(). */
static int compare_names(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/* Checks that all hosts of fathom.conf are nodes of slurmctld's. Returns -1 and *problem if one is
 * not, or if out of memory. */
static int check_hosts_exist(const struct settings *settings, struct fathom_error *problem)
{
	const struct fathom_conf *conf = &settings->conf;
	struct host_list nodes = { .name = calloc((size_t)node_record_count + 1, sizeof(char *)) };
	const char *unknown = NULL;
	unsigned line = 0;

	if (!nodes.name)
		return fathom_error_no_memory(problem);
	for (int node = 0; node < node_record_count; node++)
		if (node_record_table_ptr[node] && node_record_table_ptr[node]->name)
			nodes.name[nodes.count++] = node_record_table_ptr[node]->name;
	qsort(nodes.name, nodes.count, sizeof(*nodes.name), compare_names);
	for (size_t i = 0; !unknown && i < conf->scope_count; i++) {
		unknown = conf_hosts_unknown(&conf->scope[i].hosts, &nodes);
		line = conf->scope[i].line;
	}
	free(nodes.name);	/* the names are slurmctld's */
	return unknown ? fathom_error_set(problem, ENOENT, "%s:%u: Hosts: '%s' is not a node of "
					  "slurm.conf", settings->conf_path, line, unknown) : 0;
}

/* Warns, once for each scope, of a host that '~' excludes from a Hosts list although the list does
 * not have it. */
static void warn_of_needless_exclusions(const struct settings *settings)
{
	for (size_t i = 0; i < settings->conf.scope_count; i++) {
		const struct conf_scope *scope = &settings->conf.scope[i];

		if (scope->hosts.needless.count)
			info(LOG_PREFIX "warning: %s:%u: Hosts: " CONF_NEEDLESS_HOST,
			     settings->conf_path, scope->line, *scope->hosts.needless.name);
	}
}

/* Warns of a partition with nodes of several scopes, or with nodes of a scope and others. A job has
 * one priority in a partition, so only one scope can order it. */
static void warn_of_mixed_partition(const struct settings *settings, const struct host_nodes *hosts,
				    const part_record_t *record)
{
	size_t first = host_nodes_next_scheme(hosts, record->node_bitmap, 0), next = first;
	const struct conf_scope *scope = settings->scheme[first].scope, *other;

	if (!first)
		return;
	while ((next = host_nodes_next_scheme(hosts, record->node_bitmap, next))) {
		other = settings->scheme[next].scope;
		info(LOG_PREFIX "warning: %s:%u: Hosts: partition '%s' has nodes of scope '%s' and "
				"of scope '%s' (line %u); each job goes by one, HostRule=%s",
		     settings->conf_path, scope->line, record->name, scope->name, other->name,
		     other->line, conf_host_rules[settings->host_rule]);
	}
	if (!bit_super_set(record->node_bitmap, hosts->any))
		info(LOG_PREFIX "warning: %s:%u: Hosts: partition '%s' has nodes of scope '%s' and "
				"nodes of no scope, which do not count",
		     settings->conf_path, scope->line, record->name, scope->name);
}

/* Checks that each partition of a pool has a node that is not a host of a scope, as hosts of scopes
 * take no part in pools. Returns -1 and *problem if one has no such node. */
static int check_pooled_nodes(const struct settings *settings, const struct host_nodes *hosts,
			      struct fathom_error *problem)
{
	for (size_t i = 0; i < settings->queue_count; i++) {
		const struct queue *queue = &settings->queue[i];
		const part_record_t *record = find_part_record((char *)queue->name);
		bitstr_t *nodes = record ? record->node_bitmap : NULL;

		if (queue->pool && host_nodes_overlap(nodes, hosts->any) &&
		    bit_super_set(nodes, hosts->any))
			return fathom_error_set(problem, EINVAL, "%s:%u: Partition: all nodes of "
						"'%s' are hosts of scopes, which take no part in "
						"slot pools", settings->conf_path,
						queue->share->line, queue->name);
	}
	return 0;
}

/* Checks hosts of scopes. Returns -1 and *problem if there is a mistake. */
static int check_hosts(const struct checked_partitions *list, struct fathom_error *problem)
{
	const struct settings *settings = list->settings;
	struct host_nodes hosts;
	int status;

	if (check_hosts_exist(settings, problem))
		return -1;
	warn_of_needless_exclusions(settings);
	status = host_nodes_read(&hosts, settings) ? fathom_error_no_memory(problem)
						   : check_pooled_nodes(settings, &hosts, problem);
	for (size_t i = 0; !status && i < list->conf.count; i++)
		warn_of_mixed_partition(settings, &hosts, list->record[i]);
	host_nodes_clear(&hosts);
	return status;
}

/* ---- all checks ------------------------------------------------------------------ */

/* Checks partitions of scopes and of pools. Returns -1 and *problem if there is a mistake. */
static int check_queues(const struct checked_partitions *list, struct fathom_error *problem)
{
	struct conf_fault fault;

	if (conf_check_partition_names(&list->conf, &fault) ||
	    conf_check_partition_factors(&list->conf, &fault) ||
	    conf_check_pool_nodes(&list->conf, &fault))
		return fathom_error_set(problem, fault.error.code, "%s:%u: %s: %s",
					list->settings->conf_path, fault.line, fault.key,
					fault.error.text);
	if (list->settings->pool_count)
		warn_of_preemption(list);
	return 0;
}

int partitions_check(const struct settings *settings, struct fathom_error *problem)
{
	struct checked_partitions list;
	int status;

	if (!settings->queue_count && !settings->has_hosts)
		return 0;
	status = list_partitions(&list, settings) ? fathom_error_no_memory(problem) : 0;
	if (!status && settings->queue_count)
		status = check_queues(&list, problem);
	if (!status && settings->has_hosts)
		status = check_hosts(&list, problem);
	clear_list(&list);
	return status;
}

/* ---- void pools ------------------------------------------------------------------- */

/* Sets the fault of a queue's pool, if preemption of the queue's jobs makes the pool void and the
 * pool has no fault yet. index: of the queue in list->conf.queue. Returns -1 if out of memory. */
static int find_void_pool(const struct checked_partitions *list, size_t index, char **fault)
{
	const struct settings *settings = list->settings;
	struct conf_fault found;
	char **pool_fault, text[512];

	if (!conf_pool_preempts(&list->conf, index, &found))
		return 0;
	pool_fault = &fault[scopes_queue(settings, list->conf.queue[index].name)->pool - 1];
	if (*pool_fault)
		return 0;
	snprintf(text, sizeof(text), "%s:%u: %s: %s", settings->conf_path, found.line, found.key,
		 found.error.text);
	*pool_fault = strdup(text);
	return *pool_fault ? 0 : -1;
}

int partitions_find_void_pools(const struct settings *settings, char **fault)
{
	struct checked_partitions list;
	int status;

	if (!settings->pool_count)
		return 0;
	status = list_partitions(&list, settings);
	for (size_t i = 0; !status && i < list.conf.queue_count; i++)
		status = find_void_pool(&list, i, fault);
	clear_list(&list);
	return status;
}
