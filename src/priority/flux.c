/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's priority in flux-accounting.
 * Source: Flux, "Multi-Factor Priority Plugin".
 */
#include "fathom.h"

#include <math.h>

#define URGENCY_HOLD 0
#define URGENCY_DEFAULT 16
#define URGENCY_EXPEDITE 31
#define FAIRSHARE_DEFAULT 0.5	/* of an association that was never evaluated */

uint32_t fathom_flux_priority(const struct fathom_flux_weights *weights,
			      const struct fathom_flux_job *job)
{
	double fairshare = isnan(job->fairshare) ? FAIRSHARE_DEFAULT : job->fairshare;
	double urgency = (double)job->urgency - URGENCY_DEFAULT, sum;

	if (job->urgency == URGENCY_HOLD)
		return 0;
	if (job->urgency >= URGENCY_EXPEDITE)
		return UINT32_MAX;
	sum = fairshare * weights->fairshare + job->queue * weights->queue +
	      job->bank * weights->bank + urgency * weights->urgency;
	return (uint32_t)fmin(fmax(round(sum), 0), UINT32_MAX);
}
