/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom shares: the tree with shares, usage and factors. */
#include "config.h"

#include "cli/adjust.h"
#include "cli/columns.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/print_json.h"
#include "cli/print_table.h"
#include "cli/shown_tree.h"
#include "cli/sshare_text.h"
#include "core/list_text.h"
#include "evaluate/pbs_unknown_group.h"
#include "fathom.h"
#include "format/format.h"
#include "format/told.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOT_PARSABLE, BETWEEN, BEHIND };

struct shares_options {
	const char *from;
	const struct format *format;
	const struct fathom_policy *policy;
	struct sets sets;
	struct adjuster adjuster;
	const char *clusters, *columns, *scope;
	char *accounts, *users;	/* comma-separated; NULL: all */
	bool all, users_only, with_all, with_partition, with_shadow, no_header, json, verbose;
	int parsable;
};

/* ---- options ------------------------------------------------------------------ */

static int take_from(const struct option_row *row, void *member, const char *value)
{
	const char **from = member;

	if (*from)
		return complain("--%s: given twice; a tree is read from one file", row->name);
	*from = value;
	return 0;
}

static int take_format(const struct option_row *row, void *member, const char *value)
{
	if (columns_know(value, strlen(value)) && !format_find(value))
		return complain_of_columns(value);
	return option_format(row, member, value);
}

static int take_adjust(const struct option_row *row, void *member, const char *value)
{
	(void)row;
	return adjust_by(member, value);
}

static int take_slot_memory(const struct option_row *row, void *member, const char *value)
{
	(void)row;
	return adjust_set_slot_memory(member, value);
}

/* The last -a or -u decides whether all users are shown. */
static int take_users(const struct option_row *row, void *member, const char *value)
{
	struct shares_options *options = member;

	options->all = !strcmp(value, "-1");
	return options->all ? 0 : option_users(row, &options->users, value);
}

static int take_help_format(const struct option_row *row, void *member, const char *value)
{
	(void)row, (void)member, (void)value;
	columns_help();
	return DONE;
}

#define CHOICE(member, value) offsetof(struct shares_options, member), value
#define AT(member) CHOICE(member, 0)
#define NOWHERE 0, 0

static const struct option_row option_rows[] = {
	{ 0, "from", "FILE", "read the tree from FILE, '-' for standard input, and not from the "
	  "running cluster; the format is recognised", take_from, AT(from) },
	{ 0, "format", "NAME", "the format of FILE is NAME", take_format, AT(format) },
	{ 0, "policy", "NAME", "evaluate under this policy; without it that of the cluster, or "
	  STANDARD_POLICY " for a file", option_policy, AT(policy) },
	{ 0, "set", "KEY=VALUE", "a setting of the policy; again for more", option_set, AT(sets) },
	{ 0, "adjust", "WHAT", "adjustment of LSF's priority: memory:THRESHOLD, or a shared object",
	  take_adjust, AT(adjuster) },
	{ 0, "slot-memory", "NUMBER", "memory of a slot, on average, for --adjust",
	  take_slot_memory, AT(adjuster) },
	{ 0, "scope", "NAME", "the tree as this scope of the cluster has it: its policy on its own usage",
	  option_text, AT(scope) },
	{ 0, "shadow", NULL, "the policy in force beside the shadow policy, and the change of rank",
	  option_flag, AT(with_shadow) },
	{ 'A', "accounts", "LIST", "only these accounts and their users",
	  option_names, AT(accounts) },
	{ 'a', "all", NULL, "all users; without it only you, or all of a file",
	  option_flag, AT(all) },
	{ 'u', "users", "LIST", "only these users, by name or number, and all accounts",
	  take_users, NOWHERE },
	{ 'U', "Users", NULL, "users alone, without accounts", option_flag, AT(users_only) },
	{ 'M', "clusters", "LIST", "these running clusters", option_text, AT(clusters) },
	{ 'l', "long", NULL, "more columns, those of the policy too", option_flag, AT(with_all) },
	{ 'm', "partition", NULL, "the partition of associations too",
	  option_flag, AT(with_partition) },
	{ 'o', "output", "COLUMNS", "these columns, such as Account,User%20,FairShare: a width, "
	  "below 0 to align to the left", option_text, AT(columns) },
	{ 'e', "helpformat", NULL, "list the columns", take_help_format, NOWHERE },
	{ 'n', "noheader", NULL, "no header line", option_flag, AT(no_header) },
	{ 'p', "parsable", NULL, "columns with a '|' behind each",
	  option_choice, CHOICE(parsable, BEHIND) },
	{ 'P', "parsable2", NULL, "columns with a '|' between them, which --from reads",
	  option_choice, CHOICE(parsable, BETWEEN) },
	{ 0, "json", NULL, "all figures, unrounded, as JSON", option_flag, AT(json) },
	{ 'v', "verbose", NULL, "say on standard error what is evaluated",
	  option_flag, AT(verbose) },
	COMMON_OPTIONS,
	{ 0, "cluster", "LIST", NULL, option_text, AT(clusters) },
	{ 'h', "noheading", NULL, NULL, option_flag, AT(no_header) },
};

