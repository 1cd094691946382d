/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holds of fathom's own in job records: priority 0, the reason WAIT_HELD_USER, and a description of
 * the state that begins with a mark (priority/own_hold.h). slurmctld keeps these as they are while
 * it schedules. By `scontrol hold` an administrator makes the reason WAIT_HELD, so that the hold is
 * no longer fathom's. The caller holds job write.
 */
#pragma once

#include "base/compat.h"
#include "priority/own_hold.h"

/* Returns whether the record has the mark of a hold of fathom's. */
static inline bool job_hold_is_marked(const job_record_t *job)
{
	return own_hold_reason(job->state_desc);
}

/* Returns whether slurmctld starts the job only once it has an association again. Then nobody knows
 * whether the reason for a hold of fathom's still stands. */
bool job_hold_is_in_doubt(const job_record_t *job);
/* Returns whether a job with priority 0 is held by fathom, and by nobody else; false also if that
 * is in doubt.
 * was_held: it is noted that fathom holds the job; then the hold is fathom's also if slurmctld has
 * removed the mark, as it does when somebody releases the job or deletes its association or QOS.
 * Changes the record: removes the mark of a hold that an administrator has taken over; if only the
 * mark is missing, clears the reason, which slurmctld may have set to WAIT_HELD; gives a job that
 * fathom holds its association if that was deleted and is there again. The caller holds assoc
 * read. */
bool job_hold_is_own(job_record_t *job, bool was_held);
/* Marks a pending job as held for a reason; reason NULL: removes fathom's mark, if there is one.
 * Logs a change. The caller sets the priority. */
void job_hold_set(job_record_t *job, const char *reason);
/* Of a job for which job_hold_is_own() has returned false: returns whether fathom has held it and
 * that is in doubt. If slurmctld has removed the mark, puts another one in its place. was_held: as
 * above. */
bool job_hold_keep_in_doubt(job_record_t *job, bool was_held);
