/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Both readings, and the jobs in memory, go through chains of functions:
 *
 *	first	accounting_scan() -> take_record() -> take_job() -> survey_job()
 *	second	accounting_scan() -> take_record() -> take_job() -> give_job() -> the caller
 *	kept	trace->job -> give_job() -> the caller
 *
 * take_record() skips records, and take_job() makes a trace_job of the others. The first reading
 * keeps the jobs if they are few or have to be sorted. If it has dropped them before it finds that
 * they have to be sorted, the file is read once more to keep them.
 */
#include "format/trace/trace.h"

#include "core/plural.h"
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

#define MOST_KEPT 2000000	/* jobs in memory, if the trace is in order */
#define MOST_DIGITS 309		/* of a double without its fraction */

/* A reason to skip: its word, and the same behind the number of jobs. */
static const struct { const char *name, *words; } skips[TRACE_SKIP_COUNT] = {
	[TRACE_PART] = { "part_of_job", "recorded in parts" },
	[TRACE_UNFINISHED] = { "not_ended", "that had not ended" },
	[TRACE_NOT_RUN] = { "no_run_time", "that never ran" },
	[TRACE_NO_SUBMIT] = { "no_submit_time", "without a submit time" },
	[TRACE_NO_START] = { "no_start_time", "without a start" },
	[TRACE_NO_CPUS] = { "no_cpus", "without a number of CPUs" },
	[TRACE_TOO_LARGE] = { "too_large", "too large for the machine or partition (--cpus)" },
	[TRACE_TOO_LONG] = { "too_long", "with a time limit beyond MaxTime of the partition" },
	[TRACE_NO_PARTITION] = { "no_partition", "of partitions that the site does not have" },
	[TRACE_NOT_UP] = { "partition_not_up", "of partitions that are not up" },
	[TRACE_NO_ASSOCIATION] = { "no_association", "of users and accounts that the tree does not "
						     "have (--from)" },
};

const char *trace_skip_name(enum trace_skip reason)
{
	return skips[reason].name;
}

const char *trace_skipped_words(const struct trace *trace, enum trace_skip reason)
{
	size_t count = trace->skipped[reason];

	return need_print("%zu job%s %s", count, PLURAL(count), skips[reason].words);
}

/* ---- one job --------------------------------------------------------------------------- */

/* A reading of the jobs. */
struct trace_reading {
	struct trace *trace;
	struct accounting_scan scan;	/* of the file */
	void (*take)(const struct trace_job *job, void *context);	/* gets the jobs */
	void *context;			/* for take() */
	size_t taken;			/* jobs so far, for take() */
	size_t jobs, associations;	/* that the first reading found; SIZE_MAX: this is it */
};

/* The caller of trace_read(), who gets the jobs. */
struct trace_caller {
	struct trace *trace;
	void (*take)(const struct trace_job *job, void *context);
	void *context;			/* for take() */
};

/* Fails because the file has other jobs than at the first reading, such as a log that grows. */
static _Noreturn void refuse_change(struct trace *trace)
{
	wrong_at(&trace->input, 0, "has changed while it was read; give a copy");
}

/* Returns the start of a job, seconds since 1970; NAN: not known. */
static double start_of(const struct accounted_job *job)
{
	return job->end_is_guess ? NAN : job->end - job->elapsed;
}

/* Returns how many seconds after its submission a job became eligible; until then it waited for
 * another job or for its begin time. Of a job that was queued again, records of some systems tell
 * the eligible time after that, which may be later than its start; then the start counts. */
static double time_to_eligible(const struct accounted_job *job)
{
	double latest = fmin(job->eligible, start_of(job));

	return job->eligible > job->submit && latest > job->submit ? latest - job->submit : 0;
}

/* Returns the seconds that a job waited while it was eligible; NAN: not known. */
static double wait_of(const struct accounted_job *job)
{
	double wait = start_of(job) - job->submit - time_to_eligible(job);

	return isnan(wait) ? NAN : fmax(wait, 0);
}

