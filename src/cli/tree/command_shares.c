/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom shares: prints the tree with shares, usage and factors. A tree comes from a file
 * (show_files()) or from running clusters (show_cluster()). show_tree() evaluates it under each
 * policy, chooses columns and rows, and prints them.
 */
#include "cli/association_columns.h"
#include "cli/command.h"
#include "cli/option_values.h"
#include "cli/option_words.h"
#include "cli/print_table.h"
#include "cli/tree/tree_request.h"
#include "cli/view/flux_rows.h"
#include "cli/views.h"
#include "core/duration.h"
#include "core/plural.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_AN_HOUR 3600

struct shares_options {
	struct tree_request request;
	const char *clusters;	/* of --cluster, comma-separated; NULL: the local one */
	const char *columns, *order;	/* of --output and --sort; NULL: not given */
	char *accounts, *users, *partitions;	/* comma-separated; NULL: all */
	int units;		/* of usage: UNITS_HOURS or UNITS_BILLING; UNITS_COUNT: not given */
	struct chosen_view view;
	bool is_caller;		/* `users` is the caller by default, not by an option */
	bool with_global;	/* --global: usage of other clusters */
	bool all;		/* --all: all users */
	bool with_all;		/* --long: more columns */
	bool users_only, with_partition, no_header, json, verbose, parsable;
};

/* ---- options ------------------------------------------------------------------ */

/* Stores --format. A column in its value is most likely meant for sshare's --format. */
static void set_format(const struct option_row *row, void *member, const char *value)
{
	if (columns_know(value, strlen(value)) && !format_find(value))
		refuse_columns(value);
	option_format(row, member, value);
}

/* Opens the source of --adjust. */
static void set_adjust(const struct option_row *row, void *member, const char *value)
{
	struct adjuster *adjuster = member;
	struct fathom_error error;

	if (adjuster->adjust)
		refuse("--%s: given twice", row->name);
	if (adjuster_open(adjuster, value, &error))
		refuse("--%s: %s", row->name, error.text);
}

/* Stores the number of --slot-memory. */
static void set_slot_memory(const struct option_row *row, void *member, const char *value)
{
	struct adjuster *adjuster = member;
	const char *end;

	if (number_parse(value, &adjuster->slot_memory, &end) || *end ||
	    !(adjuster->slot_memory > 0))
		refuse("--%s: '%s' is not a number above 0", row->name, value);
}

/* Adds the users of --user. The last of -a and -u decides whether all users are shown. member: the
 * struct shares_options. */
static void set_users(const struct option_row *row, void *member, const char *value)
{
	struct shares_options *options = member;

	options->all = false;
	option_users(row, &options->users, value);
}

/* Prints the columns for --helpformat, and ends the command. */
static void show_columns(const struct option_row *row, void *member, const char *value)
{
	(void)row, (void)member, (void)value;
	columns_help();
	end_done();
}

#define AT(member) offsetof(struct shares_options, member), 0
#define WHOLE_STRUCT 0, 0	/* the setter gets the struct shares_options itself */

