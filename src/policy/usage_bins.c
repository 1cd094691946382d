/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage as flux-accounting keeps it: in bins, one for each half-life, the newest
 * first. A shift halves all bins and drops the oldest. Example with 3 bins:
 *
 *	bins			sum
 *	80   40   20		140
 *	0    40   20		60	after a shift; 80, 40 have been halved, 20 dropped
 *	100  40   20		160	after 100 of new usage
 *
 * Source: Flux, "Job usage calculation".
 */
#include "fathom.h"

#include <math.h>
#include <string.h>

#define BIN_DECAY 0.5		/* what a shift multiplies each bin by (decay_factor) */
#define JOB_DECIMALS 1e5	/* a job's usage is rounded to 1/100000 */

double fathom_flux_job_usage(const struct fathom_flux_weights *weights, double nodes, double cores,
			     double gpus, double seconds)
{
	double used = nodes * weights->node + cores * weights->core + gpus * weights->gpu;

	return round(used * seconds * JOB_DECIMALS) / JOB_DECIMALS;
}

size_t fathom_bin_count(double reset_period, double half_life)
{
	double bins = half_life > 0 ? floor(reset_period / half_life) : 1;

	return (size_t)fmin(fmax(bins, 1), UINT32_MAX);
}

bool fathom_bins_due(double mark, double now, double half_life)
{
	return half_life > 0 && now - mark > half_life;
}

/* Begins a new bin: drops the oldest one, and halves those that stay. */
static void shift_bins(double *bins, size_t count)
{
	memmove(bins + 1, bins, (count - 1) * sizeof(*bins));
	bins[0] = 0;
	for (size_t i = 1; i < count; i++)
		bins[i] *= BIN_DECAY;
}

double fathom_bins_update(double *bins, size_t count, bool due, double new_usage)
{
	double sum = 0;

	if (due)
		shift_bins(bins, count);
	bins[0] += new_usage;
	for (size_t i = 0; i < count; i++)
		sum += bins[i];
	return sum;
}
