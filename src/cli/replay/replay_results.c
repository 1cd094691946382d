/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives the jobs of a trace to several replays at once. The trace is read once; its jobs are put
 * into blocks, and threads give each block to each replay:
 *
 *	blocks in memory	3 4 5 6
 *	lane 0 (fair-tree)	has taken blocks 0 to 2; a thread gives it block 3
 *	lane 1 (lsf)		has taken blocks 0 to 4; waits for a thread
 *
 * A replay gets its blocks one after the other, so its result does not depend on the number of
 * threads. All clusters of a candidate are one lane.
 */
#include "cli/replay/replay_command.h"

#include "cli/progress.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#define ROUND_RUNS 16	/* candidates of a round, unless there are more threads */
#define BLOCK_JOBS 2048
#define BLOCKS 64	/* blocks in memory; the reader waits for the slowest replay */

/* Jobs in the order of submission. */
struct block {
	struct replay_job job[BLOCK_JOBS];
	uint32_t cluster[BLOCK_JOBS];	/* by job: its number; 0 if there is one */
	size_t count;
};

/* How far a replay has come. */
struct lane {
	size_t taken;		/* number of blocks that it has had */
	bool is_busy;		/* a thread gives it a block */
	bool is_done;		/* all jobs have ended */
};

/* What the reader, which fills block number `produced`, shares with the threads. */
struct feed {
	pthread_mutex_t lock;		/* for what changes below, but that block */
	pthread_cond_t changed;
	struct block *block;		/* block number n is block[n % BLOCKS] */
	size_t produced;		/* number of full blocks; only the reader changes it */
	bool is_complete;		/* no more blocks follow */
	bool has_failed;		/* a replay, or reading; all stop */
	struct replay_runs *runs;
	struct lane *lane;		/* by candidate of the round */
	size_t lanes;
	const struct replay_plan *plan;
	size_t done, total;		/* jobs of all replays of all rounds, for the progress */
};

/* ---- replays ----------------------------------------------------------------------------- */

/* Gives one block to the replay of a lane, or finishes the replay if `block` is NULL. Returns
 * whether the replay failed; the first run of the lane then has the error. */
static bool replay_block(const struct replay_runs *runs, size_t lane, const struct block *block)
{
	struct replay_run *run = &runs->run[lane * runs->width];
	struct need_memory *before = need_memory_use(runs->memory[lane]);
	double begin = clock_now();
	int status = 0;

	for (size_t i = 0; block && !status && i < block->count; i++)
		status = replay_submit(run[block->cluster[i]].replay, &block->job[i], &run->error);
	if (!block)
		replay_finish(run->replay);
	need_memory_use(before);
	run->has_failed = status;
	for (size_t i = 0; i < runs->width; i++)
		run[i].seconds += clock_now() - begin;
	return status;
}

/* Returns the lane that is furthest behind of those that can go on; feed->lanes: none can. */
static size_t choose_lane(const struct feed *feed)
{
	size_t best = feed->lanes;

	for (size_t i = 0; i < feed->lanes; i++) {
		const struct lane *lane = &feed->lane[i];
		bool is_ready = !lane->is_busy && !lane->is_done &&
				(lane->taken < feed->produced || feed->is_complete);

		if (is_ready && (best == feed->lanes || lane->taken < feed->lane[best].taken))
			best = i;
	}
	return best;
}

/* Returns whether threads can end: all lanes are done, or something has failed. */
static bool is_over(const struct feed *feed)
{
	size_t done = 0;

	for (size_t i = 0; i < feed->lanes; i++)
		done += feed->lane[i].is_done;
	return done == feed->lanes || feed->has_failed;
}

/* Gives lane i its next block, or finishes the lane. The caller has feed->lock; it is released
 * while the replay works. */
static void serve_lane(struct feed *feed, size_t i)
{
	bool has_block = feed->lane[i].taken < feed->produced;
	const struct block *block = has_block ? &feed->block[feed->lane[i].taken % BLOCKS] : NULL;
	bool has_failed;

	feed->lane[i].is_busy = true;
	pthread_mutex_unlock(&feed->lock);
	has_failed = replay_block(feed->runs, i, block);
	pthread_mutex_lock(&feed->lock);
	feed->lane[i].is_busy = false;
	feed->lane[i].taken += has_block;
	feed->lane[i].is_done = !has_block;
	feed->has_failed |= has_failed;
	feed->done += has_block ? block->count : 0;
	progress_show((double)feed->done / (double)feed->total, "");
	pthread_cond_broadcast(&feed->changed);
}

/* A thread: gives blocks to lanes until all are done. */
static void *serve_lanes(void *context)
{
	struct feed *feed = context;

	pthread_mutex_lock(&feed->lock);
	while (!is_over(feed)) {
		size_t i = choose_lane(feed);

		if (i < feed->lanes)
			serve_lane(feed, i);
		else
			pthread_cond_wait(&feed->changed, &feed->lock);
	}
	pthread_mutex_unlock(&feed->lock);
	return NULL;
}

/* ---- the reader ---------------------------------------------------------------------------- */