static const struct option_row option_rows[] = {
	{ OPTION_FROM, "read the tree from FILE, '-' for standard input, instead of the "
	  "running cluster; repeat it for records of jobs that complete a tree without usage",
	  option_from, AT(request.files) },
	{ OPTION_FORMAT, "read the tree as this format; default: it is recognised",
	  set_format, AT(request.files.format) },
	{ OPTION_POLICY, "evaluate this policy, or several side by side; default: that of "
	  "the cluster, or " STANDARD_POLICY " for a file", option_policies,
	  AT(request.how.candidates.policies) },
	{ OPTION_SET, "change a setting of the policy; repeat it for other settings, or "
	  "for several values side by side", option_set, AT(request.how.candidates.sets) },
	{ 0, "adjust", "SOURCE", "compute the adjustment of LSF's priority by memory:THRESHOLD or "
	  "a shared object", set_adjust, AT(request.how.adjuster) },
	{ 0, "slot-memory", "NUMBER", "the average memory of a slot, for --adjust; default: that "
	  "of the tree's jobs", set_slot_memory, AT(request.how.adjuster) },
	{ OPTION_SCOPE, "show the tree of this scope of the cluster, with its own policy and "
	  "usage", option_text, AT(request.scope) },
	{ OPTION_SHADOW, option_flag, AT(request.how.with_shadow) },
	{ 0, "global", NULL, "also show the usage here, and that of each other cluster which "
	  "counts here", option_flag, AT(with_global) },
	{ OPTION_ACCOUNT, "show only these accounts and their users", option_names, AT(accounts) },
	{ OPTION_ALL, "show all users; default: only you, but all users of a file",
	  option_flag, AT(all) },
	{ OPTION_USER, "show only these users, by name or number, and all accounts",
	  set_users, WHOLE_STRUCT },
	{ 'U', "Users", NULL, "show only users, no accounts", option_flag, AT(users_only) },
	{ OPTION_CLUSTER, "show these running clusters", option_text, AT(clusters) },
	{ OPTION_LONG, "show more columns, also those of the policy", option_flag, AT(with_all) },
	{ OPTION_PARTITION, "show only associations with these partitions, and all accounts",
	  option_names, AT(partitions) },
	{ 'm', "with-partition", NULL, "also show the partition of associations",
	  option_flag, AT(with_partition) },
	{ 0, "units", "UNIT", "show usage in hours, of a running cluster also that of CPUs, GPUs "
	  "and nodes, or in billing seconds; default: billing", option_word,
	  offsetof(struct shares_options, units), WORDS_UNITS },
	{ OPTION_OUTPUT, "show these columns, such as Account,User%20,FairShare; a "
	  "negative width aligns to the left", option_text, AT(columns) },
	{ OPTION_SORT, "print a list without tree lines, sorted by these columns, such "
	  "as User or -Change; '-' means descending", option_text, AT(order) },
	{ OPTION_HELPFORMAT, "list the columns", show_columns, WHOLE_STRUCT },
	{ OPTION_NO_HEADER, option_flag, AT(no_header) },
	{ OPTION_PARSABLE, "print a '|' between columns; --from can read a whole tree with "
	  "RawShares and RawUsage", option_flag, AT(parsable) },
	{ OPTION_JSON, "print all figures, unrounded, as JSON", option_flag, AT(json) },
	{ OPTION_VIEW, option_text, AT(view.tool) },
	{ OPTION_VERBOSE, "print to standard error what is evaluated", option_flag, AT(verbose) },
	COMMON_OPTIONS,
	{ ALIAS_ACCOUNTS, option_names, AT(accounts) },
	{ ALIAS_USERS, set_users, WHOLE_STRUCT },
	{ ALIAS_CLUSTERS, option_text, AT(clusters) },
	{ ALIAS_NO_HEADING, option_flag, AT(no_header) },
	{ ALIAS_PARSABLE, option_flag, AT(parsable) },
};

static void help_more(void)
{
	const bool of_jobs = false;

	help_views(shares_views);
	help_policies();
	help_formats(of_jobs);
}

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom shares [OPTION]...\n"
		 "Show the tree of associations with shares, usage, and the fair-share factor\n"
		 "that a policy computes. Has the columns of sshare, and more.\n\n",
	.help_more = help_more,
};

/* ---- evaluating and printing a tree ------------------------------------------------ */

/* Adds the columns of --output, else the default ones, to an empty table. live: NULL: the tree is
 * from a file. */
static void choose_columns(const struct shares_options *options, const struct live *live,
			   const struct comparison *compared, const struct relation *relation,
			   struct table *table)
{
	const struct association_choice choice = { options->with_partition, options->with_all,
						   options->units == UNITS_HOURS, live };

	if (options->columns) {
		association_columns_choose(table, relation, options->columns);
		return;
	}
	association_columns_standard(table, relation, compared, &choice);
	if (!association_columns_add_global(table, relation))
		refuse("--global: more than %d columns; --output shows some of them", MOST_COLUMNS);
}

/* Returns whether the table of a running cluster has figures that neither slurmctld nor the
 * FiguresFile has recorded. */
static bool is_recomputed(const struct shown_tree *shown, const struct table *table)
{
	bool all_recorded = true;

	for (size_t i = 0; i < shown->comparison->count; i++)
		all_recorded &= shown->comparison->tree[i].recorded.factor != NULL;
	for (size_t i = 0; i < table->column_count; i++)
		all_recorded &= !column_is_recomputed(&table->column[i], shown);
	return shown->live && !all_recorded;
}

/* Prints a UserGroup of a scope. */
static void print_group(const struct scope_group *group)
{
	print_labelled("UserGroup: ", group->name);
	printf("  Members:");
	for (size_t i = 0; i < group->member_count; i++)
		print_behind(" ", group->member[i]);
	putchar('\n');
	if (group->user_shares)
		print_labelled("  UserShares: ", group->user_shares);
}

