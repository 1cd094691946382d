/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/trace/trace.h"

#include "core/array.h"
#include "core/error.h"
#include "document/text.h"
#include "format/trace/swf_writer.h"
#include "format/unknown_format.h"
#include "jobs/job_associations.h"
#include "jobs/job_states.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KEPT 2000000	/* jobs of a trace that is in order */

static const char *const skip_names[TRACE_SKIP_COUNT] = {
	[TRACE_PART] = "part_of_job", [TRACE_UNFINISHED] = "not_ended",
	[TRACE_NOT_RUN] = "no_run_time", [TRACE_NO_SUBMIT] = "no_submit_time",
	[TRACE_NO_START] = "no_start_time", [TRACE_NO_CPUS] = "no_cpus",
	[TRACE_TOO_LARGE] = "too_large", [TRACE_TOO_LONG] = "too_long",
	[TRACE_NO_PARTITION] = "no_partition", [TRACE_NOT_UP] = "partition_not_up",
	[TRACE_NO_ASSOCIATION] = "no_association",
};

const char *trace_skip_name(enum trace_skip reason)
{
	return skip_names[reason];
}

/* ---- one job --------------------------------------------------------------------------- */

/* What reads the jobs now. */
struct reading {
	struct trace *trace;
	struct accounting_scan scan;
	int (*take)(const struct trace_job *job, void *context, struct fathom_error *error);
	void *context;
};

/* NAN: not known. */
static double start_of(const struct accounted_job *job)
{
	return job->end_is_guess ? NAN : job->end - job->elapsed;
}

/* Returns how long after its submission the job became eligible: before, it waited for another job
 * or for its begin time. Records of some systems count a job that was queued again from there, so
 * that it has started before. */
static double time_to_eligible(const struct accounted_job *job)
{
	double latest = fmin(job->eligible, start_of(job));

	return job->eligible > job->submit && latest > job->submit ? latest - job->submit : 0;
}

static double wait_of(const struct accounted_job *job)
{
	double wait = start_of(job) - job->submit - time_to_eligible(job);

	return isnan(wait) ? NAN : fmax(wait, 0);
}

static enum trace_skip reason_to_skip(const struct trace *trace, const struct accounted_job *job)
{
	if (job_state_has_not_ended(job->state))
		return TRACE_UNFINISHED;
	if (!(job->elapsed >= 0))
		return TRACE_NOT_RUN;
	if (isnan(job->submit))
		return TRACE_NO_SUBMIT;
	if (!(job->cpus >= 1))
		return TRACE_NO_CPUS;
	if (trace->needs_starts && isnan(wait_of(job)))
		return TRACE_NO_START;
	return job->cpus > trace->cpus ? TRACE_TOO_LARGE : TRACE_TAKEN;
}

/* Returns why the partition does not take the job. */
static enum trace_skip reason_of_partition(const struct trace_partition *partition,
					   const struct accounted_job *job)
{
	if (!partition->is_up)
		return TRACE_NOT_UP;
	if (job->cpus > partition->cpus ||
	    (partition->max_nodes > 0 && job->nodes > partition->max_nodes))
		return TRACE_TOO_LARGE;
	if (partition->max_time > 0 && job->time_limit * 60 > partition->max_time)
		return TRACE_TOO_LONG;
	return TRACE_TAKEN;
}

/* Finds the partition of a job; *partition: its number. */
static enum trace_skip find_partition(const struct reading *reading,
				      const struct accounted_job *job, size_t *partition)
{
	const struct trace *trace = reading->trace;
	const struct trace_names names = { job->partitions, job->queue,
					   reading->scan.has_own_time };
	struct trace_place place;

	*partition = 0;
	if (!trace->site)
		return TRACE_TAKEN;
	place = trace_place_of(trace->site, &trace->partitions, &names);
	*partition = place.partition;
	if (!place.is_known)
		return TRACE_NO_PARTITION;
	if (place.partition == trace->site->count)
		return TRACE_TAKEN;
	return reason_of_partition(&trace->site->partition[place.partition], job);
}

/* Returns the time that a job asks for, else that of its partition; 0: none. */
static double requested_time(const struct trace *trace, const struct accounted_job *job,
			     size_t partition)
{
	const struct trace_partition *limits;

	if (job->time_limit > 0 || !trace->site || partition == trace->site->count)
		return rint(job->time_limit * 60e6) / 1e6;	/* whole seconds stay whole */
	limits = &trace->site->partition[partition];
	return limits->default_time > 0 ? limits->default_time : limits->max_time;
}

