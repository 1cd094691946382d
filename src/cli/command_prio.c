/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom prio: prints jobs with the factors of their priorities. Jobs come from the files of
 * --from, which are evaluated (show_files()), or from the running cluster, whose factors are
 * shown or recomputed (show_cluster()). print() prints both.
 */
#include "config.h"

#include "cli/command.h"
#include "cli/complain.h"
#include "cli/job_columns.h"
#include "cli/job_sets.h"
#include "cli/job_unknown.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/print_json.h"
#include "cli/print_table.h"
#include "cli/recompute_live_jobs.h"
#include "conf/conf.h"
#include "evaluate/job_evaluate.h"
#include "evaluate/job_fairshare.h"
#include "evaluate/job_places.h"
#include "evaluate/job_shadow.h"
#include "evaluate/job_states.h"
#include "evaluate/pbs_unknown_group.h"
#include "fathom.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "live/live.h"
#include "live/live_jobs.h"
#include "format/recorded.h"
#include "policy/traits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_FILES 8
#define MOST_WARNINGS 4
#define ALL_STATES "all"

struct prio_options {
	const char *from[MOST_FILES];
	size_t from_count;
	const struct format *format;	/* of the tree; NULL: recognised */
	const struct fathom_policy *policy;
	const char *formula;
	struct sets sets;
	char *jobs, *users, *partitions, *accounts;	/* comma-separated; NULL: all */
	uint64_t states;	/* 1 << state for each; 0: pending jobs alone */
	const char *columns, *order;
	bool plain;	/* --norm: factors before they are weighted */
	bool all, weights, with_shadow, no_header, parsable, json, verbose;
};

/* What was read from the files of --from: jobs, and maybe a tree, with figures if the file was a
 * FiguresFile. */
struct prio_input {
	struct jobs jobs;
	struct snapshot snapshot;	/* the tree, unless has_pass */
	struct recorded_pass pass;	/* if has_pass: the trees of a FiguresFile */
	bool has_jobs, has_tree, has_pass;
	const char *tree_name;		/* the tree's file */
};

/* ---- options ---------------------------------------------------------------------- */

static int set_from(const struct option_row *row, void *member, const char *value)
{
	struct prio_options *options = member;

	if (options->from_count == MOST_FILES)
		return complain("--%s: given more than %d times", row->name, MOST_FILES);
	options->from[options->from_count++] = value;
	return 0;
}

static int set_jobs(const struct option_row *row, void *member, const char *value)
{
	if (value[strspn(value, "0123456789,")])
		return complain("--%s: '%s' must be job ids, separated by commas", row->name,
				value);
	return option_names(row, member, value);
}

static int set_states(const struct option_row *row, void *member, const char *value)
{
	uint64_t *states = member;

	for (const char *at = value; *at; at += *at == ',') {
		size_t length = strcspn(at, ","), state = job_state_find(at, length);

		if (length == strlen(ALL_STATES) && !strncasecmp(at, ALL_STATES, length))
			*states = UINT64_MAX;
		else if (state != JOB_STATE_UNKNOWN)
			*states |= (uint64_t)1 << state;
		else if (length)
			return complain("--%s: '%.*s' is not a state, must be one such as PENDING "
					"or RUNNING, or " ALL_STATES, row->name, (int)length, at);
		at += length;
	}
	return *states ? 0 : complain("--%s: no state given", row->name);
}

static int show_columns(const struct option_row *row, void *member, const char *value)
{
	(void)row, (void)member, (void)value;
	job_columns_help();
	return DONE;
}

#define AT(member) offsetof(struct prio_options, member), 0
#define NOWHERE 0, 0

