/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom shares: prints the tree with shares, usage and factors. A tree comes from a file
 * (show_files()) or from running clusters (show_cluster()). show_tree() evaluates it under each
 * policy, chooses columns and rows, and prints them.
 */
#include "config.h"

#include "cli/adjust.h"
#include "cli/candidates.h"
#include "cli/columns.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/print_shares_json.h"
#include "cli/print_table.h"
#include "cli/shared_options.h"
#include "cli/shown_tree.h"
#include "cli/sshare_text.h"
#include "cli/tree_comparison.h"
#include "cli/views.h"
#include "core/list_text.h"
#include "fathom.h"
#include "format/accounting/sources.h"
#include "format/format.h"
#include "format/format_parts.h"
#include "format/recorded.h"
#include "format/unknown_format.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct shares_options {
	struct input_names files;
	struct policy_list policies;
	struct sets sets;
	struct candidates candidates;	/* of the two above */
	struct adjuster adjuster;
	const char *clusters, *columns, *order, *scope;
	char *accounts, *users, *partitions;	/* comma-separated; NULL: all */
	const char *tool;	/* of --view */
	struct chosen_view view;
	bool is_caller;		/* `users` is only the caller, whom no option names */
	bool all, users_only, with_all, with_partition, with_shadow, no_header, json, verbose,
		parsable;
};

/* ---- options ------------------------------------------------------------------ */

static int set_format(const struct option_row *row, void *member, const char *value)
{
	if (columns_know(value, strlen(value)) && !format_find(value))
		return complain_of_columns(value);
	return option_format(row, member, value);
}

static int set_adjust(const struct option_row *row, void *member, const char *value)
{
	(void)row;
	return adjust_set_source(member, value);
}

static int set_slot_memory(const struct option_row *row, void *member, const char *value)
{
	(void)row;
	return adjust_set_slot_memory(member, value);
}

/* The last -a or -u decides whether all users are shown. */
static int set_users(const struct option_row *row, void *member, const char *value)
{
	struct shares_options *options = member;

	options->all = false;
	return option_users(row, &options->users, value);
}

static int show_columns(const struct option_row *row, void *member, const char *value)
{
	(void)row, (void)member, (void)value;
	columns_help();
	return DONE;
}

#define AT(member) offsetof(struct shares_options, member), 0
#define NOWHERE 0, 0

