/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes priorities by the last evaluation: of one job when slurmctld asks for it, of all jobs in
 * a pass. */
#pragma once

#include "jobs/job_value.h"
#include "results/results.h"
#include "walk/list_trail.h"

#include "core/id_index.h"

/* What was known when a priority was computed. If either is false, the priority is provisional: the
 * next pass may change it. */
struct job_findings {
	bool is_known;		/* the last evaluation has all figures of the job's association that
				 * count in its priority */
	bool is_placed;		/* the job has a place in each of its partitions whose policy places
				 * jobs */
};

/* Computes a job's priority into *priority, 0 if fathom holds the job, and writes its terms into
 * the record. The caller writes the priority there. Takes assoc read and QOS read; the caller holds
 * job write. */
struct job_findings job_priority_between_passes(const struct priority_basis *basis,
						job_record_t *job, uint32_t *priority);

/*
 * Computes the priorities of all jobs and writes them into the job records, except priorities that
 * were set by hand and those of jobs that others than fathom hold. Takes job write, node, part,
 * assoc and QOS read in slices; jobs may start, end or be purged meanwhile. trail: what earlier
 * walks over the job list have noted; or NULL.
 *
 * provisional: the jobs with a provisional priority, by id, guarded by job write. Their
 * associations came after the last evaluation, so their fair-share factors are guesses, and the
 * pass may lower their priorities even under PriorityFlags=INCR_ONLY. The value 1 says that fathom
 * holds the job, whose mark slurmctld may remove. The call replaces the jobs by those whose
 * priorities are still provisional or that fathom holds, and returns whether some have become
 * provisional.
 */
bool job_priority_update_all(struct results *results, const struct settings *settings,
			     time_t now, struct id_index *provisional, struct list_trail *trail);
