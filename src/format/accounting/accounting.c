/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives each job of a reader to the usage and to the list of jobs. */
#include "format/accounting/accounting.h"

#include "format/job_settings.h"
#include "jobs/job_states.h"

#include <math.h>
#include <stddef.h>

struct accounting {
	struct document *input;
	struct accounted_usage usage;
	struct jobs *jobs;	/* or NULL */
	const struct accounting_rules *rules;
	uint64_t states;
	bool has_own_time;	/* as in the scan */
	struct accounting_scan *scan;	/* gets the jobs instead; or NULL */
};

static uint64_t unfinished_states(void)
{
	uint64_t states = 0;

	for (size_t state = 0; job_state_name(state); state++)
		if (job_state_has_not_ended(state))
			states |= (uint64_t)1 << state;
	return states;
}

/* The largest numbers that a record may have; beyond them, sums and times would overflow. */
static const struct limit {
	const char *name;
	size_t offset;
	double most;
} limits[] = {
	{ "the submit time", offsetof(struct accounted_job, submit), 0x1p40 },
	{ "the eligible time", offsetof(struct accounted_job, eligible), 0x1p40 },
	{ "the end", offsetof(struct accounted_job, end), 0x1p40 },
	{ "the run time", offsetof(struct accounted_job, elapsed), 0x1p40 },
	{ "the time limit", offsetof(struct accounted_job, time_limit), 0x1p40 },
	{ "the charge for a second", offsetof(struct accounted_job, billing), 0x1p53 },
	{ "the CPU time", offsetof(struct accounted_job, cpu_time), 0x1p53 },
	{ "the number of tasks", offsetof(struct accounted_job, array_tasks), UINT32_MAX },
};

static void check_limits(struct document *input, const struct accounted_job *job)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		double value = *(const double *)((const char *)job + limits[i].offset);

		if (value > limits[i].most)	/* not NAN, which is not known */
			wrong_job(input, job, "%s is %.6g, must be at most %.0f", limits[i].name,
				  value, limits[i].most);
	}
}

static void add(struct accounting *accounting, const struct accounted_job *job)
{
	const struct accounting_rules *rules = accounting->rules;
	struct accounted_job counted = *job;

	if (rules->counts && !rules->counts(rules->context, job->partitions))
		counted.elapsed = 0;
	accounted_usage_add(&accounting->usage, accounting->input, &counted);
	if (!accounting->jobs || !(accounting->states >> job->state & 1))
		return;
	if (accounting->has_own_time && !accounting->jobs->has_trace_start && !isnan(job->submit)) {
		accounting->jobs->has_trace_start = true;
		accounting->jobs->trace_start = job->submit - job->trace_submit;
	}
	accounted_jobs_add(accounting->jobs, accounting->input, job);
}

void accounting_add(struct accounting *accounting, const struct accounted_job *job)
{
	check_limits(accounting->input, job);
	if (accounting->scan)
		accounting->scan->take(job, accounting->input, accounting->scan->context);
	else
		add(accounting, job);
}

void accounting_note_part(struct accounting *accounting)
{
	if (accounting->scan)
		accounting->scan->parts++;
}

void accounting_note_machine(struct accounting *accounting, double cpus)
{
	if (accounting->scan)
		accounting->scan->machine_cpus = cpus;
}

void accounting_note_own_time(struct accounting *accounting)
{
	accounting->has_own_time = true;
	if (accounting->scan)
		accounting->scan->has_own_time = true;
}

void accounting_scan(const struct format *format, struct document *input,
		     struct accounting_scan *scan)
{
	format->read_accounting(input, &(struct accounting){ .input = input, .scan = scan });
}

void accounting_read(const struct format *format, struct document *input,
		     const struct accounting_rules *rules, struct snapshot *snapshot,
		     struct jobs *jobs)
{
	struct accounting accounting = {
		.input = input, .jobs = jobs, .rules = rules,
		.states = rules->states | unfinished_states(),
	};

	accounted_usage_create(&accounting.usage, rules);
	if (jobs)
		*jobs = (struct jobs){ .settings = job_settings_standard() };
	format->read_accounting(input, &accounting);
	if (jobs && !isnan(accounting.usage.latest_end)) {
		jobs->has_time = true;
		jobs->time = (int64_t)accounting.usage.latest_end;
	}
	if (snapshot)
		accounted_usage_finish(&accounting.usage, input, snapshot);
}
