/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom start: says when pending jobs start, which jobs start before them, and what would let them
 * start earlier. All answers come from start_play(): it is called once with run times by limits,
 * for --history once for each draw, and for named jobs once for each change that might be advised.
 */
#include "cli/command.h"
#include "cli/explain/said_numbers.h"
#include "cli/jobs/command_jobs.h"
#include "cli/start/start.h"
#include "core/plural.h"
#include "jobs/job_limit.h"

#include <stdlib.h>

#define EARLY 0.1	/* part of the draws that is left out at either end of the range */
#define WORTHWHILE 60.	/* seconds that an advice must win */

/* in seconds */
#define A_MINUTE 60.
#define AN_HOUR 3600.
#define A_DAY 86400.

struct start_options {
	struct input_names files;	/* empty: the running cluster is read */
	const char *history;		/* a trace; NULL: not given */
	const char *job[MOST_STARTED_JOBS + 1];	/* the operands; NULL after the last */
	bool json, no_header, parsable;
};

#define AT(member) offsetof(struct start_options, member), 0

static const struct option_row option_rows[] = {
	{ OPTION_FROM, "read the cluster from FILE, a snapshot; repeat it for files that take the "
	  "place of parts of it; default: the running cluster", option_from, AT(files) },
	{ 0, "history", "FILE", "also say when jobs start if they use as much of their time limits "
	  "as those of FILE, a trace such as that of sacct", option_text, AT(history) },
	{ OPTION_NO_HEADER, option_flag, AT(no_header) },
	{ OPTION_PARSABLE, "print a '|' between columns", option_flag, AT(parsable) },
	{ OPTION_JSON, "print all figures as JSON", option_flag, AT(json) },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom start [OPTION]... [JOB]...\n"
		 "Say when pending jobs start if all jobs run as long as their time limits allow,\n"
		 "and, with JOB, which job goes ahead and what would let it start earlier.\n\n",
	OPERANDS(MOST_STARTED_JOBS, "JOB", struct start_options, job),
};

/* ---- the answer for all jobs ---------------------------------------------------------------- */

static const struct start_change no_change = { JOBS_NONE, INFINITY, 1, JOBS_NONE, JOB_NO_NODE,
						INFINITY };

/* Sets the range of starts with run times of the past. jobs: `count` answers by job. */
static void find_ranges(struct start_cluster *cluster, struct started_job *jobs, size_t count)
{
	double *start[START_DRAWS], sorted[START_DRAWS];

	for (size_t draw = 0; draw < START_DRAWS; draw++) {
		start[draw] = need_zeros(count, sizeof(**start));
		start_play(cluster, &no_change, draw, start[draw]);
	}
	for (size_t i = 0; i < count; i++) {
		for (size_t draw = 0; draw < START_DRAWS; draw++)
			sorted[draw] = start[draw][i];
		qsort(sorted, START_DRAWS, sizeof(*sorted), compare_doubles);
		jobs[i].expected = sorted[START_DRAWS / 2];
		jobs[i].earliest = sorted[(size_t)(EARLY * START_DRAWS)];
		jobs[i].latest = sorted[START_DRAWS - 1 - (size_t)(EARLY * START_DRAWS)];
	}
}

/* Adds "licence x" to what is not modelled, unless the text is JOBS_NONE. */
static void add_unmodelled(const struct jobs *jobs, struct started_job *started, const char *what,
			   size_t text)
{
	if (text != JOBS_NONE)
		started->not_modelled[started->not_modelled_count++] =
			need_print("%s %s", what, jobs_text(jobs, text));
}