static const struct option_row option_rows[] = {
	{ 0, "from", "FILE", "read jobs from FILE, '-' for standard input, instead of the running "
	  "cluster; repeat it for a tree with the fair-share factors of the jobs",
	  set_from, NOWHERE },
	{ 0, "format", "NAME", "read the tree as this format; default: it is recognised",
	  option_format, AT(format) },
	{ 0, "policy", "NAME", "evaluate this policy; default: that of PriorityFlags. flux also "
	  "computes priorities by its own rule", option_policy, AT(policy) },
	{ 0, "formula", "EXPRESSION", "compute priorities by a formula instead of the weighted sum",
	  option_text, AT(formula) },
	{ 0, "set", "KEY=VALUE", "change a setting of the policy, or a priority setting of "
	  "slurm.conf; may be repeated", option_set, AT(sets) },
	{ 0, "shadow", NULL, "also show priority and rank under the shadow policy",
	  option_flag, AT(with_shadow) },
	{ 'j', "jobs", "LIST", "show only these jobs", set_jobs, AT(jobs) },
	{ 'u', "user", "LIST", "show only jobs of these users, by name or number",
	  option_users, AT(users) },
	{ 'p', "partition", "LIST", "show only jobs in these partitions",
	  option_names, AT(partitions) },
	{ 'A', "account", "LIST", "show only jobs of these accounts", option_names, AT(accounts) },
	{ 't', "state", "LIST", "show jobs in these states, such as PENDING,RUNNING, or all; "
	  "default: pending jobs alone", set_states, AT(states) },
	{ 'l', "long", NULL, "show all columns", option_flag, AT(all) },
	{ 'n', "norm", NULL, "show factors before they are weighted", option_flag, AT(plain) },
	{ 'w', "weights", NULL, "show the weights instead of jobs", option_flag, AT(weights) },
	{ 'o', "output", "COLUMNS", "show these columns, such as JobID,User%8,Priority, or in "
	  "sprio's form, \"%.15i %9r %Y\"", option_text, AT(columns) },
	{ 'S', "sort", "LIST", "sort by these columns, such as u,-Y or User,-Priority; default: "
	  "JobID",
	  option_text, AT(order) },
	{ 'e', "helpformat", NULL, "list the columns", show_columns, NOWHERE },
	{ 'h', "noheader", NULL, "print no header line", option_flag, AT(no_header) },
	{ 'P', "parsable", NULL, "print a '|' between columns", option_flag, AT(parsable) },
	{ 0, "json", NULL, "print all factors, unrounded, as JSON", option_flag, AT(json) },
	{ 'v', "verbose", NULL, "print to standard error what is evaluated",
	  option_flag, AT(verbose) },
	COMMON_OPTIONS,
	{ 0, "users", "LIST", NULL, option_users, AT(users) },
	{ 0, "accounts", "LIST", NULL, option_names, AT(accounts) },
	{ 0, "states", "LIST", NULL, set_states, AT(states) },
	{ 0, "parsable2", NULL, NULL, option_flag, AT(parsable) },
};

static void help_more(void)
{
	help_policies();
	printf("  of slurm.conf, and of formulas:\n");
	job_settings_help(help_setting);
	help_setting(conf_setting(CONF_FORMULA_SCALE));
	help_formats(true);
}

static const struct option_table option_table = {
	.rows = option_rows, .count = sizeof(option_rows) / sizeof(*option_rows),
	.usage = "Usage: fathom prio [OPTION]...\n"
		 "Show jobs with the factors of their priorities, a line for each job and\n"
		 "partition. Has the options and columns of sprio, and more.\n\n",
	.help_more = help_more,
};

/* ---- settings ------------------------------------------------------------------------- */

/* Uses the factors of the FiguresFile if policy and settings are those of the file. */
static void use_recorded_factor(struct job_rule *rule, const struct recorded *recorded)
{
	if (rule->policy == recorded->policy &&
	    !memcmp(&rule->settings, &recorded->settings, sizeof(recorded->settings)))
		rule->recorded_factor = recorded->columns.factor;
}

static const struct snapshot *tree_of(const struct prio_input *input)
{
	if (input->has_pass)
		return &input->pass.in_force.snapshot;
	return input->has_tree ? &input->snapshot : NULL;
}

/* Returns the policy of --policy, else that of the FiguresFile, else that of PriorityFlags. */
static const struct fathom_policy *policy_of(const struct prio_options *options,
					     const struct prio_input *input)
{
	if (options->policy)
		return options->policy;
	if (input->has_pass)
		return input->pass.in_force.policy;
	return input->jobs.settings.policy;
}