static struct trace_job trace_job_of(const struct reading *reading,
				     const struct accounted_job *job, size_t association,
				     size_t partition)
{
	double submit = reading->scan.has_own_time ? job->trace_submit : job->submit;

	return (struct trace_job){
		.number = (uint64_t)job->id, .run = job->elapsed, .wait = wait_of(job),
		.submit = submit, .eligible = submit + time_to_eligible(job),
		.requested = requested_time(reading->trace, job, partition),
		.partition = (uint32_t)partition,
		.billing = job->billing, .association = (uint32_t)association,
		.cpus = (uint32_t)job->cpus, .nodes = (uint32_t)job->nodes,
	};
}

static int check_machine(struct reading *reading, struct fathom_error *error)
{
	struct trace *trace = reading->trace;

	if (!(trace->cpus > 0))
		trace->cpus = reading->scan.machine_cpus;
	if (trace->cpus > 0)
		return 0;
	return fathom_error_set(error, EINVAL, "the trace does not say how many CPUs the machine "
				"has; give --cpus, or its slurm.conf by --from");
}

/* Returns when a trace begins that has times of its own. */
static double epoch_of(const struct accounted_job *job)
{
	double start = rint(job->submit - job->trace_submit);

	return start > SWF_NO_START ? start : NAN;
}

/* Notes the request of a job; *number: its number. -1: ENOMEM. */
static int note_request(struct trace *trace, const struct accounted_job *job, uint32_t *number,
			struct fathom_error *error)
{
	size_t size = job->qos.length + job->tres.length + 64, found;
	char *text = malloc(size);

	if (!text)
		return fathom_error_no_memory(error);
	if (job->tres.length)
		snprintf(text, size, "%.*s\n%.*s", PIECE(job->qos), PIECE(job->tres));
	else
		snprintf(text, size, "%.*s\ncpu=%.0f,node=%.0f", PIECE(job->qos), job->cpus,
			 job->nodes > 0 ? job->nodes : job->cpus);
	trace->names_qos |= job->qos.length > 0;
	trace->names_tres |= job->tres.length > 0;
	found = numbered_names_add(&trace->requests, text);
	free(text);
	*number = (uint32_t)found;
	return found < UINT32_MAX ? 0 : fathom_error_no_memory(error);
}

static int take_record(const struct accounted_job *job, struct document *input, void *context,
		       struct fathom_error *error)
{
	struct reading *reading = context;
	struct trace *trace = reading->trace;
	struct trace_job taken;
	enum trace_skip reason;
	size_t association, partition = 0;

	if (check_machine(reading, error))
		return -1;
	reason = reason_to_skip(trace, job);
	if (reason == TRACE_TAKEN)
		reason = find_partition(reading, job, &partition);
	if (reason == TRACE_TAKEN &&
	    accounted_usage_find(&trace->associations, input, job, &association, error))
		return -1;
	if (reason == TRACE_TAKEN) {
		trace->epoch = epoch_of(job);
		taken = trace_job_of(reading, job, association, partition);
		trace->without_partition += trace->site && !trace->is_second &&
					    partition == trace->site->count;
		if (trace->wants_requests && note_request(trace, job, &taken.request, error))
			return -1;
		return reading->take(&taken, reading->context, error);
	}
	if (!trace->is_second)	/* a pending array has one record */
		trace->skipped[reason] += job->array_tasks > 1 ? (size_t)job->array_tasks : 1;
	return 0;
}

/* ---- the first time ------------------------------------------------------------------------ */

static int keep_job(struct trace *trace, const struct trace_job *job, struct fathom_error *error)
{
	struct trace_job *grown = array_grow(trace->job, &trace->room, trace->jobs + 1,
					     sizeof(*grown));

	if (!grown)
		return fathom_error_no_memory(error);
	trace->job = grown;
	grown[trace->jobs] = *job;
	return 0;
}

static void drop_jobs(struct trace *trace)
{
	free(trace->job);
	trace->job = NULL;
	trace->room = 0;
	trace->is_kept = false;
}

/* A trace from standard input cannot be read again. */
static bool must_keep(const struct trace *trace)
{
	return trace->must_sort || !strcmp(trace->input.name, "-");
}

