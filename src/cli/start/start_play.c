/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plays the future of a cluster: running jobs go on to their time limits, or as long as a job of
 * the past ran, and pending jobs start as the policy and EASY backfilling let them. Nobody submits
 * anything more. start_cluster_read() finds what all futures share; start_play() gives the jobs to
 * a new replay and notes when each starts.
 */
#include "cli/start/start.h"
#include "core/plural.h"
#include "jobs/job_states.h"

#include <stdlib.h>
#include <time.h>

#define MOST_TASKS 1000		/* tasks of a job array that are played */
#define FOREVER (10 * 365 * 86400.)	/* seconds that a job without a limit still runs */
#define OVERTIME 60.		/* seconds that a job beyond its limit still runs */

/* ---- what jobs ask for ---------------------------------------------------------------------- */

/* Returns the jobs of the cluster, running and pending. */
static const struct jobs *jobs_of(const struct start_cluster *cluster)
{
	return &cluster->input.site.jobs;
}

/* Returns the number of a job: its index among all. */
static size_t number_of(const struct start_cluster *cluster, const struct job *job)
{
	return (size_t)(job - jobs_of(cluster)->job);
}

/* Returns the index of a job's partition; the number of partitions, if it does not exist. */
static size_t partition_of(const struct start_cluster *cluster, const struct job *job)
{
	return cluster->partition[number_of(cluster, job)];
}

/* Returns the name of a partition that a job asks for. i: its index among those. */
static const char *requested_name(const struct start_cluster *cluster, const struct job *job,
				  size_t i)
{
	const struct jobs *jobs = jobs_of(cluster);

	return jobs_text(jobs, jobs->requested[job->first_requested + i].name);
}

bool start_asks_for(const struct start_cluster *cluster, const struct job *job, size_t partition)
{
	const struct trace_site *site = &cluster->input.partitions.trace;

	for (size_t i = 0; i < job->requested_count; i++)
		if (!strcmp(site->partition[partition].name, requested_name(cluster, job, i)))
			return true;
	return !job->requested_count && partition == site->standard;
}

double start_limit(const struct start_cluster *cluster, const struct job *job, size_t partition)
{
	const struct trace_site *site = &cluster->input.partitions.trace;
	const struct trace_partition *limits = &site->partition[partition];	/* if it exists */
	double limit = job->time_limit * 60;	/* from minutes */

	if (!(limit > 0) && partition < site->count)
		limit = limits->default_time > 0 ? limits->default_time : limits->max_time;
	return limit > 0 && limit < FOREVER ? limit : INFINITY;
}

size_t start_node(const struct start_cluster *cluster, const struct job *job, const char *account,
		  size_t partition)
{
	const struct trace_site *site = &cluster->input.partitions.trace;
	const struct jobs *jobs = jobs_of(cluster);
	const struct job_row row = {
		.user = jobs_text(jobs, job->user), .account = account,
		.partition = partition < site->count ? site->partition[partition].name : NULL,
	};

	return job_associations_find(&cluster->associations, &row);
}

/* Returns the CPUs on which jobs of a partition can start. partition: its index; the number of
 * partitions stands for the whole machine. */
static double cpus_of(const struct start_cluster *cluster, size_t partition)
{
	const struct site_partitions *partitions = &cluster->input.partitions;
	double cpus = partition < partitions->trace.count
			      ? partitions->trace.partition[partition].cpus : INFINITY;

	return fmin(cpus, cluster->input.trace.cpus);
}

/* Returns the CPUs that a job gets, 1 or more, if it asks for `factor` times as many as it does. */
static uint32_t cpus_wanted(const struct job *job, double factor)
{
	return (uint32_t)fmax(ceil(job->cpus * factor), 1);
}

/* ---- what is set for single jobs ---------------------------------------------------------- */

/* Returns whether priorities are flux-accounting's, which need the jobs' urgency. */
static bool goes_by_flux(const struct start_cluster *cluster)
{
	return fathom_policy_priority_rule(cluster->policy) == FATHOM_FLUX_PRIORITY;
}