static const struct option_row option_rows[] = {
	{ OPTION_FROM, "read the tree from FILE, '-' for standard input, instead of the "
	  "running cluster; repeat it for records of jobs that complete a tree without usage",
	  option_from, AT(files) },
	{ OPTION_FORMAT, "read the tree as this format; default: it is recognised",
	  set_format, AT(files.format) },
	{ OPTION_POLICY, "evaluate this policy, or several side by side; default: that of "
	  "the cluster, or " STANDARD_POLICY " for a file", option_policies, AT(policies) },
	{ OPTION_SET, "change a setting of the policy; repeat it for other settings, or "
	  "for several values side by side", option_set, AT(sets) },
	{ 0, "adjust", "SOURCE", "compute the adjustment of LSF's priority by memory:THRESHOLD or "
	  "a shared object", set_adjust, AT(adjuster) },
	{ 0, "slot-memory", "NUMBER", "the average memory of a slot, for --adjust; default: that "
	  "of the tree's jobs", set_slot_memory, AT(adjuster) },
	{ OPTION_SCOPE, "show the tree of this scope of the cluster, with its own policy and "
	  "usage", option_text, AT(scope) },
	{ OPTION_SHADOW, "compare the policy in force with the shadow policy",
	  option_flag, AT(with_shadow) },
	{ OPTION_ACCOUNT, "show only these accounts and their users",
	  option_names, AT(accounts) },
	{ OPTION_ALL, "show all users; default: only you, but all users of a file",
	  option_flag, AT(all) },
	{ OPTION_USER, "show only these users, by name or number, and all accounts",
	  set_users, NOWHERE },
	{ 'U', "Users", NULL, "show only users, no accounts", option_flag, AT(users_only) },
	{ OPTION_CLUSTER, "show these running clusters", option_text, AT(clusters) },
	{ OPTION_LONG, "show more columns, also those of the policy",
	  option_flag, AT(with_all) },
	{ OPTION_PARTITION, "show only associations with these partitions, and all accounts",
	  option_names, AT(partitions) },
	{ 'm', "with-partition", NULL, "also show the partition of associations",
	  option_flag, AT(with_partition) },
	{ OPTION_OUTPUT, "show these columns, such as Account,User%20,FairShare; a "
	  "negative width aligns to the left", option_text, AT(columns) },
	{ OPTION_SORT, "print a list without tree lines, sorted by these columns, such "
	  "as User or -Change; '-' means descending", option_text, AT(order) },
	{ OPTION_HELPFORMAT, "list the columns", show_columns, NOWHERE },
	{ OPTION_NO_HEADER, "print no header line", option_flag, AT(no_header) },
	{ OPTION_PARSABLE, "print a '|' between columns; --from can read this",
	  option_flag, AT(parsable) },
	{ OPTION_JSON, "print all figures, unrounded, as JSON", option_flag, AT(json) },
	{ OPTION_VIEW, "print what this tool prints, with its options, which follow \"--\"; see "
	  "below", option_text, AT(tool) },
	{ OPTION_VERBOSE, "print to standard error what is evaluated",
	  option_flag, AT(verbose) },
	COMMON_OPTIONS,
	{ ALIAS_ACCOUNTS, option_names, AT(accounts) },
	{ ALIAS_USERS, set_users, NOWHERE },
	{ ALIAS_CLUSTERS, option_text, AT(clusters) },
	{ ALIAS_NO_HEADING, option_flag, AT(no_header) },
	{ ALIAS_PARSABLE, option_flag, AT(parsable) },
};

static void help_more(void)
{
	help_views(shares_views);
	help_policies();
	help_formats(false);
}

static const struct option_table option_table = {
	.rows = option_rows, .count = sizeof(option_rows) / sizeof(*option_rows),
	.usage = "Usage: fathom shares [OPTION]...\n"
		 "Show the tree of associations with shares, usage, and the fair-share factor\n"
		 "that a policy computes. Has the columns of sshare, and more.\n\n",
	.help_more = help_more,
};

/* ---- evaluating and printing a tree ------------------------------------------------ */

static int choose_columns(const struct shares_options *options, const struct comparison *compared,
			  bool live, struct table *table)
{
	struct fathom_error error;

	if (options->columns && columns_parse(table, options->columns, compared, live, &error))
		return complain("--output: %s", error.text);
	if (!options->columns && compared->count > 1)
		columns_of_comparison(table, compared, options->with_partition, options->with_all);
	else if (!options->columns)
		columns_standard(table, compared, options->with_partition, options->with_all, live);
	return 0;
}

/* Returns whether the table of a running cluster has figures that neither slurmctld nor the
 * FiguresFile has recorded. */
static bool is_recomputed(const struct shown_tree *shown, const struct table *table)
{
	bool all_recorded = true;

	for (size_t i = 0; i < shown->comparison->count; i++)
		all_recorded &= shown->comparison->tree[i].is_recorded;
	for (size_t i = 0; i < table->column_count; i++)
		all_recorded &= !column_is_recomputed(&table->column[i], shown);
	return shown->live && !all_recorded;
}

static void print_group(const struct scope_group *group)
{
	printf("UserGroup: %s\n  Members:", group->name);
	for (size_t i = 0; i < group->member_count; i++)
		printf(" %s", group->member[i]);
	putchar('\n');
	if (group->user_shares)
		printf("  UserShares: %s\n", group->user_shares);
}