static int survey_job(const struct trace_job *job, void *context, struct fathom_error *error)
{
	struct trace *trace = context;

	trace->out_of_order += trace->jobs && job->submit < trace->last_submit;
	trace->must_sort |= trace->jobs && job->eligible < trace->last_eligible;
	trace->eligible_later += job->eligible > job->submit;
	trace->last_submit = job->submit;
	trace->last_eligible = job->eligible;
	trace->first_submit = trace->jobs ? fmin(trace->first_submit, job->submit) : job->submit;
	if (trace->is_kept && trace->jobs == MOST_KEPT && !must_keep(trace))
		drop_jobs(trace);
	if (trace->is_kept && keep_job(trace, job, error))
		return -1;
	trace->jobs++;
	return 0;
}

/* Reads the file from its beginning. */
static int scan_file(struct reading *reading, struct fathom_error *error)
{
	struct trace *trace = reading->trace;
	int status;

	if (!trace->format)
		trace->format = format_recognize(&trace->input);
	if (!trace->format)
		return input_wrong(&trace->input, 1, error, "%s; --format names the format",
				   unknown_format_reason(&trace->input));
	if (!trace->format->read_accounting)
		return fathom_error_set(error, EINVAL, "format %s has no records of jobs, must be "
					"a trace such as swf or sacct", trace->format->name);
	reading->scan.take = take_record;
	reading->scan.context = reading;
	status = accounting_scan(trace->format, &trace->input, &reading->scan, error);
	if (!trace->is_second)
		trace->skipped[TRACE_PART] = reading->scan.parts;
	trace->origin = reading->scan.has_own_time ? 0 : trace->first_submit;
	if (!reading->scan.has_own_time)
		trace->epoch = trace->first_submit;
	return status;
}

/* Counts users by their names, whatever accounts they are in, and accounts that have users or
 * jobs. */
static int count_names(struct trace *trace, struct fathom_error *error)
{
	struct name_index users = { NULL };
	int status = 0;

	for (size_t i = 1; !status && i < trace->associations.count; i++) {
		const struct accounted_association *association =
			&trace->associations.association[i];
		struct piece user = { association->key + association->account_length + 1,
				      association->user_length };

		trace->accounts += !user.length;
		if (user.length)
			status = name_index_put(&users, user, i, error);
	}
	trace->users = users.count;
	name_index_clear(&users);
	return status;
}

static int open_watched(struct trace *trace, const char *name, struct fathom_error *error)
{
	if (document_open(&trace->input, name, error))
		return -1;
	trace->input.watch = trace->watch;
	return 0;
}

/* Reads a file that is too long to keep again, because its jobs have to be sorted. */
static int keep_all(struct trace *trace, struct fathom_error *error)
{
	struct reading reading = { .trace = trace, .take = survey_job, .context = trace };
	const char *name = trace->input.name;

	document_clear(&trace->input);
	if (open_watched(trace, name, error))
		return -1;
	trace->jobs = trace->out_of_order = trace->eligible_later = 0;
	trace->is_kept = trace->is_second = true;
	return scan_file(&reading, error);
}

struct order {
	double eligible;
	size_t at;
};

static int compare(const void *a, const void *b)
{
	const struct order *left = a, *right = b;

	if (left->eligible != right->eligible)
		return left->eligible < right->eligible ? -1 : 1;
	return left->at < right->at ? -1 : 1;
}

/* Sorts jobs as they become eligible; those of the same instant keep their order. */
static int sort_jobs(struct trace *trace, struct fathom_error *error)
{
	struct order *order = calloc(trace->jobs, sizeof(*order));
	struct trace_job *sorted = calloc(trace->jobs, sizeof(*sorted));

	if (!order || !sorted) {
		free(order);
		free(sorted);
		return fathom_error_no_memory(error);
	}
	for (size_t i = 0; i < trace->jobs; i++)
		order[i] = (struct order){ trace->job[i].eligible, i };
	qsort(order, trace->jobs, sizeof(*order), compare);
	for (size_t i = 0; i < trace->jobs; i++)
		sorted[i] = trace->job[order[i].at];
	free(order);
	free(trace->job);
	trace->job = sorted;
	return 0;
}

static int index_partitions(struct trace *trace, struct fathom_error *error)
{
	const struct trace_site *site = trace->site;

	for (size_t i = 0; site && i < site->count; i++) {
		const char *name = site->partition[i].name;

		if (name_index_put(&trace->partitions, piece_of(name), i, error))
			return -1;
	}
	return 0;
}

