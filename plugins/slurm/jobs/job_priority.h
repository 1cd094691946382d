/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes priorities by the last evaluation: of one job when slurmctld asks, of all in a pass. */
#pragma once

#include "jobs/job_value.h"
#include "results/results.h"
#include "walk/list_trail.h"

#include "core/id_index.h"

/* Whether a priority is final until the next pass; it is provisional if either is false. */
struct job_findings {
	bool is_known;		/* the association was in the last evaluation */
	bool is_placed;		/* in each partition whose policy places jobs */
};

/* Sets *priority, and writes its terms into the job record. 0: fathom holds the job. Takes assoc
 * read and QOS read; the caller holds job write. */
struct job_findings job_priority_between_passes(const struct priority_basis *basis,
						job_record_t *job, uint32_t *priority);

/*
 * Computes the priorities of all jobs and writes them into the job records, except those that were
 * set by hand and those of jobs that others than fathom hold. Takes job write, assoc read and QOS
 * read in slices; jobs may start, end or be purged meanwhile. trail: of the job list.
 * provisional: the jobs with a provisional priority, guarded by job write. Their associations came
 * after the last evaluation, so their fair-share factors are guesses, which the pass may lower even
 * under PriorityFlags=INCR_ONLY. 1 in it: fathom holds the job, and slurmctld may have removed the
 * mark of that since. Afterwards it has those whose priorities are still provisional.
 * True: it has jobs that it did not have before.
 */
bool job_priority_update_all(struct results *results, const struct settings *settings,
			     time_t now, struct id_index *provisional, struct list_trail *trail);
