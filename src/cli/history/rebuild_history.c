/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom history --rebuild: goes from midnight to midnight, brings the usage of the jobs' records
 * up to each, and evaluates the site's tree of today with it. A history that begins on 2026-11-10
 * and records from 2026-11-07 12:00 on give the days 2026-11-08 and 2026-11-09.
 */
#include "cli/history/rebuild_history.h"

#include "cli/complain.h"
#include "cli/history/history_input.h"
#include "cli/jobs/command_jobs.h"
#include "cli/out_file.h"
#include "cli/output.h"
#include "core/plural.h"
#include "days/local_day.h"
#include "document/document.h"
#include "format/accounting/daily_usage.h"
#include "format/trace/trace.h"
#include "format/unknown_format.h"
#include "jobs/need_trees.h"
#include "memory/need_names.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

/* What the days are made of. */
struct rebuilding {
	const struct rebuild_request *request;
	/* read_files() sets these: */
	struct site_input files;	/* daily_usage_advance() sets sources.usage[0], that of the
					 * records */
	struct accounting_scan scan;	/* of the records */
	struct daily_usage daily;
	/* find_tree() sets these: */
	const struct snapshot *tree;	/* the site's associations, with their shares */
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	double half_life;	/* of usage, seconds; 0: no decay */
	struct reset_period period;	/* of resets, in which the last day that was added is */

	struct history_input history;	/* to which days are added */
	size_t days;			/* number of days that were added */
};

/* ---- read -------------------------------------------------------------------------------- */

/* Adds a file of --from to the sources. */
static void read_file(struct site_input *files, const char *name)
{
	const struct format *format;
	struct document input;

	open_input(&input, name);
	format = format_recognize(&input);
	if (!site_input_read_conf(files, format, &input)) {
		if (!format)
			wrong_format(&input, "fathom.conf, or a format of trees or settings; "
				     "fathom convert --list lists them");
		sources_add(&files->sources, format, &input);
		if (format->read_recorded)
			site_input_read_pass(files, format, &input);
		if (format_is_whole(format))
			site_input_read_within(files, format, &input);
	}
	document_clear(&input);
}

/* Takes the record of a job, for struct accounting_scan. context: the struct rebuilding. */
static void take_record(const struct accounted_job *job, struct document *input, void *context)
{
	struct rebuilding *rebuilding = context;

	if (rebuilding->scan.has_own_time && isnan(trace_epoch_of(job)))
		wrong_at(input, 0, "does not tell when it begins; must have UnixStartTime");
	daily_usage_take(job, input, &rebuilding->daily);
}

/* Reads all files, and gives each record of jobs to `daily` instead of adding up its usage. */
static void read_files(struct rebuilding *rebuilding)
{
	const bool tree_wins = true;
	const struct input_names *names = &rebuilding->request->files;
	struct site_input *files = &rebuilding->files;
	struct sources *sources = &files->sources;

	sources->rules = accounting_rules_of(&rebuilding->request->sets, 0);
	sources->without_jobs = true;
	sources->scans_records = true;
	sources->scope = rebuilding->request->scope;
	files->conf.conf = conf_standard();
	for (size_t i = 0; i < names->from_count; i++)
		read_file(files, names->from[i]);
	site_input_complete(files);
	sources_check_scope(sources);
	if (!sources->records_format)
		refuse("--from: no file has records of jobs; must be such as those of sacct");
	daily_usage_create(&rebuilding->daily, &sources->rules);
	rebuilding->scan = (struct accounting_scan){ .take = take_record, .context = rebuilding };
	sources_scan_records(sources, &rebuilding->scan);
	remark_left_out(&sources->records);
	daily_usage_finish(&rebuilding->daily, &sources->records, sources->usage);
	sources_finish(sources, tree_wins);
	if (!isfinite(daily_usage_begin(&rebuilding->daily)))
		refuse("%s: no job has run, so there is no usage", sources->records.name);
}

/* ---- the tree and its policy ------------------------------------------------------------- */

/* Sets policy and settings by --policy and --set; else by the rule. */
static void choose_policy(struct rebuilding *rebuilding, const struct site_rule *rule)
{
	const struct rebuild_request *request = rebuilding->request;
	const struct fathom_policy *policy = site_rule_policy(rule);
	struct fathom_error error;

	if (request->policies.count)
		policy = *request->policies.policy;
	else if (!policy)
		policy = fathom_policy_find(STANDARD_POLICY);
	rebuilding->policy = policy;
	rebuilding->settings = site_rule_settings(rule, policy);
	for (size_t i = 0; i < request->sets.count; i++)
		if (!set_is_half_life(request->sets.set[i]) &&
		    settings_set(policy, &rebuilding->settings, request->sets.set[i], &error))
			refuse("--set: %s", error.text);
	if (fathom_policy_keeps_sums(policy))
		refuse("--rebuild: policy %s counts more than usage, which records of jobs do not "
		       "tell; --policy names another one", fathom_policy_name(policy));
}

/* Takes the tree of the running cluster, its policy, and its half-life and reset period, unless
 * files have these. */
static void read_live(struct rebuilding *rebuilding)
{
	struct sources *sources = &rebuilding->files.sources;
	const struct live *live;
	struct site_rule rule = { .in_force = NULL };

	if (!HAS_LIBSLURM)
		refuse("--from: no file has a tree; must be such as that of sacctmgr dump");
	live = live_read_local();
	if (!live->whole)
		refuse("--rebuild: PrivateData hides a part of the tree of %s", live->cluster);
	rebuilding->tree = &live->snapshot;
	sources_use_half_life(sources, live->half_life, HALF_LIFE_STANDARD);
	if (sources->rules.reset == FATHOM_RESET_NONE)
		sources->rules.reset = live->reset_period;
	rule.in_force = &live->pass.in_force;
	choose_policy(rebuilding, &rule);
}