/* Returns why a job cannot be replayed on the machine; TRACE_TAKEN: it can. */
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

/* Returns why a partition does not take a job; TRACE_TAKEN: it does. */
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

/* Returns the index of the partition in which a job runs: the first of its partitions that the site
 * has; else, of a trace that has numbers in place of names, the partition with the name of its
 * queue, such as queue5; NAME_INDEX_NONE: the site has none of them. */
static size_t find_named(const struct trace_reading *reading, const struct accounted_job *job)
{
	const struct name_index *index = reading->trace->partitions;
	struct piece list = job->partitions, name;
	size_t found = NAME_INDEX_NONE;

	while (found == NAME_INDEX_NONE && piece_next(&list, ',', &name))
		found = name_index_get(index, name);
	if (found == NAME_INDEX_NONE && reading->scan.has_own_time && job->queue.length) {
		char queue[64];

		snprintf(queue, sizeof(queue), "queue%.*s", (int)job->queue.length, job->queue.at);
		found = name_index_get(index, piece_of(queue));
	}
	return found;
}

/* Finds the partition of a job. Returns why it does not take the job, or TRACE_TAKEN. *partition:
 * its index, that of the standard one if the job names none; the number of partitions: the job runs
 * on all nodes, as one does that names only others, if all partitions have all nodes, or the trace
 * has numbers, which are not the site's names; 0 without a site. */
static enum trace_skip find_partition(const struct trace_reading *reading,
				      const struct accounted_job *job, size_t *partition)
{
	const struct trace_site *site = reading->trace->site;

	*partition = 0;
	if (!site)
		return TRACE_TAKEN;
	*partition = find_named(reading, job);
	if (*partition == NAME_INDEX_NONE && job->partitions.length) {
		*partition = site->count;
		if (!reading->scan.has_own_time && site->has_nodes)
			return TRACE_NO_PARTITION;
	}
	if (*partition == NAME_INDEX_NONE)
		*partition = site->standard;
	if (*partition == site->count)
		return TRACE_TAKEN;
	return reason_of_partition(&site->partition[*partition], job);
}

/* Returns the seconds that a job asks for; if it asks for none, the default of its partition, else
 * the partition's limit; 0: there is none. */
static double requested_time(const struct trace *trace, const struct accounted_job *job,
			     size_t partition)
{
	const struct trace_partition *limits;

	if (job->time_limit > 0 || !trace->site || partition == trace->site->count)
		return rint(job->time_limit * 60e6) / 1e6;	/* whole seconds stay whole */
	limits = &trace->site->partition[partition];
	return limits->default_time > 0 ? limits->default_time : limits->max_time;
}

/* Returns a job as it is replayed. Its times are not relative to trace->origin yet. */
static struct trace_job trace_job_of(const struct trace_reading *reading,
				     const struct accounted_job *job, size_t association,
				     size_t partition)
{
	double submit = reading->scan.has_own_time ? job->trace_submit : job->submit;

	return (struct trace_job){
		.number = (uint64_t)job->id, .run = job->elapsed, .wait = wait_of(job),
		.submit = submit, .eligible = submit + time_to_eligible(job),
		.requested = requested_time(reading->trace, job, partition),
		.partition = (uint32_t)partition,
		.billing = job->billing, .cpu_use = accounted_cpu_use(job),
		.queue_priority = job->queue_priority, .bank_priority = job->bank_priority,
		.association = (uint32_t)association,
		.cpus = (uint32_t)job->cpus, .nodes = (uint32_t)job->nodes,
	};
}

/* Sets the size of the machine, if the caller did not: that of the header, else INFINITY. An
 * infinite machine takes all jobs, so that trace_peak_cpus() can tell how many CPUs they had. */
static void find_machine(const struct trace_reading *reading)
{
	struct trace *trace = reading->trace;
	double cpus = reading->scan.machine_cpus;

	if (!(trace->cpus > 0))
		trace->cpus = cpus > 0 ? cpus : INFINITY;
}