static void help_more(void)
{
	help_policies();
	help_formats(false);
}

static const struct option_table option_table = {
	.rows = option_rows, .count = sizeof(option_rows) / sizeof(*option_rows),
	.usage = "Usage: fathom shares [OPTION]...\n"
		 "Show the tree of associations: shares, usage, and the fair-share factor that a\n"
		 "policy makes of them. Options and columns are those of sshare, and more.\n\n",
	.help_more = help_more,
};

/* ---- from input to figures to output ---------------------------------------------- */

static int apply_sets(const struct shares_options *options, const struct fathom_policy *policy,
		      struct fathom_settings *settings)
{
	for (size_t i = 0; i < options->sets.count; i++) {
		char key[MOST_KEY];
		const char *value = set_split(options->sets.set[i], key, sizeof(key));
		struct fathom_error error;

		if (settings_set(policy, settings, key, value, &error))
			return complain("--set: %s: %s; see fathom shares --help", key, error.text);
	}
	return 0;
}

/* Where a tree comes from, and what is told of it beside. */
struct source {
	const char *name;
	const struct snapshot *snapshot;
	const struct told *in_force, *shadow;	/* NULL: nothing is told */
	const struct told_scope *scope;
	size_t scope_count;
	const struct live *live;		/* NULL: from a file */
};

static int choose_columns(const struct shares_options *options, const struct fathom_policy *policy,
			  bool live, struct table *table)
{
	struct fathom_error error;

	if (options->with_shadow)
		columns_of_shadow(table, options->with_partition);
	else if (!options->columns)
		columns_standard(table, policy, options->with_partition, options->with_all, live);
	else if (columns_parse(table, options->columns, policy, live, &error))
		return complain("--output: %s", error.text);
	return 0;
}

/* What the controller's sshare does not show. */
static bool is_recomputed(const struct shown_tree *shown, const struct table *table)
{
	bool told = shown->tree->is_told;

	for (size_t i = 0; i < table->column_count; i++)
		told &= !column_is_recomputed(&table->column[i], shown);
	if (shown->shadow)
		told &= shown->shadow->tree.is_told;
	return shown->live && !told;
}

static void print_above_table(const struct shown_tree *shown, const struct table *table)
{
	const char *policy = fathom_policy_name(shown->tree->policy);

	if (is_recomputed(shown, table))
		printf("recomputed from sshare figures: policy %s", policy);
	else if (shown->shadow)
		printf("policy %s", policy);
	else
		return;
	if (shown->shadow)
		printf(", shadow policy %s", fathom_policy_name(shown->shadow->tree.policy));
	putchar('\n');
}

static bool is_account(const void *context, size_t row)
{
	const struct shown_tree *shown = context;

	return fathom_tree_kind(shown->tree->snapshot->tree, shown->node[row]) == FATHOM_ACCOUNT;
}

/* `table` has its columns. */
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
		print_separated(table, "|", options->parsable == BEHIND);
	else {
		if (table->has_header)
			print_above_table(shown, table);
		if (print_table(table, &error))
			return complain("%s", error.text);
	}
	return EXIT_DONE;
}

static void tell(const struct shown_tree *shown, const char *source)
{
	const struct fathom_tree *tree = shown->tree->snapshot->tree;

	remark("%s: %zu associations, %zu of them users; policy %s; %zu shown", source,
	       fathom_tree_count(tree), fathom_tree_user_count(tree),
	       fathom_policy_name(shown->tree->policy), shown->count);
}

/* Of the policy that is asked for; a shadow has been evaluated already. */
static const struct told *choose_told(const struct shares_options *options,
				      const struct source *source)
{
	bool is_other = options->policy && source->in_force &&
			options->policy != source->in_force->policy;

	if (is_other && source->shadow && source->shadow->policy == options->policy)
		return source->shadow;
	return is_other ? NULL : source->in_force;
}

/* What is told stands, unless something else is asked for. The tree of a file
 * has each policy's own inputs. */
static int choose_scheme(const struct shares_options *options, const struct source *source,
			 struct tree_scheme *scheme)
{
	const struct told *told = choose_told(options, source);
	bool stands = told && (!options->policy || told == source->shadow) &&
		      !options->sets.count && !options->adjuster.adjust;

