/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/accounting/accounting.h"

#include "document/text.h"
#include "format/accounting/tres_text.h"
#include "jobs/job_states.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ROOT_NAME "root"	/* the account of a job whose account is not known */
#define LONGEST 255
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

/* A job that is being added. */
struct addition {
	struct jobs *jobs;
	struct document *input;
	const struct accounted_job *job;
};

/* Copies a text of the file. Returns JOBS_NONE for an empty one. */
static size_t copy_text(const struct addition *addition, struct piece text)
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

/* Without partitions, the queue of a trace is one. */
static struct piece partitions_of(const struct accounted_job *job, char *buffer, size_t size)
{
	int length;

	if (job->partitions.length || !job->queue.length)
		return job->partitions;
	length = snprintf(buffer, size, "queue%.*s", PIECE(job->queue));
	return (struct piece){ buffer, length < (int)size ? (size_t)length : 0 };
}

static void add_partitions(const struct addition *addition, struct job *to)
{
	struct jobs *jobs = addition->jobs;
	char buffer[80];
	struct piece rest = partitions_of(addition->job, buffer, sizeof(buffer)), name;

	to->first_requested = jobs->requested_count;
	while (piece_next(&rest, ',', &name)) {
		struct requested_partition requested = { copy_text(addition, name), JOBS_NONE };

		if (requested.name != JOBS_NONE)
			JOBS_ADD(jobs, requested, requested);
	}
	to->requested_count = jobs->requested_count - to->first_requested;
}

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

static void add_tres(const struct addition *addition, struct job *to)
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

static double priority_or_none(double priority)
{
	return priority < 0 || priority > 0 ? priority : (double)NAN;
}

void accounted_jobs_add(struct jobs *jobs, struct document *input, const struct accounted_job *job)
{
	static const struct piece root = { ROOT_NAME, sizeof(ROOT_NAME) - 1 };
	const struct addition addition = { jobs, input, job };
	bool has_run = !isnan(job->elapsed) && !isnan(job->end);
	struct job added = {
		.line = job->line, .id = job->id, .qos = JOBS_NONE, .state = job->state,
		.min_nodes = job->nodes, .cpus = job->cpus, .time_limit = job->time_limit,
		.accrue_time = isnan(job->eligible) ? 0 : fmax(job->eligible, 0),
		.submit_time = isnan(job->submit) ? 0 : fmax(job->submit, 0),
		.start_time = has_run ? fmax(job->end - job->elapsed, 0) : 0,
		.elapsed = has_run ? job->elapsed : 0,
		.queue = priority_or_none(job->queue_priority),
		.bank = priority_or_none(job->bank_priority),
		.array_tasks = job->array_tasks, .own_hold = JOBS_NONE, .reason = JOBS_NONE,
		.reason_clause = JOBS_NONE, .features = JOBS_NONE, .licenses = JOBS_NONE,
		.reservation = JOBS_NONE,
		.comment = JOBS_NONE, .fairshare = NAN, .urgency = NAN,
	};

	added.user = copy_text(&addition, job->user);
	added.account = copy_text(&addition, job->account.length ? job->account : root);
	added.qos_name = copy_text(&addition, job->qos);
	add_partitions(&addition, &added);
	add_tres(&addition, &added);
	JOBS_ADD(jobs, job, added);
}
