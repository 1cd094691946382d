/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom usage: shows usage, and changes it. The changes of the running cluster are requested from
 * priority/fathom, which makes them in its next pass; those of a file are only shown.
 */
#include "cli/association_columns.h"
#include "cli/command.h"
#include "cli/option_values.h"
#include "cli/out_file.h"
#include "cli/output.h"
#include "cli/print_table.h"
#include "cli/print_text.h"
#include "cli/tree/tree_request.h"
#include "cli/usage/usage_owners.h"
#include "core/duration.h"
#include "core/owner_nodes.h"
#include "json/usage_request.h"
#include "live/live.h"

#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define MOST_CHANGES 64		/* --assign and --scale */
#define MOST_WORD 512		/* bytes of WHO, with the NUL */

/* WHO=NUMBER of --assign or --scale. */
struct wish {
	const char *option;	/* its name, without "--" */
	enum usage_action action;
	char who[MOST_WORD];	/* as usage_owners.c reads it */
	double value;		/* seconds, or a factor; 0 or more */
};

struct usage_options {
	struct tree_request request;	/* files of --from, and --scope */
	char *accounts, *users;		/* comma-separated; NULL: all */
	bool is_caller;		/* `users` is the caller by default, not by an option */
	bool all, json, reset, no_header, parsable;
	struct wish wish[MOST_CHANGES];
	size_t wish_count;
	const char *const *reset_owner;	/* of --reset, NULL after the last; empty: all */
};

/* ---- options ----------------------------------------------------- */

/* Adds the WHO=NUMBER of --assign or --scale. member: the struct usage_options. */
static void set_wish(const struct option_row *row, void *member, const char *value)
{
	struct usage_options *options = member;
	const char *equals = strrchr(value, '='), *end;
	struct wish *wish = &options->wish[options->wish_count];

	if (options->wish_count == MOST_CHANGES)
		refuse("--%s: more than %d changes at once", row->name, MOST_CHANGES);
	if (!equals || equals == value || equals - value >= MOST_WORD)
		refuse("--%s: '%.200s' must be %s, such as physics=%s", row->name, value,
		       row->argument, row->choice == USAGE_ASSIGN ? "3600" : "0.5");
	if (number_parse(equals + 1, &wish->value, &end) || *end || !(wish->value >= 0))
		refuse("--%s: '%.100s' is wrong, must be a number of 0 or more", row->name,
		       equals + 1);
	wish->option = row->name;
	wish->action = (enum usage_action)row->choice;
	snprintf(wish->who, sizeof(wish->who), "%.*s", (int)(equals - value), value);
	options->wish_count++;
}

#define AT(member) offsetof(struct usage_options, member), 0

static const struct option_row option_rows[] = {
	{ OPTION_FROM, "read FILE, '-' for standard input, instead of the running cluster; repeat "
	  "it for a tree and its usage", option_from, AT(request.files) },
	{ OPTION_FORMAT, "read the tree as this format", option_format, AT(request.files.format) },
	{ OPTION_SCOPE, "show the usage in this scope of the cluster, or of the files",
	  option_text, AT(request.scope) },
	{ OPTION_ALL, "show all users; default: only you, but all users of a file",
	  option_flag, AT(all) },
	{ OPTION_ACCOUNT, "show only these accounts and their users", option_names, AT(accounts) },
	{ OPTION_USER, "show only these users, by name or number, and all accounts", option_users,
	  AT(users) },
	{ 0, "assign", "WHO=SECONDS", "set the usage of WHO: an account with all its members, a "
	  "user, ACCOUNT/USER, ACCOUNT/, or all", set_wish, 0, USAGE_ASSIGN },
	{ 0, "scale", "WHO=FACTOR", "multiply the usage of WHO", set_wish, 0, USAGE_SCALE },
	{ 0, "reset", NULL, "set the usage of each WHO, or of all, to 0; before other changes",
	  option_flag, AT(reset) },
	{ OPTION_NO_HEADER, option_flag, AT(no_header) },
	{ OPTION_PARSABLE, "print a '|' between columns", option_flag, AT(parsable) },
	{ OPTION_JSON, "print all usage, unrounded, as JSON for ImportUsage", option_flag,
	  AT(json) },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom usage [OPTION]...\n"
		 "       fathom usage [--assign WHO=SECONDS] [--scale WHO=FACTOR]\n"
		 "                    [--reset [WHO]...] [OPTION]...\n"
		 "Show the usage of accounts and users, and what of it is an account's own; or\n"
		 "change it, on the host of slurmctld, in the next pass of priority/fathom.\n\n",
	ANY_OPERANDS("OWNER", struct usage_options, reset_owner),
};