/* Sets the terms of all jobs, by job. */
static void find_terms(struct start_cluster *cluster)
{
	const struct jobs *jobs = jobs_of(cluster);
	const struct replay_site *site = &cluster->input.site;
	const struct fathom_settings settings = replay_settings_by(site, &site->settings,
								   cluster->policy);
	bool by_flux = goes_by_flux(cluster);
	bool may_raise = by_flux && fathom_flux_weights(&settings).may_raise;
	double highest = jobs_highest_assoc(jobs);
	struct replay_terms *terms = need_zeros(jobs->job_count, sizeof(*terms));

	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];
		double age_from = jobs_age_from(jobs, job);

		terms[i] = (struct replay_terms){
			.age_from = age_from > 0 ? age_from : INFINITY,
			.nice = (int64_t)job->nice, .site = (int64_t)job->site,
			.assoc_norm = highest > 0 ? job->assoc_priority / highest : 0,
			.assoc_priority = job->assoc_priority,
			.urgency = by_flux ? jobs_urgency(jobs, job, may_raise, NULL)
					   : FATHOM_FLUX_URGENCY,
			.set_priority = job->set_priority,
		};
	}
	cluster->options.terms = terms;
}

/* ---- what never starts ---------------------------------------------------------------------- */

const char *start_partition_reason(const struct start_cluster *cluster, const struct job *job,
				   size_t partition)
{
	const struct trace_site *site = &cluster->input.partitions.trace;
	const struct trace_partition *limits = &site->partition[partition];	/* if it exists */
	bool exists = partition < site->count;
	double cpus = cpus_of(cluster, partition);

	if (!exists && site->count && job->requested_count)
		return need_print("partition %s is not there, or may not be seen",
				  requested_name(cluster, job, 0));
	if (exists && !limits->is_up)
		return "its partition is not up";
	if (exists && limits->max_time > 0 && limits->max_time < FOREVER &&
	    start_limit(cluster, job, partition) > limits->max_time)
		return need_print("its time limit is beyond MaxTime of partition %s", limits->name);
	if (exists && limits->max_nodes > 0 && job->min_nodes > limits->max_nodes)
		return need_print("it wants more nodes than MaxNodes of partition %s",
				  limits->name);
	if (cpus_wanted(job, 1) > cpus)
		return need_print("its partition starts jobs on %.0f CPU%s, and it wants %u",
				  cpus, PLURAL(cpus), cpus_wanted(job, 1));
	return NULL;
}

/* Returns the index of a partition by its name; the number of partitions, if it does not exist. */
static size_t partition_named(const struct trace_site *site, const char *name)
{
	size_t i = 0;

	while (i < site->count && strcmp(site->partition[i].name, name))
		i++;
	return i;
}

/* Returns the index of the first partition that a job asks for and that may start it; of the first
 * one that exists, if none may; the number of partitions, if none exists. */
static size_t find_partition(const struct start_cluster *cluster, const struct job *job)
{
	const struct trace_site *site = &cluster->input.partitions.trace;
	size_t first = site->count;

	if (!job->requested_count)
		return site->standard;
	for (size_t i = 0; i < job->requested_count; i++) {
		size_t found = partition_named(site, requested_name(cluster, job, i));

		if (found < site->count && !start_partition_reason(cluster, job, found))
			return found;
		if (first == site->count)
			first = found;
	}
	return first;
}

/* Returns a clause that says why a pending job never starts, as far as is known; NULL: it may.
 * Needs its partition and the terms. */
static const char *never_starts_because(const struct start_cluster *cluster, const struct job *job)
{
	const char *clause;

	if (job->held)
		return "it is held";
	if (goes_by_flux(cluster) && !job->set_priority &&
	    !cluster->options.terms[number_of(cluster, job)].urgency)
		return "its urgency is 0";
	if (job->depends)
		return "it waits for other jobs";
	if (job->waits)
		return "it may not start yet";
	clause = start_partition_reason(cluster, job, partition_of(cluster, job));
	return clause && job->requested_count > 1
		       ? need_print("none of its partitions can start it, the first because %s",
				    clause)
		       : clause;
}

/* For qsort(): the job that was submitted first comes first; of the same time, the lower number. */
static int compare_submissions(const void *a, const void *b)
{
	const struct job *left = *(const struct job *const *)a;
	const struct job *right = *(const struct job *const *)b;

	if (left->submit_time != right->submit_time)
		return left->submit_time < right->submit_time ? -1 : 1;
	return (left->id > right->id) - (left->id < right->id);
}

/* ---- the cluster ---------------------------------------------------------------------------- */

/* Finds partition, request and association of each job, and the reason why it never starts; and the
 * order in which all other pending jobs are submitted. Needs the terms. */