/* Prints the lines that fathom.conf has for a scope, above its tree. */
static void print_scope(const struct scope_head *scope)
{
	print_labelled("Scope: ", scope->name);
	if (scope->partition_count)
		print_labelled("Partitions: ", need_join(scope->partition, scope->partition_count,
							 ","));
	for (size_t i = 0; i < SCOPE_TEXT_COUNT; i++)
		if (scope->text[i])
			print_labelled(need_print("%s: ", scope_text_heading((enum scope_text)i)),
				       scope->text[i]);
	if (!scope->text[SCOPE_USER_SHARES])
		printf("Shares: those of the associations\n");
	for (size_t i = 0; i < scope->group_count; i++)
		print_group(&scope->group[i]);
	putchar('\n');
}

/* Prints a line about another cluster if its usage is old or wrong, or a part of it does not count.
 * now: the time of the tree, seconds since 1970. */
static void print_cluster(const struct json_global_cluster *cluster, int64_t now)
{
	const char *clause[3];
	size_t count = 0;

	if (cluster->fault)
		clause[count++] = need_print("%s%s", cluster->fault, cluster->is_known
					     ? "" : "; nothing of it counts");
	if (cluster->is_stale)
		clause[count++] = need_print("usage is %.1f hours old, more than MaxAge",
					     (double)(now - cluster->time) / SECONDS_AN_HOUR);
	if (cluster->unmapped > 0)
		clause[count++] = need_print("%.0f s are in accounts that this cluster lacks, and "
					     "do not count", cluster->unmapped);
	if (!count)
		return;
	print_behind("cluster ", cluster->cluster);
	print_labelled(": ", need_join(clause, count, "; "));
}

/* Prints what stands above the table: other clusters, the scope, and which policies were evaluated
 * here rather than recorded. */
static void print_above_table(const struct shown_tree *shown, const struct table *table,
			      bool with_shadow)
{
	/* by policy; with_shadow: that in force, then the shadow policy */
	const struct evaluated_tree *tree = shown->comparison->tree;
	bool recomputed = is_recomputed(shown, table);

	for (size_t i = 0; shown->global && i < shown->global->usage.count; i++)
		print_cluster(&shown->global->cluster[i], tree->snapshot->time);
	if (shown->scope)
		print_scope(shown->scope);
	if (recomputed)
		printf("recomputed from sshare figures");
	if (with_shadow)
		printf("%spolicy %s, shadow policy %s", recomputed ? ": " : "",
		       fathom_policy_name(tree[0].policy), fathom_policy_name(tree[1].policy));
	else if (recomputed && shown->comparison->count == 1)
		printf(": policy %s", fathom_policy_name(tree->policy));
	if (recomputed || with_shadow)
		putchar('\n');
}

/* Prints the rows as a table, which has its columns, or as JSON. */
static void print(const struct shares_options *options, const struct shown_tree *shown,
		  struct table *table)
{
	table->context = shown;
	table->row_count = shown->count;
	table->depth = shown->depth;
	table->is_bold = association_is_account;
	table->has_header = !options->no_header;
	if (options->json) {
		print_shares_json(stdout, shown);
		return;
	}
	if (table->has_header && !options->parsable)
		print_above_table(shown, table, options->request.how.with_shadow);
	print_either(table, options->parsable);
}

/* Refuses accounts, users and partitions of options that the tree does not have. Of several
 * clusters each may lack some. source: where the tree comes from, for messages. */
static void check_names(const struct shares_options *options, const struct shown_tree *shown,
			const char *source)
{
	if (options->clusters)
		return;
	shown_tree_check_names(shown, FILTER_ACCOUNT, options->accounts, source);
	if (!options->is_caller)
		shown_tree_check_names(shown, FILTER_USER, options->users, source);
	shown_tree_check_names(shown, FILTER_PARTITION, options->partitions, source);
}

/* Chooses the rows of evaluated trees, in the order of --sort. Sets all of *shown. */
static void choose_rows(const struct shares_options *options, const struct tree_source *source,
			const struct comparison *compared, const struct relation *relation,
			struct shown_tree *shown)
{
	const struct filter filter = {
		options->accounts,
		shown_users(options->users, options->is_caller, source->shown_scope),
		options->partitions, options->users_only,
	};
	struct sort_keys keys = { .table = { .context = shown } };

