/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of partitions. Each pass copies what it needs of slurmctld's partitions
 * (read_partitions), numbers the classes of scopes with DispatchOrder=QUEUE (order_scopes), and has
 * slot pools divided (pools_divide). The end of the file looks partitions up in the order.
 */
#include "partitions/partition_order.h"

#include "base/slurm_locks.h"
#include "base/log.h"
#include "partitions/partition_check.h"
#include "partitions/partition_records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- make ---------------------------------------------------------------------------- */

/* Frees an order, also one that is not complete; for shared_create(). */
static void destroy(void *object)
{
	struct partition_order *order = object;

	for (size_t i = 0; i < order->count; i++) {
		free(order->list[i].name);
		free(order->list[i].scheme);
	}
	for (size_t i = 0; order->pool && i < order->settings->pool_count; i++)
		pool_division_clear(&order->pool[i]);
	for (size_t i = 0; order->void_pool && i < order->settings->pool_count; i++)
		free(order->void_pool[i]);
	name_index_clear(&order->names);
	free(order->list);
	free(order->class);
	free(order->pool);
	free(order->void_pool);
	shared_release(order->settings);
	free(order);
}

/* Returns an order without partitions; NULL: out of memory. */
static struct partition_order *allocate_order(const struct settings *settings)
{
	struct partition_order *order = shared_create(sizeof(*order), destroy);

	if (!order)
		return NULL;
	order->settings = shared_reference(settings);
	order->class = calloc(settings->queue_count + 1, sizeof(*order->class));
	order->pool = calloc(settings->pool_count + 1, sizeof(*order->pool));
	order->void_pool = calloc(settings->pool_count + 1, sizeof(*order->void_pool));
	if (order->class && order->pool && order->void_pool)
		return order;
	shared_release(order);
	return NULL;
}

/* ---- slurmctld's partitions ------------------------------------------------------------ */

/* Returns the array of the schemes of a partition, see struct ordered_partition; NULL: out of
 * memory. The caller frees it. */
static size_t *list_schemes(const struct partition_order *order, const part_record_t *record,
			    const struct host_nodes *hosts)
{
	size_t *scheme = calloc(order->settings->scheme_count + 1, sizeof(*scheme));
	size_t next = 0, count = 0;

	while (scheme && (next = host_nodes_next_scheme(hosts, record->node_bitmap, next))) {
		scheme[count++] = next;
		if (order->settings->host_rule == HOST_RULE_FIRST)
			break;
	}
	return scheme;
}

/* Copies slurmctld's partitions into order->list. Returns -1 if out of memory. */
static int list_partitions(struct partition_order *order, const part_record_t *const *record,
			   size_t count, const struct host_nodes *hosts)
{
	order->list = calloc(count + 1, sizeof(*order->list));
	for (size_t i = 0; order->list && i < count; i++) {
		struct ordered_partition *partition = &order->list[i];

		partition->name = strdup(record[i]->name);
		partition->scheme = list_schemes(order, record[i], hosts);
		order->count++;		/* now, so that destroy() frees it also after an error */
		if (!partition->name || !partition->scheme ||
		    name_index_put(&order->names, piece_of(partition->name), i, NULL))
			return -1;
		order->has_choices |= partition->scheme[0] && partition->scheme[1];
		partition->queue = scopes_queue(order->settings, partition->name);
		partition->priority = record[i]->priority_job_factor;
	}
	return order->list ? 0 : -1;
}

/* Sets is_pooled of each partition. Partitions of a pool and partitions that share nodes with one
 * have seats, see struct pool_seat; others have none. Reads only copies, so needs no lock. */
static void set_pooled(struct partition_order *order, const struct pool_seats *seats)
{
	for (size_t i = 0; i < order->count; i++) {
		struct piece name = piece_of(order->list[i].name);

		order->list[i].is_pooled = name_index_get(&seats->first, name) != NAME_INDEX_NONE;
	}
}

/* Fills order->list (except is_pooled) and void_pool, and lists the seats, from slurmctld's
 * `count` partitions record[]. The caller holds node, part read. Takes QOS read. Returns -1 if out
 * of memory. */
static int fill_order(struct partition_order *order, struct pool_seats *seats,
		      const part_record_t *const *record, size_t count)
{
	struct host_nodes hosts;
	int status = -1;

	if (!host_nodes_read(&hosts, order->settings) &&
	    !list_partitions(order, record, count, &hosts) &&
	    !partitions_find_void_pools(order->settings, order->void_pool))
		status = pool_seats_list(seats, order->settings, order->void_pool, record, count,
					 hosts.any);
	host_nodes_clear(&hosts);
	return status;
}

/* Fills the order and the seats from all partitions. Only copies are kept, as slurmctld may replace
 * partitions once the locks are given back. Returns -1 if out of memory. */
static int read_partitions(struct partition_order *order, struct pool_seats *seats)
{
	slurmctld_lock_t locks = { .node = READ_LOCK, .part = READ_LOCK };
	const part_record_t **record;
	size_t count;
	int status;

	locks_take(&locks, NULL);
	record = partition_records(&count);
	status = record ? fill_order(order, seats, record, count) : -1;
	locks_release(&locks, NULL);
	free(record);
	if (!status)
		set_pooled(order, seats);
	return status;
}

/* ---- DispatchOrder=QUEUE --------------------------------------------------------- */

/* Returns the class of a partition. queue: its element of order->settings->queue. */
static struct partition_class *class_of(const struct partition_order *order,
					const struct queue *queue)
{
	return &order->class[queue - order->settings->queue];
}

/* Returns whether the partition is in the scope with this scheme. */
static bool is_of_scheme(const struct ordered_partition *partition, size_t scheme)
{
	return partition->queue && partition->queue->scheme == scheme;
}

