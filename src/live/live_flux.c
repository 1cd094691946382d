/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completes rows of jobs under flux-accounting's rule with the priorities of banks and queues. A
 * bank is an account, a queue a partition. */
#include "live/live_private.h"

#include "memory/need_names.h"

#include <math.h>

/* Returns whether some row lacks a factor. */
static bool lacks(const struct job_list *list, enum job_factor factor)
{
	for (size_t i = 0; i < list->count; i++)
		if (isnan(list->row[i].plain.factor[factor]))
			return true;
	return false;
}

/* Sets a factor of a row and its weighted term, unless the row has the factor already. */
static void set_factor(struct job_list *list, struct job_row *row, enum job_factor factor,
		       double value)
{
	if (!isnan(row->plain.factor[factor]))
		return;
	row->plain.factor[factor] = value;
	row->weighted.factor[factor] = list->weight[factor] != 0 ? value * list->weight[factor] : 0;
}

/* ---- queues --------------------------------------------------------------------- */

/* Returns the priority of a queue, its PriorityJobFactor; NAN: there is no such partition. */
static double priority_of_queue(const partition_info_msg_t *partitions, const char *name)
{
	for (size_t i = 0; name && i < partitions->record_count; i++)
		if (!strcmp(partitions->partition_array[i].name, name))
			return partitions->partition_array[i].priority_job_factor;
	return NAN;
}

/* Sets the priorities of queues in the rows that lack them. */
static void complete_queues(struct job_list *list)
{
	partition_info_msg_t *partitions;

	if (!lacks(list, JOB_PARTITION))
		return;
	partitions = libslurm_partitions();
	for (size_t i = 0; i < list->count; i++)
		set_factor(list, &list->row[i], JOB_PARTITION,
			   priority_of_queue(partitions, list->row[i].partition));
}

/* ---- banks ---------------------------------------------------------------------- */

/* Returns an index from accounts' names to the priorities of their associations. list: of
 * slurmdb_assoc_rec_t, or NULL. */
static struct name_index *priorities_of(void *list)
{
	struct name_index *priorities = need_index();
	struct live_items items = live_items(list);

	for (size_t i = 0; i < items.count; i++) {
		const slurmdb_assoc_rec_t *association = items.item[i];
		uint32_t priority = association->priority;

		if (!association->user && association->acct)
			need_put(priorities, piece_of(association->acct),
				 priority == INFINITE || priority == NO_VAL ? 0 : priority);
	}
	return priorities;
}

/* Sets the priorities of banks in the rows that lack them: those of fathom.conf come first. */
static void complete_banks(struct job_list *list, const slurm_conf_t *slurm)
{
	const assoc_mgr_info_msg_t *records;
	struct name_index *priorities;
	struct conf_banks banks;

	if (!lacks(list, JOB_ASSOC))
		return;
	records = libslurm_records(ASSOC_MGR_INFO_FLAG_ASSOC);
	if (!records)
		libslurm_failed("slurmctld");
	banks = live_conf_read(slurm, NULL, NULL).banks;	/* live_jobs_read() has warned */
	priorities = priorities_of(records->assoc_list);
	for (size_t i = 0; i < list->count; i++) {
		const char *name = list->row[i].account;
		size_t found = name ? name_index_get(priorities, piece_of(name)) : NAME_INDEX_NONE;

		set_factor(list, &list->row[i], JOB_ASSOC,
			   conf_banks_priority(&banks, name,
					       found == NAME_INDEX_NONE ? NAN : (double)found));
	}
}

void live_flux_complete(struct job_list *list, const slurm_conf_t *slurm)
{
	/* without a weight, read_factors() has set a factor of 0 that is not known */
	for (size_t i = 0; i < list->count; i++)
		for (size_t factor = 0; factor < JOB_FACTOR_COUNT; factor++)
			if (list->weight[factor] == 0)
				list->row[i].plain.factor[factor] = NAN;
	complete_queues(list);
	complete_banks(list, slurm);
}
