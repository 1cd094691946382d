/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/job_hold.h"

#include "base/log.h"

bool job_hold_is_own(job_record_t *job, bool was_held)
{
	bool is_marked = job_hold_is_marked(job);

	/* an administrator has taken fathom's hold over */
	if (is_marked && job->state_reason == WAIT_HELD) {
		xfree(job->state_desc);
		last_job_update = time(NULL);
		return false;
	}
	/* WAIT_HELD_USER without the mark is the hold of a user, another text somebody else's */
	if (is_marked || !was_held || job->state_desc || job->state_reason == WAIT_HELD_USER)
		return is_marked;
	/* The mark has been removed by a release. slurmctld may have set WAIT_HELD since, as the
	 * priority is 0, which would look like an administrator's hold. */
	job->state_reason = WAIT_NO_REASON;
	return true;
}

/* Returns whether the record says that fathom holds the job for this reason; or with reason NULL,
 * that fathom does not hold the job. */
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
