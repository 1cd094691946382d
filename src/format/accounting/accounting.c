/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives each job of a reader to the usage and to the list of jobs. */
#include "format/accounting/accounting.h"

#include "evaluate/job_states.h"
#include "format/accounting/accounted_jobs.h"
#include "format/accounting/accounted_usage.h"
#include "format/job_settings.h"

#include <math.h>
#include <string.h>

/* States of jobs that have not ended. */
static const char *const unfinished[] = { "PENDING", "RUNNING", "SUSPENDED" };

struct accounting {
	struct input *input;
	struct accounted_usage usage;
	struct jobs *jobs;	/* or NULL */
	uint64_t states;
};

static uint64_t unfinished_states(void)
{
	uint64_t states = 0;

	for (size_t i = 0; i < sizeof(unfinished) / sizeof(*unfinished); i++)
		states |= (uint64_t)1 << job_state_find(unfinished[i], strlen(unfinished[i]));
	return states;
}

int accounting_add(struct accounting *accounting, const struct accounted_job *job,
		   struct fathom_error *error)
{
	if (accounted_usage_add(&accounting->usage, accounting->input, job, error))
		return -1;
	if (!accounting->jobs || !(accounting->states >> job->state & 1))
		return 0;
	return accounted_jobs_add(accounting->jobs, accounting->input, job, error);
}

static int finish(struct accounting *accounting, struct snapshot *snapshot,
		  struct fathom_error *error)
{
	if (accounting->jobs && !isnan(accounting->usage.latest_end)) {
		accounting->jobs->has_time = true;
		accounting->jobs->time = (int64_t)accounting->usage.latest_end;
	}
	if (!snapshot)
		return 0;
	return accounted_usage_finish(&accounting->usage, accounting->input, snapshot, error);
}

int accounting_read(const struct format *format, struct input *input,
		    const struct accounting_rules *rules, struct snapshot *snapshot,
		    struct jobs *jobs, struct fathom_error *error)
{
	struct accounting accounting = {
		.input = input, .jobs = jobs, .states = rules->states | unfinished_states(),
	};
	int status = accounted_usage_create(&accounting.usage, rules->half_life, error);

	if (snapshot)
		memset(snapshot, 0, sizeof(*snapshot));
	if (jobs)
		*jobs = (struct jobs){ .settings = job_settings_standard() };
	if (!status)
		status = format->read_accounting(input, &accounting, error);
	if (!status)
		status = finish(&accounting, snapshot, error);
	accounted_usage_clear(&accounting.usage);
	if (status && jobs)
		jobs_clear(jobs);
	return status;
}
