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

void job_hold_set(job_record_t *job, enum own_hold hold)
{
	const char *description = hold ? own_hold_description(hold) : NULL;

	if (hold ? !xstrcmp(job->state_desc, description) && job->state_reason == WAIT_HELD_USER
		 : !job_hold_is_marked(job))
		return;
	if (hold)
		verbose(LOG_PREFIX "%pJ is held: %s", job, own_hold_reason(description));
	else
		verbose(LOG_PREFIX "%pJ is no longer held", job);
	xfree(job->state_desc);
	job->state_desc = xstrdup(description);
	job->state_reason = hold ? WAIT_HELD_USER : WAIT_NO_REASON;
}
