/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/job_hold.h"

#include "base/log.h"

bool job_hold_is_own(job_record_t *job, bool was_held)
{
	bool is_marked = job_hold_is_marked(job);

	if (is_marked && job->state_reason == WAIT_HELD) {
		xfree(job->state_desc);
		last_job_update = time(NULL);
		return false;
	}
	if (is_marked || !was_held || job->state_desc || job->state_reason == WAIT_HELD_USER)
		return is_marked;
	job->state_reason = WAIT_NO_REASON;	/* slurmctld may have set WAIT_HELD, as of an
						 * administrator's hold */
	return true;
}

/* Returns whether the record says that fathom holds the job for this reason; NULL: not at all. */
static bool is_held_for(const job_record_t *job, const char *reason)
{
	const char *present = own_hold_reason(job->state_desc);

	if (!reason || !present)
		return !reason && !present;
	return job->state_reason == WAIT_HELD_USER && !strcmp(present, reason);
}

void job_hold_set(job_record_t *job, const char *reason)
{
	if (is_held_for(job, reason))
		return;
	if (reason)
		verbose(LOG_PREFIX "%pJ is held: %s", job, reason);
	else
		verbose(LOG_PREFIX "%pJ is no longer held", job);
	xfree(job->state_desc);
	if (reason)
		job->state_desc = xstrdup_printf(OWN_HOLD_MARK "%s", reason);
	job->state_reason = reason ? WAIT_HELD_USER : WAIT_NO_REASON;
}
