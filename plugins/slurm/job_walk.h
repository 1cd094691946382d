/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk over all jobs in blocks whose memory has been asked for ahead: most
 * of a pass is waiting for it. The caller holds a job lock for each block and
 * may let go of it in between; jobs may then come and go.
 */
#ifndef SLURM_JOB_WALK_H
#define SLURM_JOB_WALK_H

#include "compat.h"

#define JOB_WALK_BLOCK 32

struct job_walk {
	bool begun;
	compat_iterator iterator;
	size_t count;
	job_record_t *block[JOB_WALK_BLOCK];
};

/* Fills the next block; false at the end. Start with a zeroed walk. */
static inline bool job_walk_next(struct job_walk *walk)
{
	job_record_t *job;

	if (!walk->begun && job_list)
		walk->iterator = list_iterator_create(job_list);
	walk->begun = true;
	walk->count = 0;
	while (walk->iterator && walk->count < JOB_WALK_BLOCK &&
	       (job = list_next(walk->iterator))) {
		__builtin_prefetch(&job->assoc_id);
		__builtin_prefetch(&job->details);
		__builtin_prefetch(&job->end_time);
		__builtin_prefetch(&job->job_state);
		__builtin_prefetch(&job->part_ptr);
		__builtin_prefetch(&job->prio_factors);
		__builtin_prefetch(&job->priority);
		__builtin_prefetch(&job->qos_ptr);
		__builtin_prefetch(&job->start_time);
		__builtin_prefetch(&job->time_limit);
		__builtin_prefetch(&job->tres_req_cnt);
		walk->block[walk->count++] = job;
	}
	if (!walk->count && walk->iterator) {
		list_iterator_destroy(walk->iterator);
		walk->iterator = NULL;
	}
	return walk->count;
}

#endif
