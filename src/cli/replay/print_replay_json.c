/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/print_replay.h"

#include "cli/complain.h"
#include "cli/replay/replay_files.h"
#include "json/json.h"
#include "json/shares.h"

#include <math.h>
#include <stdlib.h>

#define FORMAT "fathom-replay"
#define VERSION 1
#define QUANTILES 100

static void put_key(const char *key)
{
	json_put(stdout, ", ");
	json_put_string(stdout, key);
	json_put(stdout, ": ");
}

static void put_integer_key(const char *key, uint64_t value)
{
	put_key(key);
	json_put_integer(stdout, (int64_t)value);
}

/* ---- the trace --------------------------------------------------------------------------- */

static void put_skipped(const struct trace *trace)
{
	bool is_first = true;

	put_key("skipped");
	json_put(stdout, "{");
	for (size_t i = 0; i < TRACE_SKIP_COUNT; i++) {
		if (!trace->skipped[i])
			continue;
		json_put(stdout, is_first ? "" : ", ");
		json_put_string(stdout, trace_skip_name((enum trace_skip)i));
		json_put(stdout, ": ");
		json_put_integer(stdout, (int64_t)trace->skipped[i]);
		is_first = false;
	}
	json_put(stdout, "}");
}

static void put_trace(const struct replay_runs *runs, const struct replay_input *input)
{
	const struct trace *trace = &input->trace;

	json_put(stdout, ",\n\"trace\": {\"name\": ");
	json_put_string(stdout, trace->input.name);
	put_integer_key("jobs", trace->jobs);
	put_integer_key("users", trace->users);
	put_integer_key("accounts", trace->accounts);
	json_put_number_key(stdout, "cpus", trace->cpus);
	put_integer_key("out_of_order", trace->out_of_order);
	put_integer_key("eligible_later", trace->eligible_later);
	if (trace->site)
		put_integer_key("without_partition", trace->without_partition);
	put_skipped(trace);
	json_put(stdout, "}");
	json_put_text_key(stdout, "scheduler", runs->frame->scheduler->name);
	json_put_number_key(stdout, "calc_period",
			    replay_calc_period(runs->frame, &input->site));
	json_put_number_key(stdout, "warm_up", runs->frame->warm_up);
}

/* ---- one replay --------------------------------------------------------------------------- */

static void put_numbers(const struct replay_run *run)
{
	const struct replay_figures *figures = replay_figures(run->replay);
	const struct { const char *key; double value; } numbers[] = {
		{ "mean_wait", figures->mean_wait }, { "median_wait", figures->median_wait },
		{ "p95_wait", figures->p95_wait }, { "longest_wait", figures->longest_wait },
		{ "mean_bounded_slowdown", figures->mean_bounded_slowdown },
		{ "utilization", figures->utilization }, { "makespan", figures->makespan },
		{ "share_error", figures->share_error }, { "jain", figures->jain },
		{ "below_share", figures->below_share }, { "wall_seconds", run->seconds },
	};

	put_integer_key("jobs", figures->jobs);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		json_put_number_key(stdout, numbers[i].key, numbers[i].value);
	put_integer_key("passes", figures->passes);
}

/* Which part of jobs waits how long at most: after 0, 1, 2, ... 100 percent of them. */
static void put_quantiles(const struct replay_figures *figures)
{
	put_key("wait_quantiles");
	json_put(stdout, "[");
	for (int i = 0; i <= QUANTILES; i++) {
		json_put(stdout, i ? ", " : "");
		json_put_number(stdout, wait_times_quantile(&figures->waits,
							    i / (double)QUANTILES));
	}
	json_put(stdout, "]");
}

/* Returns whether an account is shown: users of its own have had jobs. */
static bool has_jobs(const struct fathom_tree *tree, const struct replay_figures *figures,
		     size_t account)
{
	size_t first = fathom_tree_first_child(tree, account);

	for (size_t i = 0; i < fathom_tree_child_count(tree, account); i++)
		if (fathom_tree_kind(tree, first + i) == FATHOM_USER &&
		    figures->node[first + i].jobs)
			return true;
	return figures->node[account].jobs;
}

static void put_part(double part)
{
	char text[32];

	snprintf(text, sizeof(text), "%.4g", part);
	json_put(stdout, text);
}

static void put_points(const struct usage_series *series, size_t node)
{
	put_key("usage");
	json_put(stdout, "[");
	for (size_t i = 0; i < series->count; i++) {
		json_put(stdout, i ? "," : "");
		put_part((double)series->part[i * series->nodes + node]);
	}
	json_put(stdout, "]");
}

static void put_account(const struct replay_run *run, size_t node,
			const struct node_figures *figures)
{
	const struct snapshot *snapshot = &run->input->snapshot;
	double jobs = (double)figures->jobs;

	json_put(stdout, "{\"account\": ");
	json_put_string(stdout, snapshot_account(snapshot, node));
	json_put_number_key(stdout, "share", fathom_tree_norm_shares(snapshot->tree, node));
	put_integer_key("jobs", figures->jobs);
	json_put_number_key(stdout, "mean_wait", figures->wait / jobs);
	json_put_number_key(stdout, "longest_wait", figures->longest_wait);
	json_put_number_key(stdout, "cpu_seconds", figures->cpu_seconds);
	put_points(&replay_figures(run->replay)->series, node);
	json_put(stdout, "}");
}

static int put_series(const struct replay_run *run)
{
	const struct replay_figures *figures = replay_figures(run->replay);
	const struct fathom_tree *tree = run->input->snapshot.tree;
	struct node_figures *sums = account_figures(run);
	bool is_first = true;

	if (!sums)
		return complain("out of memory");
	json_put(stdout, ",\n\"series\": {\"time\": [");
	for (size_t i = 0; i < figures->series.count; i++) {
		json_put(stdout, i ? ", " : "");
		json_put_number(stdout, figures->series.time[i]);
	}
	json_put(stdout, "], \"accounts\": [");
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		if (fathom_tree_kind(tree, node) != FATHOM_ACCOUNT ||
		    !has_jobs(tree, figures, node))
			continue;
		json_put(stdout, is_first ? "\n" : ",\n");
		put_account(run, node, &sums[node]);
		is_first = false;
	}
	json_put(stdout, "]}");
	free(sums);
	return 0;
}

static int put_run(const struct replay_run *run)
{
	int status;

	json_put(stdout, "{\"policy\": ");
	json_put_string(stdout, fathom_policy_name(run->policy));
	json_put_text_key(stdout, "name", run->name);
	put_key("settings");
	json_put_settings(stdout, run->policy, &run->settings, NULL);
	json_put_number_key(stdout, "half_life", run->half_life);
	put_numbers(run);
	put_quantiles(replay_figures(run->replay));
	status = put_series(run);
	json_put(stdout, "}");
	return status;
}

int print_replay_json(const struct replay_runs *runs, const struct replay_input *input)
{
	json_begin(stdout, FORMAT, VERSION);
	put_trace(runs, input);
	json_put(stdout, ",\n\"policies\": [\n");
	for (size_t i = 0; i < runs->count; i++) {
		json_put(stdout, i ? ",\n" : "");
		if (put_run(&runs->run[i]))
			return EXIT_WRONG;
	}
	json_put(stdout, "]}\n");
	return 0;
}