/* Prints a scope as fathom.conf has it. */
static void print_scope(const struct scope_head *scope)
{
	printf("Scope: %s\n", scope->name);
	for (size_t i = 0; i < scope->partition_count; i++)
		printf("%s%s", i ? "," : "Partitions: ", scope->partition[i]);
	if (scope->partition_count)
		putchar('\n');
	for (size_t i = 0; i < SCOPE_TEXT_COUNT; i++)
		if (scope->text[i])
			printf("%s: %s\n", scope_text_heading((enum scope_text)i), scope->text[i]);
	if (!scope->text[SCOPE_USER_SHARES])
		printf("Shares: those of the associations\n");
	for (size_t i = 0; i < scope->group_count; i++)
		print_group(&scope->group[i]);
	putchar('\n');
}

static void print_above_table(const struct shown_tree *shown, const struct table *table,
			      bool with_shadow)
{
	const struct evaluated_tree *tree = shown->comparison->tree;
	bool is_new = is_recomputed(shown, table);

	if (shown->scope)
		print_scope(shown->scope);
	if (is_new)
		printf("recomputed from sshare figures");
	if (with_shadow)
		printf("%spolicy %s, shadow policy %s", is_new ? ": " : "",
		       fathom_policy_name(tree[0].policy), fathom_policy_name(tree[1].policy));
	else if (is_new && shown->comparison->count == 1)
		printf(": policy %s", fathom_policy_name(tree->policy));
	if (is_new || with_shadow)
		putchar('\n');
}

static bool is_account(const void *context, size_t row)
{
	const struct shown_tree *shown = context;

	return fathom_tree_kind(shown->tree->snapshot->tree, shown->node[row]) == FATHOM_ACCOUNT;
}

/* Prints a table whose columns are chosen, in the form that options ask for. */
static int print(const struct shares_options *options, const struct shown_tree *shown,
		 struct table *table)
{
	struct fathom_error error;

	table->context = shown;
	table->row_count = shown->count;
	table->parent = shown->parent;
	table->depth = shown->depth;
	table->is_bold = is_account;
	table->has_header = !options->no_header;
	if (options->json)
		print_shares_json(shown);
	else if (options->parsable)
		print_separated(table, "|", false);
	else {
		if (table->has_header)
			print_above_table(shown, table, options->with_shadow);
		if (print_table(table, &error))
			return complain("%s", error.text);
	}
	return EXIT_DONE;
}

static void print_summary(const struct shown_tree *shown, const char *source)
{
	const struct fathom_tree *tree = shown->tree->snapshot->tree;

	remark("%s: %zu associations, %zu of them users; policy %s; %zu shown", source,
	       fathom_tree_count(tree), fathom_tree_user_count(tree),
	       fathom_policy_name(shown->tree->policy), shown->count);
}

/* Checks that the tree has each account, user and partition that an option names. One of several
 * clusters need not have them. */
static int check_names(const struct shares_options *options, const struct shown_tree *shown,
		       const char *source)
{
	if (options->clusters)
		return 0;
	if (options->accounts &&
	    shown_tree_check_names(shown, FILTER_ACCOUNT, options->accounts, source))
		return EXIT_WRONG;
	if (options->users && !options->is_caller &&
	    shown_tree_check_names(shown, FILTER_USER, options->users, source))
		return EXIT_WRONG;
	if (options->partitions)
		return shown_tree_check_names(shown, FILTER_PARTITION, options->partitions,
					      source);
	return 0;
}

/* Chooses the rows of an evaluated tree, in the order of --sort. */
static int choose_rows(const struct shares_options *options, const struct tree_source *source,
		       const struct comparison *compared, struct shown_tree *shown)
{
	const struct filter filter = { options->accounts, options->users, options->partitions,
				       options->users_only };
	struct sort_keys keys = { .table = { .context = shown } };
	struct fathom_error error;

	if (options->order && columns_parse_order(&keys, options->order, compared, source->live,
						  &error))
		return complain("--sort: %s", error.text);
	if (shown_tree_create(shown, compared, source->live, &filter, &error))
		return complain("%s", error.text);
	shown->scope = source->shown_scope;
	if (check_names(options, shown, source->name))
		return EXIT_WRONG;
	if (keys.table.column_count && shown_tree_sort(shown, &keys, &error))
		return complain("%s", error.text);
	return 0;
}