/* Refuses a tree in which two nodes have the same names, as a group of LSF may stand in several
 * places: a history has one row for both. */
static void check_names(const struct snapshot *tree)
{
	struct name_index *names = need_index();

	for (size_t node = 0; node < fathom_tree_count(tree->tree); node++) {
		struct piece key = history_key_of_node(tree, node);

		if (name_index_get(names, key) != NAME_INDEX_NONE)
			refuse("--rebuild: '%s' has several places in the tree, but a history has "
			       "one row for them", snapshot_name(tree, node));
		need_put(names, key, node);
	}
}

/* Sets tree, policy, settings and half_life: by the files if they have a tree, else by the running
 * cluster. */
static void find_tree(struct rebuilding *rebuilding)
{
	const struct sources *sources = &rebuilding->files.sources;
	const struct site_rule rule = site_input_rule(&rebuilding->files);

	if (sources->tree_name) {
		choose_policy(rebuilding, &rule);
		rebuilding->tree = sources->snapshot;
	} else {
		read_live(rebuilding);
	}
	check_names(rebuilding->tree);
	rebuilding->half_life = *sources->rules.half_life;
}

/* ---- write ------------------------------------------------------------------------------- */

/* Adds one day. day: a copy of the site's tree, whose usage is replaced by that of the records at
 * `time`; result: has room for the figures of that tree, and is overwritten. */
static void add_day(struct rebuilding *rebuilding, struct snapshot *day,
		    struct fathom_result *result, time_t time)
{
	const struct sources *sources = &rebuilding->files.sources;
	const struct association_rule rule = sources_rule(sources);
	struct json_columns columns;
	struct fathom_error error;
	double end = (double)time;
	bool is_reset = end >= rebuilding->period.end;

	if (is_reset)
		rebuilding->period = local_reset_period(sources->rules.reset, end);

	daily_usage_advance(&rebuilding->daily, end, rebuilding->half_life, is_reset);
	for (size_t node = 0; node < fathom_tree_count(day->tree); node++)
		fathom_tree_set_own_usage(day->tree, node, 0);
	/* settles the tree, too; usage of users whom the tree lacks goes to their account or to the
	 * root, as everywhere */
	accounted_usage_give(day, sources->usage, &rule);
	fathom_evaluate(result, day->tree, &rebuilding->settings);
	columns = json_columns_of(rebuilding->policy, result);
	if (history_add(rebuilding->history.history,
			&(struct history_day){ time, fathom_policy_name(rebuilding->policy), day,
					       &columns }, &error))
		history_input_wrong(&rebuilding->history, &error);
	rebuilding->days++;
}

/* Adds a day for each midnight from the one after the first job's start on, before `until`, or
 * until a signal waits that ends the process. */
static void add_days(struct rebuilding *rebuilding, time_t until)
{
	struct snapshot *day = need_fork(rebuilding->tree);
	struct fathom_result *result = need_result(rebuilding->policy, day->tree);
	/* 1: the day after; before the first job there is no usage */
	double first = daily_usage_begin(&rebuilding->daily);
	time_t begin = local_midnight((time_t)first, 1);

	rebuilding->period = local_reset_period(rebuilding->files.sources.rules.reset, first);
	for (time_t time = begin; time < until && !out_held_signal_ends();
	     time = local_midnight(time, 1))
		add_day(rebuilding, day, result, time);
}

/* Returns the midnight before which days are added: that of the history's first day; if it has no
 * days, that of tomorrow, so that today is added, too. */
static time_t find_end(struct rebuilding *rebuilding)
{
	int64_t first, last;
	size_t count;
	struct fathom_error error;

	if (history_span(rebuilding->history.history, INT64_MIN, INT64_MAX, &first, &last, &count,
			 &error))
		history_input_wrong(&rebuilding->history, &error);
	return count ? local_midnight((time_t)first, 0) : local_midnight(time(NULL), 1);
}

/* Opens the history, and adds all days to it. Returns whether it has; or a signal waits that ends
 * the process, and the file is as before. */
static bool write_days(struct rebuilding *rebuilding, const char *name)
{
	const bool may_write = true;
	struct fathom_error error;

	rebuilding->history = history_input_open(name, may_write);
	add_days(rebuilding, find_end(rebuilding));
	if (out_held_signal_ends()) {
		history_input_close();
		return false;
	}
	if (history_commit(rebuilding->history.history, &error))
		history_input_wrong(&rebuilding->history, &error);
	return true;
}

void rebuild_history(const struct rebuild_request *request, const char *name)
{
	struct rebuilding rebuilding = { .request = request };
	sigset_t before;
	bool is_written;

	if (request->policies.count > 1)
		refuse("--policy: history is rebuilt by one policy, must be given once");
	if (request->sets.half_life_count > 1)
		refuse("--set: half_life: given twice, must be given once");
	read_files(&rebuilding);
	find_tree(&rebuilding);
	output_check_path();
	/* a journal that is left would keep out readers who may not write the file */
	out_hold_signals(&before);
	is_written = write_days(&rebuilding, name);
	out_release_signals(&before);
	if (!is_written)	/* the signal has not come through: it does not end a process 1 */
		end_told();
	if (rebuilding.days)
		complain_of_done("; the days are added all the same");
	printf("%s: %zu day%s added\n", rebuilding.history.name, rebuilding.days,
	       PLURAL(rebuilding.days));
}
