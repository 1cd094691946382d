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

void slurm_jobs_ask_nodes(struct piece tres, double *nodes)
{
	struct tres_word word;

	while (tres_text_next(&tres, &word) > 0)
		if (piece_is(word.name, "node"))
			*nodes = word.count;
}

void slurm_jobs_add_partitions(struct jobs *jobs, struct piece names, struct job *job)
{
	struct piece name;

	job->first_requested = jobs->requested_count;
	while (piece_next(&names, ',', &name))
		if (name.length)
			jobs_add_requested(jobs, job->first_requested,
					   jobs_add_text(jobs, need_copy(name)));
	job->requested_count = jobs->requested_count - job->first_requested;
}

/* Returns the number of bits that hexadecimal digits have, up to another character. */
static double count_bits(struct piece digits)
{
	double count = 0;

	for (; digits.length && isxdigit((unsigned char)*digits.at); piece_cut(&digits, 1))
		count += __builtin_popcountl(
			strtoul((const char[]){ *digits.at, '\0' }, NULL, 16));
	return count;
}

/* Removes the end of a list that sacct has cut to 63 bytes, "1,3,5..." or "1,3,...", with the task
 * before the dots, whose number may be cut. Returns whether the list was cut. */
static bool remove_cut(struct piece *tasks)
{
	const char *dots = tasks->length ? memmem(tasks->at, tasks->length, "...", 3) : NULL;

	if (!dots)
		return false;
	tasks->length = (size_t)(dots - tasks->at);
	while (tasks->length && tasks->at[tasks->length - 1] != ',')
		tasks->length--;
	return true;
}

int slurm_jobs_count_tasks(struct piece list, double *count)
{
	struct piece tasks = { "", 0 }, word, parts[2], ends[2];
	uint64_t first, last, step;

	piece_next(&list, '%', &tasks);
	if (tasks.length > 2 && !memcmp(tasks.at, "0x", 2)) {
		*count = count_bits((struct piece){ tasks.at + 2, tasks.length - 2 });
		return 0;
	}
	*count = remove_cut(&tasks) ? 1 : 0;
	while (piece_next(&tasks, ',', &word)) {
		if (split_at(':', word, parts, 2) == 1)
			parts[1] = piece_of("1");
		if (split_at('-', parts[0], ends, 2) == 1)
			ends[1] = ends[0];
		if (parse_whole(ends[0], UINT32_MAX, &first) ||
		    parse_whole(ends[1], UINT32_MAX, &last) || last < first ||
		    parse_whole(parts[1], UINT32_MAX, &step) || !step)
			return -1;
		*count += (double)((last - first) / step) + 1;
	}
	return 0;
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
		document_remark(input, "state '%s' is unknown; %zu job%s of unknown states count "
				"as ended", unknown->first, unknown->count, PLURAL(unknown->count));
}

/* ---- what jobs are charged ------------------------------------------------------- */

void slurm_jobs_settle_billing(struct missing_billing *missing, struct accounted_job *job,
			       bool is_allocated)
{
	if (!isnan(job->billing)) {
		missing->others_have_it = true;
		return;
	}
	job->billing = job->cpus > 0 ? job->cpus : job->nodes;
	if (is_allocated && job->elapsed > 0 && job->cpus > 0) {
		missing->count++;
		missing->cpu_seconds += job->billing * job->elapsed;
	}
}

void slurm_jobs_tell_missing(const struct missing_billing *missing, struct document *input)
{
	if (missing->others_have_it && missing->count)
		document_remark(input, "billing is missing of %zu job%s, %.1f CPU hours, charged "
				"by CPUs; others have it, and Slurm leaves out a billing of 0",
				missing->count, PLURAL(missing->count),
				missing->cpu_seconds / 3600);
}

/* ---- times ------------------------------------------------------------------------ */

void slurm_jobs_settle_times(struct accounted_job *job, double start, struct piece nodes)
{
	bool has_nodes = nodes.length ? !piece_is(nodes, "None assigned")
				      : job->state != JOB_STATE_CANCELLED;
	double known_until;	/* NAN: the start is not known */

	if (isnan(job->elapsed) && job->end >= start)
		job->elapsed = job->end - start;
	if (!(job->elapsed > 0) && (isnan(start) || !has_nodes)) {
		job->elapsed = NAN;	/* it was cancelled before it started */
		return;
	}
	/* records of a running job have no end, or the start as its end; fmax() ignores NAN */
	known_until = start + fmax(job->elapsed, 0);
	if (!isnan(known_until) && !(job->end >= known_until))
		job->end = known_until;
}
