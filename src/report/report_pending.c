/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/report_pending.h"

#include "core/array.h"
#include "core/error.h"
#include "core/name_index.h"
#include "jobs/job_states.h"
#include "replay/wait_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct account {
	const char *name;
	double jobs, cpus, wait, longest;	/* wait: of all jobs together */
};

struct pending {
	struct account *account;
	size_t account_count, account_room;
	struct name_index names;	/* of accounts */
	struct wait_times waits;
	json_int_t others;
};

static struct account *find_account(struct pending *pending, const char *name,
				    struct fathom_error *error)
{
	const struct piece key = { name, strlen(name) };
	size_t at = name_index_get(&pending->names, key);
	struct account *grown;

	if (at != NAME_INDEX_NONE)
		return &pending->account[at];
	at = pending->account_count;
	grown = array_grow(pending->account, &pending->account_room, at + 1, sizeof(*grown));
	if (!grown) {
		fathom_error_no_memory(error);
		return NULL;
	}
	pending->account = grown;
	grown[at] = (struct account){ .name = name };
	pending->account_count++;
	return name_index_put(&pending->names, key, at, error) ? NULL : &grown[at];
}

static int add_job(struct pending *pending, const struct jobs *jobs, const struct job *job,
		   struct fathom_error *error)
{
	const char *name = jobs_text(jobs, job->account);
	double wait = fmax((double)jobs->time - job->submit_time, 0);
	struct account *account = find_account(pending, name ? name : "", error);

	if (!account || wait_times_add(&pending->waits, wait, error))
		return -1;
	account->jobs++;
	account->cpus += job->cpus;
	account->wait += wait;
	account->longest = fmax(account->longest, wait);
	return 0;
}

static int add_jobs(struct pending *pending, const struct jobs *jobs, struct fathom_error *error)
{
	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];

		if (job->state != JOB_STATE_PENDING)
			continue;
		if (job->held || job->depends || job->waits || !(job->submit_time > 0))
			pending->others++;
		else if (add_job(pending, jobs, job, error))
			return -1;
	}
	wait_times_settle(&pending->waits);
	return 0;
}

static json_t *list_accounts(const struct pending *pending)
{
	json_t *list = json_array();

	for (size_t i = 0; list && i < pending->account_count; i++) {
		const struct account *account = &pending->account[i];
		json_t *row = json_pack("{s:s, s:f, s:f, s:f, s:f}", "account", account->name,
					"jobs", account->jobs, "cpus", account->cpus, "wait",
					account->wait / account->jobs, "longest", account->longest);

		if (json_array_append_new(list, row)) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

static json_t *list_quantiles(const struct pending *pending)
{
	json_t *list = json_array();

	for (int i = 0; list && pending->waits.total && i <= 100; i++) {
		double wait = wait_times_quantile(&pending->waits, i / 100.0);

		if (json_array_append_new(list, json_real(wait))) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

static json_t *describe(const struct pending *pending)
{
	return json_pack("{s:I, s:I, s:o, s:o}", "jobs", (json_int_t)pending->waits.total,
			 "others", pending->others, "quantiles", list_quantiles(pending),
			 "accounts", list_accounts(pending));
}

json_t *report_pending(const struct jobs *jobs, struct fathom_error *error)
{
	struct pending pending = { 0 };
	json_t *document = NULL;

	if (!add_jobs(&pending, jobs, error)) {
		document = describe(&pending);
		if (!document)
			fathom_error_no_memory(error);
	}
	wait_times_clear(&pending.waits);
	name_index_clear(&pending.names);
	free(pending.account);
	return document;
}