int trace_open(struct trace *trace, const struct trace_source *source, struct fathom_error *error)
{
	struct reading reading = { .trace = trace, .take = survey_job, .context = trace };
	const struct accounting_rules no_usage = { .half_life_count = 0 };

	*trace = (struct trace){ .format = source->format, .cpus = source->cpus,
				 .site = source->site, .is_kept = true,
				 .watch = source->watch,
				 .needs_starts = source->needs_starts,
				 .wants_requests = source->wants_requests };
	trace->input.name = source->name;
	if (accounted_usage_create(&trace->associations, &no_usage, error) ||
	    index_partitions(trace, error) ||
	    open_watched(trace, source->name, error) || scan_file(&reading, error) ||
	    count_names(trace, error))
		return -1;
	if (trace->must_sort && !trace->is_kept && keep_all(trace, error))
		return -1;
	trace->is_second = true;
	return trace->must_sort ? sort_jobs(trace, error) : 0;
}

void trace_clear(struct trace *trace)
{
	accounted_usage_clear(&trace->associations);
	name_index_clear(&trace->partitions);
	numbered_names_clear(&trace->requests);
	document_clear(&trace->input);
	free(trace->job);
	free(trace->is_unknown);
	memset(trace, 0, sizeof(*trace));
}

/* ---- associations ------------------------------------------------------------------------ */

int trace_tree(struct trace *trace, struct snapshot *snapshot, struct fathom_error *error)
{
	return accounted_usage_finish(&trace->associations, &trace->input, snapshot, error);
}

/* Where the associations of a trace are found. */
struct site_users {
	const struct usage_heirs *rule;
	struct job_associations associations;
};

static int find_node(struct trace *trace, const struct site_users *users, size_t i,
		     uint32_t *node, struct fathom_error *error)
{
	const struct accounted_association *association = &trace->associations.association[i];
	char *account = strndup(association->key, association->account_length);
	char *user = strndup(association->key + association->account_length + 1,
			     association->user_length);
	size_t found = JOB_NO_NODE;

	if (account && user)
		found = usage_heir_of(users->rule, &users->associations,
				      &(struct job_row){ .user = user, .account = account });
	trace->is_unknown[i] = found == JOB_NO_NODE;
	*node = found == JOB_NO_NODE ? 0 : (uint32_t)found;
	free(account);
	free(user);
	return account && user ? 0 : fathom_error_no_memory(error);
}

int trace_find_nodes(struct trace *trace, const struct snapshot *snapshot,
		     const struct usage_heirs *rule, uint32_t *node, struct fathom_error *error)
{
	struct site_users users = { .rule = rule };
	int status = 0;

	trace->is_unknown = calloc(trace->associations.count, sizeof(*trace->is_unknown));
	if (!trace->is_unknown)
		return fathom_error_no_memory(error);
	job_associations_create(&users.associations, snapshot);
	for (size_t i = 0; !status && i < trace->associations.count; i++)
		status = find_node(trace, &users, i, &node[i], error);
	job_associations_clear(&users.associations);
	return status;
}

/* ---- the second time --------------------------------------------------------------------- */

/* Gives a job on, unless the tree does not have its association. */
static int give_job(const struct trace_job *job, void *context, struct fathom_error *error)
{
	struct reading *reading = context;
	struct trace *trace = reading->trace;
	struct trace_job given = *job;

	if (trace->is_unknown && trace->is_unknown[job->association]) {
		trace->skipped[TRACE_NO_ASSOCIATION]++;
		trace->jobs--;
		return 0;
	}
	given.submit -= trace->origin;
	given.eligible -= trace->origin;
	return reading->take(&given, reading->context, error);
}

int trace_read(struct trace *trace,
	       int (*take)(const struct trace_job *job, void *context, struct fathom_error *error),
	       void *context, struct fathom_error *error)
{
	struct reading outer = { .trace = trace, .take = take, .context = context };
	struct reading inner = { .trace = trace, .take = give_job, .context = &outer };
	size_t count = trace->jobs += trace->skipped[TRACE_NO_ASSOCIATION];
	const char *name = trace->input.name;

	/* it may be read again, and then these are counted anew */
	trace->skipped[TRACE_NO_ASSOCIATION] = 0;
	for (size_t i = 0; trace->is_kept && i < count; i++)
		if (give_job(&trace->job[i], &outer, error))
			return -1;
	if (trace->is_kept)
		return 0;
	document_clear(&trace->input);
	return document_open(&trace->input, name, error) ? -1 : scan_file(&inner, error);
}
