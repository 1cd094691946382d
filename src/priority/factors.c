/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The factors of a job's priority, each 0 to 1 unless a NO_NORMAL flag is set, and
 * their weighted sum. Example with weights age 1000, fair share 10000:
 *
 *	age 0.25 x 1000 + fairshare 0.5 x 10000 - nice 50 = 5200
 *
 * Source: Slurm, "Multifactor Priority Plugin".
 */
#include "priority/factors.h"

#include <math.h>

/* ---- job size ------------------------------------------------------------ */

/* Returns the job's part of the cluster, in CPUs, over its time limit in minutes. */
static double size_over_time(double nodes, double cpus, double minutes, double all_nodes,
			     double all_cpus)
{
	return fmax(nodes * all_cpus / all_nodes, cpus) / minutes / all_cpus;
}

/* Returns the job's part of the cluster: the mean of its part of the nodes and of the CPUs. If its
 * CPUs are not known, 0, the nodes alone count. */
static double size_of_large(double nodes, double cpus, double all_nodes, double all_cpus)
{
	double part = nodes / all_nodes;

	return cpus > 0 ? (part + cpus / all_cpus) / 2 : part;
}

/* Returns the part of the cluster that the job leaves to others, for PriorityFavorSmall. cpus: 0 if
 * not known. A job with more CPUs than the cluster has counts as the smallest: Slurm subtracts
 * unsigned numbers here, and sites have tuned their weights to that. */
static double size_of_small(double nodes, double cpus, double all_nodes, double all_cpus)
{
	double part = fmax(all_nodes - nodes, 0) / all_nodes;

	if (cpus > all_cpus)
		return 1;
	return cpus > 0 ? (part + (all_cpus - cpus) / all_cpus) / 2 : part;
}

double fathom_job_size(const struct fathom_priority_config *config, const struct fathom_job *job)
{
	double all_nodes = config->cluster_nodes, all_cpus = config->cluster_cpus;
	bool favor_small = config->flags & FATHOM_FAVOR_SMALL;
	double size;

	if (!config->cluster_nodes || !config->cluster_cpus)
		return 0;
	if (config->flags & FATHOM_SMALL_RELATIVE_TO_TIME) {
		size = size_over_time(job->nodes, job->cpus, job->minutes, all_nodes, all_cpus);
		return factor_clamp(favor_small ? 1 - size : size);
	}
	if (favor_small)
		size = size_of_small(job->nodes, job->cpus, all_nodes, all_cpus);
	else
		size = size_of_large(job->nodes, job->cpus, all_nodes, all_cpus);
	return factor_clamp(size);
}

/* ---- trackable resources --------------------------------------------------- */

/* Returns the factor of a TRES: the job's count over that of the partition, or, with
 * FATHOM_NO_NORMAL_TRES, the count itself. */
static double tres_factor(const struct fathom_priority_config *config, uint64_t count,
			  uint64_t partition_count)
{
	if (config->flags & FATHOM_NO_NORMAL_TRES)
		return (double)count;
	return count && partition_count ? (double)count / (double)partition_count : 0;
}

double factor_weighted_tres(const struct fathom_priority_config *config,
			    const struct fathom_job *job, const struct fathom_queue *queue,
			    double *tres)
{
	const uint64_t *partition_tres = queue->partition_tres;
	double sum = 0;

	for (size_t i = 0; i < config->tres_count; i++) {
		double weight = config->tres_weight ? config->tres_weight[i] : 0, value = 0;

		if (weight != 0 && job->tres)
			value = weight * tres_factor(config, job->tres[i],
						     partition_tres ? partition_tres[i] : 0);
		if (tres)
			tres[i] = value;
		sum += value;
	}
	return sum;
}

/* ---- terms and their sum ------------------------------------------------------ */

struct fathom_factors fathom_job_factors(const struct fathom_priority_config *config,
					 const struct fathom_job *job,
					 const struct fathom_queue *queue, double *tres)
{
	const struct fathom_weights *weight = &config->weight;
	struct fathom_factors factors = { .site = job->site, .nice = job->nice };

	if (weight->age)
		factors.age = factor_age(config, job) * weight->age;
	if (weight->assoc)
		factors.assoc = factor_assoc(config, job) * weight->assoc;
	if (weight->fairshare)
		factors.fairshare = factor_clamp(job->fairshare) * weight->fairshare;
	if (weight->job_size)
		factors.job_size = fathom_job_size(config, job) * weight->job_size;
	if (weight->partition)
		factors.partition = factor_partition(config, queue) * weight->partition;
	if (weight->qos)
		factors.qos = factor_qos(config, queue) * weight->qos;
	if (config->tres_weight || tres)
		factors.tres_sum = factor_weighted_tres(config, job, queue, tres);
	return factors;
}

uint32_t factor_to_priority(double sum, bool *exceeded)
{
	bool over = sum > (double)UINT32_MAX;

	if (exceeded)
		*exceeded = over;
	if (!(sum >= 1))	/* priority 0 means that the job is held */
		return 1;
	return over ? UINT32_MAX : (uint32_t)sum;
}

/* Adds in Slurm's order. In another order rounding could bring the sum just below a whole
 * number, and cutting it would then give another priority. */
uint32_t fathom_priority_sum(const struct fathom_factors *factors, bool *exceeded)
{
	return factor_to_priority(factors->age + factors->assoc + factors->fairshare +
					  factors->job_size + factors->partition + factors->qos +
					  factors->tres_sum + (double)factors->site -
					  (double)factors->nice,
				  exceeded);
}

uint32_t fathom_priority_sum_of_pair(const struct fathom_factors *factors, bool *exceeded)
{
	return factor_to_priority(factors->partition +
					  (factors->age + factors->assoc + factors->fairshare +
					   factors->job_size + factors->qos + factors->tres_sum +
					   (double)factors->site - (double)factors->nice),
				  exceeded);
}
