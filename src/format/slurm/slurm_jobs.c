/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads lists of TRES, partitions and tasks, and words for states. */
#include "format/slurm/slurm_jobs.h"

#include "core/plural.h"
#include "document/text.h"
#include "format/accounting/tres_text.h"
#include "jobs/job_states.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void slurm_jobs_add_tres(struct jobs *jobs, struct piece text, struct tres_amounts *amounts)
{
	struct tres_word word;

	amounts->first = jobs->amount_count;
	while (tres_text_next(&text, &word) > 0) {
		struct tres_amount amount = {
			.count = word.count < 0x1p63 ? (uint64_t)word.count : INT64_MAX };
		char name[JOB_TRES_NAME];

		snprintf(name, sizeof(name), "%.*s", (int)word.name.length, word.name.at);
		amount.tres = jobs_find_tres(jobs, name);
		JOBS_ADD(jobs, amount, amount);
	}
	amounts->count = jobs->amount_count - amounts->first;
}

void slurm_jobs_add_partitions(struct jobs *jobs, struct piece names, struct job *job)
{
	struct piece name;

	job->first_requested = jobs->requested_count;
	while (piece_next(&names, ',', &name))
		if (name.length)
			JOBS_ADD(jobs, requested, ((struct requested_partition){
				jobs_add_text(jobs, need_copy(name)), JOBS_NONE }));
	job->requested_count = jobs->requested_count - job->first_requested;
}

/* Returns the number of bits that hexadecimal digits have. */
static double count_bits(const char *digits)
{
	double count = 0;

	for (; isxdigit((unsigned char)*digits); digits++)
		count += __builtin_popcountl(strtoul((const char[]){ *digits, '\0' }, NULL, 16));
	return count;
}

double slurm_jobs_count_tasks(const char *text)
{
	double count = 0;

	if (text && !strncmp(text, "0x", 2))
		return count_bits(text + 2);
	while (text && *text >= '0' && *text <= '9') {
		char *end;
		double first = strtod(text, &end), last = first, step = 1;

		if (*end == '-')
			last = strtod(end + 1, &end);
		if (*end == ':')
			step = fmax(1, strtod(end + 1, &end));
		count += fmax(0, floor((last - first) / step)) + 1;
		text = *end == ',' ? end + 1 : NULL;
	}
	return count;
}

/* ---- states --------------------------------------------------------------------- */

size_t slurm_jobs_find_ended(struct unknown_states *unknown, struct piece word)
{
	size_t state = job_state_find_base(word.at, word.length);

	if (state != JOB_STATE_UNKNOWN)
		return state;
	if (!unknown->count++)
		snprintf(unknown->first, sizeof(unknown->first), "%.*s", PIECE(word));
	return JOB_STATE_COMPLETED;
}

void slurm_jobs_tell_unknown(const struct unknown_states *unknown, struct document *input)
{
	if (unknown->count)
		snprintf(input->remark, sizeof(input->remark),
			 "state '%s' is unknown; %zu job%s of unknown states count as ended",
			 unknown->first, unknown->count, PLURAL(unknown->count));
}

void slurm_jobs_settle_times(struct accounted_job *job, double start, struct piece nodes)
{
	bool has_nodes = nodes.length ? !piece_is(nodes, "None assigned")
				      : job->state != JOB_STATE_CANCELLED;

	if (isnan(job->elapsed) && job->end >= start)
		job->elapsed = job->end - start;
	if (!(job->elapsed > 0) && (isnan(start) || !has_nodes))
		start = job->elapsed = NAN;	/* it was cancelled before it started */
	/* records of a running job have no end, or the start as its end; fmax() ignores NAN */
	if (isnan(job->end) || job->end < start + fmax(job->elapsed, 0))
		job->end = isnan(start) ? job->end : start + fmax(job->elapsed, 0);
}