	scheme->snapshot = told && told->snapshot.tree ? &told->snapshot : source->snapshot;
	scheme->policy = told ? told->policy :
			 options->policy ? options->policy : fathom_policy_find(STANDARD_POLICY);
	scheme->settings = told ? told->settings : fathom_settings_standard(scheme->policy);
	if (stands)
		scheme->told = told->columns;
	return apply_sets(options, scheme->policy, &scheme->settings) ||
		       adjust_tree(&options->adjuster, scheme->snapshot->tree, scheme->policy,
				   &scheme->settings)
	       ? EXIT_WRONG : 0;
}

static int choose_shadow(const struct source *source, struct tree_scheme *scheme)
{
	const struct told *shadow = source->shadow;

	if (!shadow || !shadow->policy)
		return complain_of_no_shadow(source->name, source->live);
	*scheme = (struct tree_scheme){
		.snapshot = shadow->snapshot.tree ? &shadow->snapshot : source->snapshot,
		.policy = shadow->policy, .settings = shadow->settings, .told = shadow->columns,
	};
	return 0;
}

static int show_rows(const struct shares_options *options, const struct source *source,
		     struct shown_tree *shown, struct table *table)
{
	struct tree_scheme scheme;
	struct shadow shadow;
	struct fathom_error error;
	int status;

	if (options->verbose)
		tell(shown, source->name);
	if (!options->with_shadow)
		return print(options, shown, table);
	if (choose_shadow(source, &scheme))
		return EXIT_WRONG;
	if (shadow_create(&shadow, shown->tree, &scheme, &error))
		return complain("%s", error.text);
	shown->shadow = &shadow;
	status = print(options, shown, table);
	shadow_clear(&shadow);
	return status;
}

static int show_figures(const struct shares_options *options, const struct source *source,
			const struct evaluated_tree *tree, struct table *table)
{
	struct filter filter = { options->accounts, options->users, options->users_only };
	struct shown_tree shown;
	struct fathom_error error;
	int status;

	if (shown_tree_create(&shown, tree, source->live, &filter, &error))
		return complain("%s", error.text);
	status = show_rows(options, source, &shown, table);
	shown_tree_clear(&shown);
	return status;
}

static int show_tree(const struct shares_options *options, const struct source *source)
{
	struct tree_scheme scheme = { 0 };
	struct fathom_settings as_asked;
	struct evaluated_tree tree;
	struct table table = { 0 };
	struct fathom_error error;
	int status;

	if (choose_scheme(options, source, &scheme) ||
	    choose_columns(options, scheme.policy, source->live, &table))
		return EXIT_WRONG;
	as_asked = scheme.settings;
	pbs_unknown_group_set_shares(scheme.snapshot, scheme.policy, &scheme.settings);
	if (evaluated_tree_create(&tree, &scheme, &error))
		return complain("%s", error.text);
	tree.settings = as_asked;
	status = show_figures(options, source, &tree, &table);
	evaluated_tree_clear(&tree);
	return status;
}

/* ---- one of its scopes ------------------------------------------------------------- */

static const char *scope_at(const void *context, size_t i)
{
	const struct source *source = context;

	return i < source->scope_count ? source->scope[i].name : NULL;
}

static int complain_of_scope(const char *name, const struct source *source)
{
	const struct live *live = source->live;
	char list[512];

	if (live && !live->whole)
		return complain("--scope: PrivateData hides a part of the tree of %s, and so its scopes",
				source->name);
	if (live && !live->has_file)
		return complain("--scope: needs the FiguresFile of %s: %s", source->name, live->remark
				? live->remark
				: "fathom.conf must name one that may be read here");
	if (!source->scope_count)
		return complain("--scope: %s knows no scopes; %s", source->name, live
				? "lines with Scope in fathom.conf make them"
				: "the FiguresFile of a cluster with Scope does");
	return complain("--scope: %s knows no scope '%s', must be %s", source->name, name,
			list_text((struct name_list){ scope_at, source }, " or ", list,
				  sizeof(list)));
}

static int show(const struct shares_options *options, const struct source *source)
{
	if (!options->scope)
		return show_tree(options, source);
	for (size_t i = 0; i < source->scope_count; i++) {
		const struct told *told = &source->scope[i].told;

		if (!strcmp(source->scope[i].name, options->scope))
			return show_tree(options, &(struct source){ .name = source->name,
								    .snapshot = &told->snapshot,
								    .in_force = told });
	}
	return complain_of_scope(options->scope, source);
}

/* Who names a policy may want another one than the cluster's. */
static void warn_of_text(const struct shares_options *options, const struct snapshot *snapshot)
{
	const struct fathom_policy *policy =
		options->policy ? NULL : fathom_policy_find(STANDARD_POLICY);
	struct fathom_settings settings = { 0 };

	if (policy) {
		settings = fathom_settings_standard(policy);
		apply_sets(options, policy, &settings);
	}
	sshare_text_warn(options->from, snapshot, policy, &settings);
}