/* Finds out how priorities are computed, from the options and the files. */
static int make_rule(const struct prio_options *options, struct prio_input *input,
		     struct job_rule *rule)
{
	struct job_settings *settings = &input->jobs.settings;
	const struct recorded *recorded = input->has_pass ? &input->pass.in_force : NULL;

	if (job_sets_apply_slurm(&options->sets, settings))
		return EXIT_WRONG;
	*rule = (struct job_rule){
		.snapshot = tree_of(input), .policy = policy_of(options, input),
		.formula = options->formula,
		.scale = conf_setting(CONF_FORMULA_SCALE)->standard,
	};
	if (recorded && rule->policy == recorded->policy)
		rule->settings = recorded->settings;
	else
		rule->settings = fathom_settings_standard(rule->policy);
	if (settings->given[JOB_DAMPENING_FACTOR])
		policy_set(rule->policy, &rule->settings, SETTING_DAMPENING_FACTOR,
			   settings->value[JOB_DAMPENING_FACTOR]);
	if (job_sets_apply_rest(&options->sets, rule))
		return EXIT_WRONG;
	if (recorded && !options->policy)
		use_recorded_factor(rule, recorded);
	if (rule->snapshot && !rule->recorded_factor)
		pbs_unknown_group_set_shares(rule->snapshot, rule->policy, &rule->settings);
	return 0;
}

/* ---- output ------------------------------------------------------------------------------- */

/* Returns whether a list of names allows this one. list: NULL allows all; name: NULL counts as
 * empty. */
static bool is_allowed(const char *list, const char *name)
{
	return !list || list_has(list, name ? name : "");
}

/* slurmctld does not tell the states of the pending jobs that it shows sprio. */
static bool is_in_state(const struct prio_options *options, size_t state)
{
	uint64_t states = options->states ? options->states : 1 << JOB_STATE_PENDING;

	return state == JOB_STATE_UNKNOWN || (states >> state & 1);
}

static bool is_wanted(const struct prio_options *options, const struct job_row *row)
{
	char id[24];

	if (!is_in_state(options, row->state))
		return false;
	snprintf(id, sizeof(id), "%lld", (long long)row->id);
	return is_allowed(options->jobs, id) && is_allowed(options->users, row->user) &&
	       is_allowed(options->accounts, row->account) &&
	       is_allowed(options->partitions, row->partition);
}

static void keep_wanted(const struct prio_options *options, struct job_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (is_wanted(options, &list->row[i]))
			list->row[kept++] = list->row[i];
	list->count = kept;
}

/* Returns whether lines are printed above the table. */
static bool has_lines(const struct prio_options *options)
{
	return !options->no_header && !options->parsable && !options->json;
}

static void print_lines(const struct prio_options *options, const struct job_list *list)
{
	if (has_lines(options) && list->formula)
		printf("priorities by the formula %s, FormulaScale %g\n", list->formula,
		       list->formula_scale);
	if (list->marks_set)
		printf("* set by an administrator\n");
}

static int choose_columns(const struct prio_options *options, const struct job_list *list,
			  struct table *table)
{
	struct fathom_error error;

	if (list->has_shadow)
		job_columns_of_shadow(table);
	else if (options->all && list->by_flux)
		job_columns_of_flux(table, list);
	else if (!options->columns)
		job_columns_standard(table, list, options->plain, options->users != NULL,
				     options->all);
	else if (job_columns_parse(table, options->columns, options->plain, &error))
		return complain("--output: %s", error.text);
	if (options->weights)
		job_columns_show_weights(table);
	return 0;
}

static int print_lines_and_table(const struct prio_options *options, const struct job_list *list,
				 const struct table *table)
{
	struct fathom_error error;

	print_lines(options, list);
	if (!table->row_count)	/* print_table() would print no header */
		print_separated(table, " ", false);
	else if (print_table(table, &error))
		return complain("%s", error.text);
	return 0;
}