double trace_epoch_of(const struct accounted_job *job)
{
	return job->trace_start > SWF_NO_START ? job->trace_start : NAN;
}

/* Copies a piece, whose `at` may be NULL, to `to`. Returns the end of the copy. */
static char *put_piece(char *to, struct piece piece)
{
	if (piece.length)
		memcpy(to, piece.at, piece.length);
	return to + piece.length;
}

/* Notes what a job asks for. Returns its index in trace->requests. */
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
		/* if the nodes are not known, each CPU may be on another one */
		snprintf(end, room - qos.length - 1, "cpu=%.0f,node=%.0f", job->cpus,
			 job->nodes > 0 ? job->nodes : job->cpus);
	trace->names_qos |= qos.length > 0;
	trace->names_tres |= tres.length > 0;
	number = need_name(trace->requests, trace->text);
	need_done(number >= UINT32_MAX);	/* as if memory had run out */
	return (uint32_t)number;
}

/* Gives the job of a record to reading->take(). partition: from find_partition(). */
static void take_job(struct trace_reading *reading, const struct accounted_job *job,
		     struct document *input, size_t partition)
{
	struct trace *trace = reading->trace;
	size_t association = accounted_associations_find(&trace->associations, input, job);
	struct trace_job taken = trace_job_of(reading, job, association, partition);

	if (reading->taken++ == reading->jobs || association >= reading->associations)
		refuse_change(trace);
	/* the same for all jobs; scan_file() sets another one */
	trace->epoch = trace_epoch_of(job);
	if (trace->site && partition == trace->site->count)
		trace->without_partition++;
	if (trace->wants_requests)
		taken.request = note_request(trace, job);
	reading->take(&taken, reading->context);
}

/* Takes a job, or counts why it is skipped; take() of the scan. */
static void take_record(const struct accounted_job *job, struct document *input, void *context)
{
	struct trace_reading *reading = context;
	struct trace *trace = reading->trace;
	enum trace_skip reason;
	size_t partition = 0;

	find_machine(reading);
	reason = reason_to_skip(trace, job);
	if (reason == TRACE_TAKEN)
		reason = find_partition(reading, job, &partition);
	if (reason == TRACE_TAKEN)
		take_job(reading, job, input, partition);
	else	/* a pending array has one record for all its tasks */
		trace->skipped[reason] += job->array_tasks > 1 ? (size_t)job->array_tasks : 1;
}

/* ---- the first time ------------------------------------------------------------------------ */

static void drop_jobs(struct trace *trace)
{
	need_free(trace->job);
	trace->job = NULL;
	trace->is_kept = false;
}

/* Returns whether all jobs must be kept, however many: they have to be sorted, trace_peak_cpus()
 * needs them, or the trace cannot be read again, as it comes from a pipe. */
