/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first reading notes names, partitions and the order of jobs, and keeps the jobs if they are
 * few or out of order; the second gives them to the replay. What a job of accounting becomes in a
 * trace is told once, for both.
 */
#include "format/trace/trace.h"

#include "document/text.h"
#include "format/trace/swf_writer.h"
#include "format/tree_builder.h"
#include "format/unknown_format.h"
#include "jobs/job_associations.h"
#include "jobs/job_states.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KEPT 2000000	/* jobs of a trace that is in order */
#define NO_NODE SIZE_MAX
#define MOST_DIGITS 309		/* of a whole number */

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
	void (*take)(const struct trace_job *job, void *context);
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
	place = trace_place_of(trace->site, trace->partitions, &names);
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

static struct trace_job trace_job_of(const struct reading *reading, const struct accounted_job *job,
				     size_t association, size_t partition)
{
	double submit = reading->scan.has_own_time ? job->trace_submit : job->submit;

	return (struct trace_job){
		.number = (uint64_t)job->id, .run = job->elapsed, .wait = wait_of(job),
		.submit = submit, .eligible = submit + time_to_eligible(job),
		.requested = requested_time(reading->trace, job, partition),
		.partition = (uint32_t)partition,
		.billing = job->billing, .cpu_use = accounted_cpu_use(job),
		.association = (uint32_t)association,
		.cpus = (uint32_t)job->cpus, .nodes = (uint32_t)job->nodes,
	};
}

/* A machine of unknown size takes all jobs; then it is known how many CPUs they had. */
static void find_machine(const struct reading *reading)
{
	struct trace *trace = reading->trace;

	if (!(trace->cpus > 0))
		trace->cpus = reading->scan.machine_cpus;
	if (!(trace->cpus > 0))
		trace->cpus = INFINITY;
}

/* Returns when a trace begins that has times of its own. */
static double epoch_of(const struct accounted_job *job)
{
	double start = rint(job->submit - job->trace_submit);

	return start > SWF_NO_START ? start : NAN;
}

/* Copies a piece, which may be without text, to `to`, and returns where it ends there. */
static char *put_piece(char *to, struct piece piece)
{
	if (piece.length)
		memcpy(to, piece.at, piece.length);
	return to + piece.length;
}

/* Notes the request of a job. Returns its number. */
static uint32_t note_request(struct trace *trace, const struct accounted_job *job)
{
	const struct piece qos = job->qos, tres = job->tres;
	const size_t room = qos.length + tres.length + sizeof("\ncpu=,node=") + 2 * MOST_DIGITS;
	char *end;
	size_t number;

	trace->text = need_room(trace->text, &trace->text_room, room, 1);
	end = put_piece(trace->text, qos);
	*end++ = '\n';
	if (tres.length)
		*put_piece(end, tres) = '\0';
	else
		snprintf(end, room - qos.length - 1, "cpu=%.0f,node=%.0f", job->cpus,
			 job->nodes > 0 ? job->nodes : job->cpus);
	trace->names_qos |= qos.length > 0;
	trace->names_tres |= tres.length > 0;
	number = need_name(trace->requests, trace->text);
	need_done(number >= UINT32_MAX);
	return (uint32_t)number;
}

/* Hands the job of a record to reading->take. partition: its number; that behind the last one: it
 * is not known. */
static void take_job(struct reading *reading, const struct accounted_job *job,
		     struct document *input, size_t partition)
{
	struct trace *trace = reading->trace;
	struct trace_job taken = trace_job_of(
		reading, job, accounted_usage_find(&trace->associations, input, job), partition);

	trace->epoch = epoch_of(job);
	if (trace->site && !trace->is_second && partition == trace->site->count)
		trace->without_partition++;
	if (trace->wants_requests)
		taken.request = note_request(trace, job);
	reading->take(&taken, reading->context);
}

/* Takes a record, or counts why it is skipped; the second time that the file is read, nothing is
 * counted again. */
static void take_record(const struct accounted_job *job, struct document *input, void *context)
{
	struct reading *reading = context;
	struct trace *trace = reading->trace;
	enum trace_skip reason;
	size_t partition = 0;

	find_machine(reading);
	reason = reason_to_skip(trace, job);
	if (reason == TRACE_TAKEN)
		reason = find_partition(reading, job, &partition);
	if (reason == TRACE_TAKEN)
		take_job(reading, job, input, partition);
	else if (!trace->is_second)	/* a pending array has one record */
		trace->skipped[reason] += job->array_tasks > 1 ? (size_t)job->array_tasks : 1;
}

