/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Job priority (Slurm: Multifactor Priority Plugin). */
#ifndef FATHOM_PRIORITY_H
#define FATHOM_PRIORITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fathom_weights {
	uint32_t age, assoc, fairshare, job_size, partition, qos;
};

enum {	/* flags of fathom_priority_config */
	FATHOM_FAVOR_SMALL = 1 << 0,
	FATHOM_SMALL_RELATIVE_TO_TIME = 1 << 1,
	FATHOM_NO_NORMAL_ASSOC = 1 << 2,
	FATHOM_NO_NORMAL_PART = 1 << 3,
	FATHOM_NO_NORMAL_QOS = 1 << 4,
	FATHOM_NO_NORMAL_TRES = 1 << 5,
};

struct fathom_priority_config {
	struct fathom_weights weight;
	const double *tres_weight;	/* tres_count of them, or NULL */
	size_t tres_count;
	double max_age;			/* seconds; 0: every age counts fully */
	uint32_t flags;
	uint32_t cluster_nodes, cluster_cpus;
};

/* A partition and QOS that a job may run in. */
struct fathom_queue {
	double partition_norm;		/* factor over the highest of all partitions */
	double partition_factor;	/* PriorityJobFactor */
	const uint64_t *partition_tres;	/* count a TRES, or NULL */
	double qos_norm, qos_priority;
};

struct fathom_job {
	double age;		/* seconds since it became eligible; below 0: not yet */
	double fairshare;	/* 0...1; NAN: the association was never evaluated */
	double assoc_norm, assoc_priority;
	double account_priority;	/* of the association of its account */
	uint32_t nodes;		/* least number asked for */
	uint32_t cpus;		/* 0: unknown */
	double minutes;		/* time limit, or the partition's */
	const uint64_t *tres;	/* requested or allocated, count a TRES, or NULL */
	int64_t site, nice;
};

/* Weighted factors: factor x weight, in units of priority. */
struct fathom_factors {
	double age, assoc, fairshare, job_size, partition, qos;
	double tres_sum;
	int64_t site, nice;
};

/* tres: tres_count weighted values, written, or NULL. */
struct fathom_factors fathom_job_factors(const struct fathom_priority_config *config,
					 const struct fathom_job *job,
					 const struct fathom_queue *queue, double *tres);
/* 1 ... 2^32 - 1, truncated; `exceeded` (or NULL) tells of a cut at the top. */
uint32_t fathom_priority_sum(const struct fathom_factors *factors, bool *exceeded);
/* The sum for one of several partition and QOS pairs: the same terms, with
 * the partition's first, as Slurm adds them. */
uint32_t fathom_priority_sum_of_pair(const struct fathom_factors *factors, bool *exceeded);

/* Job size, 0...1, the formula chosen by flags. */
double fathom_job_size(const struct fathom_priority_config *config, const struct fathom_job *job);

#ifdef __cplusplus
}
#endif
#endif