	if (options->order)
		relation_choose_order(relation, "--sort", options->order, &keys);
	shown_tree_create(shown, compared, source->live, &filter);
	shown->scope = source->shown_scope;
	/* JSON always tells the usage of other clusters, so that a reader does not take it for
	 * usage here */
	if ((options->with_global || options->json) && source->global &&
	    source->global->usage.count)
		shown->global = source->global;
	check_names(options, shown, source->name);
	if (keys.table.column_count)
		shown_tree_sort(shown, &keys);
}

/* Prints the evaluated trees, as a table or as JSON. */
static void show_comparison(const struct shares_options *options, const struct tree_source *source,
			    const struct comparison *compared)
{
	const struct fathom_tree *tree = compared->tree->snapshot->tree;
	size_t count = fathom_tree_count(tree);
	struct table table = { 0 };
	struct shown_tree shown = { 0 };
	struct relation relation;

	association_relation(&relation, compared, source->live);
	if (options->with_global)
		association_relation_add_global(&relation, &source->global->usage);
	choose_columns(options, source->live, compared, &relation, &table);
	choose_rows(options, source, compared, &relation, &shown);
	if (options->verbose)
		remark("%s: %zu association%s, %zu of them users; policy %s; %zu shown",
		       source->name, count, PLURAL(count), fathom_tree_user_count(tree),
		       fathom_policy_name(shown.tree->policy), shown.count);
	print(options, &shown, &table);
}

/* Evaluates a tree under all policies and settings of the options, and prints it: a tree_shower.
 * context: the options. */
static void show_tree(void *context, const struct tree_source *source)
{
	const struct shares_options *options = context;
	const struct view *view = options->view.view;
	const struct tree_options *how = &options->request.how;
	struct comparison compared;
	struct flux_accounts accounts;

	if (view && how->candidates.count > 1)
		refuse("--view: shows one policy; several values of a setting stand side by side");
	if (view && view->print_source) {
		view->print_source(options->view.options, source, how);
		return;
	}
	if (options->with_global && !(source->global && source->global->usage.count))
		refuse("--global: %s has no usage of other clusters; the FiguresFile of a cluster "
		       "with GlobalShare has it", source->name);
	compared = tree_comparison_of(how, source);
	if (view && view->print_accounts) {
		accounts = flux_rows_of_tree(compared.tree, source->name);
		view->print_accounts(options->view.options, &accounts, source->name);
	} else if (view) {
		view->print_tree(options->view.options, source, compared.tree);
	} else {
		show_comparison(options, source, &compared);
	}
}

/* ---- files ---------------------------------------------------------------------------- */

/* Lets a view print a database of flux-accounting as it is, if that is the only file and no option
 * evaluates its tree. Returns whether it was printed. */
static bool print_as_it_is(const struct shares_options *options)
{
	const struct view *view = options->view.view;
	const struct input_names *files = &options->request.files;
	struct document input;
	struct flux_accounts accounts;
	bool is_known;

	if (!view || !view->print_accounts || candidates_given(&options->request.how.candidates))
		return false;
	/* a pipe could not be read again if it is no such database */
	if (files->from_count > 1 || !document_can_reopen(files->from[0]))
		return false;
	open_input(&input, files->from[0]);
	is_known = tree_format_of(files, &input) == &format_flux_db;
	if (is_known) {
		accounts = flux_accounts_read(&input);
		view->print_accounts(options->view.options, &accounts, input.name);
	}
	document_clear(&input);
	return is_known;
}

/* Prints the tree of the files of --from. */
static void show_files(struct shares_options *options)
{
	if (!print_as_it_is(options))
		tree_request_read_files(&options->request);
}

/* ---- the running cluster -------------------------------------------------------------- */

/* Returns the queues of the local cluster; NULL: they are not wanted. */
static const struct queue_list *read_queues(const struct shares_options *options)
{
	struct queue_list *queues;

	if (!options->request.with_queues || options->clusters || options->request.scope)
		return NULL;
	queues = need_object(sizeof(*queues));
	live_queues_read(queues);
	queue_list_sort(queues);
	return queues;
}

