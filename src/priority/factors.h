/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Factors before they are weighted, for the weighted sum and for formulas. They are inline
 * because they are computed once for each job in each pass. */
#pragma once

#include "fathom.h"

/* Limits a factor to 0 to 1; NAN becomes 0. */
static inline double factor_clamp(double factor)
{
	if (!(factor > 0))
		return 0;
	return factor < 1 ? factor : 1;
}

/* Returns the time since the job became eligible over PriorityMaxAge, 0 to 1; 0 if it is not
 * eligible yet. */
static inline double factor_age(const struct fathom_priority_config *config,
				const struct fathom_job *job)
{
	if (!(job->age >= 0))	/* also NAN */
		return 0;
	return job->age < config->max_age ? job->age / config->max_age : 1;
}

/* Returns the priority of the association over the highest one, 0 to 1; with
 * FATHOM_NO_NORMAL_ASSOC the priority itself. */
static inline double factor_assoc(const struct fathom_priority_config *config,
				  const struct fathom_job *job)
{
	return config->flags & FATHOM_NO_NORMAL_ASSOC ? job->assoc_priority : job->assoc_norm;
}

/* Returns PriorityJobFactor of the partition over the highest one, 0 to 1; with
 * FATHOM_NO_NORMAL_PART the PriorityJobFactor itself. */
static inline double factor_partition(const struct fathom_priority_config *config,
				      const struct fathom_queue *queue)
{
	return config->flags & FATHOM_NO_NORMAL_PART ? queue->partition_factor
						     : queue->partition_norm;
}

/* Returns the priority of the QOS over the highest one, 0 to 1; with FATHOM_NO_NORMAL_QOS the
 * priority itself. */
static inline double factor_qos(const struct fathom_priority_config *config,
				const struct fathom_queue *queue)
{
	return config->flags & FATHOM_NO_NORMAL_QOS ? queue->qos_priority : queue->qos_norm;
}

/* Returns the sum of the weighted terms of all TRES. tres: NULL, or an array of config->tres_count
 * values that gets each term. */
double factor_weighted_tres(const struct fathom_priority_config *config,
			    const struct fathom_job *job, const struct fathom_queue *queue,
			    double *tres);

/* Cuts a sum to a priority, a whole number from 1 to 2^32 - 1; 1 for NAN. *exceeded: whether the
 * sum was above that; may be NULL. */
uint32_t factor_to_priority(double sum, bool *exceeded);
