/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/job_hold.h"

#include "base/log.h"

static bool lacks_association_or_qos(const job_record_t *job)
{
	return !job->assoc_ptr || (job->qos_id && !job->qos_ptr);
}

/* Returns whether slurmctld keeps the job back because its association or QOS was deleted. Then
 * nobody knows whether the reason for fathom's hold still stands. slurmctld sets the two reasons;
 * the next turn of its scheduler sets WAIT_HELD instead. */
static bool is_in_doubt(const job_record_t *job)
{
	return job->state_reason == FAIL_ACCOUNT || job->state_reason == FAIL_QOS ||
	       lacks_association_or_qos(job);
}

bool job_hold_is_own(job_record_t *job, bool was_held)
{
	bool is_marked = job_hold_is_marked(job);
	uint32_t reason = job->state_reason;

	/* somebody has held the job while it had a priority */
	if (job->direct_set_prio)
		return false;
	/* an administrator has taken fathom's hold over */
	if (is_marked && reason == WAIT_HELD) {
		xfree(job->state_desc);
		last_job_update = time(NULL);
		return false;
	}
	/* with another reason, slurmctld holds the job and has added to the description */
	if (is_marked)
		return (reason == WAIT_HELD_USER || reason == WAIT_NO_REASON) && !is_in_doubt(job);
	/* since 24.11 a partition's AllowGroups may put "uid 7 not in group ..." in its place */
	if (was_held && reason == WAIT_HELD_USER && job->state_desc &&
	    !strncmp(job->state_desc, "uid ", 4))
		xfree(job->state_desc);
	/* another description is somebody else's */
	if (!was_held || job->state_desc || is_in_doubt(job))
		return false;
	/* The mark has been removed: by a release, at a limit, or with the reason of another task
	 * of its array. slurmctld may have set WAIT_HELD since, as the priority is 0, which would
	 * look like an administrator's hold. */
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
	last_job_update = time(NULL);	/* also if the priority stays 0 */
}

bool job_hold_keep_in_doubt(job_record_t *job, bool was_held)
{
	if (!(was_held || job_hold_is_marked(job)) || job->direct_set_prio || !is_in_doubt(job))
		return false;
	/* beside the mark, a later WAIT_HELD is an administrator's */
	if (!job->state_desc && lacks_association_or_qos(job))
		job_hold_set(job, HELD_WHILE_DELETED);
	return true;
}