static void prepare_jobs(struct start_cluster *cluster)
{
	const struct jobs *jobs = jobs_of(cluster);

	job_associations_create(&cluster->associations, &cluster->input.snapshot);
	cluster->order = need_zeros(jobs->job_count, sizeof(*cluster->order));
	cluster->node = need_zeros(jobs->job_count, sizeof(*cluster->node));
	cluster->partition = need_zeros(jobs->job_count, sizeof(*cluster->partition));
	cluster->request = need_zeros(jobs->job_count, sizeof(*cluster->request));
	cluster->reason = need_zeros(jobs->job_count, sizeof(*cluster->reason));
	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];
		size_t partition = cluster->partition[i] = find_partition(cluster, job);
		size_t node = start_node(cluster, job, jobs_text(jobs, job->account), partition);
		bool is_pending = job->state == JOB_STATE_PENDING;

		if (node == JOB_NO_NODE)
			cluster->reason[i] = "the tree does not have its user and account";
		else if (is_pending)
			cluster->reason[i] = never_starts_because(cluster, job);
		cluster->request[i] = replay_input_note_request(&cluster->input, job);
		cluster->node[i] = node == JOB_NO_NODE ? 0 : (uint32_t)node;
		if (is_pending && !cluster->reason[i])
			cluster->order[cluster->pending++] = job;
	}
	qsort(cluster->order, cluster->pending, sizeof(*cluster->order), compare_submissions);
}

/* Sets options and plan: the replay has one run, under the rules of the site. */
static void make_plan(struct start_cluster *cluster, const struct input_names *files)
{
	cluster->options = (struct replay_options){
		.files = *files, .schedulers.count = 1, .with_usage = true, .wants_requests = true,
		.sums_always = true,
	};
	/* one candidate, that of the site, as neither --policy nor --set is given */
	candidates_create(&cluster->options.candidates, NULL, 1);
	cluster->plan = (struct replay_plan){ .options = &cluster->options,
					      .input = &cluster->input, .cluster_count = 1 };
}

void start_cluster_read(struct start_cluster *cluster, const struct input_names *files)
{
	make_plan(cluster, files);
	replay_input_of_cluster(&cluster->input, &cluster->options);
	if (!files->from_count)
		cluster->now = (double)time(NULL);
	else if (jobs_of(cluster)->has_time)
		cluster->now = (double)jobs_of(cluster)->time;
	else
		refuse("%s: tells no time; give a snapshot", files->from[0]);
	/* slurmctld has reset usage when it started, and does not do so again */
	if (cluster->input.site.reset_period == FATHOM_RESET_NOW)
		cluster->input.site.reset_period = FATHOM_RESET_NONE;
	cluster->input.trace.epoch = 0;		/* times of the replay are seconds since 1970 */
	cluster->policy = replay_policy_in_force(&cluster->input.site);
	find_terms(cluster);
	prepare_jobs(cluster);
	replay_plan_check(&cluster->plan);
}

/* ---- playing -------------------------------------------------------------------------------- */

/* One future; `change`, `draw` and `start` are those of start_play(). */
struct future {
	struct start_cluster *cluster;
	const struct start_change *change;
	size_t draw;
	struct replay *replay;
	double *start;
};

/* Returns how many seconds a job runs in all: its limit, or as long as a job of the past. It has
 * run for `elapsed` seconds already. */
static double run_time(const struct future *future, const struct job *job, double limit,
		       double elapsed)
{
	const struct start_history *history = future->cluster->history;
	const char *user = jobs_text(jobs_of(future->cluster), job->user);

	if (!history || future->draw == START_DRAWS || limit >= FOREVER)
		return limit;
	return fmax(limit * start_history_part(history, user ? user : "", limit, elapsed / limit,
					       number_of(future->cluster, job), future->draw),
		    elapsed);
}

/* Returns the priority that the bank of a job has under flux: that of the job's record, or if the
 * job runs in another association, that of fathom.conf. node: the association in which it runs. */
static double bank_priority(const struct start_cluster *cluster, const struct job *job,
			    uint32_t node)
{
	const char *account = snapshot_account(&cluster->input.snapshot, node);

	if (!isnan(job->bank) && node == cluster->node[number_of(cluster, job)])
		return job->bank;
	return conf_banks_priority(&cluster->input.site.conf.banks, account, 0);
}

/* Returns what a job is charged each second: its billing TRES; else its CPUs. */
static double billing_of(const struct jobs *jobs, const struct job *job)
{
	size_t billing = jobs_tres_named(jobs, "billing");

	for (size_t i = 0; i < job->tres.count; i++) {
		const struct tres_amount *amount = &jobs->amount[job->tres.first + i];

		if (amount->tres == billing)
			return (double)amount->count;
	}
	return cpus_wanted(job, 1);
}