/* ---- the first time ------------------------------------------------------------------------ */

static void drop_jobs(struct trace *trace)
{
	need_free(trace->job);
	trace->job = NULL;
	trace->is_kept = false;
}

/* A trace from standard input cannot be read again. */
static bool must_keep(const struct trace *trace)
{
	return trace->must_sort || isinf(trace->cpus) || !strcmp(trace->input.name, "-");
}

/* Notes what the first reading has to find out of a job, and keeps the job as long as they are not
 * too many. */
static void survey_job(const struct trace_job *job, void *context)
{
	struct trace *trace = context;
	bool is_first = !trace->jobs;

	trace->out_of_order += !is_first && job->submit < trace->last_submit;
	trace->must_sort |= !is_first && job->eligible < trace->last_eligible;
	trace->eligible_later += job->eligible > job->submit;
	trace->with_cpu_time += job->cpu_use != 0;
	trace->last_submit = job->submit;
	trace->last_eligible = job->eligible;
	trace->first_submit = is_first ? job->submit : fmin(trace->first_submit, job->submit);
	if (trace->is_kept && trace->jobs == MOST_KEPT && !must_keep(trace))
		drop_jobs(trace);
	if (trace->is_kept)
		NEED_ADD(trace->job, trace->jobs, *job);
	else
		trace->jobs++;
}

/* Reads the file from its beginning. */
static void scan_file(struct reading *reading)
{
	struct trace *trace = reading->trace;

	if (!trace->format)
		trace->format = format_recognize(&trace->input);
	if (!trace->format)
		wrong_at(&trace->input, 1, "%s; --format names the format",
			 unknown_format_reason(&trace->input));
	if (!trace->format->read_accounting)
		wrong_at(&trace->input, 0, "format %s has no records of jobs, must be a trace "
			 "such as swf or sacct", trace->format->name);
	reading->scan.take = take_record;
	reading->scan.context = reading;
	accounting_scan(trace->format, &trace->input, &reading->scan);
	if (!trace->is_second)
		trace->skipped[TRACE_PART] = reading->scan.parts;
	trace->origin = reading->scan.has_own_time ? 0 : trace->first_submit;
	if (!reading->scan.has_own_time)
		trace->epoch = trace->first_submit;
}

/* Counts users by their names, whatever accounts they are in, and accounts that have users or
 * jobs. */
static void count_names(struct trace *trace)
{
	struct name_index *users = need_index();

	trace->accounts = 0;
	for (size_t i = 1; i < trace->associations.count; i++) {
		const struct accounted_association *association =
			&trace->associations.association[i];
		struct piece user = { association->key + association->account_length + 1,
				      association->user_length };

		trace->accounts += !user.length;
		if (user.length)
			need_put(users, user, i);
	}
	trace->users = users->count;
}

uint32_t *trace_join(struct trace *whole, const struct trace *other)
{
	const struct accounted_usage *from = &other->associations;
	const struct accounting_rules no_usage = { .half_life_count = 0 };
	uint32_t *index = need_zeros(from->count, sizeof(*index));

	if (!whole->associations.index)
		accounted_usage_create(&whole->associations, &no_usage);
	for (size_t i = 0; i < from->count; i++) {
		const struct accounted_association *pair = &from->association[i];
		const struct accounted_job job = {
			.account = { pair->key, pair->account_length }, .line = pair->line,
			.user = { pair->key + pair->account_length + 1, pair->user_length },
		};

		index[i] = (uint32_t)accounted_usage_find(&whole->associations, &whole->input,
							  &job);
	}
	count_names(whole);
	return index;
}

static void open_watched(struct trace *trace, const char *name)
{
	document_open(&trace->input, name);
	trace->input.watch = trace->watch;
}

/* Reads a file that is too long to keep again, because its jobs have to be sorted. */
static void keep_all(struct trace *trace)
{
	struct reading reading = { .trace = trace, .take = survey_job, .context = trace };
	const char *name = trace->input.name;

	document_clear(&trace->input);
	open_watched(trace, name);
	trace->jobs = trace->out_of_order = trace->eligible_later = trace->with_cpu_time = 0;
	trace->is_kept = trace->is_second = true;
	scan_file(&reading);
}

/* ---- the size of the machine --------------------------------------------------------------- */

/* A job starts or ends. */
struct change {
	double time;
	double cpus;	/* CPUs that become busy; negative: that become free */
};

