/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pairs of partition and QOS that a job may run with. Most jobs have one pair. A job that was
 * submitted to partitions a and b with QOS x and y has ax, ay, bx, by, and slurmctld keeps an array
 * with a priority for each pair, in this order.
 */
#ifndef SLURM_JOB_PAIRS_H
#define SLURM_JOB_PAIRS_H

#include "base/compat.h"

struct job_pair {
	part_record_t *partition;
	slurmdb_qos_rec_t *qos;
};

static inline bool job_has_pairs(const job_record_t *job)
{
	return job->part_ptr_list || compat_qos_list(job);
}

static inline size_t job_pair_count(const job_record_t *job)
{
	size_t partitions = job->part_ptr_list ? (size_t)list_count(job->part_ptr_list) : 1;
	compat_list qos = compat_qos_list(job);

	return partitions * (qos ? (size_t)list_count(qos) : 1);
}

static int job_add_item(void *item, void *context)
{
	void ***to = context;

	*(*to)++ = item;
	return 0;
}

/* Writes the list's items to an array, or only `one` if there is no list. */
static inline void job_items(compat_list list, void *one, void **item)
{
	if (list)
		list_for_each(list, job_add_item, &item);
	else
		*item = one;
}

/* Writes the job's pairs. pair: an array of job_pair_count(). */
static inline void job_pairs(const job_record_t *job, struct job_pair *pair)
{
	size_t count = job_pair_count(job);
	compat_list all_qos = compat_qos_list(job);
	size_t qos_count = all_qos ? (size_t)list_count(all_qos) : 1;
	void *partition[count + 1], *qos[qos_count + 1];

	job_items(job->part_ptr_list, job->part_ptr, partition);
	job_items(all_qos, job->qos_ptr, qos);
	for (size_t i = 0; i < count; i++)
		pair[i] = (struct job_pair){ partition[i / qos_count], qos[i % qos_count] };
}

#endif