static int show_comparison(const struct shares_options *options, const struct tree_source *source,
			   const struct comparison *compared)
{
	struct table table = { 0 };
	struct shown_tree shown = { 0 };
	int status = choose_columns(options, compared, source->live, &table);

	if (!status)
		status = choose_rows(options, source, compared, &shown);
	if (!status && options->verbose)
		print_summary(&shown, source->name);
	if (!status)
		status = print(options, &shown, &table);
	shown_tree_clear(&shown);
	return status;
}

/* Evaluates a tree under all policies and settings that are asked for, and prints it. */
static int show_tree(const struct shares_options *options, const struct tree_source *source)
{
	const struct view *view = options->view.view;
	const struct tree_options how = { .candidates = &options->candidates,
					  .adjuster = &options->adjuster,
					  .with_shadow = options->with_shadow,
					  .standard = view ? view->policy : NULL };
	struct comparison compared = { 0 };
	int status;

	if (view && how.candidates->count > 1)
		return complain("--view: shows one policy; several values of a setting stand side "
				"by side");
	if (view)
		return view->print_tree(options->view.options, source, &how);
	status = tree_comparison_create(&compared, &how, source);
	if (!status)
		status = show_comparison(options, source, &compared);
	comparison_clear(&compared);
	return status;
}

/* ---- scopes -------------------------------------------------------------------------- */

static const char *scope_at(const void *context, size_t i)
{
	const struct tree_source *source = context;

	return i < source->scope_count ? source->scope[i].name : NULL;
}

static int complain_of_scope(const char *name, const struct tree_source *source)
{
	const struct live *live = source->live;
	char list[512];

	if (live && !live->whole)
		return complain(
			"--scope: PrivateData hides a part of the tree of %s, and so its scopes",
			source->name);
	if (live && !live->has_file)
		return complain("--scope: needs the FiguresFile of %s: %s", source->name,
				live->remark ? live->remark
					     : "set it in fathom.conf and let this user read it");
	if (!source->scope_count)
		return complain("--scope: %s has no scopes; %s", source->name,
				live ? "Scope lines in fathom.conf define them"
				     : "the FiguresFile of a cluster with Scope lines has them");
	return complain("--scope: %s has no scope '%s', must be %s", source->name, name,
			list_text((struct name_list){ scope_at, source }, " or ", list,
				  sizeof(list)));
}

/* Shows the tree of UserShares whole unless users are named: the caller may be served by a group or
 * by others. */
static int show_scope_head(const struct shares_options *options, const struct tree_source *source,
			   const struct recorded_scope *scope, const struct scope_head *head)
{
	struct shares_options chosen = *options;

	if (head->text[SCOPE_USER_SHARES] && options->is_caller)
		chosen.users = NULL;
	return show_tree(&chosen, &(struct tree_source){ .name = source->name,
							 .snapshot = &scope->recorded.snapshot,
							 .in_force = &scope->recorded,
							 .shown_scope = head });
}

static int show_scope(const struct shares_options *options, const struct tree_source *source,
		      const struct recorded_scope *scope)
{
	struct scope_group *group = calloc(scope->group_count + 1, sizeof(*group));
	struct scope_head head = { .name = scope->name,
				   .partition = (const char *const *)scope->partition,
				   .partition_count = scope->partition_count,
				   .group = group, .group_count = scope->group_count };
	int status;

	if (!group)
		return complain("--scope: out of memory");
	for (size_t i = 0; i < SCOPE_TEXT_COUNT; i++)
		head.text[i] = scope->text[i];
	for (size_t i = 0; i < scope->group_count; i++)
		group[i] = (struct scope_group){
			.name = scope->group[i].name,
			.member = (const char *const *)scope->group[i].member,
			.member_count = scope->group[i].member_count,
			.user_shares = scope->group[i].user_shares,
		};
	status = show_scope_head(options, source, scope, &head);
	free(group);
	return status;
}

