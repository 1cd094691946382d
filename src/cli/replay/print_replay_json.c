/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the JSON of a replay: what the trace has, and an object for each candidate. */
#include "cli/replay/replay_command.h"

#include "json/json.h"
#include "json/shares.h"

#define FORMAT "fathom-replay"
#define VERSION 1

/* ---- the trace --------------------------------------------------------------------------- */

/* Writes how many jobs are left out, by reason. */
static void put_skipped(FILE *out, const struct trace *trace)
{
	bool is_first = true;

	json_put(out, ", \"skipped\": {");
	for (size_t i = 0; i < TRACE_SKIP_COUNT; i++) {
		if (!trace->skipped[i])
			continue;
		json_print(out, is_first ? "%s: %zu" : ", %s: %zu",
			   trace_skip_name((enum trace_skip)i), trace->skipped[i]);
		is_first = false;
	}
	json_put(out, "}");
}

/* Writes the members that tell of one trace, or of the sums of several. */
static void put_trace_keys(FILE *out, const struct replay_input *input)
{
	const struct trace *trace = &input->trace;

	json_print(out, "\"name\": %s, \"jobs\": %zu, \"users\": %zu, "
		   "\"accounts\": %zu, \"cpus\": %g, \"out_of_order\": %zu, "
		   "\"eligible_later\": %zu", trace->input.name, trace->jobs, trace->users,
		   trace->accounts, trace->cpus, trace->out_of_order, trace->eligible_later);
	json_put_number_key(out, "epoch", trace->epoch);
	json_put_instant_key(out, "epoch_iso", trace->epoch);
	json_put(out, input->assumes_shares ? ", \"shares\": \"assumed\"" : "");
	if (trace->site)
		json_print(out, ", \"without_partition\": %zu", trace->without_partition);
	put_skipped(out, trace);
}

/* Writes the trace, or of several clusters their sums and then each; and the rules of all
 * replays. */
static void put_trace(FILE *out, const struct replay_plan *plan)
{
	json_put(out, ",\n\"trace\": {");
	put_trace_keys(out, plan->input);
	json_put(out, plan->cluster ? ",\n\"clusters\": [" : "");
	for (size_t i = 0; plan->cluster && i < plan->cluster_count; i++) {
		const struct traced_cluster *cluster = &plan->cluster[i];

		json_print(out, i ? ",\n{\"cluster\": %s, \"weight\": %g, "
				  : "\n{\"cluster\": %s, \"weight\": %g, ",
			   cluster->plan.name, cluster->plan.weight);
		put_trace_keys(out, &cluster->input);
		json_put(out, "}");
	}
	json_put(out, plan->cluster ? "]" : "");
	json_print(out, "}, \"scheduler\": %s, \"calc_period\": %g, \"warm_up\": %g, "
		   "\"yardstick\": %g", replay_scheduler_names(plan->options),
		   plan->input->site.calc_period, plan->options->warm_up, plan->options->yardstick);
}

/* ---- one replay --------------------------------------------------------------------------- */

/* Writes 101 wait times: 0, 1, 2, ... 100 percent of the jobs waited no longer. */
static void put_quantiles(FILE *out, const struct replay_figures *figures)
{
	json_put(out, ", \"wait_quantiles\": [");
	for (unsigned i = 0; i <= 100; i++)
		json_print(out, i ? ", %g" : "%g", wait_times_quantile(&figures->waits, i));
	json_put(out, "]");
}

/* A member of struct week_figures, a double. */
struct week_column {
	const char *key;
	size_t offset;
};

#define WEEK(key) { #key, offsetof(struct week_figures, key) }

/* Writes the sums of each week. Readers of the JSON see from their scatter whether a figure is
 * better by more than chance. */
static void put_weeks(FILE *out, const struct replay_figures *figures)
{
	static const struct week_column columns[] = {
		WEEK(jobs), WEEK(wait), WEEK(slowdown), WEEK(passes), WEEK(share_error), WEEK(jain),
	};

	json_put(out, ",\n\"weeks\": {");
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		json_print(out, i ? ", %s: [" : "%s: [", columns[i].key);
		for (size_t week = 0; week < figures->week_count; week++) {
			const char *row = (const char *)&figures->week[week];

			json_print(out, week ? ", %g" : "%g",
				   *(const double *)(row + columns[i].offset));
		}
		json_put(out, "]");
	}
	json_put(out, "}");
}

/* Returns whether an account is shown: it, or a user directly below it, has had jobs. */
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

/* Writes the part of all usage that a node and those below it had, at each point of the series. */
static void put_points(FILE *out, const struct usage_series *series, size_t node)
{
	json_put(out, ", \"usage\": [");
	for (size_t i = 0; i < series->count; i++)
		fprintf(out, i ? ",%.4g" : "%.4g", (double)series->part[i * series->nodes + node]);
	json_put(out, "]");
}