/* Prints the wanted jobs in the wanted order, in the form that options ask for. */
static int print(const struct prio_options *options, struct job_list *list)
{
	struct table table = { .context = list, .has_header = !options->no_header };
	struct fathom_error error;

	keep_wanted(options, list);
	list->shows_state = options->states;
	table.row_count = list->count;
	if (has_lines(options) && !options->weights)
		job_list_mark_set(list);
	if (job_list_sort(list, options->order ? options->order : "i", &error))
		return complain("--sort: %s", error.text);
	if (choose_columns(options, list, &table))
		return EXIT_WRONG;
	if (options->json)
		print_jobs_json(list);
	else if (options->parsable)
		print_separated(&table, "|", false);
	else if (print_lines_and_table(options, list, &table))
		return EXIT_WRONG;
	if (!options->weights)
		job_unknown_remark(list);
	return EXIT_DONE;
}

/* ---- files --------------------------------------------------------------------------------- */

/* Reads a tree, with figures if the format has them. */
static int read_tree(const struct format *format, struct input *file, struct prio_input *input,
		     struct fathom_error *error)
{
	input->tree_name = file->name;
	input->has_pass =
		format->read_recorded && !format->read_recorded(file, &input->pass, error);
	input->has_tree = input->has_pass ||
			  (!format->read_recorded && !format->read(file, &input->snapshot, error));
	return input->has_tree ? 0 : -1;
}

/* Reads a file of jobs or of a tree. Only one of each kind is accepted. */
static int read_one(const struct prio_options *options, struct input *file,
		    struct prio_input *input, struct fathom_error *error)
{
	const struct format *format = format_recognize(file);
	char list[256];

	if (options->format && !(format && format->read_jobs))
		format = options->format;
	if (!format)
		return input_wrong(file, 1, error, "unknown format, must be fathom-jobs or, for a "
				   "tree, %s; --format names the format",
				   format_list(list, sizeof(list)));
	if (format->read ? input->has_tree : input->has_jobs)
		return input_wrong(file, 0, error,
				   "a second file with %s, must be one file with jobs "
				   "and one with a tree",
				   format->read ? "a tree" : "jobs");
	if (!format->by_name && input_load_rest(file, error))
		return -1;
	if (format->read)
		return read_tree(format, file, input, error);
	input->has_jobs = !format->read_jobs(file, &input->jobs, error);
	return input->has_jobs ? 0 : -1;
}

static int read_files(const struct prio_options *options, struct prio_input *input)
{
	for (size_t i = 0; i < options->from_count; i++) {
		struct input file;
		struct fathom_error error;
		int status = 0;

		if (input_open(&file, options->from[i], &error) ||
		    read_one(options, &file, input, &error))
			status = complain_of_input(&file, &error);
		input_clear(&file);
		if (status)
			return status;
	}
	if (!input->has_jobs)
		return complain("--from: no file has jobs, one must be fathom-jobs; see "
				"fathom-prio(1)");
	return 0;
}

/* Prints remarks about what the evaluation found. */
static void warn(const struct fathom_warnings *warnings, const struct job_list *list,
		 const struct job_rule *rule)
{
	if (list->without_shares)
		remark("priority 1 on %zu lines: policy %s starts no jobs of users without shares",
		       list->without_shares, fathom_policy_name(rule->policy));
	for (size_t i = 0; i < warnings->count; i++)
		remark("--formula: %s", warnings->text[i]);
}

static void print_summary(const struct prio_options *options, const struct job_rule *rule,
			  const struct job_list *list)
{
	remark("%zu jobs, each in each of its partitions; policy %s%s%s", list->count,
	       fathom_policy_name(rule->policy), rule->formula ? "; formula " : "",
	       rule->formula ? options->formula : "");
}

/* Prints the names of both policies. live: jobs and tree are those of a running cluster. */
static void print_above_table(const struct prio_options *options, const char *policy,
			      const struct evaluated_tree *shadow, bool live)
{
	const char *what = live && !shadow->is_recorded ? "recomputed from sshare figures: " : "";

	if (has_lines(options))
		printf("%spolicy %s, shadow policy %s\n", what, policy,
		       fathom_policy_name(shadow->policy));
}