/* Shows the tree of a file or cluster, or that of one of its scopes. */
static int show(const struct shares_options *options, const struct tree_source *source)
{
	if (!options->scope)
		return show_tree(options, source);
	for (size_t i = 0; i < source->scope_count; i++)
		if (!strcmp(source->scope[i].name, options->scope))
			return show_scope(options, source, &source->scope[i]);
	return complain_of_scope(options->scope, source);
}

/* Warns if the text of sshare is not complete, or if its FairShare is that of another policy.
 * With --policy the latter is intended. */
static void warn_of_text(const struct shares_options *options, const struct snapshot *snapshot)
{
	const struct fathom_policy *policy =
		options->policies.count ? NULL : fathom_policy_find(STANDARD_POLICY);
	struct fathom_settings settings = { 0 };

	if (policy) {
		settings = fathom_settings_standard(policy);
		tree_apply_sets(&options->candidates.item[0].sets, policy, &settings);
	}
	sshare_text_warn(options->files.from[0], snapshot, policy, &settings);
}

/* ---- files ---------------------------------------------------------------------------- */

/* What the files of --from hold: trees, or those of one FiguresFile. */
struct tree_files {
	struct sources sources;
	struct recorded_pass pass;
	bool has_pass;
	bool is_text;	/* of sshare, alone */
};

/* Returns the format of a file. With several files, --format is that of the tree. NULL: it is
 * unknown. */
static const struct format *format_of(const struct input_names *files, const struct input *input)
{
	const struct format *format = files->format;

	if (format && files->from_count == 1)
		return format;
	format = format_recognize(input);
	return files->format && !(format && !(format->holds & HOLDS_TREE)) ? files->format
									   : format;
}

static int complain_of_format(const struct input *input, const struct format *format)
{
	char list[256];

	if (format)
		return complain("%s:1: has jobs (%s), must have a tree; see fathom prio --help",
				input->name, format->name);
	return complain("%s:1: %s, must be %s; --format names the format", input->name,
			unknown_format_reason(input), format_list(list, sizeof(list)));
}

/* Reads the figures of a file that has them and is the only one, else its tree or usage. */
static int read_content(const struct input_names *names, const struct format *format,
			struct input *input, struct tree_files *files, struct fathom_error *error)
{
	files->has_pass = format->read_recorded && names->from_count == 1;
	files->is_text = format == &format_sshare && names->from_count == 1;
	if (!files->has_pass)
		return sources_add(&files->sources, format, input, error);
	if (!input_check_content(input, format->summary, error) && !input_load_rest(input, error) &&
	    !format->read_recorded(input, &files->pass, error))
		return 0;
	files->has_pass = false;
	return -1;
}

static int read_file(const struct input_names *names, const char *name, struct tree_files *files)
{
	const struct format *format;
	struct input input;
	struct fathom_error error;
	int status = 0;

	if (input_open(&input, name, &error))
		return complain_of_input(&input, &error);
	format = format_of(names, &input);
	if (!format || !(format_has_tree(format) || format->read_settings))
		status = complain_of_format(&input, format);
	else if (read_content(names, format, &input, files, &error))
		status = complain_of_input(&input, &error);
	input_clear(&input);
	return status;
}

static int show_recorded(const struct shares_options *options, const struct recorded_pass *pass)
{
	return show(options, &(struct tree_source){ .name = options->files.from[0],
						    .snapshot = &pass->in_force.snapshot,
						    .in_force = &pass->in_force,
						    .shadow = &pass->shadow,
						    .scope = pass->scope,
						    .scope_count = pass->scope_count });
}

static int check_tree(const struct shares_options *options, const struct sources *sources)
{
	if (sources->tree_name)
		return 0;
	if (sources->parts_name)
		return complain("%s: has no tree, must have %s", sources->parts_name,
				sources->parts_format->parts->wanted);
	return complain("--from: %s has settings, but no file has a tree", options->files.from[0]);
}