/* Returns whether options change usage. */
static bool has_changes(const struct usage_options *options)
{
	return options->reset || options->wish_count;
}

/* Refuses options that do not go together. */
static void check_options(const struct usage_options *options)
{
	const struct input_names *files = &options->request.files;
	/* an option that chooses what is shown of the cluster; NULL: none is given */
	const char *shows = options->json		? "json"
			    : options->accounts		? "account"
			    : options->users		? "user"
			    : options->request.scope	? "scope" : NULL;

	if (*options->reset_owner && !options->reset)
		refuse("%s: not expected without --reset; see fathom usage --help",
		       *options->reset_owner);
	if (files->format && !files->from_count)
		refuse("--format: needs --from");
	if (options->json && (options->accounts || options->users))
		refuse("--%s: cannot be used with --json, which prints all", options->accounts ?
		       "account" : "user");
	if (has_changes(options) && !files->from_count && shows)
		refuse("--%s: cannot be used with changes of the running cluster", shows);
}

/* ---- changes ----------------------------------------------------- */

/* Returns the changes, and sets *count: those of --reset first, then the others in the order of the
 * options. names: the tree in which owners are found; unknown ones are refused. */
static struct usage_change *find_changes(const struct usage_options *options,
					 const struct owner_names *names, size_t *count)
{
	static const char *const all[] = { OWNER_ALL, NULL };
	const char *const *who = *options->reset_owner ? options->reset_owner : all;
	struct usage_change *change = NULL;

	*count = 0;
	for (; options->reset && *who; who++)
		NEED_ADD(change, *count, (struct usage_change){
			.action = USAGE_RESET, .owner = usage_owner_find(names, "reset", *who) });
	for (size_t i = 0; i < options->wish_count; i++) {
		const struct wish *wish = &options->wish[i];

		NEED_ADD(change, *count, (struct usage_change){
			.action = wish->action, .value = wish->value,
			.owner = usage_owner_find(names, wish->option, wish->who) });
	}
	return change;
}

/* ---- files ------------------------------------------------------- */

/* The changes below do to a file's tree what the plugin does to the cluster's, in usage_edits.c. */

/* Sets a node's own usage to `seconds`, and multiplies by `factor` the decayed sums that policies
 * keep beside usage. */
static void change_node(struct fathom_tree *tree, size_t node, double seconds, double factor)
{
	static const enum fathom_resource sums[] = { FATHOM_CPU_TIME, FATHOM_HIST_RUN_TIME };

	fathom_tree_set_own_usage(tree, node, seconds);
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		double sum = fathom_tree_own_resource(tree, node, sums[i]);

		if (sum > 0)	/* else the tree may lack the resource, which a 0 would give it */
			need_done(fathom_tree_set_own_resource(tree, node, sums[i], sum * factor,
							       NULL));
	}
}

/* Sets the usage of the marked nodes together to `seconds`, of which each node gets the part that
 * it has had. If they have none that a number could multiply, the node `first` gets all seconds.
 * is_marked: by node. */