/* Finds what a job asks for that the replay does not have. */
static void find_unmodelled(const struct jobs *jobs, struct started_job *started)
{
	const struct job *job = started->job;
	const char *reason = jobs_text(jobs, job->reason);
	struct limit_reason limit;

	if (reason && (!strcmp(reason, "JobArrayTaskLimit") || limit_reason_find(reason, &limit)))
		add_unmodelled(jobs, started, "limit", job->reason);
	add_unmodelled(jobs, started, "feature", job->features);
	add_unmodelled(jobs, started, "licence", job->licenses);
	add_unmodelled(jobs, started, "reservation", job->reservation);
	/* one element stays free for the last text */
	for (size_t i = 0;
	     i < job->tres.count && started->not_modelled_count < MOST_ADVICE - 1; i++) {
		const struct tres_amount *amount = &jobs->amount[job->tres.first + i];
		const char *name = jobs_text(jobs, jobs->tres[amount->tres]);

		if (amount->count && !strncasecmp(name, "gres/", strlen("gres/")))
			started->not_modelled[started->not_modelled_count++] =
				need_print("%s=%llu", name, (unsigned long long)amount->count);
	}
	if (job->requested_count > 1)
		started->not_modelled[started->not_modelled_count++] = "its other partitions";
}

/* For qsort(): the job that starts first comes first; of the same start, that of the lower
 * number. */
static int compare_starts(const void *a, const void *b)
{
	const struct started_job *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return (left->job->id > right->job->id) - (left->job->id < right->job->id);
}

/* Sorts the answers by start, and sets `ahead` and `next_ahead` of each. */
static void sort_starts(struct started_job *jobs, size_t count)
{
	qsort(jobs, count, sizeof(*jobs), compare_starts);
	for (size_t i = 1; i < count; i++) {
		/* a job of the same start is not ahead */
		jobs[i].ahead = jobs[i].start == jobs[i - 1].start ? jobs[i - 1].ahead : i;
		jobs[i].next_ahead = jobs[i].ahead ? jobs[jobs[i].ahead - 1].job : NULL;
	}
}

/* Returns the answers for all pending jobs, sorted by start, without advice. Sets *count to their
 * number. */
static struct started_job *find_all(struct start_cluster *cluster, size_t *count)
{
	const struct jobs *jobs = &cluster->input.site.jobs;
	struct started_job *all = need_zeros(jobs->job_count, sizeof(*all));
	double *start = need_zeros(jobs->job_count, sizeof(*start));

	start_play(cluster, &no_change, START_DRAWS, start);
	for (size_t i = 0; i < jobs->job_count; i++)
		all[i] = (struct started_job){
			.job = &jobs->job[i], .start = start[i], .expected = NAN,
			.earliest = NAN, .latest = NAN,
			.reason = cluster->reason[i] ? cluster->reason[i]
				  : isinf(start[i]) ? "jobs without a time limit are ahead of it"
						    : NULL,
		};
	if (cluster->history)
		find_ranges(cluster, all, jobs->job_count);
	*count = 0;
	for (size_t i = 0; i < jobs->job_count; i++)
		if (jobs->job[i].state == JOB_STATE_PENDING)
			all[(*count)++] = all[i];
	/* a job that never starts does not start whatever else it asks for */
	for (size_t i = 0; i < *count; i++)
		if (!cluster->reason[all[i].job - jobs->job])
			find_unmodelled(jobs, &all[i]);
	sort_starts(all, *count);
	return all;
}

/* ---- what would be earlier ------------------------------------------------------------------- */

/* Plays the future with a change of the job, unless there is no room for more advice. If the job
 * starts earlier by WORTHWHILE, adds the advice. Returns whether it was added. change: its members
 * job and until are set here; what: as in struct start_advice. */
static bool try_change(struct start_cluster *cluster, struct started_job *started,
		       struct start_change change, const char *what)
{
	size_t number = (size_t)(started->job - cluster->input.site.jobs.job);
	bool is_earlier;
	double *start;

	if (started->advice_count == MOST_ADVICE)
		return false;
	change.job = number;
	/* a start that wins exactly WORTHWHILE is wanted, too */
	change.until = nextafter(started->start - WORTHWHILE, INFINITY);
	start = need_zeros(cluster->input.site.jobs.job_count, sizeof(*start));
	start_play(cluster, &change, START_DRAWS, start);
	is_earlier = !isinf(start[number]);
	if (is_earlier)
		started->advice[started->advice_count++] =
			(struct start_advice){ what, start[number] };
	need_free(start);
	return is_earlier;
}

/* Rounds a time limit down: to minutes, as slurmctld would round seconds up; from a day on to
 * hours, and from 30 days on to days, as say_duration() prints no more. */