static bool must_keep(const struct trace *trace)
{
	return trace->must_sort || isinf(trace->cpus) || !document_can_reopen(trace->input.name);
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* Compares by the order in which jobs wait: the eligible time, the submission, the number. Tasks of
 * one array have one number, and go in the order of their starts, as far as these are known. Many
 * logs are in the order in which jobs ended, where the shortest of such jobs are the first. */
static int compare_jobs(const struct trace_job *a, const struct trace_job *b)
{
	int order = compare_numbers(a->eligible, b->eligible);

	if (!order)
		order = compare_numbers(a->submit, b->submit);
	if (!order)
		order = (a->number > b->number) - (a->number < b->number);
	return order ? order : compare_numbers(isnan(a->wait) ? INFINITY : a->wait,
					       isnan(b->wait) ? INFINITY : b->wait);
}

/* Notes what the first reading finds out from a job, and keeps the job as long as there are not too
 * many; take() of the first reading. */
static void survey_job(const struct trace_job *job, void *context)
{
	struct trace *trace = context;
	bool is_first = !trace->jobs;
	double end = job->eligible + job->run;

	trace->out_of_order += !is_first && job->submit < trace->last.submit;
	trace->must_sort |= !is_first && compare_jobs(job, &trace->last) < 0;
	trace->eligible_later += job->eligible > job->submit;
	trace->with_cpu_time += job->cpu_use != 0;
	trace->last = *job;
	trace->first_submit = is_first ? job->submit : fmin(trace->first_submit, job->submit);
	trace->last_submit = is_first ? job->submit : fmax(trace->last_submit, job->submit);
	trace->last_end = is_first ? end : fmax(trace->last_end, end);
	if (trace->is_kept && trace->jobs == MOST_KEPT && !must_keep(trace))
		drop_jobs(trace);
	if (trace->is_kept)
		NEED_ADD(trace->job, trace->jobs, *job);
	else
		trace->jobs++;
}

/* Reads the file, which has just been opened, and sets origin and epoch of the trace. Fails, see
 * wrong_at(), if its format has no records of jobs. */
static void scan_file(struct trace_reading *reading)
{
	struct trace *trace = reading->trace;

	if (!trace->format)
		trace->format = format_recognize(&trace->input);
	if (!trace->format)
		wrong_format(&trace->input, "a trace such as swf or sacct; --format names the "
					    "format");
	if (!trace->format->read_accounting)
		wrong_at(&trace->input, 0, "format %s has no records of jobs, must be a trace "
			 "such as swf or sacct", trace->format->name);
	memset(trace->skipped, 0, sizeof(trace->skipped));	/* each reading counts anew */
	trace->without_partition = 0;
	reading->scan.take = take_record;
	reading->scan.context = reading;
	accounting_scan(trace->format, &trace->input, &reading->scan);
	trace->skipped[TRACE_PART] = reading->scan.parts;
	trace->origin = reading->scan.has_own_time ? 0 : trace->first_submit;
	if (!reading->scan.has_own_time)
		trace->epoch = trace->first_submit;
}

/* Counts users, who are the same in all accounts if their names are, and accounts. Association 0,
 * the root, is neither. */
static void count_names(struct trace *trace)
{
	struct name_index *users = need_index();

	trace->accounts = 0;
	for (size_t i = 1; i < trace->associations.count; i++) {
		const struct accounted_association *association =
			&trace->associations.association[i];

		trace->accounts += !association->user.length;
		if (association->user.length)
			need_put(users, association->user, i);
	}
	trace->users = users->count;
}

uint32_t *trace_join(struct trace *joined, const struct trace *other)
{
	const struct accounted_associations *from = &other->associations;
	uint32_t *index = need_zeros(from->count, sizeof(*index));

	if (!joined->associations.index)
		/* all traces tell the same partitions apart */
		accounted_associations_create(&joined->associations, from->partitions);
	for (size_t i = 0; i < from->count; i++) {
		const struct accounted_association *pair = &from->association[i];
		const struct accounted_job job = { .account = pair->account, .user = pair->user,
						   .partitions = pair->partition,
						   .line = pair->line };

		index[i] = (uint32_t)accounted_associations_find(&joined->associations,
								 &joined->input, &job);
	}
	count_names(joined);
	return index;
}

/* Opens the file, and reads it to find out what trace_read() needs; trace->watch follows. */
static void survey(struct trace *trace, const char *name)
{
	struct trace_reading reading = { .trace = trace, .take = survey_job, .context = trace,
					 .jobs = SIZE_MAX, .associations = SIZE_MAX };

	document_open(&trace->input, name);
	trace->input.watch = trace->watch;
	scan_file(&reading);
}

/* Reads the file again to keep all jobs, because they have to be sorted, but were dropped for their
 * number. Counts the jobs anew. */
static void keep_all(struct trace *trace)
{
	const char *name = trace->input.name;

	document_clear(&trace->input);
	trace->jobs = trace->out_of_order = trace->eligible_later = trace->with_cpu_time = 0;
	trace->is_kept = true;
	survey(trace, name);
}

/* ---- the size of the machine --------------------------------------------------------------- */

/* A job starts or ends. */
struct change {
	double time;
	double cpus;	/* CPUs that become busy; negative: that become free */
};

/* Compares by time; at the same instant jobs end, which makes CPUs free, before others start. */
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

/* Compares pointers to jobs by compare_jobs(); those that are equal keep their order in trace->job,
 * into which the pointers point. */
static int compare_order(const void *first, const void *second)
{
	const struct trace_job *a = *(const struct trace_job *const *)first;
	const struct trace_job *b = *(const struct trace_job *const *)second;
	int order = compare_jobs(a, b);

	return order ? order : (a > b) - (a < b);
}

/* Sorts the jobs by compare_jobs(). */
static void sort_jobs(struct trace *trace)
{
	const struct trace_job **order = need_zeros(trace->jobs, sizeof(*order));
	struct trace_job *sorted = need_zeros(trace->jobs, sizeof(*sorted));

	for (size_t i = 0; i < trace->jobs; i++)
		order[i] = &trace->job[i];
	qsort(order, trace->jobs, sizeof(*order), compare_order);
	for (size_t i = 0; i < trace->jobs; i++)
		sorted[i] = *order[i];
	need_free(order);
	need_free(trace->job);
	trace->job = sorted;
}

void trace_open(struct trace *trace, const struct trace_source *source)
{
	*trace = (struct trace){ .format = source->format, .cpus = source->cpus,
				 .site = source->site, .is_kept = true,
				 .watch = source->watch,
				 .partitions = need_index(), .requests = need_names(),
				 .needs_starts = source->needs_starts,
				 .wants_requests = source->wants_requests };
	accounted_associations_create(&trace->associations, accounted_partitions_of(source->tree));
	for (size_t i = 0; trace->site && i < trace->site->count; i++)
		need_put(trace->partitions, piece_of(trace->site->partition[i].name), i);
	survey(trace, source->name);
	if (isinf(trace->cpus) && trace->jobs)
		wrong_at(&trace->input, 0, "the trace does not say how many CPUs the machine has; "
			 "its jobs had at most %.0f at once: give --cpus, or its slurm.conf by "
			 "--from", trace_peak_cpus(trace));
	count_names(trace);
	if (trace->must_sort && !trace->is_kept)
		keep_all(trace);
	if (trace->must_sort)
		sort_jobs(trace);
}

/* ---- associations ------------------------------------------------------------------------ */

void trace_tree(struct trace *trace, struct snapshot *snapshot)
{
	accounted_associations_make_tree(&trace->associations, &trace->input, snapshot);
}

/* Returns the first default account that the associations of a user have; NULL: none is known.
 * node: the first of these associations; JOB_NO_NODE: the user has none. */
static const char *find_default_account(const struct job_associations *tree, size_t node)
{
	const char *account = NULL;

	for (; node != JOB_NO_NODE && !account; node = tree->next[node])
		account = snapshot_default_account(tree->snapshot, node);
	return account;
}

/* Returns the node for a user's jobs in an account in which the tree does not have the user; see
 * trace_find_nodes(). */
static size_t find_by_user(const struct job_associations *tree, const struct job_row *names)
{
	size_t first = name_index_get(tree->first, piece_of(names->user));
	struct job_row by_default = *names;
	bool is_only_one;

	by_default.account = find_default_account(tree, first);
	if (by_default.account)
		return job_associations_find(tree, &by_default);
	is_only_one = first != JOB_NO_NODE && tree->next[first] == JOB_NO_NODE &&
		      !snapshot_partition(tree->snapshot, first);
	return is_only_one ? first : JOB_NO_NODE;
}

/* Finds the node of an association by its names; *node is 0 if the tree lacks it. may_lack_account:
 * the account may be one that the tree does not have. */
static enum trace_found find_node(const struct job_associations *tree, const struct job_row *names,
				  bool may_lack_account, uint32_t *node)
{
	enum trace_found how = FOUND_AS_TOLD;
	size_t found = job_associations_find(tree, names);

	if (found == JOB_NO_NODE && may_lack_account) {
		how = FOUND_BY_USER_ALONE;
		found = find_by_user(tree, names);
	}
	*node = found == JOB_NO_NODE ? 0 : (uint32_t)found;
	return found == JOB_NO_NODE ? NOT_FOUND : how;
}

/* Finds the nodes of associations in the tree; see trace_find_nodes(). strangers: gets the names of
 * users who are not found. */
static void find_nodes(struct trace *trace, const struct snapshot *snapshot,
		       const struct association_rule *rule, uint32_t *node,
		       struct numbered_names *strangers)
{
	bool by_all_names = !rule->find && rule->by == FOUND_BY_ASSOCIATION;
	/* groups of PBS and projects of LSF need not be accounts */
	bool may_lack_account = by_all_names && trace->format && trace->format->policy;
	struct job_associations tree;

	job_associations_create(&tree, snapshot);
	for (size_t i = 0; i < trace->associations.count; i++) {
		const struct accounted_association *pair = &trace->associations.association[i];
		const struct job_row names = { .user = need_copy(pair->user),
					       .account = need_copy(pair->account),
					       .partition = need_copy(pair->partition) };

		tree.rule = *rule;
		if (by_all_names && !pair->account.length)
			tree.rule.by = FOUND_BY_USER;	/* it is a user below the root */
		trace->found[i] = find_node(&tree, &names, may_lack_account, &node[i]);
		if (trace->found[i] == NOT_FOUND && pair->user.length)
			need_name(strangers, names.user);
	}
}

void trace_find_nodes(struct trace *trace, struct snapshot *snapshot,
		      const struct association_rule *rule, uint32_t *node)
{
	struct numbered_names *strangers = need_names();

	trace->found = need_zeros(trace->associations.count, sizeof(*trace->found));
	find_nodes(trace, snapshot, rule, node, strangers);
	if (rule->strangers && strangers->count &&
	    tree_builder_add_users(snapshot, rule->strangers, strangers))
		find_nodes(trace, snapshot, rule, node, strangers);
}

/* ---- the second time --------------------------------------------------------------------- */

/* Gives a job to the caller, with times from trace->origin, unless the tree lacks its association;
 * take() of the second reading. */
static void give_job(const struct trace_job *job, void *context)
{
	const struct trace_caller *caller = context;
	struct trace *trace = caller->trace;
	enum trace_found found = trace->found ? trace->found[job->association] : FOUND_AS_TOLD;
	struct trace_job given = *job;

	trace->by_user += found == FOUND_BY_USER_ALONE;
	if (found == NOT_FOUND) {
		trace->skipped[TRACE_NO_ASSOCIATION]++;
		trace->jobs--;
		return;
	}
	given.submit -= trace->origin;
	given.eligible -= trace->origin;
	caller->take(&given, caller->context);
}

void trace_read(struct trace *trace, void (*take)(const struct trace_job *job, void *context),
		void *context)
{
	struct trace_caller caller = { .trace = trace, .take = take, .context = context };
	/* an earlier call may have skipped jobs, which give_job() counts anew */
	size_t count = trace->jobs += trace->skipped[TRACE_NO_ASSOCIATION];
	struct trace_reading second = { .trace = trace, .take = give_job, .context = &caller,
					.jobs = count,
					.associations = trace->associations.count };
	const char *name = trace->input.name;

	trace->skipped[TRACE_NO_ASSOCIATION] = trace->by_user = 0;
	for (size_t i = 0; trace->is_kept && i < count; i++)
		give_job(&trace->job[i], &caller);
	if (trace->is_kept)
		return;
	document_clear(&trace->input);
	document_open(&trace->input, name);
	scan_file(&second);
	if (second.taken < count)
		refuse_change(trace);
}
