/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom replay: what would the jobs of a trace have waited under other policies? */
#include "cli/replay/replay_command.h"

#include "cli/command.h"
#include "cli/print_text.h"
#include "core/plural.h"
#include "format/job_settings.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define WEEK (7 * 86400.)	/* seconds */
#define MOST_CPUS UINT32_MAX
#define MOST_DURATION 53	/* characters; a sensible one is shorter */
#define MANY_PASSES 1e8		/* they take 10 s and more, in which nothing is printed */

/* ---- options --------------------------------------------------------------------------- */

/* Takes a number from 1 to the row's choice, or if that is 0 to MOST_CPUS. */
static void set_count(const struct option_row *row, void *member, const char *value)
{
	double most = row->choice ? row->choice : (double)MOST_CPUS;
	double count = strtod(value, NULL);

	if (value[strspn(value, "0123456789")] || !(count >= 1) || count > most)
		refuse("--%s: '%s', must be a whole number from 1 to %.0f", row->name, value, most);
	*(double *)member = count;
}

/* Takes --task, which the batch script of --array gives; see replay_options.task. */
static void set_task(const struct option_row *row, void *member, const char *value)
{
	double task = strtod(value, NULL);

	if (!*value || value[strspn(value, "0123456789")] || task >= MOST_REPLAYS)
		refuse("--%s: '%s', must be the number of a task", row->name, value);
	*(double *)member = task + 1;
}

/* Returns the seconds of a duration that is at least `least`; refuses a wrong one. */
static double duration_of(const struct option_row *row, const char *value, double least)
{
	const struct fathom_setting setting = {
		.name = row->name, .type = FATHOM_DURATION, .low = least,
		.high = 0x1p40, .unit = "seconds",
	};
	struct fathom_error error;
	double seconds;

	if (fathom_setting_parse(&setting, value, &seconds, &error))
		refuse("--%s: %s", row->name, error.text);
	return seconds;
}

/* Takes a duration, which may be 0. */
static void set_duration(const struct option_row *row, void *member, const char *value)
{
	*(double *)member = duration_of(row, value, 0);
}

/* Takes --calc-period, which may not be shorter than fathom.conf allows. */
static void set_calc_period(const struct option_row *row, void *member, const char *value)
{
	*(double *)member = duration_of(row, value, conf_setting(CONF_CALC_PERIOD)->low);
}

/* Takes --half-life, which is --set half_life. */
static void set_half_life(const struct option_row *row, void *member, const char *value)
{
	struct sets *sets = member;

	duration_of(row, value, 0);
	if (sets->half_life_count)
		refuse("--%s: given twice; --set half_life=... takes several", row->name);
	if (strlen(value) > MOST_DURATION)
		refuse("--%s: '%s': too long for a duration", row->name, value);
	option_set(row, sets, need_print("half_life=%s", value));
}

/* Returns whether a path is a folder, or if there is nothing of this name, ends with '/'. */
static bool is_folder(const char *path)
{
	size_t length = strlen(path);
	struct stat status;

	if (!stat(path, &status))
		return S_ISDIR(status.st_mode);
	return length && path[length - 1] == '/';
}

/* Takes --out: a folder for the tables of users and accounts, or a file as in all commands. */
static void set_out(const struct option_row *row, void *member, const char *value)
{
	struct replay_options *options = member;

	if (is_folder(value)) {
		options->out.folder = value;
		return;
	}
	options->out.file = value;
	option_out(row, NULL, value);
}

/* Takes --schedule, which may be given once. */
static void set_schedule(const struct option_row *row, void *member, const char *value)
{
	if (*(const char **)member)
		refuse("--%s: given twice", row->name);
	option_text(row, member, value);
}

#define AT(member) offsetof(struct replay_options, member), 0

