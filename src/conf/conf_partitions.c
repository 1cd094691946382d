/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares the lines of fathom.conf that begin with Scope or SlotPool with the partitions of
 * slurm.conf. */
#include "conf/conf_partitions.h"

#include <stdlib.h>

/* ---- the partitions on the lines ---------------------------------------------------------- */

size_t conf_queue_count(const struct fathom_conf *conf)
{
	size_t count = conf->slot_share_count;

	for (size_t i = 0; i < conf->scope_count; i++)
		count += conf->scope[i].partition_count;
	return count;
}

/* Finds the partition of each queue in the list. By an index of names, as that is quick: the plugin
 * holds a lock of slurmctld meanwhile. */
static int find_partitions(const struct conf_partition *list, size_t count,
			   struct conf_queue *queue, size_t queue_count)
{
	struct name_index names = { NULL };
	int status = name_index_reserve(&names, count, NULL);

	for (size_t i = count; !status && i-- > 0;)	/* of one name, the first is put last */
		status = name_index_put(&names, piece_of(list[i].name), i, NULL);
	for (size_t i = 0; !status && i < queue_count; i++)
		queue[i].partition = name_index_get(&names, piece_of(queue[i].name));
	name_index_clear(&names);
	return status;
}

int conf_list_queues(const struct fathom_conf *conf, const struct conf_partition *list,
		     size_t count, struct conf_queue *queue)
{
	size_t queue_count = 0, first_of_pools;

	for (size_t i = 0; i < conf->scope_count; i++)
		for (size_t j = 0; j < conf->scope[i].partition_count; j++)
			queue[queue_count++] = (struct conf_queue){
				.name = conf->scope[i].partition[j], .scope = i + 1,
				.of_scope = &conf->scope[i] };
	first_of_pools = queue_count;
	for (size_t i = 0; i < conf->slot_share_count; i++) {
		const struct conf_slot_share *share = &conf->slot_share[i];

		queue[queue_count++] = (struct conf_queue){
			.name = share->partition, .share = share,
			.first = first_of_pools + share->first };
	}
	return find_partitions(list, count, queue, queue_count);
}

/* ---- names -------------------------------------------------------------------------------- */

int conf_check_partition_names(const struct conf_partitions *partitions, struct conf_fault *fault)
{
	for (size_t i = 0; i < partitions->queue_count; i++) {
		const struct conf_queue *queue = &partitions->queue[i];
		unsigned line = queue->share ? queue->share->line : queue->of_scope->line;

		if (queue->partition == CONF_NO_PARTITION)
			return FAULT(fault, line, queue->share ? "Partition" : "Partitions",
				     "'%s' is not a partition of slurm.conf", queue->name);
	}
	return 0;
}

/* ---- priorities outside cross-queue scopes ---------------------------------------------- */

/* Makes a queue of each partition, for fathom_queue_within_set(). The partitions of each
 * cross-queue scope are a set, whose master is the first of them. NULL: out of memory. */
static struct fathom_served_queue *list_served(const struct conf_partitions *partitions)
{
	struct fathom_served_queue *served = calloc(partitions->count + 1, sizeof(*served));
	size_t scope = 0, master = 0;

	for (size_t i = 0; served && i < partitions->count; i++)
		served[i] = (struct fathom_served_queue){
			.priority = partitions->list[i].job_factor, .is_fairshare = true,
			.master = FATHOM_NO_SET };
	for (size_t i = 0; served && i < partitions->queue_count; i++) {
		const struct conf_queue *queue = &partitions->queue[i];

		if (queue->share || queue->of_scope->kind != CONF_CROSS_QUEUE ||
		    queue->partition == CONF_NO_PARTITION)
			continue;
		if (queue->scope != scope)	/* those of a scope stand side by side */
			master = queue->partition;
		scope = queue->scope;
		served[queue->partition].master = master;
		served[queue->partition].queue_first = queue->of_scope->queue_first;
	}
	return served;
}