/* Returns a running or pending job as the replay gets it, with the change if it is of this job. */
static struct replay_job played_job(const struct future *future, const struct job *job)
{
	const struct start_cluster *cluster = future->cluster;
	size_t number = number_of(cluster, job);
	bool changes = future->change->job == number;
	double elapsed = job->started > 0 ? fmax(cluster->now - job->started, 0) : 0;
	size_t partition = changes && future->change->partition != JOBS_NONE
				   ? future->change->partition : cluster->partition[number];
	/* finite also for a job without a limit */
	double limit = fmin(start_limit(cluster, job, partition), elapsed + FOREVER);
	struct replay_job played = {
		.number = number, .submit = job->submit_time, .start = cluster->now - elapsed,
		.node = cluster->node[number], .cpus = cpus_wanted(job, 1),
		.nodes = (uint32_t)job->min_nodes,
		.partition = (uint32_t)partition,
		.request = cluster->request[number],
		.queue = job->queue,
	};

	if (changes) {
		limit = fmin(limit, future->change->limit);
		played.cpus = cpus_wanted(job, future->change->cpus);
		if (future->change->node != JOB_NO_NODE)
			played.node = (uint32_t)future->change->node;
	}
	played.bank = bank_priority(cluster, job, played.node);
	/* half the CPUs cost half */
	played.billing = billing_of(jobs_of(cluster), job) * played.cpus / cpus_wanted(job, 1);
	/* a job without a limit runs for ever here, but has asked for no time */
	if (isfinite(start_limit(cluster, job, partition)))
		played.limit = limit;
	/* a running job beyond its limit, which slurmctld has not ended yet, ends soon */
	if (limit <= elapsed)
		limit = elapsed + (job->state == JOB_STATE_PENDING ? 0 : OVERTIME);
	played.run = run_time(future, job, limit, elapsed);
	played.estimate = limit;
	return played;
}

/* Notes that a job starts; of an array, its first task counts. For replay_options.started; context:
 * the struct future. */
static void note_start(const struct replay_job *job, double start, void *context)
{
	struct future *future = context;

	if (start < future->start[job->number])
		future->start[job->number] = start;
	if (job->number == future->change->job)
		replay_stop(future->replay);
}

/* Gives the running jobs to the replay. A job that it refuses, such as one of a partition that is
 * gone, is left out: the error is ignored. */
static void resume_running(struct future *future)
{
	const struct start_cluster *cluster = future->cluster;
	const struct jobs *jobs = jobs_of(cluster);
	struct fathom_error error;

	replay_begin(future->replay, cluster->now);
	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];
		struct replay_job played;

		if (job->state != JOB_STATE_RUNNING)
			continue;
		played = played_job(future, job);
		replay_resume(future->replay, &played, &error);
	}
}

/* Submits the pending jobs to the replay, of an array each task. */
static void submit_pending(struct future *future)
{
	const struct start_cluster *cluster = future->cluster;
	struct fathom_error error;

	for (size_t i = 0; i < cluster->pending; i++) {
		const struct job *job = cluster->order[i];
		struct replay_job played = played_job(future, job);
		int tasks = (int)fmin(fmax(job->array_tasks, 1), MOST_TASKS);

		for (int task = 0; task < tasks; task++)
			if (replay_submit(future->replay, &played, &error))
				refuse("job %lld: %s", (long long)job->id, error.text);
	}
}

void start_play(struct start_cluster *cluster, const struct start_change *change, size_t draw,
		double *start)
{
	struct future future = { cluster, change, draw, NULL, start };
	/* a job that starts later waits for jobs without a limit, so that it never starts */
	double until = fmin(cluster->now + FOREVER / 2, change->until);
	struct need_memory *before;
	struct replay_runs runs;

	for (size_t i = 0; i < jobs_of(cluster)->job_count; i++)
		start[i] = INFINITY;
	cluster->options.started = note_start;
	cluster->options.listener = &future;
	runs = replay_runs_create(&cluster->plan, 0, 1);
	future.replay = runs.run->replay;
	before = need_memory_use(*runs.memory);
	resume_running(&future);
	submit_pending(&future);
	replay_start_all(future.replay, until);
	need_memory_use(before);
	replay_runs_clear(&runs);
	for (size_t i = 0; i < jobs_of(cluster)->job_count; i++)
		if (start[i] >= until)
			start[i] = INFINITY;
}
