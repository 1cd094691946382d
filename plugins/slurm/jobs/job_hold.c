/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/job_hold.h"

#include "base/log.h"

bool job_hold_is_in_doubt(const job_record_t *job)
{
	return !job->assoc_ptr && (accounting_enforce & ACCOUNTING_ENFORCE_ASSOCS);
}

/* Looks up the association of a job that has lost its own. slurmctld itself does so only for jobs
 * with a priority, and as long as the reason is FAIL_ACCOUNT. */
static void find_association(job_record_t *job)
{
	const int enforce = 0;
	const bool is_locked = true;
	slurmdb_assoc_rec_t wanted = {
		.acct = job->account, .uid = job->user_id,
		.partition = job->part_ptr ? job->part_ptr->name : NULL,
	};

	if (job->assoc_ptr || !job->account)
		return;
	assoc_mgr_fill_in_assoc(acct_db_conn, &wanted, enforce, &job->assoc_ptr, is_locked);
	if (job->assoc_ptr)
		job->assoc_id = wanted.id;
}

/* Returns the reason of a job that nobody holds. While it is FAIL_QOS, slurmctld looks up the QOS
 * that the job has lost, and does not start the job. */
static uint32_t reason_without_hold(const job_record_t *job)
{
	return job->qos_id && !job->qos_ptr ? FAIL_QOS : WAIT_NO_REASON;
}

/* Does job_hold_is_own() for a job that fathom has held, whose mark slurmctld has removed: by a
 * release, at a limit, or with the reason of another task of its array. slurmctld may have set the
 * reason WAIT_HELD since, as the priority is 0, which would look like an administrator's hold. */
static bool is_own_without_mark(job_record_t *job)
{
	/* since 24.11 a partition's AllowGroups may put "uid 7 not in group ..." in its place */
	if (job->state_reason == WAIT_HELD_USER && job->state_desc &&
	    !strncmp(job->state_desc, "uid ", 4))
		xfree(job->state_desc);
	/* another description is somebody else's */
	if (job->state_desc || job_hold_is_in_doubt(job))
		return false;
	job->state_reason = reason_without_hold(job);
	return true;
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
	if (!is_marked && !was_held)
		return false;
	find_association(job);
	if (!is_marked)
		return is_own_without_mark(job);
	/* with another reason, slurmctld holds the job and has added to the description */
	return (reason == WAIT_HELD_USER || reason == WAIT_NO_REASON) && !job_hold_is_in_doubt(job);
}

void job_hold_set(job_record_t *job, const char *reason)
{
	const char *present = own_hold_reason(job->state_desc);
	bool is_same = !reason && !present;

	if (reason && present)
		is_same = !strcmp(present, reason) && job->state_reason == WAIT_HELD_USER;
	if (is_same)
		return;
	if (reason)
		verbose(LOG_PREFIX "%pJ is held: %s", job, reason);
	else
		verbose(LOG_PREFIX "%pJ is no longer held", job);
	xfree(job->state_desc);
	if (reason)
		job->state_desc = xstrdup_printf(OWN_HOLD_MARK "%s", reason);
	job->state_reason = reason ? WAIT_HELD_USER : reason_without_hold(job);
	last_job_update = time(NULL);	/* also if the priority stays 0 */
}

bool job_hold_keep_in_doubt(job_record_t *job, bool was_held)
{
	bool has_been_own = was_held || job_hold_is_marked(job);

	if (!has_been_own || job->direct_set_prio || !job_hold_is_in_doubt(job))
		return false;
	/* once there is a mark, a WAIT_HELD that is set later is known to be an administrator's */
	if (!job->state_desc)
		job_hold_set(job, HELD_WITHOUT_ASSOCIATION);
	return true;
}
