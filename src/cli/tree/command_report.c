/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom report: a page of HTML. Documents that other commands print with --json are shown as they
 * are. A tree, of files or of the running cluster, is evaluated as fathom shares does it, and what
 * --json would print of it is shown.
 */
#include "config.h"

#include "cli/command.h"
#include "cli/command_snapshot.h"
#include "cli/option_values.h"
#include "cli/shown_tree.h"
#include "cli/tree/tree_request.h"
#include "document/json_reader.h"
#include "document/text.h"
#include "format/unknown_format.h"
#include "live/live.h"
#include "report/report.h"

#include <string.h>
#include <time.h>

struct report_options {
	const char *file[MOST_FILES];	/* the operands; NULL after the last */
	const char *title;	/* NULL: not given */
	struct tree_request request;	/* of --from, --policy and so on */
};

/* A page while it is made. */
struct report {
	const struct report_options *options;
	json_t *documents;	/* an array of what is shown */
	bool has_tree;		/* a tree was evaluated */
};

#define AT(member) offsetof(struct report_options, member), 0

static const struct option_row option_rows[] = {
	{ OPTION_FROM, "evaluate the tree of FILE, '-' for standard input; repeat it for files "
	  "that are read together, as by fathom shares", option_from, AT(request.files) },
	{ OPTION_FORMAT, "read trees as this format; default: it is recognised", option_format,
	  AT(request.files.format) },
	{ OPTION_POLICY, "evaluate trees under this policy, or several side by side; default: "
	  "that of the cluster, or " STANDARD_POLICY " for a file", option_policies,
	  AT(request.how.candidates.policies) },
	{ OPTION_SET, "change a setting of the policy; repeat it for other settings, or for "
	  "several values side by side", option_set, AT(request.how.candidates.sets) },
	{ OPTION_SCOPE, "show the tree of this scope of the cluster, with its own policy and "
	  "usage", option_text, AT(request.scope) },
	{ OPTION_SHADOW, option_flag, AT(request.how.with_shadow) },
	{ 0, "title", "TEXT", "the title of the page; default: fathom report", option_text,
	  AT(title) },
	COMMON_OPTIONS,
};

static void help_more(void)
{
	const bool of_jobs = false;

	help_policies();
	help_formats(of_jobs);
}

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom report [OPTION]... [FILE]...\n"
		 "Make a page of HTML from files: replays, days and comparisons, as fathom\n"
		 "replay, fathom history and fathom shares print them with --json, snapshots, and\n"
		 "trees of other formats; '-' is standard input. Without files, it shows the\n"
		 "running cluster. The page needs no network and no other file.\n\n",
	.help_more = help_more,
	OPERANDS(MOST_FILES, "FILE", struct report_options, file),
};

/* ---- trees ------------------------------------------------------------------------------- */

/* Adds a document to the page, which then owns it. name: of the file or cluster that it is from, of
 * which the page shows the last part; a name that is not UTF-8 is left out. scope: whose tree it
 * is, or NULL. */
static void add_document(struct report *report, const char *name, const struct scope_head *scope,
			 json_t *document)
{
	const char *folder_end = strrchr(name, '/');
	const char *last = folder_end ? folder_end + 1 : name;
	json_t *source = scope ? json_sprintf("%s, scope %s", last, scope->name)
			       : json_string(last);

	if (source)
		need_done(json_object_set_new(document, "source", source));
	need_done(json_array_append_new(report->documents, document));
}

/* Adds what fathom shares --json prints of a tree. A tree_shower; context: the struct report. */
static void add_tree(void *context, const struct tree_source *source)
{
	struct report *report = context;
	const struct filter all = { 0 };
	const struct comparison compared =
		tree_comparison_of(&report->options->request.how, source);
	struct document printed = { .name = source->name };
	FILE *json = need_made(open_memstream(&printed.text, &printed.length));
	struct shown_tree shown;

	report->has_tree = true;
	shown_tree_create(&shown, &compared, source->live, &all);
	shown.scope = source->shown_scope;
	print_shares_json(json, &shown);
	need_done(fclose(json));
	add_document(report, source->name, shown.scope, report_document_read(&printed));
}

/* ---- files ------------------------------------------------------------------------------- */

/* Returns whether a file is JSON that a command has printed and the page can show as it is. */
static bool is_printed(const struct document *input)
{
	for (size_t i = 0; report_document_name(NULL, i); i++)
		if (json_is_format(input, report_document_name(NULL, i)))
			return true;
	return false;
}