/* At the same instant jobs end before others start. */
static int compare_changes(const void *a, const void *b)
{
	const struct change *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return (left->cpus > right->cpus) - (left->cpus < right->cpus);
}

/* Returns the most CPUs that jobs had at the same time. A job whose start is not known counts by
 * itself. All jobs must be kept, as they are if the size of the machine is unknown. */
static double trace_peak_cpus(const struct trace *trace)
{
	struct change *change = need_zeros(2 * trace->jobs, sizeof(*change));
	double most = 0, now = 0;
	size_t count = 0;

	for (size_t i = 0; i < trace->jobs; i++) {
		const struct trace_job *job = &trace->job[i];
		double start = job->eligible + job->wait;

		most = fmax(most, job->cpus);
		if (isnan(start))
			continue;
		change[count++] = (struct change){ start, job->cpus };
		change[count++] = (struct change){ start + job->run, -(double)job->cpus };
	}
	qsort(change, count, sizeof(*change), compare_changes);
	for (size_t i = 0; i < count; i++)
		most = fmax(most, now += change[i].cpus);
	need_free(change);
	return most;
}

/* ---- the order ----------------------------------------------------------------------------- */

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
static void sort_jobs(struct trace *trace)
{
	struct order *order = need_zeros(trace->jobs, sizeof(*order));
	struct trace_job *sorted = need_zeros(trace->jobs, sizeof(*sorted));

	for (size_t i = 0; i < trace->jobs; i++)
		order[i] = (struct order){ trace->job[i].eligible, i };
	qsort(order, trace->jobs, sizeof(*order), compare);
	for (size_t i = 0; i < trace->jobs; i++)
		sorted[i] = trace->job[order[i].at];
	need_free(order);
	need_free(trace->job);
	trace->job = sorted;
}

void trace_open(struct trace *trace, const struct trace_source *source)
{
	struct reading reading = { .trace = trace, .take = survey_job, .context = trace };
	const struct accounting_rules no_usage = { .half_life_count = 0 };

	*trace = (struct trace){ .format = source->format, .cpus = source->cpus,
				 .site = source->site, .is_kept = true,
				 .watch = source->watch,
				 .partitions = need_index(), .requests = need_names(),
				 .needs_starts = source->needs_starts,
				 .wants_requests = source->wants_requests };
	accounted_usage_create(&trace->associations, &no_usage);
	for (size_t i = 0; trace->site && i < trace->site->count; i++)
		need_put(trace->partitions, piece_of(trace->site->partition[i].name), i);
	open_watched(trace, source->name);
	scan_file(&reading);
	if (isinf(trace->cpus) && trace->jobs)
		wrong_at(&trace->input, 0, "the trace does not say how many CPUs the machine has; "
			 "its jobs had at most %.0f at once: give --cpus, or its slurm.conf by "
			 "--from", trace_peak_cpus(trace));
	count_names(trace);
	if (trace->must_sort && !trace->is_kept)
		keep_all(trace);
	trace->is_second = true;
	if (trace->must_sort)
		sort_jobs(trace);
}

/* ---- associations ------------------------------------------------------------------------ */

void trace_tree(struct trace *trace, struct snapshot *snapshot)
{
	accounted_usage_finish(&trace->associations, &trace->input, snapshot);
}

/* ---- users whom the tree does not have ----------------------------------------------------- */

static size_t find_account(const struct snapshot *snapshot, const char *name)
{
	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		if (fathom_tree_kind(snapshot->tree, node) == FATHOM_ACCOUNT &&
		    !strcmp(snapshot_name(snapshot, node), name))
			return node;
	return NO_NODE;
}

/* Adds a row; the names have been read before, so that nothing can be wrong with them. */
static void add_row(struct tree_builder *builder, const struct fathom_row *row, const char *name,
		    const char *partition)
{
	tree_builder_add(builder, NULL, 0, row, piece_of(name), piece_of(partition));
}

static void copy_node(struct tree_builder *builder, const struct snapshot *snapshot, size_t node)
{
	const struct fathom_tree *tree = snapshot->tree;
	const struct fathom_row row = {
		.id = fathom_tree_id(tree, node), .is_root = !node,
		.parent_id = fathom_tree_id(tree, fathom_tree_parent(tree, node)),
		.kind = fathom_tree_kind(tree, node),
		.raw_shares = fathom_tree_raw_shares(tree, node),
		.usage = fathom_tree_own_usage(tree, node),
	};

	add_row(builder, &row, snapshot_name(snapshot, node), snapshot_partition(snapshot, node));
	for (size_t i = 0; i < fathom_resource_count(); i++)
		if (fathom_tree_has_resource(tree, (enum fathom_resource)i))
			tree_builder_set_resource(
				builder, (enum fathom_resource)i,
				fathom_tree_own_resource(tree, node, (enum fathom_resource)i));
}