static const struct option_row option_rows[] = {
	{ OPTION_FROM, "read the tree with the shares, slurm.conf, fathom.conf or a snapshot from "
	  "FILE; repeat it; default: the accounts and users of the trace, with shares 1",
	  option_from, AT(files) },
	{ OPTION_FORMAT, "read the trace as this format; default: it is recognised",
	  option_format, AT(files.format) },
	{ OPTION_POLICY, "replay under this policy, or under several side by side; default: "
	  STANDARD_POLICY, option_policies, AT(candidates.policies) },
	{ OPTION_SET, "change a setting of the policy, or half_life; repeat it for other settings, "
	  "or for several values side by side: each combination is replayed",
	  option_set, AT(candidates.sets) },
	{ 0, "scheduler", "NAMES", "easy: backfilling that does not delay the first job; "
	  "conservative: that delays no job; none: what fits starts; strict: no job "
	  "overtakes one that waits; trace: jobs start when they did; several, separated by "
	  "commas, side by side; default: easy",
	  option_several_words, offsetof(struct replay_options, schedulers), WORDS_SCHEDULER },
	{ 0, "cpus", "NUMBER", "CPUs of the machine; default: those of the nodes in slurm.conf, "
	  "else as the header of the trace says", set_count, AT(cpus) },
	{ 0, "nodes", "NUMBER", "nodes of the machine, for the job size factor; default: those in "
	  "slurm.conf, else as many as CPUs", set_count, AT(nodes) },
	{ 0, "cluster", "NAME=TRACE", "replay the trace of one of several clusters, with separate "
	  "and with global shares; for its own machine add ,cpus=NUMBER and ,nodes=NUMBER, or "
	  ",from=FILE with its slurm.conf; ,weight=NUMBER: what its usage is worth in the "
	  "others; repeat it, and give no other TRACE", cluster_traces_option, AT(clusters) },
	{ 0, "align", NULL, "let the traces of all clusters begin at the same time",
	  option_flag, AT(aligns) },
	{ 0, "half-life", "DURATION", "how usage decays; 0: not; default: as the site's files say, "
	  "else 7d", set_half_life, AT(candidates.sets) },
	{ 0, "calc-period", "DURATION", "time between two passes; default: as the site's files "
	  "say, else 5m", set_calc_period, AT(calc_period) },
	{ 0, "warm-up", "DURATION", "leave so much time from the first submission out of figures",
	  set_duration, AT(warm_up) },
	{ 0, "yardstick", "DURATION", "half-life of the usage by which fairness is measured, the "
	  "same for all rows; 0: no decay; default: 7d", set_duration, AT(yardstick) },
	{ 0, "initial", NULL, "start with the usage that the tree of --from has; default: with "
	  "none", option_flag, AT(with_usage) },
	{ 0, "schedule", "FILE", "write when each job started and ended, as CSV",
	  set_schedule, AT(schedule) },
	{ 0, "out", "PATH", "write to the file PATH, whole or not at all, instead of standard "
	  "output; if PATH is a folder, write users.csv and accounts.csv into it", set_out, 0, 0 },
	{ 0, "array", "NUMBER", "replay in a Slurm job array, so many tasks at the same time; the "
	  "results go into the folder of --out; tasks that have one, wait or run are not submitted "
	  "again", set_count, offsetof(struct replay_options, array), MOST_THREADS },
	{ 0, "collect", NULL, "print the results of --array, as JSON", option_flag, AT(collect) },
	{ 0, "task", "NUMBER", NULL, set_task, AT(task) },
	{ 0, "threads", "NUMBER", "replay so many policies at the same time; default: the number "
	  "of processors", set_count, offsetof(struct replay_options, threads), MOST_THREADS },
	{ 0, "strict", NULL, "replay nothing if a job has to be left out",
	  option_flag, AT(strict) },
	{ OPTION_NO_HEADER, option_flag, AT(no_header) },
	{ OPTION_PARSABLE, "print a '|' between columns", option_flag, AT(parsable) },
	{ OPTION_JSON, "print all figures, unrounded, as JSON", option_flag, AT(json) },
	{ OPTION_VERBOSE, "also say what the trace has", option_flag, AT(verbose) },
	OPTIONS_BUT_OUT,
};

static void help_more(void)
{
	printf("\nColumns:\n");
	print_replay_columns();
	help_policies();
	printf("  any policy, from slurm.conf:\n");
	job_settings_help(help_setting);
	printf("      ");
	print_wrapped("priority_usage_reset_period = NONE, NOW, DAILY, WEEKLY, MONTHLY, QUARTERLY "
		      "or YEARLY", 6, 10);
	printf("          when usage becomes 0\n");
	printf("      formula = EXPRESSION\n          the priority of a job, as in fathom.conf\n");
	help_setting(conf_setting(CONF_FORMULA_SCALE));
	help_formats(true);
}

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom replay TRACE [OPTION]...\n"
		 "       fathom replay --cluster NAME=TRACE --cluster NAME=TRACE... [OPTION]...\n"
		 "Replay the jobs of a trace: when would they start under other policies?\n\n",
	.help_more = help_more,
	OPERANDS(1, "FILE", struct replay_options, trace),
};

/* ---- replaying ----------------------------------------------------------------------------- */

/* Remarks what the trace has, for --verbose. */
static void describe_trace(const struct trace *trace)
{
	remark("%s: format %s, %zu job%s of %zu user%s in %zu account%s, %.0f CPU%s",
	       trace->input.name, trace->format->name, trace->jobs, PLURAL(trace->jobs),
	       trace->users, PLURAL(trace->users), trace->accounts, PLURAL(trace->accounts),
	       trace->cpus, PLURAL(trace->cpus));
	if (trace->eligible_later)
		remark("%s: became eligible after their submission, and are submitted then: %zu",
		       trace->input.name, trace->eligible_later);
	if (trace->with_cpu_time)
		remark("%s: tells the CPU time of jobs; of others CPUs times run time counts: %zu",
		       trace->input.name, trace->with_cpu_time);
}

