/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A job's priority and usage as flux-accounting has them.
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
	double fairshare, queue, bank, urgency;	/* of a job's priority */
	double node, core, gpu;			/* of a job's usage */
};

/* Returns the weights that settings of policy flux have. */
struct fathom_flux_weights fathom_flux_weights(const struct fathom_settings *settings);

#define FATHOM_FLUX_FAIRSHARE 0.5	/* of an association that was never evaluated */
#define FATHOM_FLUX_URGENCY 16		/* of a job, by default */

struct fathom_flux_job {
	double fairshare;	/* 0 to 1; NAN: FATHOM_FLUX_FAIRSHARE */
	double queue, bank;	/* their priorities, of any sign */
	unsigned urgency;	/* 0: held, 16: as usual, 31: before all others */
};

/* Describes a job of Slurm in flux's terms: its partition is the queue, with
 * PriorityJobFactor as priority; its account is the bank; its urgency is 16 -
 * nice, but at least 1 and at most 30. */
struct fathom_flux_job fathom_flux_job(const struct fathom_job *job,
				       const struct fathom_queue *queue);
/* Returns the terms of a job's priority where Slurm shows them: the queue's as
 * the partition's, the bank's as the association's, and urgency's, with the
 * other sign, as nice. */
struct fathom_factors fathom_flux_factors(const struct fathom_flux_weights *weights,
					  const struct fathom_flux_job *job);
/* Returns the priority, 0 to 2^32 - 1, rounded to the nearest whole number: 0 at
 * urgency 0, 2^32 - 1 at urgency 31. */
uint32_t fathom_flux_priority(const struct fathom_flux_weights *weights,
			      const struct fathom_flux_job *job);

/* ---- usage ----------------------------------------------------------------- */

/* Returns what a finished job has used: its size by the weights, times seconds,
 * rounded to five decimals. */
double fathom_flux_job_usage(const struct fathom_flux_weights *weights, double nodes, double cores,
			     double gpus, double seconds);

/*
 * An association's usage lies in bins. One is as long as the half-life; the
 * newest comes first. One time is kept for all associations, the mark: it is a
 * half-life after the start at first, and each shift moves it by a half-life.
 */

/* Returns how many bins there are: 1 or more. reset_period: seconds after which
 * usage no longer counts. */
size_t fathom_bin_count(double reset_period, double half_life);
/* Returns whether bins are to be shifted. */
bool fathom_bins_due(double mark, double now, double half_life);
/* Shifts the bins if `due`, drops the oldest and halves the others; adds
 * new_usage to the first; returns the sum of all. */
double fathom_bins_update(double *bins, size_t count, bool due, double new_usage);

#ifdef __cplusplus
}
#endif
#endif
