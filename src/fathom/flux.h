/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flux-accounting: a job's priority and usage. */
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

struct fathom_flux_weights {
	double fairshare, queue, bank, urgency;	/* of a job's priority */
	double node, core, gpu;			/* of a job's usage */
};

/* As the settings of policy flux have them. */
struct fathom_flux_weights fathom_flux_weights(const struct fathom_settings *settings);

#define FATHOM_FLUX_FAIRSHARE 0.5	/* of an association that was never evaluated */
#define FATHOM_FLUX_URGENCY 16		/* of a job, by default */

struct fathom_flux_job {
	double fairshare;	/* 0...1; NAN: the association was never evaluated */
	double queue, bank;	/* their priorities, of any sign */
	unsigned urgency;	/* 0: held, 16: as usual, 31: before all others */
};

/* Of a job of Slurm: its partition is the queue, with PriorityJobFactor as its
 * priority; the account is the bank; urgency is 16 - nice, 1...30. */
struct fathom_flux_job fathom_flux_job(const struct fathom_job *job,
				       const struct fathom_queue *queue);
/* The terms of its priority, as Slurm shows them: the queue's as the
 * partition's, the bank's as the association's, urgency's, with the other
 * sign, as nice. */
struct fathom_factors fathom_flux_factors(const struct fathom_flux_weights *weights,
					  const struct fathom_flux_job *job);
/* 0 ... 2^32 - 1, rounded half away from zero. */
uint32_t fathom_flux_priority(const struct fathom_flux_weights *weights,
			      const struct fathom_flux_job *job);

/* What a finished job has used, rounded to five decimals. */
double fathom_flux_job_usage(const struct fathom_flux_weights *weights, double nodes, double cores,
			     double gpus, double seconds);

/*
 * An association's usage is in bins of a half-life each, the newest first; the
 * mark that tells when to shift them is one for all. It is first set a
 * half-life after the start, and moves on by one with each shift.
 */
size_t fathom_bin_count(double reset_period, double half_life);	/* 1 or more */
bool fathom_bins_due(double mark, double now, double half_life);
/* Shifts the bins if that is due, adds what new jobs have used; their sum. */
double fathom_bins_update(double *bins, size_t count, bool due, double new_usage);

#ifdef __cplusplus
}
#endif
#endif