/* Sets the classes of the partitions of a scope: those with equal PriorityJobFactor are one class.
 * scheme: the scope's. priority, number: memory for this call, arrays of order->count elements: of
 * each partition of the scope PriorityJobFactor, and the number of its class. */
static void set_classes(struct partition_order *order, size_t scheme, double *priority,
			size_t *number)
{
	size_t count = 0, class_count, at = 0;

	for (size_t i = 0; i < order->count; i++)
		if (is_of_scheme(&order->list[i], scheme))
			priority[count++] = order->list[i].priority;
	class_count = fathom_queue_classes(priority, count, number);
	for (size_t i = 0; i < order->count; i++)
		if (is_of_scheme(&order->list[i], scheme))
			*class_of(order, order->list[i].queue) = (struct partition_class){
				.number = number[at++], .count = class_count };
}

/* Sets the classes in all scopes with DispatchOrder=QUEUE. Returns -1 if out of memory. */
static int order_scopes(struct partition_order *order)
{
	double *priority = calloc(order->count + 1, sizeof(*priority));
	size_t *number = calloc(order->count + 1, sizeof(*number));
	int status = priority && number ? 0 : -1;

	for (size_t i = 0; !status && i < order->settings->scheme_count; i++)
		if (order->settings->scheme[i].scope->queue_first)
			set_classes(order, i, priority, number);
	free(priority);
	free(number);
	return status;
}

/* ---- update -------------------------------------------------------------------------- */

/* Returns whether these settings treat partitions differently. */
static bool needs_order(const struct settings *settings)
{
	return settings->queue_count || settings->has_hosts || settings->charges_queues;
}

/* Returns the order of the partitions as they are now, and brings the seats of pools up to date.
 * NULL: out of memory; the seats stay as they were. */
static struct partition_order *create_order(const struct settings *settings,
					    struct pool_seats *seats, time_t now)
{
	struct partition_order *order = allocate_order(settings);
	struct pool_seats fresh = { .time = MAX(now, seats->time) };	/* the clock may go back */

	if (order && !read_partitions(order, &fresh) && !order_scopes(order) &&
	    !pools_divide(order->pool, settings, &fresh, seats)) {
		pool_seats_clear(seats);
		*seats = fresh;
		return order;
	}
	pool_seats_clear(&fresh);
	shared_release(order);
	return NULL;
}

/* Logs the pools that are void and were not void in the order before; with new settings, all void
 * ones. before: or NULL. */
static void log_void_pools(const struct partition_order *order,
			    const struct partition_order *before)
{
	bool is_new = !before || before->settings != order->settings;

	for (size_t i = 0; i < order->settings->pool_count; i++)
		if (order->void_pool[i] && (is_new || !before->void_pool[i]))
			error(LOG_PREFIX "%s; all else in the file is in force",
			      order->void_pool[i]);
}

void partitions_update(struct partitions *partitions, const struct settings *settings, time_t now)
{
	struct partition_order *order = NULL;

	if (needs_order(settings)) {
		order = create_order(settings, &partitions->seats, now);
		if (!order) {
			error(LOG_PREFIX "out of memory; the order of partitions stays as it was");
			return;
		}
		log_void_pools(order, partitions->order);
	}
	/* settings that only stand in for others may lack pools that are needed again */
	if (!settings->pool_count && !settings->fault)
		pool_seats_clear(&partitions->seats);
	shared_release(partitions->order);
	partitions->order = order;
}

void partitions_clear(struct partitions *partitions)
{
	shared_release(partitions->order);
	pool_seats_clear(&partitions->seats);
	partitions->order = NULL;
}

struct partition_order *partitions_order(const struct partitions *partitions,
					 const struct settings *settings)
{
	return partitions->order && partitions->order->settings == settings ? partitions->order
									    : NULL;
}

/* ---- look-up ------------------------------------------------------------------------ */

/* Returns the partition with this name. NULL: the order does not have it, or `order` or `name` is
 * NULL. */
static const struct ordered_partition *find_partition(const struct partition_order *order,
						      const char *name)
{
	size_t at = order && name ? name_index_get(&order->names, piece_of(name))
				  : NAME_INDEX_NONE;

	return at == NAME_INDEX_NONE ? NULL : &order->list[at];
}

size_t partition_required_scheme(const struct settings *settings, const job_record_t *job)
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

size_t partition_scheme(const struct partition_order *order, const struct settings *settings,
			const char *partition, const struct queue *queue, size_t required)
{
	const struct ordered_partition *found;

	if (!settings->has_hosts)
		return queue ? queue->scheme : 0;
	if (required != NO_REQUIRED_NODES)
		return required;
	found = find_partition(order, partition);
	return found ? found->scheme[0] : 0;
}

size_t partition_next_scheme(const struct partition_order *order, const char *partition,
			     size_t required, size_t after)
{
	const struct ordered_partition *found = NULL;
	const size_t *scheme;

	if (after && order && order->settings->has_hosts && required == NO_REQUIRED_NODES)
		found = find_partition(order, partition);
	if (!found)
		return 0;
	for (scheme = found->scheme; *scheme && *scheme != after;)	/* 0 ends the array */
		scheme++;
	return *scheme ? scheme[1] : 0;
}

bool partition_is_pooled(const struct partition_order *order, const char *partition)
{
	const struct ordered_partition *found = NULL;

	if (order && order->settings->pool_count)
		found = find_partition(order, partition);
	return found && found->is_pooled;
}

double partition_factor(const struct partition_order *order, const struct queue *queue,
			double factor)
{
	const struct partition_class *class;

	if (!order || !queue || isnan(factor))
		return factor;
	class = class_of(order, queue);
	if (class->count <= 1)
		return factor;
	return fathom_queue_first_factor(factor, class->number, class->count);
}
