/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs with a provisional priority: their associations came after the last
 * evaluation. A pass may lower such a priority, even under INCR_ONLY.
 */
#ifndef SLURM_PROVISIONAL_JOBS_H
#define SLURM_PROVISIONAL_JOBS_H

#include "core/id_index.h"

#include <pthread.h>

struct provisional_jobs {
	pthread_mutex_t lock;	/* innermost */
	struct id_index ids;
};

void provisional_jobs_create(struct provisional_jobs *jobs);
void provisional_jobs_destroy(struct provisional_jobs *jobs);
/* Without memory for it the job is left out. */
void provisional_jobs_add(struct provisional_jobs *jobs, uint32_t job_id);
/* All jobs, which are out of the set then. The caller frees the index. */
struct id_index provisional_jobs_take(struct provisional_jobs *jobs);

#endif
