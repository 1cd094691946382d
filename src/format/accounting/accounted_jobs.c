/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/accounting/accounted_jobs.h"

#include "core/error.h"
#include "document/text.h"
#include "format/accounting/tres_text.h"
#include "jobs/job_states.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROOT_NAME "root"	/* the account of a job whose account is not known */
#define LONGEST 255
#define MOST_COUNT 0x1p53	/* of a TRES; a double holds every integer up to it */

/* Copies a text of the file; *at: JOBS_NONE for an empty one. */
static int copy_text(struct jobs *jobs, struct document *input, size_t line, struct piece text,
		     size_t *at, struct fathom_error *error)
{
	char copy[LONGEST + 1];

	*at = JOBS_NONE;
	if (!text.length)
		return 0;
	if (text.length > LONGEST || !piece_is_printable(text))
		return input_wrong(input, line, error,
				   "a name has more than %d bytes, or a byte that is not a "
				   "printable UTF-8 character", LONGEST);
	memcpy(copy, text.at, text.length);
	copy[text.length] = '\0';
	*at = jobs_add_text(jobs, copy);
	return 0;
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

static int add_partitions(struct jobs *jobs, struct document *input, struct job *to,
			  const struct accounted_job *job, struct fathom_error *error)
{
	char buffer[80];
	struct piece rest = partitions_of(job, buffer, sizeof(buffer));

	to->first_requested = jobs->requested_count;
	while (rest.length) {
		const char *comma = memchr(rest.at, ',', rest.length);
		struct piece name = { rest.at, comma ? (size_t)(comma - rest.at) : rest.length };
		struct requested_partition requested = { .partition = JOBS_NONE };

		rest.at += name.length + (comma != NULL);
		rest.length -= name.length + (comma != NULL);
		if (copy_text(jobs, input, job->line, name, &requested.name, error))
			return -1;
		if (requested.name != JOBS_NONE)
			JOBS_ADD(jobs, requested, requested);
	}
	to->requested_count = jobs->requested_count - to->first_requested;
	return 0;
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

static int add_tres(struct jobs *jobs, struct document *input, struct job *to,
		    const struct accounted_job *job, struct fathom_error *error)
{
	struct piece text = job->tres;
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
		return wrong_field(input, job->line, error, "TRES", job->tres,
				   "must be counts such as cpu=4,mem=8000M");
	return 0;
}

int accounted_jobs_add(struct jobs *jobs, struct document *input, const struct accounted_job *job,
		       struct fathom_error *error)
{
	static const struct piece root = { ROOT_NAME, sizeof(ROOT_NAME) - 1 };
	bool has_run = !isnan(job->elapsed) && !isnan(job->end);
	struct job added = {
		.line = job->line, .id = job->id, .qos = JOBS_NONE, .state = job->state,
		.min_nodes = job->nodes, .cpus = job->cpus, .time_limit = job->time_limit,
		.accrue_time = isnan(job->eligible) ? 0 : fmax(job->eligible, 0),
		.submit_time = isnan(job->submit) ? 0 : fmax(job->submit, 0),
		.start_time = has_run ? fmax(job->end - job->elapsed, 0) : 0,
		.elapsed = has_run ? job->elapsed : 0,
		.queue = job->queue_priority, .bank = job->bank_priority,
		.array_tasks = job->array_tasks, .fairshare = NAN, .urgency = FATHOM_FLUX_URGENCY,
	};

	if (copy_text(jobs, input, job->line, job->user, &added.user, error) ||
	    copy_text(jobs, input, job->line, job->account.length ? job->account : root,
		      &added.account, error) ||
	    copy_text(jobs, input, job->line, job->qos, &added.qos_name, error) ||
	    add_partitions(jobs, input, &added, job, error) ||
	    add_tres(jobs, input, &added, job, error))
		return -1;
	JOBS_ADD(jobs, job, added);
	return 0;
}