static void share_out(struct fathom_tree *tree, const bool *is_marked, size_t first, double seconds)
{
	double before = owner_nodes_usage(tree, is_marked), factor = seconds / before;

	if (!isfinite(factor))
		fathom_tree_set_own_usage(tree, first, seconds);
	for (size_t node = 0; isfinite(factor) && node < fathom_tree_count(tree); node++) {
		double own = fathom_tree_own_usage(tree, node);

		/* a node that has all usage gets the seconds without rounding */
		if (is_marked[node])
			change_node(tree, node, own == before ? seconds : own * factor, factor);
	}
}

/* Multiplies the usage of the marked nodes. */
static void scale(struct fathom_tree *tree, const bool *is_marked, double factor)
{
	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if (is_marked[node])
			change_node(tree, node, fathom_tree_own_usage(tree, node) * factor, factor);
}

/* Makes the changes of the options in a file's tree. */
static void change_tree(const struct usage_options *options, const struct owner_names *names)
{
	struct fathom_tree *tree = names->snapshot->tree;
	bool *is_marked = need_zeros(fathom_tree_count(tree), sizeof(*is_marked));
	size_t count;
	const struct usage_change *change = find_changes(options, names, &count);

	for (size_t i = 0; i < count; i++) {
		const struct usage_owner *owner = &change[i].owner;
		size_t first = owner_nodes_mark(tree, names->snapshot,
						usage_owner_account(names, owner->account),
						owner->user, owner->partition, is_marked);

		/* USAGE_RESET has the value 0, so that it is a factor */
		if (change[i].action == USAGE_ASSIGN)
			share_out(tree, is_marked, first, change[i].value);
		else
			scale(tree, is_marked, change[i].value);
	}
	fathom_tree_settle(tree);
}

/* ---- showing ----------------------------------------------------- */

/* Prints the usage as JSON, for document_try(). */
static void write_json(void *snapshot)
{
	format_fathom_usage.write(stdout, snapshot);
}

/* Prints the usage of a tree as a table or as JSON. live: NULL: the tree is from a file, or that of
 * a scope. scope: NULL: it is not that of a scope. source: where it comes from, for messages. */
static void print_tree(const struct usage_options *options, const struct snapshot *snapshot,
		       const struct live *live, const struct scope_head *scope, const char *source)
{
	struct evaluated_tree tree = { .snapshot = snapshot };	/* usage needs no evaluation */
	const struct comparison one = { .tree = &tree, .count = 1 };
	const struct filter filter = {
		.accounts = options->accounts,
		.users = shown_users(options->users, options->is_caller, scope),
	};
	struct shown_tree shown;
	struct table table;
	struct failure failure;

	if (options->json) {
		if (document_try(write_json, (void *)snapshot, &failure))
			refuse("--json: %s", failure.error.text);
		return;
	}
	shown_tree_create(&shown, &one, live, &filter);
	shown_tree_check_names(&shown, FILTER_ACCOUNT, options->accounts, source);
	if (!options->is_caller)
		shown_tree_check_names(&shown, FILTER_USER, options->users, source);
	table = (struct table){ .context = &shown, .row_count = shown.count,
				.depth = shown.depth, .is_bold = association_is_account,
				.has_header = !options->no_header };
	association_columns_of_usage(&table);
	print_either(&table, options->parsable);
}

/* Makes the changes of the options in the tree of files, and prints it, without usage of other
 * clusters: a tree_shower. context: the options. */
static void show_tree(void *context, const struct tree_source *source)
{
	const struct usage_options *options = context;
	const struct owner_names names = { .source = source->name, .snapshot = source->snapshot };

	if (source->global && source->global->usage.count)
		recorded_give_usage(source->snapshot->tree, source->global->usage.own);
	if (has_changes(options))
		change_tree(options, &names);
	print_tree(options, source->snapshot, source->live, source->shown_scope, source->name);
}

/* ---- the running cluster ----------------------------------------- */

