/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's priority as the weighted sum of its factors.
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

/* PriorityWeight*; 0: the factor is not worked out. */
struct fathom_weights {
	uint32_t age, assoc, fairshare, job_size, partition, qos;
};

enum {	/* flags of struct fathom_priority_config */
	FATHOM_FAVOR_SMALL = 1 << 0,		/* PriorityFavorSmall */
	/* PriorityFlags: */
	FATHOM_SMALL_RELATIVE_TO_TIME = 1 << 1,
	FATHOM_NO_NORMAL_ASSOC = 1 << 2,
	FATHOM_NO_NORMAL_PART = 1 << 3,
	FATHOM_NO_NORMAL_QOS = 1 << 4,
	FATHOM_NO_NORMAL_TRES = 1 << 5
};

/* What is the same for all jobs. */
struct fathom_priority_config {
	struct fathom_weights weight;
	const double *tres_weight;	/* PriorityWeightTRES, tres_count of them; NULL: none */
	size_t tres_count;
	double max_age;			/* PriorityMaxAge, seconds; 0: the factor is 1 at once */
	uint32_t flags;
	uint32_t cluster_nodes, cluster_cpus;	/* 0: the job size factor is 0 */
};

/* A partition and QOS that a job may run in. */
struct fathom_queue {
	double partition_norm;		/* partition_factor over the highest of all, 0 to 1 */
	double partition_factor;	/* PriorityJobFactor */
	const uint64_t *partition_tres;	/* how much it has, tres_count of them, or NULL */
	double qos_norm;		/* qos_priority over the highest of all, 0 to 1 */
	double qos_priority;
};

struct fathom_job {
	double age;		/* seconds since it became eligible; below 0: not yet */
	double fairshare;	/* the factor of its association, 0 to 1; NAN: there is none, 0 */
	double assoc_norm;	/* assoc_priority over the highest of all, 0 to 1 */
	double assoc_priority;
	double account_priority;	/* of the association of its account; flux alone */
	uint32_t nodes;		/* the least number asked for */
	uint32_t cpus;		/* 0: unknown */
	double minutes;		/* its time limit, else that of the partition */
	const uint64_t *tres;	/* asked for or allocated, tres_count of them, or NULL */
	int64_t site;		/* site factor */
	int64_t nice;
};

/* The terms of a priority: each factor times its weight. */
struct fathom_factors {
	double age, assoc, fairshare, job_size, partition, qos;
	double tres_sum;	/* of all TRES */
	int64_t site, nice;	/* the sum takes nice off */
};

/* Works out the terms of a job's priority in one partition. tres: NULL, or
 * room for tres_count values, the terms that tres_sum is the sum of. */
struct fathom_factors fathom_job_factors(const struct fathom_priority_config *config,
					 const struct fathom_job *job,
					 const struct fathom_queue *queue, double *tres);
/* Returns the sum of the terms, cut to a whole number of 1 to 2^32 - 1.
 * *exceeded, unless NULL: whether it was cut at the upper end. */
uint32_t fathom_priority_sum(const struct fathom_factors *factors, bool *exceeded);
/* Returns the same for a job that may run in several partitions. It adds the
 * partition's term last, as Slurm does then, which may round to another number. */
uint32_t fathom_priority_sum_of_pair(const struct fathom_factors *factors, bool *exceeded);

/* Returns the job size factor without its weight, 0 to 1, by the flags
 * FATHOM_FAVOR_SMALL and FATHOM_SMALL_RELATIVE_TO_TIME. */
double fathom_job_size(const struct fathom_priority_config *config, const struct fathom_job *job);

#ifdef __cplusplus
}
#endif
#endif