/* Shows the tree, which has the usage of jobs with each half-life if these are added up. */
static int show_sources(const struct shares_options *options, struct sources *sources,
			const struct site_conf *conf)
{
	struct tree_source source;
	char text[128];

	if (check_tree(options, sources))
		return EXIT_WRONG;
	if (options->sets.half_life_count && !sources->snapshot->has_half_life)
		return complain_of_half_life();
	sources_say_strays(sources, text, sizeof(text));
	if (*text)
		remark("%s: %s", sources->usage_name, text);
	source = (struct tree_source){ .name = sources->tree_name, .snapshot = sources->snapshot,
				       .conf = conf };
	/* files that describe several trees have made that of the scope alone */
	return sources->parts_name ? show_tree(options, &source) : show(options, &source);
}

/* Shows the tree by the policy and settings that the files say, if any do. */
static int show_site(const struct shares_options *options, struct tree_files *files)
{
	const char *scope;
	struct site_conf conf;
	struct fathom_error error;
	int status;

	if (sources_finish(&files->sources, false, &error))
		return complain("%s", error.text);
	if (!site_settings_given(&files->sources.settings))
		return show_sources(options, &files->sources, NULL);
	if (site_conf_make(&files->sources.settings, &conf, &error))
		return complain("%s", error.text);
	scope = sources_scope_name(&files->sources);
	if (scope)
		site_conf_choose(&conf, scope);
	status = show_sources(options, &files->sources, &conf);
	site_conf_clear(&conf);
	return status;
}

static int show_what_was_read(const struct shares_options *options, struct tree_files *files)
{
	int status;

	if (files->has_pass && options->sets.half_life_count)
		return complain_of_half_life();
	status = files->has_pass ? show_recorded(options, &files->pass)
				 : show_site(options, files);
	if (!status && files->is_text)
		warn_of_text(options, files->sources.snapshot);
	return status;
}

/* Lets a view print the only file as it is if it knows the file's format. */
static int print_as_it_is(const struct shares_options *options, bool *is_printed)
{
	const struct view *view = options->view.view;
	const char *name = options->files.from[0];
	struct input input;
	struct fathom_error error;
	int status = 0;

	*is_printed = false;
	if (!view || !view->print_file || options->files.from_count > 1 || !strcmp(name, "-") ||
	    options->policies.count || options->sets.count)
		return 0;
	if (input_open(&input, name, &error))
		return complain_of_input(&input, &error);
	*is_printed = format_of(&options->files, &input) == view->of_file;
	if (*is_printed)
		status = view->print_file(options->view.options, &input);
	input_clear(&input);
	return status;
}

static int show_files(const struct shares_options *options)
{
	const struct input_names *names = &options->files;
	struct tree_files files = { .sources = { .rules = accounting_rules_of(&options->sets, 0),
						 .scope = options->scope,
						 .without_jobs = true } };
	bool is_printed;
	int status = print_as_it_is(options, &is_printed);

	if (status || is_printed)
		return status;
	for (size_t i = 0; !status && i < names->from_count; i++)
		status = read_file(names, names->from[i], &files);
	if (!status)
		status = show_what_was_read(options, &files);
	sources_clear(&files.sources);
	if (files.has_pass)
		recorded_pass_clear(&files.pass);
	return status;
}

/* ---- the running cluster -------------------------------------------------------------- */

#ifdef HAVE_LIBSLURM
/* Without -a and -u, shows only the caller, as sshare does. */
static int choose_caller(struct shares_options *options)
{
	const struct passwd *caller;

	if (options->all || options->users)
		return 0;
	caller = getpwuid(getuid());
	if (caller) {
		options->users = strdup(caller->pw_name);
		options->is_caller = true;
		return options->users ? 0 : complain("--user: out of memory");
	}
	remark("your user id, %ld, has no name on this host, so all users are shown; -u chooses "
	       "users",
	       (long)getuid());
	return 0;
}

/* Warns of figures that may mislead. */
static void warn(const struct shares_options *options, const struct live *live)
{
	if (options->scope && !live->has_file)
		return;		/* complain_of_scope() says it */
	if (live->remark)
		remark("%s", live->remark);
	if (!live->whole && (options->policies.count || options->sets.count))
		remark("PrivateData hides a part of the tree: --policy and --set evaluate only the "
		       "rest");
}

