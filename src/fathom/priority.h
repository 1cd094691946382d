/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The priority of a job as the weighted sum of its factors.
 * Source: Slurm, "Multifactor Priority Plugin".
 *
 *	factors = fathom_job_factors (&config, &job, &queue, NULL);
 *	priority = fathom_priority_sum (&factors, NULL);
 */
#ifndef FATHOM_PRIORITY_H
#define FATHOM_PRIORITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* PriorityWeight* of slurm.conf. A factor of weight 0 is not computed. */
struct fathom_weights {
	uint32_t age, assoc, fairshare, job_size, partition, qos;
};

enum {	/* flags in struct fathom_priority_config */
	FATHOM_FAVOR_SMALL = 1 << 0,		/* PriorityFavorSmall */
	/* PriorityFlags: */
	FATHOM_SMALL_RELATIVE_TO_TIME = 1 << 1,
	FATHOM_NO_NORMAL_ASSOC = 1 << 2,
	FATHOM_NO_NORMAL_PART = 1 << 3,
	FATHOM_NO_NORMAL_QOS = 1 << 4,
	FATHOM_NO_NORMAL_TRES = 1 << 5
};

/* The configuration that is the same for all jobs. */
struct fathom_priority_config {
	struct fathom_weights weight;
	const double *tres_weight;	/* PriorityWeightTRES, tres_count values; NULL: none */
	size_t tres_count;
	double max_age;			/* PriorityMaxAge, seconds; 0: the age factor is 1 */
	uint32_t flags;			/* FATHOM_FAVOR_SMALL and so on */
	uint32_t cluster_nodes, cluster_cpus;	/* 0: the job size factor is 0 */
};

/* A partition and a QOS that a job may run in. */
struct fathom_queue {
	double partition_norm;		/* partition_factor over that of the highest partition, 0
					 * to 1 */
	double partition_factor;	/* PriorityJobFactor */
	const uint64_t *partition_tres;	/* amounts that it has, tres_count values, or NULL */
	double qos_norm;		/* qos_priority over that of the highest QOS, 0 to 1 */
	double qos_priority;
};

struct fathom_job {
	double age;		/* seconds since it became eligible; below 0: it is not eligible */
	double fairshare;	/* fair-share factor of its association, 0 to 1; NAN counts as 0 */
	double assoc_norm;	/* assoc_priority over that of the highest association, 0 to 1 */
	double assoc_priority;
	double account_priority;	/* of its account's association; only flux uses it */
	uint32_t nodes;		/* the least number that it asks for */
	uint32_t cpus;		/* 0: unknown */
	double minutes;		/* its time limit, or that of the partition if it has none */
	const uint64_t *tres;	/* requested or allocated amounts, tres_count values, or NULL */
	int64_t site;		/* site factor, which is added to the priority */
	int64_t nice;		/* is subtracted from the priority */
};

/* The terms of a priority: each factor times its weight. */
struct fathom_factors {
	double age, assoc, fairshare, job_size, partition, qos;
	double tres_sum;	/* sum over all TRES */
	int64_t site, nice;	/* nice is subtracted */
};

/* Computes the terms of a job's priority in one partition. tres: NULL, or an array of
 * tres_count values that gets the term of each TRES. */
struct fathom_factors fathom_job_factors(const struct fathom_priority_config *config,
					 const struct fathom_job *job,
					 const struct fathom_queue *queue, double *tres);
/* Returns the sum of the terms, cut to a whole number and limited to 1 to 2^32 - 1.
 * *exceeded: whether the sum was above that; may be NULL. */
uint32_t fathom_priority_sum(const struct fathom_factors *factors, bool *exceeded);
/* Returns the sum for a job that may run in several partitions, cut and limited as
 * fathom_priority_sum() does. Like Slurm it adds the partition's term last, which may
 * round to another number. */
uint32_t fathom_priority_sum_of_pair(const struct fathom_factors *factors, bool *exceeded);

/* Returns the job size factor, 0 to 1, before it is weighted. The flags
 * FATHOM_FAVOR_SMALL and FATHOM_SMALL_RELATIVE_TO_TIME choose the rule. */
double fathom_job_size(const struct fathom_priority_config *config, const struct fathom_job *job);

#ifdef __cplusplus
}
#endif
#endif
