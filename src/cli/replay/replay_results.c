/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/replay_results.h"

#include "cli/complain.h"
#include "cli/progress.h"
#include "cli/replay/replay_formula.h"
#include "cli/replay/replay_threads.h"
#include "core/plural.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define ROUND_RUNS 16	/* of a round, unless there are more threads */

/* ---- what was left out -------------------------------------------------------------------- */

/* Says what is not replayed. With --strict the first reason is an error. */
static void report_skipped(const struct trace *trace, bool strict)
{
	const char *name = trace->input.name;

	for (size_t i = 0; i < TRACE_SKIP_COUNT; i++) {
		size_t count = trace->skipped[i];
		const char *reason = trace_skip_name((enum trace_skip)i);

		if (count && strict)
			refuse("%s: %zu job%s left out: %s; --strict refuses this", name, count,
			       PLURAL(count), reason);
		if (count)
			remark("%s: left out: %zu, %s", name, count, reason);
	}
	if (trace->without_partition && strict)
		refuse("%s: jobs that name no partition of the site: %zu; --strict refuses this",
		       name, trace->without_partition);
	if (trace->without_partition)
		remark("%s: jobs that name no partition of the site, and run on all nodes: %zu",
		       name, trace->without_partition);
	if (trace->out_of_order && strict)
		refuse("%s: jobs that are not in the order of submission: %zu; --strict refuses "
		       "this", name, trace->out_of_order);
	if (trace->out_of_order)
		remark("%s: jobs that were not in the order of submission, and are sorted: %zu",
		       name, trace->out_of_order);
}

/* ---- rounds ------------------------------------------------------------------------------ */

static void keep_results(struct replay_results *results, const struct replay_runs *runs)
{
	if (results->json)
		put_replays_json(results->json, runs, !results->count);
	for (size_t i = 0; i < runs->count; i++) {
		struct replay_summary *summary = &results->summary[results->count++];

		replay_formula_report(&runs->run[i]);
		memcpy(summary->name, runs->run[i].name, sizeof(summary->name));
		summary->figures = *replay_figures(runs->run[i].replay);
		/* they end with the round */
		memset(&summary->figures.waits, 0, sizeof(summary->figures.waits));
		memset(&summary->figures.series, 0, sizeof(summary->figures.series));
		summary->figures.node = NULL;
	}
	replay_files_add(&results->files, runs);
}

static size_t thread_count(const struct replay_options *options)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (options->threads > 0)
		return (size_t)options->threads;
	return processors > 0 ? (size_t)processors : 1;
}

void replay_results_create(struct replay_results *results, const struct replay_plan *plan)
{
	const struct replay_options *options = plan->options;
	const bool is_task = options->task > 0;
	size_t threads = thread_count(options), most = threads > ROUND_RUNS ? threads : ROUND_RUNS;
	size_t first = is_task ? (size_t)options->task - 1 : 0;
	size_t count = is_task ? 1 : options->candidates.count;

	*results = (struct replay_results){ .summary = need_zeros(count,
								  sizeof(*results->summary)) };
	replay_files_begin(&results->files, options->schedule,
			   is_task ? NULL : options->out.folder);
	if ((options->json || is_task) && !(results->json = tmpfile()))
		refuse("--json: %s", strerror(errno));
	progress_begin();
	while (results->count < count) {
		const struct replay_part part = { .done = results->count, .total = count };
		size_t left = count - part.done;
		struct replay_runs runs = replay_runs_create(plan, first + part.done,
							     left < most ? left : most);

		replay_threads_run(&runs, plan->input, threads, &part);
		/* each round leaves out the same */
		if (!part.done)
			report_skipped(&plan->input->trace, options->strict);
		keep_results(results, &runs);
		replay_runs_clear(&runs);
	}
	progress_hide();
	if (results->json && (fflush(results->json) || ferror(results->json)))
		refuse("--json: %s", strerror(errno));
}
