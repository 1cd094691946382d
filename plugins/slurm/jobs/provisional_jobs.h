/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The set of jobs with a provisional priority: their associations came after the last evaluation,
 * so their fair-share factors are guesses. A pass may lower such a priority even under
 * PriorityFlags=INCR_ONLY.
 */
#ifndef SLURM_PROVISIONAL_JOBS_H
#define SLURM_PROVISIONAL_JOBS_H

#include "core/id_index.h"

#include <pthread.h>

struct provisional_jobs {
	pthread_mutex_t lock;	/* nothing else is locked while it is held */
	struct id_index ids;
};

void provisional_jobs_create(struct provisional_jobs *jobs);
void provisional_jobs_destroy(struct provisional_jobs *jobs);
/* Adds a job. Without memory for it the set stays as it was. */
void provisional_jobs_add(struct provisional_jobs *jobs, uint32_t job_id);
/* Empties the set and returns the jobs that were in it. The caller clears the index. */
struct id_index provisional_jobs_take(struct provisional_jobs *jobs);

#endif
