/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks each job of a reader, and adds it to the usage and to the list of jobs; or gives it to a
 * scan. */
#include "format/accounting/accounting.h"

#include "document/text.h"
#include "format/accounting/tres_text.h"
#include "format/job_settings.h"
#include "jobs/job_states.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- lists of jobs ------------------------------------------------------------------------ */

#define ROOT_NAME "root"	/* the account of a job whose account is not known */
#define LONGEST 255		/* bytes of a name */
#define MOST_COUNT 0x1p53	/* of a TRES; a double holds every integer up to it */

void wrong_job(struct document *input, const struct accounted_job *job, const char *format, ...)
{
	va_list arguments;
	char text[sizeof(((struct fathom_error *)NULL)->text)];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (job->row)
		wrong_at(input, 0, "jobs, row %" PRId64 ": %s", job->row, text);
	wrong_at(input, job->line, "%s", text);
}

/* A job that is added to a list. */
struct job_addition {
	struct jobs *jobs;	/* the list */
	struct document *input;
	const struct accounted_job *job;
};

/* Copies a text of the file to the list. Returns its place there, JOBS_NONE if the text is empty.
 * Fails, see wrong_job(), if the list cannot have it. */
static size_t copy_text(const struct job_addition *addition, struct piece text)
{
	char copy[LONGEST + 1];

	if (!text.length)
		return JOBS_NONE;
	if (text.length > LONGEST || !piece_is_printable(text))
		wrong_job(addition->input, addition->job, "a name has more than %d bytes, or a "
			  "byte that is not a printable UTF-8 character", LONGEST);
	memcpy(copy, text.at, text.length);
	copy[text.length] = '\0';
	return jobs_add_text(addition->jobs, copy);
}

/* Returns the partitions of a job. If it has none, the queue of a trace stands in for one:
 * "queue5". buffer: room for that name, which is "" if it does not fit. */
static struct piece partitions_of(const struct accounted_job *job, char *buffer, size_t size)
{
	int length;

	if (job->partitions.length || !job->queue.length)
		return job->partitions;
	length = snprintf(buffer, size, "queue%.*s", PIECE(job->queue));
	return (struct piece){ buffer, length < (int)size ? (size_t)length : 0 };
}

/* Adds the partitions that a job asked for; jobs_find_names() finds their indices later. */
static void add_partitions(const struct job_addition *addition, struct job *to)
{
	struct jobs *jobs = addition->jobs;
	char buffer[80];
	struct piece rest = partitions_of(addition->job, buffer, sizeof(buffer)), name;

	to->first_requested = jobs->requested_count;
	while (piece_next(&rest, ',', &name)) {
		size_t requested = copy_text(addition, name);

		if (requested != JOBS_NONE)
			jobs_add_requested(jobs, to->first_requested, requested);
	}
	to->requested_count = jobs->requested_count - to->first_requested;
}

/* Adds a count of a TRES, whose name may be new. */
static void add_amount(struct jobs *jobs, const struct tres_word *word)
{
	char name[JOB_TRES_NAME];
	struct tres_amount amount = { .count = (uint64_t)word->count };

	if (word->name.length >= sizeof(name))
		return;		/* no weight can be given for it */
	memcpy(name, word->name.at, word->name.length);
	name[word->name.length] = '\0';
	amount.tres = jobs_find_tres(jobs, name);
	JOBS_ADD(jobs, amount, amount);
}

/* Adds the amounts of the TRES in a record. Fails, see wrong_job(), if a word of them is not a
 * count. */
static void add_tres(const struct job_addition *addition, struct job *to)
{
	struct jobs *jobs = addition->jobs;
	struct piece tres = addition->job->tres, text = tres;
	struct tres_word word;
	int found;

	to->tres.first = jobs->amount_count;
	while ((found = tres_text_next(&text, &word)) > 0) {
		if (!(word.count <= MOST_COUNT) || !piece_is_printable(word.name)) {
			found = -1;
			break;
		}
		add_amount(jobs, &word);
	}
	to->tres.count = jobs->amount_count - to->tres.first;
	if (found < 0)
		wrong_job(addition->input, addition->job, "TRES is '%.*s', must be counts such as "
			  "cpu=4,mem=8000M", PIECE(tres));
}

