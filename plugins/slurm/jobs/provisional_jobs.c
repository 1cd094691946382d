/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/provisional_jobs.h"

#include "base/compat.h"

void provisional_jobs_create(struct provisional_jobs *jobs)
{
	pthread_mutex_init(&jobs->lock, NULL);
}

void provisional_jobs_destroy(struct provisional_jobs *jobs)
{
	id_index_clear(&jobs->ids);
	pthread_mutex_destroy(&jobs->lock);
}

void provisional_jobs_add(struct provisional_jobs *jobs, uint32_t job_id)
{
	slurm_mutex_lock(&jobs->lock);
	id_index_put(&jobs->ids, job_id, 0);
	slurm_mutex_unlock(&jobs->lock);
}

struct id_index provisional_jobs_take(struct provisional_jobs *jobs)
{
	struct id_index ids;

	slurm_mutex_lock(&jobs->lock);
	ids = jobs->ids;
	jobs->ids = (struct id_index){ 0 };
	slurm_mutex_unlock(&jobs->lock);
	return ids;
}