/* Returns how many blocks the lane has had that is furthest behind. */
static size_t least_taken(const struct feed *feed)
{
	size_t least = feed->lane[0].taken;

	for (size_t i = 1; i < feed->lanes; i++)
		least = feed->lane[i].taken < least ? feed->lane[i].taken : least;
	return least;
}

/* Publishes the block that was filled, and waits until the next one may be filled. -1: a replay
 * failed. */
static int publish_block(struct feed *feed)
{
	int status;

	pthread_mutex_lock(&feed->lock);
	feed->produced++;
	pthread_cond_broadcast(&feed->changed);
	while (!feed->has_failed && feed->produced - least_taken(feed) == BLOCKS)
		pthread_cond_wait(&feed->changed, &feed->lock);
	status = feed->has_failed ? -1 : 0;
	pthread_mutex_unlock(&feed->lock);
	feed->block[feed->produced % BLOCKS].count = 0;
	return status;
}

/* Puts a job into the block that is being filled. Ends reading, see wrong_at(), if a replay
 * failed. */
static void take_job(const struct replay_job *job, size_t cluster, void *context)
{
	struct feed *feed = context;
	struct block *block = &feed->block[feed->produced % BLOCKS];

	block->cluster[block->count] = (uint32_t)cluster;
	block->job[block->count++] = *job;
	if (block->count == BLOCK_JOBS && publish_block(feed))
		wrong_at(NULL, 0, "a replay failed");
}

/* Puts a job of the only trace into the block that is being filled, see trace_read(). */
static void take_traced_job(const struct trace_job *traced, void *context)
{
	const struct feed *feed = context;
	const struct replay_job job = replay_input_job(feed->plan->input, traced);

	take_job(&job, 0, context);
}

/* The reader: reads all jobs into blocks. */
static void read_trace(void *context)
{
	struct feed *feed = context;

	if (feed->plan->cluster)
		cluster_traces_read(feed->plan, take_job, feed);
	else
		trace_read(&feed->plan->input->trace, take_traced_job, feed);
	if (feed->block[feed->produced % BLOCKS].count)
		publish_block(feed);
}

/* Reads all jobs for the threads. Catches a failure, which must not end the command while they
 * run. */
static void feed_threads(struct feed *feed)
{
	struct failure failure;
	int status = document_try(read_trace, feed, &failure);

	pthread_mutex_lock(&feed->lock);
	feed->is_complete = true;
	if (status && !feed->has_failed) {
		feed->has_failed = true;
		complain_of_failure(&failure);
	}
	pthread_cond_broadcast(&feed->changed);
	pthread_mutex_unlock(&feed->lock);
}

/* Runs the threads, and ends the command with the error of a replay or of reading. */
static void run_feed(struct feed *feed, size_t threads)
{
	const struct replay_runs *runs = feed->runs;
	pthread_t thread[MOST_THREADS];
	size_t started = 0;

	threads = threads < feed->lanes ? threads : feed->lanes;
	threads = threads < MOST_THREADS ? threads : MOST_THREADS;
	while (started < threads && !pthread_create(&thread[started], NULL, serve_lanes, feed))
		started++;
	if (!started)
		refuse("no thread can be created");
	feed_threads(feed);
	for (size_t i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	for (size_t i = 0; i < runs->count; i++)
		if (runs->run[i].has_failed)
			refuse("%s: %s", runs->run[i].name, runs->run[i].error.text);
	if (feed->has_failed)
		end_told();
}

/* Reads the trace once more, and gives its jobs to all replays of a round. done: replays of earlier
 * rounds; total: those of all rounds. */
static void run_threads(struct replay_runs *runs, const struct replay_plan *plan, size_t threads,
			size_t done, size_t total)
{
	const size_t jobs = plan->input->trace.jobs;
	struct feed feed = { .runs = runs, .plan = plan, .done = done * jobs,
			     .total = total * jobs, .lanes = runs->count / runs->width,
			     .lane = need_zeros(runs->count / runs->width, sizeof(struct lane)),
			     .block = need_zeros(BLOCKS, sizeof(struct block)) };

	pthread_mutex_init(&feed.lock, NULL);
	pthread_cond_init(&feed.changed, NULL);
	run_feed(&feed, threads);
	pthread_mutex_destroy(&feed.lock);
	pthread_cond_destroy(&feed.changed);
	need_free(feed.block);
}

/* ---- what was left out -------------------------------------------------------------------- */

/* Warns of jobs that are left out or replayed otherwise. With --strict the first reason is an
 * error. */
static void report_skipped(const struct replay_plan *plan)
{
	const struct trace *trace = &plan->input->trace;
	const char *name = trace->input.name;
	bool strict = plan->options->strict;

	remark_left_out(&trace->input);
	for (size_t i = 0; i < TRACE_SKIP_COUNT; i++) {
		if (!trace->skipped[i])
			continue;
		if (strict)
			refuse("%s: left out: %s; --strict refuses this", name,
			       trace_skipped_words(trace, (enum trace_skip)i));
		if (i != TRACE_PART)	/* the reader's remark, above, counts these */
			remark("%s: left out: %s", name,
			       trace_skipped_words(trace, (enum trace_skip)i));
	}
	if (trace->without_partition && strict)
		refuse("%s: jobs that name no partition of the site: %zu; --strict refuses this",
		       name, trace->without_partition);
	if (trace->without_partition)
		remark("%s: jobs that name no partition of the site, and run on all nodes: %zu",
		       name, trace->without_partition);
	if (trace->by_user)
		remark("%s: jobs in accounts that do not have their users in the tree, and that "
		       "count in the users' default or only account: %zu", name, trace->by_user);
	if (trace->out_of_order && strict)
		refuse("%s: jobs that are not in the order of submission: %zu; --strict refuses "
		       "this", name, trace->out_of_order);
	if (trace->out_of_order)
		remark("%s: jobs that were not in the order of submission, and are sorted: %zu",
		       name, trace->out_of_order);
}

/* ---- rounds ------------------------------------------------------------------------------ */

/* Keeps what is printed of the runs of a round that is over. */
static void keep_results(struct replay_results *results, const struct replay_runs *runs)
{
	if (results->json)
		put_replays_json(results->json, runs, !results->count);
	for (size_t i = 0; i < runs->count; i++) {
		struct replay_summary *summary = &results->summary[results->count++];

		replay_formula_report(&runs->run[i]);
		memcpy(summary->name, runs->run[i].name, sizeof(summary->name));
		summary->cluster = runs->run[i].cluster;
		summary->policy = runs->run[i].policy;
		summary->scheduler = runs->run[i].scheduler;
		/* the lists behind the numbers end with the round */
		memcpy(&summary->figures, runs->run[i].figures,
		       offsetof(struct replay_figures, waits));
	}
	replay_files_add(&results->files, runs);
}

/* Returns how many replays run at the same time: as --threads says, else one for each processor. */
static size_t thread_count(const struct replay_options *options)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (options->threads > 0)
		return (size_t)options->threads;
	return processors > 0 ? (size_t)processors : 1;
}