/* Returns NAN for 0, which stands for no priority in records. */
static double priority_or_none(double priority)
{
	return priority < 0 || priority > 0 ? priority : (double)NAN;
}

/* Adds a job to the list. What accounting does not tell is unknown, as in struct job. Fails, see
 * wrong_job(), if the list cannot have its name or TRES. */
static void add_to_list(struct jobs *jobs, struct document *input, const struct accounted_job *job)
{
	static const struct piece root = { ROOT_NAME, sizeof(ROOT_NAME) - 1 };
	const struct job_addition addition = { jobs, input, job };
	bool has_run = !isnan(job->elapsed) && !isnan(job->end);
	struct job added = job_unknown;

	added.line = job->line;
	added.id = job->id;
	added.state = job->state;
	added.min_nodes = job->nodes;
	added.cpus = job->cpus;
	added.time_limit = job->time_limit;
	added.accrue_time = isnan(job->eligible) ? 0 : fmax(job->eligible, 0);
	added.submit_time = isnan(job->submit) ? 0 : fmax(job->submit, 0);
	added.start_time = has_run ? fmax(job->end - job->elapsed, 0) : 0;
	added.elapsed = has_run ? job->elapsed : 0;
	added.queue = priority_or_none(job->queue_priority);
	added.bank = priority_or_none(job->bank_priority);
	added.array_tasks = job->array_tasks;
	added.user = copy_text(&addition, job->user);
	added.account = copy_text(&addition, job->account.length ? job->account : root);
	added.qos_name = copy_text(&addition, job->qos);
	add_partitions(&addition, &added);
	add_tres(&addition, &added);
	JOBS_ADD(jobs, job, added);
}

/* ---- all jobs ----------------------------------------------------------------------------- */

/* What becomes of a reader's jobs. */
struct accounting {
	struct document *input;
	/* Without a scan: */
	struct accounted_usage usage;
	struct jobs *jobs;	/* the list; NULL: not wanted */
	const struct accounting_rules *rules;
	uint64_t states;	/* of jobs that the list gets: bits 1 << state */
	/* Gets the jobs, instead of all the above, if it has take(). */
	struct accounting_scan *scan;
};

/* Returns the states of jobs that wait or run, as bits 1 << state. */
static uint64_t unfinished_states(void)
{
	uint64_t states = 0;

	for (size_t state = 0; job_state_name(state); state++)
		if (job_state_has_not_ended(state))
			states |= (uint64_t)1 << state;
	return states;
}

/* The largest numbers that a record may have. Above them sums and times would overflow. */
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

/* Fails, see wrong_job(), if a number is above its limit. */
static void check_limits(struct document *input, const struct accounted_job *job)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		double value = *(const double *)((const char *)job + limits[i].offset);

		if (value > limits[i].most)	/* false for NAN, not known */
			wrong_job(input, job, "%s is %.6g, must be at most %.0f", limits[i].name,
				  value, limits[i].most);
	}
}

/* Adds a job to the usage and, if its state is wanted, to the list. */
static void add_job(struct accounting *accounting, const struct accounted_job *job)
{
	const struct accounting_rules *rules = accounting->rules;
	struct accounted_job counted = *job;
	struct jobs *jobs = accounting->jobs;

	if (!accounting_counts(rules, job))
		counted.elapsed = NAN;	/* its association is known, but not charged */
	accounted_usage_add(&accounting->usage, accounting->input, &counted);
	if (!jobs || !(accounting->states >> job->state & 1))
		return;
	if (accounting->scan->has_own_time && !jobs->has_trace_start && !isnan(job->submit)) {
		jobs->has_trace_start = true;
		jobs->trace_start = job->trace_start;
	}
	add_to_list(jobs, accounting->input, job);
}

void accounting_add(struct accounting *accounting, const struct accounted_job *job)
{
	check_limits(accounting->input, job);
	if (accounting->scan->take)
		accounting->scan->take(job, accounting->input, accounting->scan->context);
	else
		add_job(accounting, job);
}

struct accounting_scan *accounting_notes(struct accounting *accounting)
{
	return accounting->scan;
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
	struct accounting_scan notes = { .take = NULL };
	struct accounting accounting = { .input = input, .jobs = jobs, .rules = rules,
					 .states = rules->states | unfinished_states(),
					 .scan = &notes };

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