static bool wants_text(const struct shares_options *options)
{
	return !options->json && (options->with_all || options->columns);
}

static int show_cluster(struct shares_options *options)
{
	struct live *list;
	struct fathom_error error;
	size_t count;
	int status = options->view.view ? 0 : choose_caller(options);

	if (status)
		return status;
	if (live_read(options->clusters, wants_text(options), &list, &count, &error))
		return complain("%s", error.text);
	if (options->json && count > 1)
		status = complain("--cluster: --json prints only one cluster");
	for (size_t i = 0; !status && i < count; i++) {
		warn(options, &list[i]);
		if (options->clusters && !options->json)
			printf("%sCLUSTER: %s\n", i ? "\n" : "", list[i].cluster);
		status = show(options, &(struct tree_source){ .name = list[i].cluster,
							 .snapshot = &list[i].snapshot,
							 .in_force = &list[i].in_force,
							 .shadow = &list[i].shadow,
							 .scope = list[i].scope,
							 .scope_count = list[i].scope_count,
							 .live = &list[i] });
	}
	live_free(list, count);
	return status;
}
#else
static int show_cluster(struct shares_options *options)
{
	(void)options;
	return complain_without_libslurm("--from");
}
#endif

static int check_options(const struct shares_options *options)
{
	if (options->files.format && !options->files.from_count)
		return complain("--format: needs --from");
	if (options->sets.half_life_count && !options->files.from_count)
		return complain_of_half_life();
	if (options->clusters && options->files.from_count)
		return complain("--cluster: cannot be used with --from");
	if (options->json && options->columns)
		return complain("--output: cannot be used with --json, which has all columns");
	if (options->with_shadow && options->scope)
		return complain("--shadow: cannot be used with --scope");
	if (options->with_shadow &&
	    (options->policies.count || options->sets.count || options->adjuster.adjust))
		return complain(
			"--shadow: compares the policies of the cluster; cannot be used with "
			"--policy, --set and --adjust");
	return 0;
}

/* A view has options of its own in place of those that choose rows and columns. */
static int check_view(const struct shares_options *options)
{
	const struct view *view = options->view.view;

	if (view->print_clusters &&
	    (options->files.from_count || options->policies.count || options->sets.count))
		return complain("--view: shows the running cluster as it is; cannot be used with "
				"--from, --policy and --set");
	if (options->json || options->parsable || options->columns || options->order ||
	    options->accounts || options->users || options->partitions || options->all ||
	    options->users_only || options->with_all || options->with_partition ||
	    options->no_header)
		return view_complain_of_own(view);
	if (options->with_shadow || options->policies.count > 1)
		return complain("--view: shows one policy; cannot be used with several, or with "
				"--shadow");
	return 0;
}

static int show_source(struct shares_options *options)
{
	const struct view *view = options->view.view;

	if (view && view->print_clusters)
		return view->print_clusters(options->view.options);
	return options->files.from_count ? show_files(options) : show_cluster(options);
}

static int run(int argc, char **argv)
{
	struct shares_options options = { 0 };
	struct view_arguments arguments = view_split(argc, argv);
	int status = options_parse(arguments.own, argv, &option_table, &options);

	if (!status)
		status = view_choose(&options.view, argv[0], shares_views, options.tool,
				     &arguments);
	if (!status)
		status = check_options(&options);
	if (!status && options.view.view)
		status = check_view(&options);
	if (!status)
		status = candidates_create(&options.candidates, &options.policies, &options.sets,
					   NULL);
	options.with_partition |= options.partitions != NULL;
	if (options.all) {
		free(options.users);
		options.users = NULL;
	}
	if (!status)
		status = show_source(&options);
	adjuster_close(&options.adjuster);
	view_clear(&options.view);
	free(options.accounts);
	free(options.users);
	free(options.partitions);
	return status == DONE ? EXIT_DONE : status;
}

const struct command command_shares = {
	.name = "shares",
	.summary = "show the tree with shares, usage and fair-share factors",
	.options = &option_table,
	.views = shares_views,
	.run = run,
};