/* Writes the object of an account. figures: with those of all nodes below it. */
static void put_account(FILE *out, const struct replay_run *run, size_t node,
			const struct node_figures *figures)
{
	json_print(out, "{\"account\": %s, \"share\": %g, \"jobs\": %zu, \"mean_wait\": %g, "
		   "\"longest_wait\": %g, \"cpu_seconds\": %g",
		   snapshot_account(&run->input->snapshot, node), run->figures->share[node],
		   (size_t)figures->jobs, figures->wait / (double)figures->jobs,
		   figures->longest_wait, figures->cpu_seconds);
	put_points(out, &run->figures->series, node);
	json_put(out, "}");
}

/* Writes the series of usage: its times, and the accounts with jobs. */
static void put_series(FILE *out, const struct replay_run *run)
{
	const struct replay_figures *figures = run->figures;
	const struct fathom_tree *tree = run->input->snapshot.tree;
	struct node_figures *sums = account_figures(run);
	bool is_first = true;

	json_put(out, ",\n\"series\": {\"time\": [");
	for (size_t i = 0; i < figures->series.count; i++)
		json_print(out, i ? ", %g" : "%g", figures->series.time[i]);
	json_put(out, "], \"accounts\": [");
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		if (fathom_tree_kind(tree, node) != FATHOM_ACCOUNT ||
		    !has_jobs(tree, figures, node))
			continue;
		json_put(out, is_first ? "\n" : ",\n");
		put_account(out, run, node, &sums[node]);
		is_first = false;
	}
	json_put(out, "]}");
	need_free(sums);
}

/* Writes the users who have had jobs, in the order of the tree. */
static void put_users(FILE *out, const struct replay_run *run)
{
	const struct replay_figures *figures = run->figures;
	const struct snapshot *snapshot = &run->input->snapshot;
	bool is_first = true;

	json_put(out, ",\n\"users\": [");
	for (size_t node = 0; node < figures->nodes; node++) {
		const struct node_figures *user = &figures->node[node];
		const char *partition = snapshot_partition(snapshot, node);

		if (fathom_tree_kind(snapshot->tree, node) != FATHOM_USER || !user->jobs)
			continue;
		json_put(out, is_first ? "\n" : ",\n");
		json_print(out, "{\"user\": %s, \"account\": %s, ", snapshot_name(snapshot, node),
			   snapshot_account(snapshot, node));
		if (partition)
			json_print(out, "\"partition\": %s, ", partition);
		json_print(out, "\"jobs\": %zu, \"mean_wait\": %g}", (size_t)user->jobs,
			   user->wait / (double)user->jobs);
		is_first = false;
	}
	json_put(out, "]");
}

/* Writes the object of a run without its closing brace. */
static void put_run(FILE *out, const struct replay_run *run)
{
	const struct replay_figures *figures = run->figures;
	const struct replay_scheduler *scheduler = run->scheduler;

	json_put(out, "{");
	if (run->cluster)
		json_print(out, "\"cluster\": %s, ", run->cluster);
	if (run->candidate->sharing)
		json_print(out, "\"shares\": %s, ", run->candidate->sharing);
	/* under a scheduler that keeps starts the policy changes nothing */
	json_print(out, "\"policy\": %s, \"name\": %s, \"scheduler\": %s, \"settings\": ",
		   scheduler->keeps_starts ? scheduler->name : fathom_policy_name(run->policy),
		   run->name, scheduler->name);
	json_put_settings(out, run->policy, &run->settings, NULL);
	json_put_number_key(out, "half_life", run->half_life);
	json_print(out, ", \"jobs\": %zu", (size_t)figures->jobs);
	for (size_t i = 0; replay_columns[i].heading; i++)
		json_put_number_key(out, replay_columns[i].key,
				    replay_figure(&replay_columns[i], figures));
	json_print(out, ", \"wall_seconds\": %g, \"passes\": %zu", run->seconds,
		   (size_t)figures->passes);
	put_quantiles(out, figures);
	put_weeks(out, figures);
	put_users(out, run);
	put_series(out, run);
}

/* Writes the object of a candidate. Of several clusters it is the object of all together, which has
 * a list with the objects of the single ones. run: the first of the candidate's runs, see struct
 * replay_runs; clusters: number of clusters, 0 for a single one. */
static void put_candidate(FILE *out, const struct replay_run *run, size_t clusters)
{
	put_run(out, &run[clusters]);
	json_put(out, clusters ? ",\n\"clusters\": [\n" : "");
	for (size_t i = 0; i < clusters; i++) {
		json_put(out, i ? "},\n" : "");
		put_run(out, &run[i]);
	}
	json_put(out, clusters ? "}]}" : "}");
}

void put_replays_json(FILE *out, const struct replay_runs *runs, bool is_first)
{
	for (size_t i = 0; i < runs->count; i += runs->width) {
		json_put(out, is_first && !i ? "" : ",\n");
		put_candidate(out, &runs->run[i], runs->width - 1);
	}
}

void print_replay_json(const struct replay_results *results, const struct replay_plan *plan)
{
	json_begin(stdout, FORMAT, VERSION);
	put_trace(stdout, plan);
	json_put(stdout, ",\n\"policies\": [\n");
	copy_to_output(results->json, "--json");
	json_put(stdout, "]}\n");
}