/* Adds the tree of an open file. If that is the snapshot of a cluster, and its main tree is shown,
 * adds the pending jobs to the document of the tree, which is the last one then. */
static void add_input_tree(struct report *report, struct document *input)
{
	const struct tree_request *request = &report->options->request;
	const struct format *format = tree_format_of(&request->files, input);
	json_t *document;
	struct jobs jobs;

	tree_request_read_input(request, input);
	if (!format_is_whole(format) || request->scope)
		return;
	format->read_jobs(input, &jobs);
	document = json_array_get(report->documents, json_array_size(report->documents) - 1);
	need_done(json_object_set_new(document, "pending", report_pending(&jobs)));
}

/* Adds an operand: JSON that a command has printed as it is, any other file as a tree. */
static void add_file(struct report *report, const char *name)
{
	struct document input;

	open_input(&input, name);
	if (is_printed(&input)) {
		document_load_rest(&input);
		add_document(report, input.name, NULL, report_document_read(&input));
	} else if (!tree_format_of(&report->options->request.files, &input)) {
		wrong_format(&input, "JSON of fathom replay or fathom history, or a tree; fathom "
				     "convert --list lists the formats, --format names one");
	} else {
		add_input_tree(report, &input);
	}
	document_clear(&input);
}

/* Adds the tree that the files of --from describe together. */
static void add_from(struct report *report)
{
	const struct tree_request *request = &report->options->request;
	struct document input;

	if (request->files.from_count != 1) {
		tree_request_read_files(request);
		return;
	}
	document_open(&input, request->files.from[0]);
	add_input_tree(report, &input);
	document_clear(&input);
}

/* Adds the files of --from and the operands. Refuses options that evaluate trees if none was
 * added. */
static void add_files(struct report *report)
{
	const struct report_options *options = report->options;

	if (options->request.files.from_count)
		add_from(report);
	for (size_t i = 0; i < MOST_FILES && options->file[i]; i++)
		add_file(report, options->file[i]);
	if (!report->has_tree && (candidates_given(&options->request.how.candidates) ||
				  options->request.scope || options->request.how.with_shadow))
		refuse("report: what other commands print is shown as it is; --policy, --set, "
		       "--scope and --shadow need a tree; --from FILE evaluates that of shares "
		       "--json");
}

/* ---- the page -------------------------------------------------------------------------------- */

/* Refuses options that do not go together. */
static void check_options(const struct report_options *options)
{
	const struct tree_request *request = &options->request;

	if (request->files.format && !request->files.from_count && !options->file[0])
		refuse("--format: needs a file");
	if (options->title && !piece_is_printable(piece_of(options->title)))
		refuse("--title: must be UTF-8 without control characters");
	if (request->how.with_shadow && request->scope)
		refuse("--shadow: cannot be used with --scope");
	if (request->how.with_shadow && candidates_given(&request->how.candidates))
		refuse("--shadow: compares the policies of the cluster; cannot be used with "
		       "--policy and --set");
}

static int run(int argc, char **argv)
{
	struct report report = { .documents = need_made(json_array()) };
	struct report_options options = { .request = { .show = add_tree, .context = &report } };
	char day[sizeof("2026-11-22")];
	struct report_head head = { .title = "fathom report", .version = PACKAGE_VERSION,
				    .day = day };
	time_t now = time(NULL);
	struct document input;
	struct tm utc;

	options_parse(argc, argv, &option_table, &options);
	check_options(&options);
	report.options = &options;
	candidates_create(&options.request.how.candidates, NULL, MOST_COLUMNS_COMPARED);
	if (options.request.files.from_count || options.file[0]) {
		add_files(&report);
	} else if (options.request.scope) {	/* jobs are those of all scopes */
		need_libslurm("--from");
		tree_request_show_live(&options.request, live_read_local());
	} else {
		input = take_snapshot_as_input();
		add_input_tree(&report, &input);
	}
	if (options.title)
		head.title = options.title;
	strftime(day, sizeof(day), "%F", gmtime_r(&now, &utc));
	report_write(stdout, &head, report.documents);
	return EXIT_DONE;
}

const struct command command_report = {
	.name = "report",
	.summary = "make an HTML page of shares, comparisons and replays",
	.options = &option_table,
	.run = run,
};