static double round_limit(double seconds)
{
	double step = seconds < A_DAY ? A_MINUTE : seconds < 30 * A_DAY ? AN_HOUR : A_DAY;

	return floor(seconds / step) * step;
}

/* Advises the longest of three shorter limits, a half, a quarter and an eighth, that wins time. */
static void try_limits(struct start_cluster *cluster, struct started_job *started)
{
	size_t number = (size_t)(started->job - cluster->input.site.jobs.job);
	double limit = start_limit(cluster, started->job, cluster->partition[number]);

	for (double part = 0.5; part > 0.1 && !isinf(limit) && limit * part >= A_MINUTE;
	     part /= 2) {
		struct start_change change = no_change;

		change.limit = round_limit(limit * part);
		if (try_change(cluster, started, change,
			       need_print("with a time limit of %s", say_duration(change.limit))))
			return;
	}
}

/* Advises half of the CPUs, if that wins time. */
static void try_sizes(struct start_cluster *cluster, struct started_job *started)
{
	struct start_change change = no_change;
	double cpus = ceil(started->job->cpus / 2);

	change.cpus = 0.5;
	if (started->job->cpus > 1)
		try_change(cluster, started, change,
			   need_print("with %.0f CPU%s", cpus, PLURAL(cpus)));
}

/* Returns whether a partition is open to all users, and to jobs of so many nodes. i: its index. One
 * that slurm.conf does not describe counts as open. */
static bool is_open(const struct start_cluster *cluster, size_t i, double nodes)
{
	const struct slurm_partitions *described = &cluster->input.site.machine.described;

	if (i >= described->count)
		return true;
	return !described->at[i].barriers && !(nodes < described->at[i].min_nodes);
}

/* Returns whether a job starts at the same time by either of two changes of its partition, as
 * nothing by which it waits differs. Partitions whose nodes are not known may differ in TRES. */
static bool are_alike(const struct start_cluster *cluster, const struct start_change *left,
		      const struct start_change *right)
{
	const struct replay_partition *a = &cluster->input.partitions.partition[left->partition];
	const struct replay_partition *b = &cluster->input.partitions.partition[right->partition];
	bool knows_nodes = cluster->input.partitions.group_count > 0;
	bool has_same_nodes = a->most_cpus == b->most_cpus && a->group_count == b->group_count &&
			      !memcmp(a->group, b->group, a->group_count * sizeof(*a->group));
	bool has_same_priority = left->node == right->node && a->tier == b->tier &&
				 a->queue.partition_factor == b->queue.partition_factor;
	bool has_same_slots = a->scope == b->scope && a->pool == b->pool &&
			      a->slot_share == b->slot_share;

	return knows_nodes && has_same_nodes && has_same_priority && has_same_slots;
}

/* Returns whether one of `count` changes lets a job start as a change of its partition does. */
static bool has_alike(const struct start_cluster *cluster, const struct start_change *tried,
		      size_t count, const struct start_change *change)
{
	while (count && !are_alike(cluster, &tried[count - 1], change))
		count--;
	return count;
}

/* Advises each other partition that wins time, is open, and may start the job, unless one that was
 * tried before, or that the job asks for and that may start it, is like it. */
static void try_partitions(struct start_cluster *cluster, struct started_job *started)
{
	const struct trace_site *site = &cluster->input.partitions.trace;
	const struct job *job = started->job;
	const char *account = jobs_text(&cluster->input.site.jobs, job->account);
	/* first the partitions that the job asks for, which need no advice */
	struct start_change *tried = need_zeros(site->count, sizeof(*tried));
	size_t count = 0;

	for (size_t i = 0; i < site->count; i++)
		if (start_asks_for(cluster, job, i) && !start_partition_reason(cluster, job, i))
			tried[count++] = (struct start_change){
				.partition = i, .node = start_node(cluster, job, account, i) };
	for (size_t i = 0; i < site->count; i++) {
		struct start_change change = no_change;
		bool may_start = is_open(cluster, i, fmax(job->min_nodes, 1)) &&
				 !start_partition_reason(cluster, job, i);

		change.partition = i;
		change.node = start_node(cluster, job, account, i);
		if (!may_start || change.node == JOB_NO_NODE || start_asks_for(cluster, job, i) ||
		    has_alike(cluster, tried, count, &change))
			continue;
		tried[count++] = change;
		try_change(cluster, started, change,
			   need_print("in partition %s", site->partition[i].name));
	}
}

