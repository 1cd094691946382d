/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/partition_check.h"

#include "partitions/pool_places.h"
#include "partitions/pool_preemption.h"

#include "core/error.h"

#include <errno.h>
#include <stdlib.h>

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

/* ---- all checks ------------------------------------------------------------------ */

bool partitions_exist(void)
{
	/* Slurm's own tests lack the variable */
	return &part_list && part_list && list_count(part_list);
}

int partitions_check(const struct settings *settings, struct fathom_error *problem)
{
	if (!settings->queue_count)
		return 0;
	if (check_names(settings, problem) || check_ranges(settings, problem))
		return -1;
	return check_pools(settings, problem);
}