static int show_snapshot(const struct shares_options *options, const struct format *format,
			 struct input *input)
{
	struct snapshot snapshot;
	struct fathom_error error;
	int status;

	if (format->read(input, &snapshot, &error))
		return complain_of_input(input, &error);
	status = show(options, &(struct source){ .name = options->from, .snapshot = &snapshot });
	if (!status && format == &format_sshare)
		warn_of_text(options, &snapshot);
	snapshot_clear(&snapshot);
	return status;
}

static int show_told(const struct shares_options *options, const struct format *format,
		     struct input *input)
{
	struct told_pass pass;
	struct fathom_error error;
	int status;

	if (format->tell(input, &pass, &error))
		return complain_of_input(input, &error);
	status = show(options, &(struct source){ .name = options->from,
						 .snapshot = &pass.in_force.snapshot,
						 .in_force = &pass.in_force,
						 .shadow = &pass.shadow,
						 .scope = pass.scope,
						 .scope_count = pass.scope_count });
	told_pass_clear(&pass);
	return status;
}

static int show_file(const struct shares_options *options)
{
	const struct format *format = options->format;
	struct input input;
	struct fathom_error error;
	char list[256];
	int status;

	if (input_open(&input, options->from, &error))
		return complain_of_input(&input, &error);
	if (!format)
		format = format_recognize(&input);
	if (!format)
		status = complain("%s:1: in no known format, must be %s; --format names one",
				  input.name, format_list(list, sizeof(list)));
	else if (!format->read)
		status = complain("%s:1: holds jobs (%s), must be a tree; see fathom prio --help",
				  input.name, format->name);
	else if (!format->by_name && input_load_rest(&input, &error))
		status = complain_of_input(&input, &error);
	else
		status = (format->tell ? show_told : show_snapshot)(options, format, &input);
	input_clear(&input);
	return status;
}

#ifdef HAVE_LIBSLURM
/* Without -a or -u sshare shows the caller, and so does this. */
static int take_caller(struct shares_options *options)
{
	const struct passwd *caller;

	if (options->all || options->users)
		return 0;
	caller = getpwuid(getuid());
	if (caller) {
		options->users = strdup(caller->pw_name);
		return options->users ? 0 : complain("--users: out of memory");
	}
	remark("your user id, %ld, has no name on this host, so all users are shown; -u chooses users",
	       (long)getuid());
	return 0;
}

/* What has to be said on stderr, lest the figures mislead. */
static void warn(const struct shares_options *options, const struct live *live)
{
	if (options->scope && !live->has_file)
		return;		/* why there are no scopes is said in one line */
	if (live->remark)
		remark("%s", live->remark);
	if (!live->whole && (options->policy || options->sets.count))
		remark("PrivateData hides a part of the tree: --policy and --set evaluate the rest "
		       "alone");
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
	int status = take_caller(options);

	if (status)
		return status;
	if (live_read(options->clusters, wants_text(options), &list, &count, &error))
		return complain("%s", error.text);
	if (options->json && count > 1)
		status = complain("--clusters: --json is of one cluster");
	for (size_t i = 0; !status && i < count; i++) {
		warn(options, &list[i]);
		if (options->clusters && !options->json)
			printf("%sCLUSTER: %s\n", i ? "\n" : "", list[i].cluster);
		status = show(options, &(struct source){ .name = list[i].cluster,
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
	return complain("--from: must be given, this fathom is built without libslurm");
}
#endif

static int check_options(const struct shares_options *options)
{
	if (options->format && !options->from)
		return complain("--format: goes with --from");
	if (options->clusters && options->from)
		return complain("--clusters: is about running clusters, --from about a file");
	if (options->json && options->columns)
		return complain("--output: --json has all columns");
	if (options->with_shadow && options->scope)
		return complain("--shadow: compares policies on all usage, without --scope");
	if (options->with_shadow && (options->columns || options->with_all))
		return complain("--shadow: has columns of its own, without --output and --long");
	if (options->with_shadow &&
	    (options->policy || options->sets.count || options->adjuster.adjust))
		return complain("--shadow: compares the policies of the cluster, without --policy, "
				"--set and --adjust");
	return 0;
}

static int run(int argc, char **argv)
{
	struct shares_options options = { 0 };
	int status = options_parse(argc, argv, &option_table, &options);

	if (!status)
		status = check_options(&options);
	if (options.all) {
		free(options.users);
		options.users = NULL;
	}
	if (!status)
		status = options.from ? show_file(&options) : show_cluster(&options);
	adjuster_close(&options.adjuster);
	free(options.accounts);
	free(options.users);
	return status == DONE ? EXIT_DONE : status;
}

const struct command command_shares = {
	.name = "shares",
	.summary = "the tree: shares, usage, effective usage, factor",
	.run = run,
};