/* Advises each other account of the user that wins time. */
static void try_accounts(struct start_cluster *cluster, struct started_job *started)
{
	const struct snapshot *tree = &cluster->input.snapshot;
	const struct jobs *jobs = &cluster->input.site.jobs;
	size_t partition = cluster->partition[started->job - jobs->job];
	const char *account;

	for (size_t node = 0; node < fathom_tree_count(tree->tree); node++) {
		struct start_change change = no_change;

		if (fathom_tree_kind(tree->tree, node) != FATHOM_USER)
			continue;
		account = snapshot_account(tree, node);
		change.node = start_node(cluster, started->job, account, partition);
		/* the user may have several associations in an account */
		if (change.node == node && strcmp(account, jobs_text(jobs, started->job->account)))
			try_change(cluster, started, change, need_print("in account %s", account));
	}
}

/* Finds all advice for a job; a job that never starts gets none. */
static void find_advice(struct start_cluster *cluster, struct started_job *started)
{
	if (started->reason)
		return;
	try_limits(cluster, started);
	try_sizes(cluster, started);
	try_accounts(cluster, started);
	try_partitions(cluster, started);
}

/* ---- jobs that are named --------------------------------------------------------------------- */

/* Returns the pending job of an operand. Refuses a word that is no job, and jobs that are unknown
 * or do not wait. of_files: see job_id_number(). */
static const struct job *find_job(const struct jobs *jobs, const char *name, bool of_files)
{
	int64_t id;

	if (!is_job_id(name))
		refuse("%s: is no number of a job, must be one, see squeue --me", name);
	id = job_id_number(name, of_files);
	for (size_t i = 0; i < jobs->job_count; i++)
		if (jobs->job[i].id == id) {
			if (jobs->job[i].state != JOB_STATE_PENDING)
				refuse("job %s has started already", name);
			return &jobs->job[i];
		}
	refuse("job %s is not there, or may not be seen", name);
}

/* Moves the answers for the jobs of the operands to the front; they stay in the order of starts.
 * Returns their number. */
static size_t choose_named(const struct jobs *jobs, const struct start_options *options,
			   struct started_job *all, size_t count)
{
	const struct job *wanted[MOST_STARTED_JOBS];
	size_t wanted_count = 0, chosen = 0;

	for (; options->job[wanted_count]; wanted_count++)
		wanted[wanted_count] = find_job(jobs, options->job[wanted_count],
						options->files.from_count);
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < wanted_count; j++)
			if (all[i].job == wanted[j]) {
				all[chosen++] = all[i];
				break;
			}
	return chosen;
}

static int run(int argc, char **argv)
{
	struct start_options options = { .job = { NULL } };
	struct start_cluster cluster = { .now = 0 };
	struct started_job *all;
	size_t count;

	options_parse(argc, argv, &option_table, &options);
	start_cluster_read(&cluster, &options.files);
	if (cluster.input.site.jobs.hides_jobs)
		remark("PrivateData hides jobs of others, which do not count: starts are the "
		       "earliest possible");
	if (options.history)
		cluster.history = start_history_read(options.history);
	all = find_all(&cluster, &count);
	if (*options.job) {
		count = choose_named(&cluster.input.site.jobs, &options, all, count);
		for (size_t i = 0; i < count; i++)
			find_advice(&cluster, &all[i]);
	}
	if (options.json)
		print_starts_json(&cluster, all, count);
	else if (*options.job)
		print_starts_in_words(&cluster, all, count);
	else
		print_starts(&cluster, all, count, !options.no_header, options.parsable);
	return EXIT_DONE;
}

const struct command command_start = {
	.name = "start",
	.summary = "say when pending jobs start",
	.options = &option_table,
	.run = run,
};
