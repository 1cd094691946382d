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
	job->state_reason = WAIT_NO_REASON;	/* by now it may be WAIT_HELD */
	return true;
}

void job_hold_set(job_record_t *job, const char *reason)
{
	bool is_marked = job_hold_is_marked(job);

	if (reason ? is_marked && job->state_reason == WAIT_HELD_USER &&
		     !strcmp(own_hold_reason(job->state_desc), reason)
		   : !is_marked)
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