int conf_check_partition_factors(const struct conf_partitions *partitions, struct conf_fault *fault)
{
	struct fathom_served_queue *served = list_served(partitions);
	const struct conf_queue *queue = partitions->queue;
	size_t other, master;
	bool is_wrong;

	*fault = (struct conf_fault){ .key = "" };
	if (!served)
		return fathom_error_no_memory(&fault->error);
	is_wrong = fathom_queue_within_set(served, partitions->count, &other, &master);
	free(served);
	if (!is_wrong)
		return 0;
	while (queue->partition != master || queue->share)
		queue++;
	return FAULT(fault, queue->of_scope->line, "Scope", "partition '%s' has PriorityJobFactor "
		     "%.0f, which is within those of scope '%s'; it must be outside, or the scope "
		     "have DispatchOrder=QUEUE", partitions->list[other].name,
		     partitions->list[other].job_factor, queue->of_scope->name);
}

/* ---- slot pools ------------------------------------------------------------------------- */

/* Sets *second to the partition of queue[index], and *first to that of its pool's first line.
 * False: the queue is of a Scope line, or slurm.conf lacks one of them. */
static bool find_pool_pair(const struct conf_partitions *partitions, size_t index, size_t *first,
			   size_t *second)
{
	const struct conf_queue *queue = &partitions->queue[index];

	if (!queue->share)
		return false;
	*first = partitions->queue[queue->first].partition;
	*second = queue->partition;
	return *first != CONF_NO_PARTITION && *second != CONF_NO_PARTITION;
}

int conf_check_pool_nodes(const struct conf_partitions *partitions, struct conf_fault *fault)
{
	for (size_t i = 0; i < partitions->queue_count; i++) {
		size_t first, second;

		if (!find_pool_pair(partitions, i, &first, &second) ||
		    partitions->same_nodes(partitions->context, first, second))
			continue;
		return FAULT(fault, partitions->queue[i].share->line, "Partition", "'%s' has other "
			     "nodes than '%s'; in a pool they must have the same",
			     partitions->list[second].name, partitions->list[first].name);
	}
	return 0;
}

/* Sets *high and *low to the two partitions, by tier. False: the tiers are equal. */
static bool order_tiers(const struct conf_partition *a, const struct conf_partition *b,
			const struct conf_partition **high, const struct conf_partition **low)
{
	*high = a->tier > b->tier ? a : b;
	*low = a->tier > b->tier ? b : a;
	return (*high)->tier > (*low)->tier;
}

bool conf_pool_tier_differs(const struct conf_partitions *partitions, size_t index,
			    struct conf_fault *warning)
{
	const struct conf_partition *high, *low;
	size_t first, second;

	if (!find_pool_pair(partitions, index, &first, &second) ||
	    !order_tiers(&partitions->list[second], &partitions->list[first], &high, &low))
		return false;
	FAULT(warning, partitions->queue[index].share->line, "Partition", "'%s' has PriorityTier "
	      "%.0f and '%s' %.0f; slurmctld serves the higher tier first, whatever their shares "
	      "in pool '%s'", high->name, high->tier, low->name, low->tier,
	      partitions->queue[index].share->pool);
	return true;
}

bool conf_pool_preempts(const struct conf_partitions *partitions, size_t index,
			struct conf_fault *fault)
{
	const struct conf_queue *queue = &partitions->queue[index];
	const struct conf_partition *high, *low, *own = &partitions->list[queue->partition];

	if (!queue->share || queue->partition == CONF_NO_PARTITION || !partitions->preempt_by_tier)
		return false;
	for (size_t i = 0; i < partitions->count; i++) {
		if (!order_tiers(own, &partitions->list[i], &high, &low) ||
		    !low->may_be_preempted ||
		    !partitions->share_nodes(partitions->context, queue->partition, i))
			continue;
		FAULT(fault, queue->share->line, "Partition", "pool '%.40s' is void, as jobs of "
		      "'%.40s' preempt those of '%.40s'; give both the same PriorityTier, or "
		      "'%.40s' PreemptMode=OFF", queue->share->pool, high->name, low->name,
		      low->name);
		return true;
	}
	return false;
}
