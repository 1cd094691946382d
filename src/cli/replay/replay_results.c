/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/replay_results.h"

#include "cli/complain.h"
#include "cli/progress.h"
#include "cli/replay/replay_formula.h"
#include "cli/replay/replay_threads.h"
#include "core/plural.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROUND_RUNS 16	/* of a round, unless there are more threads */

/* ---- what was left out -------------------------------------------------------------------- */

static int complain_of_skipped(const struct trace *trace, enum trace_skip reason)
{
	return complain("%s: %zu job%s left out: %s; --strict refuses this", trace->input.name,
			trace->skipped[reason], PLURAL(trace->skipped[reason]),
			trace_skip_name(reason));
}

/* Says what is not replayed. With --strict the first reason is an error. */
static int report_skipped(const struct trace *trace, bool strict)
{
	for (size_t i = 0; i < TRACE_SKIP_COUNT; i++) {
		if (!trace->skipped[i])
			continue;
		if (strict)
			return complain_of_skipped(trace, (enum trace_skip)i);
		remark("%s: left out: %zu, %s", trace->input.name, trace->skipped[i],
		       trace_skip_name((enum trace_skip)i));
	}
	if (trace->without_partition && strict)
		return complain("%s: jobs that name no partition of the site: %zu; --strict "
				"refuses this", trace->input.name, trace->without_partition);
	if (trace->without_partition)
		remark("%s: jobs that name no partition of the site, and run on all nodes: %zu",
		       trace->input.name, trace->without_partition);
	if (!trace->out_of_order)
		return 0;
	if (strict)
		return complain("%s: jobs that are not in the order of submission: %zu; --strict "
				"refuses this", trace->input.name, trace->out_of_order);
	remark("%s: jobs that were not in the order of submission, and are sorted: %zu",
	       trace->input.name, trace->out_of_order);
	return 0;
}

/* ---- rounds ------------------------------------------------------------------------------ */

static void keep_summary(struct replay_summary *summary, const struct replay_run *run)
{
	memcpy(summary->name, run->name, sizeof(summary->name));
	summary->figures = *replay_figures(run->replay);
	/* they end with the round */
	memset(&summary->figures.waits, 0, sizeof(summary->figures.waits));
	memset(&summary->figures.series, 0, sizeof(summary->figures.series));
	summary->figures.node = NULL;
}

static int keep_results(struct replay_results *results, const struct replay_runs *runs,
			const struct replay_wishes *wishes)
{
	if (results->json && wishes->json(results->json, runs, !results->count))
		return EXIT_WRONG;
	for (size_t i = 0; i < runs->count; i++) {
		replay_formula_report(&runs->run[i]);
		keep_summary(&results->summary[results->count++], &runs->run[i]);
	}
	return replay_files_add(&results->files, runs);
}

struct rounds {
	struct replay_results *results;
	const struct replay_plan *plan;
	struct replay_input *input;
	const struct replay_wishes *wishes;
	size_t count;		/* of all rounds */
};

static int do_round(const struct rounds *rounds, size_t first, size_t count)
{
	const struct replay_part part = { .done = rounds->results->count, .total = rounds->count };
	struct replay_runs runs;
	int status = replay_runs_create(&runs, rounds->plan, first, count);

	if (!status)
		status = replay_threads_run(&runs, rounds->input, rounds->wishes->threads, &part);
	/* each round leaves out the same */
	if (!status && !part.done)
		status = report_skipped(&rounds->input->trace, rounds->wishes->strict);
	if (!status)
		status = keep_results(rounds->results, &runs, rounds->wishes);
	replay_runs_clear(&runs);
	return status;
}

static int do_rounds(const struct rounds *rounds, size_t first)
{
	size_t most = rounds->wishes->threads > ROUND_RUNS ? rounds->wishes->threads : ROUND_RUNS;
	int status = 0;

	for (size_t done = 0; !status && done < rounds->count; done += most) {
		size_t left = rounds->count - done;

		status = do_round(rounds, first + done, left < most ? left : most);
	}
	return status;
}

int replay_results_create(struct replay_results *results, const struct replay_plan *plan,
			  struct replay_input *input, const struct replay_wishes *wishes,
			  size_t first, size_t count)
{
	const struct rounds rounds = { results, plan, input, wishes, count };
	int status;

	*results = (struct replay_results){ .summary = calloc(count, sizeof(*results->summary)) };
	status = replay_files_begin(&results->files, wishes->schedule, wishes->folder);
	if (!status && !results->summary)
		status = complain("out of memory");
	if (!status && wishes->json && !(results->json = tmpfile()))
		status = complain("--json: %s", strerror(errno));
	progress_begin();
	if (!status)
		status = do_rounds(&rounds, first);
	progress_hide();
	if (!status && results->json && (fflush(results->json) || ferror(results->json)))
		status = complain("--json: %s", strerror(errno));
	return status;
}

void replay_results_clear(struct replay_results *results)
{
	free(results->summary);
	if (results->json)
		fclose(results->json);
	replay_files_discard(&results->files);
	*results = (struct replay_results){ .count = 0 };
}
