/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom report: a page of HTML from what other commands print with --json. */
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "format/format.h"
#include "report/report.h"
#include "report/report_documents.h"

#define MOST_FILES 16

struct report_options {
	const char *file[MOST_FILES];	/* NULL after the last */
	const char *title;
};

#define AT(member) offsetof(struct report_options, member), 0

static const struct option_row option_rows[] = {
	{ 0, "title", "TEXT", "the title of the page; default: fathom report", option_text,
	  AT(title) },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	.rows = option_rows,
	.count = sizeof(option_rows) / sizeof(*option_rows),
	.usage = "Usage: fathom report [OPTION]... FILE...\n"
		 "Make a page of HTML from JSON files of fathom shares --json and fathom replay\n"
		 "--json; '-' is standard input. The page needs no network and no other file.\n\n",
	.most_operands = MOST_FILES,
	.operand = "FILE",
	.operand_offset = offsetof(struct report_options, file),
};

/* Adds the document of a file to the list. */
static int add_file(json_t *documents, const char *name)
{
	struct input input;
	struct fathom_error error;
	json_t *document = NULL;
	int status = 0;

	if (input_load(&input, name, &error))
		status = complain_of_input(&input, &error);
	else
		document = report_document_read(input.text, input.length, &error);
	if (!status && !document) {
		input.line = error.row == FATHOM_NO_ROW ? 0 : error.row;
		status = complain_of_input(&input, &error);
	}
	input_clear(&input);
	if (document && json_array_append_new(documents, document))
		status = complain("%s: out of memory", name);
	return status;
}

static int write_report(const struct report_options *options, json_t *documents)
{
	struct fathom_error error;
	int status = 0;

	for (size_t i = 0; !status && i < MOST_FILES && options->file[i]; i++)
		status = add_file(documents, options->file[i]);
	if (!status && report_write(stdout, options->title ? options->title : "fathom report",
				    documents, &error))
		status = complain("%s", error.text);
	return status;
}

static int run(int argc, char **argv)
{
	struct report_options options = { 0 };
	int status = options_parse(argc, argv, &option_table, &options);
	char list[128];
	json_t *documents;

	if (status)
		return status == DONE ? EXIT_DONE : status;
	if (!options.file[0])
		return complain("report: needs a file: %s in JSON, as of 'fathom shares -a --json'",
				report_document_list(list, sizeof(list)));
	documents = json_array();
	status = documents ? write_report(&options, documents) : complain("out of memory");
	json_decref(documents);
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "make an HTML page of shares, comparisons and replays",
	.options = &option_table,
	.run = run,
};
