/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums up pending jobs for the page, by account. */
#include "report/report_private.h"

#include "jobs/job_states.h"
#include "memory/need_names.h"
#include "replay/replay_figures.h"
#include "report/report.h"

/* The pending jobs of an account that could start. */
struct account {
	const char *name;	/* "": jobs without an account */
	double jobs, cpus;	/* how many jobs; CPUs of all */
	double wait, longest;	/* seconds: the sum over all jobs, the longest */
};

/* See report_pending(). */
struct pending_summary {
	struct account *account;
	size_t account_count;
	struct numbered_names *names;	/* by index in `account` */
	struct wait_times waits;	/* of the jobs that could start */
	json_int_t others;
};

/* Returns the account with this name; adds it if it is new. Valid until the next call. */
static struct account *find_account(struct pending_summary *pending, const char *name)
{
	size_t at = need_name(pending->names, name);

	if (at == pending->account_count)
		NEED_ADD(pending->account, pending->account_count,
			 (struct account){ .name = name });
	return &pending->account[at];
}

/* Counts a job that could start. */
static void add_job(struct pending_summary *pending, const struct jobs *jobs,
		    const struct job *job)
{
	const char *name = jobs_text(jobs, job->account);
	double wait = fmax((double)jobs->time - job->submit_time, 0);
	struct account *account = find_account(pending, name ? name : "");

	wait_times_add(&pending->waits, wait);
	account->jobs++;
	account->cpus += job->cpus;
	account->wait += wait;
	account->longest = fmax(account->longest, wait);
}

/* Counts all pending jobs. */
static void add_jobs(struct pending_summary *pending, const struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];

		if (job->state != JOB_STATE_PENDING)
			continue;
		if (job->held || job->depends || job->waits || !(job->submit_time > 0))
			pending->others++;
		else
			add_job(pending, jobs, job);
	}
	wait_times_settle(&pending->waits);
}

/* Returns the member "accounts". */
static json_t *list_accounts(const struct pending_summary *pending)
{
	json_t *list = need_made(json_array());

	for (size_t i = 0; i < pending->account_count; i++) {
		const struct account *account = &pending->account[i];

		need_done(json_array_append_new(list, json_pack(
			"{s:s, s:f, s:f, s:f, s:f}", "account", account->name, "jobs",
			account->jobs, "cpus", account->cpus, "wait",
			account->wait / account->jobs, "longest", account->longest)));
	}
	return list;
}

/* Returns the member "quantiles"; empty if no job could start. */
static json_t *list_quantiles(const struct pending_summary *pending)
{
	json_t *list = need_made(json_array());

	for (unsigned i = 0; pending->waits.total && i <= 100; i++)
		need_done(json_array_append_new(
			list, json_real(wait_times_quantile(&pending->waits, i))));
	return list;
}

json_t *report_pending(const struct jobs *jobs)
{
	struct pending_summary pending = { .names = need_names() };

	add_jobs(&pending, jobs);
	return need_made(json_pack("{s:I, s:I, s:o, s:o}", "jobs", (json_int_t)pending.waits.total,
				   "others", pending.others, "quantiles", list_quantiles(&pending),
				   "accounts", list_accounts(&pending)));
}
