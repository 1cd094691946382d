/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The priority of a job by the rules of flux-accounting, also for a job of Slurm. Example with
 * weights 100000 for fair share, 10000 for the queue, 1000 for urgency, of which 16 is normal:
 *
 *	0.5 x 100000 + queue 10 x 10000 + (urgency 18 - 16) x 1000 = 152000
 *
 * Source: Flux, "Multi-Factor Priority Plugin".
 */
#include "fathom.h"

#include <math.h>

#define URGENCY_HOLD 0		/* the job is held */
#define URGENCY_EXPEDITE 31	/* the job goes before all others */

struct fathom_flux_job fathom_flux_job(const struct fathom_job *job,
				       const struct fathom_queue *queue)
{
	double urgency = FATHOM_FLUX_URGENCY - (double)job->nice;

	return (struct fathom_flux_job){
		.fairshare = job->fairshare,
		.queue = queue->partition_factor,
		.bank = job->account_priority,
		.urgency = (unsigned)fmin(fmax(urgency, URGENCY_HOLD), URGENCY_EXPEDITE),
	};
}

struct fathom_factors fathom_flux_factors(const struct fathom_flux_weights *weights,
					  const struct fathom_flux_job *job)
{
	double fairshare = isnan(job->fairshare) ? FATHOM_FLUX_FAIRSHARE : job->fairshare;
	double urgency = (double)job->urgency - FATHOM_FLUX_URGENCY;

	return (struct fathom_factors){
		.fairshare = fairshare * weights->fairshare,
		.partition = job->queue * weights->queue,
		.assoc = job->bank * weights->bank,
		.nice = -(int64_t)(urgency * weights->urgency),
	};
}

uint32_t fathom_flux_priority(const struct fathom_flux_weights *weights,
			      const struct fathom_flux_job *job)
{
	struct fathom_factors factors = fathom_flux_factors(weights, job);
	double sum = factors.fairshare + factors.partition + factors.assoc - (double)factors.nice;

	if (job->urgency == URGENCY_HOLD)
		return 0;
	if (job->urgency >= URGENCY_EXPEDITE)
		return UINT32_MAX;
	return (uint32_t)fmin(fmax(round(sum), 0), UINT32_MAX);
}