/* Returns whether a tree has usage, or CPU time and the like, which count under lsf. */
static bool has_usage(const struct fathom_tree *tree)
{
	bool has = fathom_tree_usage(tree, 0) > 0;

	for (size_t i = 0; i < fathom_resource_count(); i++)
		has |= fathom_tree_has_resource(tree, (enum fathom_resource)i);
	return has;
}

/* Says at once that a replay may take minutes for its passes. Where nothing happens, too, each pass
 * counts in the figures, unless no job waits or runs. */
static void warn_of_passes(const struct replay_input *input)
{
	const struct trace *trace = &input->trace;
	double period = input->site.calc_period;
	double passes = (trace->last_end - trace->first_submit) / period;

	if (passes < MANY_PASSES)
		return;
	remark("%s: up to %.0f passes in each replay, one each %g s; a longer --calc-period has "
	       "fewer", trace->input.name, passes, period);
	print_remarks();
}

/* Refuses what cannot be replayed, and warns of what is not replayed as it was. */
static void check_plan(const struct replay_plan *plan)
{
	if (plan->options->verbose)
		describe_trace(&plan->input->trace);
	if (plan->options->with_usage && !has_usage(plan->input->snapshot.tree))
		remark("--initial: no file of --from has usage");
	replay_report_weights(plan->input, plan->options->strict);
	replay_plan_check(plan);
}

/* Replays the trace, or those of several clusters, and prints the results. is_check: only checks
 * that it can be replayed. */
static void replay_trace(const struct replay_options *options, bool is_check)
{
	struct replay_input input = { .node = NULL };
	struct replay_plan plan = { .options = options, .input = &input, .cluster_count = 1 };
	struct replay_results results;

	if (options->clusters.count) {
		plan.cluster = cluster_traces_open(&input, options);
		plan.cluster_count = options->clusters.count;
	} else {
		replay_input_open(&input, options);
	}
	for (size_t i = 0; i < plan.cluster_count; i++)
		check_plan(replay_plan_of(&plan, i));
	if (is_check)
		return;
	for (size_t i = 0; i < plan.cluster_count; i++)
		warn_of_passes(replay_plan_of(&plan, i)->input);
	replay_results_create(&results, &plan);
	replay_results_report(&results);
	if (input.assumes_shares && isatty(STDOUT_FILENO))
		remark("shares are assumed to be 1 for each account, and for each user of an "
		       "account; --from gives the tree");
	replay_files_publish(&results.files);
	if (results.json)	/* with --json, or of a task */
		print_replay_json(&results, &plan);
	else
		print_replay(&results, options);
}

/* Does what --array, --collect or --task asks for. Returns the exit status. */
static int run_sweep(const struct replay_options *options)
{
	const bool is_check = true;

	if (!options->out.folder)
		refuse("--%s: needs a folder; give --out FOLDER/",
		       options->collect ? "collect" : "array");
	if (options->schedule || !strcmp(options->trace, "-"))
		refuse("--array: takes no --schedule, and no trace from standard input");
	if (options->task > 0) {
		if (replay_sweep_begin_task(options))
			replay_trace(options, !is_check);
		return EXIT_DONE;
	}
	if (options->collect)
		return replay_sweep_collect(options);
	/* what is wrong with the input is said before tasks fail for it */
	replay_sweep_check(options);
	replay_trace(options, is_check);
	replay_sweep_submit(options);
	return EXIT_DONE;
}

/* Returns the name of a file without its folder, whose status it gets; this is that of "/" if the
 * folder is not there. */
static const char *split_path(const char *path, struct stat *folder)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (stat(slash ? need_print("%.*s", (int)(name - path), path) : ".", folder))
		need_done(stat("/", folder));
	return name;
}