/* Returns who runs the command: "root", or with sudo "root for ann". */
static char *requester(void)
{
	const struct passwd *user = getpwuid(getuid());
	const char *caller = getenv("SUDO_USER");

	if (!user)
		return need_print("uid %ld", (long)getuid());
	return caller && *caller ? need_print("%s for %.64s", user->pw_name, caller)
				 : need_text(user->pw_name);
}

/* Requests changes from the plugin: writes the file that the plugin looks for. place: that of the
 * file, see live_request_begin(). */
static void post_all(const struct live_request *place, struct usage_change *change, size_t count)
{
	char host[256] = "", id[17];
	struct usage_request request = { .id = id, .by = requester(), .host = host,
					 .time = time(NULL), .change = change, .count = count };
	struct fathom_error error;
	sigset_t before;
	uint64_t number;
	int failed;

	gethostname(host, sizeof(host) - 1);
	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		refuse("no random numbers");
	snprintf(id, sizeof(id), "%016llx", (unsigned long long)number);
	out_hold_signals(&before);
	failed = live_request_post(place, &request, &error);
	out_release_signals(&before);
	if (failed)
		refuse("%s", error.text);
}

/* Says what was requested. period: seconds until slurmctld's next pass, at most. */
static void say_changes(const struct usage_change *change, size_t count, double period)
{
	char owner[512];

	for (size_t i = 0; i < count; i++) {
		usage_owner_text(&change[i].owner, owner, sizeof(owner));
		print_behind("usage of ", owner);
		if (change[i].action == USAGE_ASSIGN)
			printf(": will be %.15g\n", change[i].value);
		else if (change[i].action == USAGE_SCALE)
			printf(": will be multiplied by %.15g\n", change[i].value);
		else
			printf(": will be 0\n");
	}
	printf("slurmctld does and logs this in its next pass, in at most %g s\n", period);
}

/* Prints the usage of the running cluster, or requests changes of it. */
static void use_live(struct usage_options *options)
{
	struct usage_change *change;
	struct owner_names names;
	struct live_request place;
	const struct live *live;
	struct failure failure;
	size_t count;

	need_libslurm("--from");
	/* before the tree is read, as this fails on a host without slurmctld, or for a user who
	 * may not request changes */
	if (has_changes(options) && document_try(live_request_begin, &place, &failure))
		refuse("--%s: %s", options->reset ? "reset" : options->wish->option,
		       failure.error.text);
	live = live_read_local();
	if (has_changes(options)) {
		names = (struct owner_names){ .source = live->cluster, .snapshot = &live->snapshot,
					      .is_hidden = live->placeholder };
		change = find_changes(options, &names, &count);
		output_check_path();
		post_all(&place, change, count);
		complain_of_done("; the changes are requested all the same; do not repeat the "
				 "command");
		say_changes(change, count, place.period);
		return;
	}
	/* without -a and -u, of users only the caller is shown, as by fathom shares */
	if (!options->all && !options->users && !options->json) {
		options->is_caller = true;
		caller_choose(&options->users);
	}
	if (options->json && !live->whole)
		remark("PrivateData hides a part of the tree: the usage is not all of %s",
		       live->cluster);
	if (options->request.scope)
		tree_request_show_live(&options->request, live);
	else
		print_tree(options, &live->snapshot, live, NULL, live->cluster);
}

static int run(int argc, char **argv)
{
	struct usage_options options = { .request = { .show = show_tree, .context = &options,
						      .usage_only = true } };

	options_parse(argc, argv, &option_table, &options);
	check_options(&options);
	candidates_create(&options.request.how.candidates, NULL, MOST_COLUMNS_COMPARED);
	if (options.request.files.from_count)
		tree_request_read_files(&options.request);
	else
		use_live(&options);
	return EXIT_DONE;
}

const struct command command_usage = {
	.name = "usage",
	.summary = "show the usage of accounts and users, or change it",
	.options = &option_table,
	.run = run,
};
