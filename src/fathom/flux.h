/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The priority and usage of a job by the rules of flux-accounting.
 * Source: Flux, "Flux Accounting Guide", "Multi-Factor Priority Plugin", "Job
 * usage calculation".
 */
#ifndef FATHOM_FLUX_H
#define FATHOM_FLUX_H

#include "fathom/priority.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fathom_settings;

/* ---- priority -------------------------------------------------------------- */

struct fathom_flux_weights {
	double fairshare, queue, bank, urgency;	/* weights of the terms of a job's priority */
	double node, core, gpu;			/* weights of what a job's usage counts */
	bool may_raise;		/* a job's owner may raise its urgency above 16 */
};

/* Returns the weights from settings of policy flux. */
struct fathom_flux_weights fathom_flux_weights(const struct fathom_settings *settings);

#define FATHOM_FLUX_FAIRSHARE 0.5	/* factor of an association that was never evaluated */
#define FATHOM_FLUX_URGENCY 16		/* default urgency of a job */

struct fathom_flux_job {
	double fairshare;	/* 0 to 1; NAN: FATHOM_FLUX_FAIRSHARE */
	double queue, bank;	/* priorities of its queue and bank, of any sign */
	unsigned urgency;	/* 0: held, 16: default, 31: before all other jobs */
};

/* Converts a job of Slurm to a job of flux. Its partition is the queue, with
 * PriorityJobFactor as priority. Its account is the bank. Its urgency is 16 - nice,
 * limited to 0 to 31. */
struct fathom_flux_job fathom_flux_job(const struct fathom_job *job,
				       const struct fathom_queue *queue);
/* Returns the terms of a job's priority in the members that Slurm shows: the term of
 * the queue as `partition`, of the bank as `assoc`, and of urgency, negated, as `nice`. */
struct fathom_factors fathom_flux_factors(const struct fathom_flux_weights *weights,
					  const struct fathom_flux_job *job);
/* Returns the priority, rounded to a whole number of 0 to 2^32 - 1. It is 0 at
 * urgency 0 and 2^32 - 1 at urgency 31. */
uint32_t fathom_flux_priority(const struct fathom_flux_weights *weights,
			      const struct fathom_flux_job *job);

/* ---- usage ----------------------------------------------------------------- */

/* Returns the usage of a finished job: the weighted sum of its nodes, cores and GPUs,
 * times seconds, rounded to five decimals. */
double fathom_flux_job_usage(const struct fathom_flux_weights *weights, double nodes, double cores,
			     double gpus, double seconds);

/*
 * An association keeps its usage in bins, one for each half-life, the newest first.
 * A shift of 80, 40, 20 gives 0, 40, 20. The bins of all associations are shifted at
 * the same times. The mark is the time of the last shift; before the first shift, it
 * is a half-life after the start. Each shift moves the mark by a half-life.
 */

/* Returns the number of bins: 1 or more. reset_period: seconds after which usage no
 * longer counts; half_life: seconds; 0: no decay, and one bin. */
size_t fathom_bin_count(double reset_period, double half_life);
/* Returns whether the bins must be shifted: more than a half-life has passed since the
 * mark. */
bool fathom_bins_due(double mark, double now, double half_life);
/* If `due`, see fathom_bins_due(), shifts the bins: drops the oldest and halves the
 * others. Then adds new_usage to the first bin and returns the sum of all. */
double fathom_bins_update(double *bins, size_t count, bool due, double new_usage);

#ifdef __cplusplus
}
#endif
#endif
