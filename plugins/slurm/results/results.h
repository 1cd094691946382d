/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last evaluation and the last places of jobs. Both are objects that never change: a pass puts
 * new ones here, and who reads takes a reference, with which the objects live on. In any thread;
 * takes no lock of slurmctld's.
 */
#ifndef SLURM_RESULTS_H
#define SLURM_RESULTS_H

#include "results/evaluation.h"
#include "results/places.h"

#include <pthread.h>

struct results {
	pthread_mutex_t lock;	/* innermost; for the pointers alone */
	struct evaluation *evaluation;	/* NULL: none yet */
	struct places *places;	/* NULL: no policy places jobs */
};

void results_init(struct results *results);
void results_clear(struct results *results);

/* Return a reference, which the caller gives to evaluation_release() or places_release(); NULL:
 * there are none. */
struct evaluation *results_evaluation(struct results *results);
struct places *results_places(struct results *results);

/* Take the caller's reference to new ones. */
void results_set_evaluation(struct results *results, struct evaluation *fresh);
void results_set_places(struct results *results, struct places *fresh);	/* or NULL */

#endif