/* scheme: of the shadow policy. live: NULL for a file. */
static int print_shadow(const struct prio_options *options, struct job_list *list,
			const char *policy, const struct tree_scheme *scheme,
			const struct live *live)
{
	/* slurmctld does not send the sums of policies that keep their own */
	bool is_known =
		!live || scheme->recorded.factor || !fathom_policy_keeps_sums(scheme->policy);
	struct evaluated_tree shadow;
	struct fathom_error error;
	int status;

	if (evaluated_tree_create(&shadow, scheme, &error))
		return complain("%s", error.text);
	if (job_list_add_shadow(list, &shadow, is_known, &error)) {
		status = complain("%s", error.text);
	} else {
		print_above_table(options, policy, &shadow, live);
		status = print(options, list);
	}
	if (!status && !is_known)
		remark("shadow policy %s needs sums that only FiguresFile has; set it in "
		       "fathom.conf and let this user read it",
		       fathom_policy_name(shadow.policy));
	evaluated_tree_clear(&shadow);
	return status;
}

static int print_of_files(const struct prio_options *options, const struct prio_input *input,
			  const struct job_rule *rule, struct job_list *list)
{
	const struct recorded *recorded = &input->pass.shadow;

	if (!options->with_shadow)
		return print(options, list);
	if (!input->has_tree)
		return complain("--shadow: needs a tree; give --from with the FiguresFile of a "
				"cluster with ShadowPolicy");
	if (!recorded->policy)
		return complain_of_file_without_shadow(input->tree_name);
	return print_shadow(options, list, fathom_policy_name(rule->policy),
			    &(struct tree_scheme){ .snapshot = &recorded->snapshot,
						   .policy = recorded->policy,
						   .settings = recorded->settings,
						   .recorded = recorded->columns }, NULL);
}

static int evaluate_files(const struct prio_options *options, struct prio_input *input)
{
	char text[MOST_WARNINGS][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = MOST_WARNINGS, .text = text };
	struct job_list list = { 0 };
	struct job_rule rule;
	struct fathom_error error;
	int status = make_rule(options, input, &rule);

	if (status)
		return status;
	if (job_list_evaluate(&list, &input->jobs, &rule, &warnings, &error))
		return complain("%s%s", rule.formula && error.code != ENOMEM ? "--formula: " : "",
				error.text);
	if (options->verbose)
		print_summary(options, &rule, &list);
	status = print_of_files(options, input, &rule, &list);
	if (!status)
		warn(&warnings, &list, &rule);
	job_list_clear(&list);
	return status;
}

static int show_files(const struct prio_options *options)
{
	struct prio_input input = { 0 };
	int status = read_files(options, &input);

	if (!status)
		status = evaluate_files(options, &input);
	if (input.has_jobs)
		jobs_clear(&input.jobs);
	if (input.has_pass)
		recorded_pass_clear(&input.pass);
	else if (input.has_tree)
		snapshot_clear(&input.snapshot);
	return status;
}

/* ---- the running cluster --------------------------------------------------------------------- */

#ifdef HAVE_LIBSLURM
/* Reads the tree of the local cluster, without the texts of sshare, and prints its remark. The
 * caller frees it by live_free(live, 1). NULL: it could not be read, which is printed. */
static struct live *read_local_cluster(void)
{
	const char *clusters = NULL;	/* the local one */
	const bool with_text = false;
	struct live *live;
	struct fathom_error error;
	size_t count;

	if (live_read(clusters, with_text, &live, &count, &error)) {
		complain("%s", error.text);
		return NULL;
	}
	if (live->remark)
		remark("%s", live->remark);
	return live;
}

/* Prints the jobs with their priorities under the shadow policy. */
static int print_live_shadow(const struct prio_options *options, struct job_list *list)
{
	struct live *live;
	int status;

	if (list->formula)
		return complain(
			"--shadow: compares weighted sums, and the cluster's priorities come "
			"from a formula");
	live = read_local_cluster();
	if (!live)
		return EXIT_WRONG;
	if (!live->shadow.policy)
		status = complain_of_cluster_without_shadow(live->cluster);
	else
		status = print_shadow(options, list, fathom_policy_name(live->in_force.policy),
				      &(struct tree_scheme){ .snapshot = &live->snapshot,
							     .policy = live->shadow.policy,
							     .settings = live->shadow.settings,
							     .recorded = live->shadow.columns },
				      live);
	live_free(live, 1);
	return status;
}