/* Opens the files of --schedule and --out, and one for JSON. A task writes JSON alone. */
static void open_outputs(struct replay_results *results, const struct replay_plan *plan)
{
	const struct replay_options *options = plan->options;
	const bool is_task = options->task > 0;

	replay_files_begin(&results->files, options->schedule,
			   is_task ? NULL : options->out.folder, plan->cluster);
	if ((options->json || is_task) && !(results->json = tmpfile()))
		refuse("--json: %s", strerror(errno));
}

void replay_results_create(struct replay_results *results, const struct replay_plan *plan)
{
	const struct replay_options *options = plan->options;
	const bool is_task = options->task > 0;
	const size_t threads = thread_count(options);
	size_t most = threads > ROUND_RUNS ? threads : ROUND_RUNS;	/* candidates of a round */
	/* the candidates that are replayed: the one of the task, or all */
	size_t first = is_task ? (size_t)options->task - 1 : 0;
	size_t count = is_task ? 1 : options->candidates.count;
	size_t done = 0, width = plan->cluster ? plan->cluster_count + 1 : 1;

	*results = (struct replay_results){ .summary = need_zeros(count * width,
								  sizeof(*results->summary)) };
	open_outputs(results, plan);
	progress_begin();
	while (done < count) {
		size_t left = count - done;
		struct replay_runs runs = replay_runs_create(plan, first + done,
							     left < most ? left : most);

		run_threads(&runs, plan, threads, done, count);
		/* each round leaves out the same jobs */
		for (size_t i = 0; !done && i < plan->cluster_count; i++)
			report_skipped(replay_plan_of(plan, i));
		keep_results(results, &runs);
		done += runs.count / width;
		replay_runs_clear(&runs);
	}
	progress_hide();
	if (results->json && (fflush(results->json) || ferror(results->json)))
		refuse("--json: %s", strerror(errno));
}

/* ---- settings that change nothing ---------------------------------------------------------- */

/* Returns whether the figures of all columns are equal. */
static bool has_same_figures(const struct replay_summary *one, const struct replay_summary *other)
{
	if (one->figures.jobs != other->figures.jobs)
		return false;
	for (size_t i = 0; replay_columns[i].heading; i++) {
		double a = replay_figure(&replay_columns[i], &one->figures);
		double b = replay_figure(&replay_columns[i], &other->figures);

		if (a != b && !(isnan(a) && isnan(b)))
			return false;
	}
	return true;
}

void replay_results_report(const struct replay_results *results)
{
	size_t first = 0, end;

	/* rows first to end - 1 have the same policy and scheduler, so they differ by settings */
	for (; first < results->count; first = end) {
		const struct replay_summary *summary = &results->summary[first];
		bool differs = false;

		for (end = first + 1; end < results->count; end++) {
			const struct replay_summary *other = &results->summary[end];

			if (other->policy != summary->policy ||
			    other->scheduler != summary->scheduler)
				break;
			differs |= !has_same_figures(summary, other);
		}
		if (end - first > 1 && !differs)
			remark("%s to %s: the settings change nothing, %s rows are equal",
			       summary->name, results->summary[end - 1].name,
			       end - first == 2 ? "both" : need_print("all %zu", end - first));
	}
}