/* Adds users with 1 share each below an account of the tree, as PBS does below its group "unknown".
 * Returns whether the tree has the account; else nothing is changed. */
static bool snapshot_add_users(struct snapshot *snapshot, const char *account,
			       const struct numbered_names *users)
{
	const size_t count = fathom_tree_count(snapshot->tree);
	size_t parent = find_account(snapshot, account);
	struct tree_builder builder = { 0 };
	struct snapshot grown = { 0 };
	struct fathom_row row = { .kind = FATHOM_USER, .raw_shares = 1 };

	if (parent == NO_NODE)
		return false;
	for (size_t node = 0; node < count; node++) {
		copy_node(&builder, snapshot, node);
		if (row.id < fathom_tree_id(snapshot->tree, node))
			row.id = fathom_tree_id(snapshot->tree, node);
	}
	row.parent_id = fathom_tree_id(snapshot->tree, parent);
	for (size_t i = 0; i < users->count; i++) {
		row.id++;
		add_row(&builder, &row, users->name[i], NULL);
	}
	tree_builder_finish(&builder, NULL, true, &grown);
	grown.has_time = snapshot->has_time;
	grown.time = snapshot->time;
	*snapshot = grown;
	return true;
}

/* Finds the nodes that the tree has. strangers: gets the names of the other users. */
static void find_nodes(struct trace *trace, const struct snapshot *snapshot,
		       const struct usage_heirs *rule, uint32_t *node,
		       struct numbered_names *strangers)
{
	struct job_associations associations;

	job_associations_create(&associations, snapshot);
	for (size_t i = 0; i < trace->associations.count; i++) {
		const struct accounted_association *pair = &trace->associations.association[i];
		struct piece account = { pair->key, pair->account_length };
		struct piece user = { pair->key + account.length + 1, pair->user_length };
		const struct job_row row = { .user = need_copy(user),
					     .account = need_copy(account) };
		size_t found = usage_heir_of(rule, &associations, &row);

		trace->is_unknown[i] = found == JOB_NO_NODE;
		node[i] = found == JOB_NO_NODE ? 0 : (uint32_t)found;
		if (trace->is_unknown[i] && user.length)
			need_name(strangers, row.user);
	}
}

void trace_find_nodes(struct trace *trace, struct snapshot *snapshot,
		      const struct usage_heirs *rule, uint32_t *node)
{
	struct numbered_names *strangers = need_names();

	trace->is_unknown = need_zeros(trace->associations.count, sizeof(*trace->is_unknown));
	find_nodes(trace, snapshot, rule, node, strangers);
	if (rule->strangers && strangers->count &&
	    snapshot_add_users(snapshot, rule->strangers, strangers))
		find_nodes(trace, snapshot, rule, node, strangers);
}

/* ---- the second time --------------------------------------------------------------------- */

/* Gives a job on, unless the tree does not have its association. */
static void give_job(const struct trace_job *job, void *context)
{
	struct reading *reading = context;
	struct trace *trace = reading->trace;
	struct trace_job given = *job;

	if (trace->is_unknown && trace->is_unknown[job->association]) {
		trace->skipped[TRACE_NO_ASSOCIATION]++;
		trace->jobs--;
		return;
	}
	given.submit -= trace->origin;
	given.eligible -= trace->origin;
	reading->take(&given, reading->context);
}

void trace_read(struct trace *trace, void (*take)(const struct trace_job *job, void *context),
		void *context)
{
	struct reading outer = { .trace = trace, .take = take, .context = context };
	struct reading inner = { .trace = trace, .take = give_job, .context = &outer };
	size_t count = trace->jobs += trace->skipped[TRACE_NO_ASSOCIATION];
	const char *name = trace->input.name;

	/* it may be read again, and then these are counted anew */
	trace->skipped[TRACE_NO_ASSOCIATION] = 0;
	for (size_t i = 0; trace->is_kept && i < count; i++)
		give_job(&trace->job[i], &outer);
	if (trace->is_kept)
		return;
	document_clear(&trace->input);
	document_open(&trace->input, name);
	scan_file(&inner);
}