/* Returns whether options ask to compute priorities anew, rather than to show slurmctld's. */
static bool is_recomputed(const struct prio_options *options)
{
	return options->policy || options->sets.count;
}

/* Replaces the factors and priorities of a running cluster's jobs by those under --policy and
 * --set. */
static int recompute(const struct prio_options *options, struct job_list *list)
{
	const struct fathom_policy *policy = options->policy;
	struct live *live;
	int status;

	live = read_local_cluster();
	if (!live)
		return EXIT_WRONG;
	status = recompute_live_jobs(list, live, &options->sets, &policy);
	if (!status && has_lines(options))
		printf("recomputed from sprio%s figures%s%s\n", policy ? " and sshare" : "",
		       policy ? ": policy " : "", policy ? fathom_policy_name(policy) : "");
	live_free(live, 1);
	return status;
}

/* Takes fair-share factors that no term tells from the figures that sshare gets. */
static int complete_flux(struct job_list *list)
{
	struct live *live;
	struct fathom_error error;
	size_t count;
	int status = 0;

	if (!list->by_flux || !job_list_lacks_fairshare(list))
		return 0;
	if (live_read(NULL, false, &live, &count, &error))
		return complain("%s", error.text);
	if (live->in_force.columns.factor &&
	    job_list_complete_fairshare(list, &live->snapshot, live->in_force.columns.factor,
					&error))
		status = complain("%s", error.text);
	live_free(live, count);
	return status;
}

static int show_cluster(const struct prio_options *options)
{
	struct live_jobs_wanted wanted = {
		.names = options->json || options->all || options->columns || options->order ||
			 options->accounts || options->with_shadow || is_recomputed(options),
		.states = options->states,
	};
	struct job_list list;
	struct fathom_error error;
	int status;

	if (live_jobs_read(&list, wanted, &error))
		return complain("%s", error.text);
	if (job_list_rank_places(&list, &error)) {
		job_list_clear(&list);
		return complain("%s", error.text);
	}
	job_list_sum(&list);
	job_list_find_formula(&list);
	if (list.remark && !options->with_shadow && !is_recomputed(options))
		remark("%s", list.remark);	/* read_local_cluster() gives the same remark */
	status = is_recomputed(options) ? recompute(options, &list) : complete_flux(&list);
	if (!status)
		status = options->with_shadow ? print_live_shadow(options, &list) :
						print(options, &list);
	job_list_clear(&list);
	return status;
}
#else
static int show_cluster(const struct prio_options *options)
{
	(void)options;
	return complain("--from: must be given, this fathom is built without libslurm");
}
#endif

static int check_options(const struct prio_options *options)
{
	if (options->formula && !options->from_count)
		return complain(
			"--formula: needs --from; slurmctld does not send all values that a "
			"formula may use");
	if (options->format && !options->from_count)
		return complain("--format: needs --from");
	if (options->json && options->columns)
		return complain("--output: cannot be used with --json, which has all columns");
	if (options->json && options->weights)
		return complain(
			"--weights: cannot be used with --json, which has factors before and "
			"after weighting");
	if (options->all && options->columns)
		return complain("--long: cannot be used with --output");
	if (options->with_shadow && (options->columns || options->all || options->weights ||
				     options->plain))
		return complain("--shadow: has columns of its own; cannot be used with --output, "
				"--long, --norm and --weights");
	if (options->with_shadow && options->formula)
		return complain("--shadow: compares weighted sums; cannot be used with --formula");
	return 0;
}

static int run(int argc, char **argv)
{
	struct prio_options options = { 0 };
	int status = options_parse(argc, argv, &option_table, &options);

	if (!status)
		status = check_options(&options);
	if (!status)
		status = options.from_count ? show_files(&options) : show_cluster(&options);
	free(options.jobs);
	free(options.users);
	free(options.partitions);
	free(options.accounts);
	return status == DONE ? EXIT_DONE : status;
}

const struct command command_prio = {
	.name = "prio",
	.summary = "show jobs with the factors of their priorities",
	.run = run,
};
