/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "results/results.h"

void results_init(struct results *results)
{
	*results = (struct results){ .evaluation = NULL };
	pthread_mutex_init(&results->lock, NULL);
}

void results_clear(struct results *results)
{
	evaluation_release(results->evaluation);
	places_release(results->places);
	pthread_mutex_destroy(&results->lock);
}

struct evaluation *results_evaluation(struct results *results)
{
	struct evaluation *evaluation;

	slurm_mutex_lock(&results->lock);
	evaluation = evaluation_reference(results->evaluation);
	slurm_mutex_unlock(&results->lock);
	return evaluation;
}

struct places *results_places(struct results *results)
{
	struct places *places;

	slurm_mutex_lock(&results->lock);
	places = places_reference(results->places);
	slurm_mutex_unlock(&results->lock);
	return places;
}

void results_set_evaluation(struct results *results, struct evaluation *fresh)
{
	struct evaluation *stale;

	slurm_mutex_lock(&results->lock);
	stale = results->evaluation;
	results->evaluation = fresh;
	slurm_mutex_unlock(&results->lock);
	evaluation_release(stale);
}

void results_set_places(struct results *results, struct places *fresh)
{
	struct places *stale;

	slurm_mutex_lock(&results->lock);
	stale = results->places;
	results->places = fresh;
	slurm_mutex_unlock(&results->lock);
	places_release(stale);
}