/* Returns whether two paths are one file. If one of them does not exist, name and folder decide. */
static bool is_same_file(const char *a, const char *b)
{
	struct stat of_a, of_b;

	if ((stat(a, &of_a) || stat(b, &of_b)) &&
	    strcmp(split_path(a, &of_a), split_path(b, &of_b)))
		return false;
	return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* Refuses an output that would overwrite a trace. */
static void check_trace(const struct replay_options *options, const char *trace)
{
	const char *out = options->out.file, *schedule = options->schedule;

	if (out && is_same_file(out, trace))
		refuse("--out: %s is the trace, must be another file", out);
	if (schedule && is_same_file(schedule, trace))
		refuse("--schedule: %s is the trace, must be another file", schedule);
}

/* Returns whether a path is that of a table in the folder of --out. */
static bool is_table(const char *folder, const char *path)
{
	return is_same_file(folder_path(folder, USERS_TABLE), path) ||
	       is_same_file(folder_path(folder, ACCOUNTS_TABLE), path);
}

/* Refuses outputs that are in each other's way. */
static void check_outputs(const struct replay_options *options)
{
	const char *out = options->out.file, *schedule = options->schedule;

	if (out)	/* nothing else may have been written when it turns out wrong */
		out_file_check("out", out);
	if (options->trace)
		check_trace(options, options->trace);
	for (size_t i = 0; i < options->clusters.count; i++)
		check_trace(options, options->clusters.at[i].trace);
	if (schedule && (out ? is_same_file(out, schedule) :
			 options->out.folder && is_table(options->out.folder, schedule)))
		refuse("--schedule: %s is the file of --out, must be another", schedule);
}

/* Adds a candidate under a scheduler. sharing: as in struct candidate. */
static void add_candidate(struct candidates *candidates, const struct candidate *candidate,
			  int scheduler, const char *sharing)
{
	struct candidate *item = &candidates->item[candidates->count++];

	*item = *candidate;
	item->scheduler = scheduler;
	item->sharing = sharing;
	item->is_global = sharing && !strcmp(sharing, "global");
}

/* Replaces each candidate by one under each scheduler; of several clusters by two, with separate
 * and with global shares. Under the scheduler `trace` neither policy nor shares change anything, so
 * that only the candidates of the first policy are replayed; beside other schedulers, the first
 * candidate alone. */
static void cross_candidates(struct candidates *candidates, const struct word_list *schedulers,
			     bool has_clusters)
{
	const struct candidate *old = candidates->item;
	const size_t old_count = candidates->count;
	size_t most = old_count * schedulers->count * (has_clusters ? 2 : 1);

	candidates->item = need_zeros(most, sizeof(*candidates->item));
	candidates->count = 0;
	for (size_t i = 0; i < schedulers->count; i++) {
		int scheduler = schedulers->which[i];
		bool is_traced = replay_schedulers[scheduler]->keeps_starts;
		bool is_once = is_traced && schedulers->count > 1;
		bool is_shared = has_clusters && !is_traced;

		for (size_t j = 0; j < (is_once ? 1 : old_count); j++) {
			if (is_traced && old[j].policy != old->policy)
				break;
			add_candidate(candidates, &old[j], scheduler,
				      is_shared ? "separate" : NULL);
			if (is_shared)
				add_candidate(candidates, &old[j], scheduler, "global");
		}
	}
	if (candidates->count > MOST_REPLAYS)
		refuse("--%s: more than %d replays side by side",
		       has_clusters ? "cluster" : "scheduler", MOST_REPLAYS);
}

/* Refuses options that cannot be used with --cluster. */
static void check_clusters(const struct replay_options *options)
{
	if (options->trace)
		refuse("--cluster: takes no trace beside it, such as %s; give it as NAME=%s",
		       options->trace, options->trace);
	if (options->clusters.count < 2)
		refuse("--cluster: must be given for two clusters or more; a single trace needs no "
		       "name");
	if (options->with_usage)
		refuse("--initial: takes no --cluster; no file says which cluster usage is of");
	if (options->array > 0 || options->collect || options->task > 0)
		refuse("--%s: takes no --cluster", options->collect ? "collect" : "array");
}

static int run(int argc, char **argv)
{
	char **arguments = need_zeros((size_t)argc, sizeof(*arguments));
	/* .schedulers: one, of index 0, easy */
	struct replay_options options = { .arguments = arguments, .yardstick = WEEK,
					  .schedulers.count = 1 };
	const bool is_check = false;

	/* for the batch script of --array, before options_parse() sorts argv */
	memcpy(arguments, argv + 1, (size_t)(argc - 1) * sizeof(*argv));
	options_parse(argc, argv, &option_table, &options);
	if (!options.trace && !options.clusters.count)
		refuse("TRACE: must be given; see fathom replay --help");
	if (options.clusters.count)
		check_clusters(&options);
	else if (options.aligns)
		refuse("--align: is for several traces; give each by --cluster");
	if (options.with_usage && !options.files.from_count)
		refuse("--initial: needs a tree with usage; give --from");
	check_outputs(&options);
	options.started = options.schedule ? schedule_note_start : NULL;
	options.wants_requests = replay_sets_want_requests(&options.candidates.sets);
	candidates_create(&options.candidates, &replay_general, MOST_REPLAYS);
	cross_candidates(&options.candidates, &options.schedulers, options.clusters.count);
	if (options.array > 0 || options.collect || options.task > 0)
		return run_sweep(&options);
	replay_trace(&options, is_check);
	return EXIT_DONE;
}

const struct command command_replay = {
	.name = "replay",
	.summary = "replay a trace of jobs under other policies",
	.options = &option_table,
	.run = run,
};