/* Prints the tree of the local cluster, or of each of --cluster. */
static void show_cluster(struct shares_options *options)
{
	bool wants_text = !options->json &&
			  (options->with_all || options->columns || options->view.view ||
			   options->units == UNITS_HOURS);
	struct live *list;
	size_t count;

	need_libslurm("--from");
	/* without -a and -u, shows only the caller, as sshare does */
	if (!options->view.view && !options->all && !options->users) {
		options->is_caller = true;
		caller_choose(&options->users);
	}
	list = live_read(options->clusters, wants_text, &count);
	options->request.queues = read_queues(options);
	if (options->json && count > 1)
		refuse("--cluster: --json prints only one cluster");
	for (size_t i = 0; i < count; i++) {
		if (options->clusters && !options->json)
			print_labelled(i ? "\nCLUSTER: " : "CLUSTER: ", list[i].cluster);
		tree_request_show_live(&options->request, &list[i]);
	}
}

/* Refuses options that do not go together. */
static void check_options(const struct shares_options *options)
{
	const struct input_names *files = &options->request.files;
	const struct tree_options *how = &options->request.how;

	if (files->format && !files->from_count)
		refuse("--format: needs --from");
	if (how->candidates.sets.half_life_count && !files->from_count)
		refuse_half_life();
	if (options->clusters && files->from_count)
		refuse("--cluster: cannot be used with --from");
	if (options->json && options->columns)
		refuse("--output: cannot be used with --json, which has all columns");
	if (options->with_global && options->request.scope)
		refuse("--global: cannot be used with --scope");
	if (how->adjuster.slot_memory > 0 && !how->adjuster.adjust)
		refuse("--slot-memory: needs --adjust, which alone uses it");
	if (how->with_shadow && options->request.scope)
		refuse("--shadow: cannot be used with --scope");
	if (how->with_shadow && (candidates_given(&how->candidates) || how->adjuster.adjust))
		refuse("--shadow: compares the policies of the cluster; cannot be used with "
		       "--policy, --set and --adjust");
}

/* Refuses options that choose rows and columns: the tool of --view has its own in their place. */
static void check_view(const struct shares_options *options)
{
	bool chooses_columns = options->json || options->parsable || options->columns ||
			       options->with_all || options->with_partition ||
			       options->no_header || options->with_global ||
			       options->units != UNITS_COUNT;
	bool chooses_rows = options->accounts || options->users || options->partitions ||
			    options->all || options->users_only || options->order;

	if (chooses_columns || chooses_rows)
		view_refuse_own(options->view.view);
	if (options->request.how.with_shadow || options->request.how.candidates.policies.count > 1)
		refuse("--view: shows one policy; cannot be used with several, or with --shadow");
}

/* Refuses --units with options that show usage in one unit, or no usage. The candidates must have
 * been made. */
static void check_units(const struct shares_options *options)
{
	/* what --units cannot be used with; NULL: it is not given */
	const char *other = options->columns    ? "--output, which shows columns such as CPUHours"
			    : options->json     ? "--json, whose usage is in billing seconds"
			    : options->with_global ? "--global, whose usage is in billing seconds"
			    : options->request.how.candidates.count > 1
				    ? "several policies, which are compared without usage" : NULL;

	if (options->units != UNITS_COUNT && other)
		refuse("--units: cannot be used with %s", other);
}

static int run(int argc, char **argv)
{
	struct shares_options options = { .request = { .show = show_tree, .context = &options },
					  .units = UNITS_COUNT };
	struct tree_request *request = &options.request;
	const struct view *view;
	bool evaluates;		/* an option evaluates a tree; else running clusters are shown as
				 * they are */

	view_parse(argc, argv, &option_table, &options, shares_views, &options.view);
	view = options.view.view;
	check_options(&options);
	if (view) {
		check_view(&options);
		request->how.standard = view->policy;
		request->all_scopes = view->all_scopes;
		request->with_queues = view->with_queues;
	}
	candidates_create(&request->how.candidates, NULL, MOST_COLUMNS_COMPARED);
	check_units(&options);
	options.with_partition |= options.partitions != NULL;
	if (options.all)
		options.users = NULL;
	evaluates = request->files.from_count || candidates_given(&request->how.candidates) ||
		    request->scope || request->how.adjuster.adjust;
	if (view && view->print_clusters && !evaluates)
		view->print_clusters(options.view.options, options.clusters);
	else
		(request->files.from_count ? show_files : show_cluster)(&options);
	return EXIT_DONE;
}

const struct command command_shares = {
	.name = "shares",
	.summary = "show the tree with shares, usage and fair-share factors",
	.options = &option_table,
	.views = shares_views,
	.run = run,
};
