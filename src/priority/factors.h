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

/* Returns the time since the job became eligible over PriorityMaxAge, 0 to 1. */
static inline double factor_age(const struct fathom_priority_config *config,
				const struct fathom_job *job)
{
	if (!(job->age >= 0))	/* also NAN */
		return 0;
	return job->age < config->max_age ? job->age / config->max_age : 1;
}

/* The next three return a priority over the highest one, 0 to 1, or with a NO_NORMAL flag the
 * priority itself. */
static inline double factor_assoc(const struct fathom_priority_config *config,
				  const struct fathom_job *job)
{
	return config->flags & FATHOM_NO_NORMAL_ASSOC ? job->assoc_priority : job->assoc_norm;
}

static inline double factor_partition(const struct fathom_priority_config *config,
				      const struct fathom_queue *queue)
{
	return config->flags & FATHOM_NO_NORMAL_PART ? queue->partition_factor
						     : queue->partition_norm;
}

static inline double factor_qos(const struct fathom_priority_config *config,
				const struct fathom_queue *queue)
{
	return config->flags & FATHOM_NO_NORMAL_QOS ? queue->qos_priority : queue->qos_norm;
}

/* Returns the sum of all TRES terms. tres: as in fathom_job_factors(). */
double factor_weighted_tres(const struct fathom_priority_config *config,
			    const struct fathom_job *job, const struct fathom_queue *queue,
			    double *tres);

/* Cuts a sum to a priority, 1 to 2^32 - 1. exceeded: as in fathom_priority_sum(). */
uint32_t factor_to_priority(double sum, bool *exceeded);
