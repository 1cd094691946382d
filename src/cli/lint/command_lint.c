/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom lint: tells which lines of slurm.conf and fathom.conf, and which parts of the tree, are
 * wrong, have no effect, or surprise. src/lint checks; this file reads and prints. */
#include "cli/command.h"
#include "cli/option_values.h"
#include "cli/print_text.h"
#include "core/plural.h"
#include "json/json.h"
#include "lint/lint_input.h"
#include "live/live.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_FROM 4
#define INDENT 4	/* columns before the lines of a finding behind its first one */
#define JSON_LINT_FORMAT "fathom-lint"
#define JSON_LIST_FORMAT JSON_LINT_FORMAT "-checks"	/* of --list, which has no findings */
#define JSON_LINT_VERSION 1
#define SARIF_SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

struct lint_options {
	const char *slurm_conf, *fathom_conf;	/* NULL: not given */
	struct input_names from;
	bool json, sarif, list;
};

#define AT(member) offsetof(struct lint_options, member), 0

static const struct option_row option_rows[] = {
	{ 0, "slurm-conf", "FILE",
	  "check this slurm.conf and the files that it includes, and the "
	  "fathom.conf beside it", option_text, AT(slurm_conf) },
	{ 0, "fathom-conf", "FILE", "check this fathom.conf", option_text, AT(fathom_conf) },
	{ OPTION_FROM,
	  "check the tree of FILE; or measure at its jobs how much each weight counts; or read "
	  "default accounts from it, as sacctmgr -P show user prints them; may be repeated",
	  option_from, offsetof(struct lint_options, from), MOST_FROM },
	{ OPTION_JSON, "print JSON", option_flag, AT(json) },
	{ 0, "sarif", NULL, "print SARIF 2.1.0, for code hosts and editors", option_flag,
	  AT(sarif) },
	{ 0, "list", NULL, "print all checks with their reasons", option_flag, AT(list) },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage =
		"Usage: fathom lint [OPTION]...\n"
		"Check slurm.conf, fathom.conf and the tree of associations: those of the running\n"
		"cluster, or the files that are given. Report mistakes, settings without effect,\n"
		"and settings that often surprise.\n"
		"Exit status: 0 no error, 1 there are errors, 2 wrong use or bad input.\n\n",
};

/* ---- for people --------------------------------------------------------------------- */

/* Prints an indented paragraph, such as "    Fix: ...". */
static void print_indented(const char *label, const char *text)
{
	int column = printf("%*s%s", INDENT, "", label);

	print_wrapped(text, (size_t)column, INDENT);
}

/* Prints "slurm.conf:7: warning: ... [code]", the reason, and what to do. A finding without a file
 * is about the cluster. */
static void print_finding(const struct lint_finding *finding)
{
	const char *file = finding->file ? finding->file : "cluster";
	char line[16] = "", text[512 + LINT_TEXT_SIZE + 128];

	if (finding->line)
		snprintf(line, sizeof(line), ":%u", finding->line);
	snprintf(text, sizeof(text), "%.400s%s: %s: %s [%s]", file, line,
		 lint_severity_name(finding->row->severity), finding->text, finding->row->code);
	print_wrapped(text, 0, INDENT);
	print_indented("", finding->row->why);
	print_indented("Fix: ", finding->fix);
}

/* Prints all findings, and how many there are of each severity. */
static void print_lint_text(const struct lint_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		print_finding(&findings->finding[i]);
	for (size_t i = 0; i < LINT_SEVERITY_COUNT; i++)
		printf("%zu %s%s%s", findings->of[i], lint_severity_name((enum lint_severity)i),
		       PLURAL(findings->of[i]), i + 1 < LINT_SEVERITY_COUNT ? ", " : "; ");
	printf("%zu of %zu checks were made\n", findings->checks, lint_row_count());
}

/* Prints all checks for --list. */
static void print_lint_list(void)
{
	for (size_t i = 0; i < lint_row_count(); i++) {
		const struct lint_row *row = lint_row_at(i);

		printf("%s (%s)\n", row->code, lint_severity_name(row->severity));
		print_indented("Finds: ", row->title);
		print_indented("Why: ", row->why);
		print_indented("Fix: ", row->fix);
	}
}

/* ---- JSON --------------------------------------------------------------------------- */

/* Writes a finding as an object; keys that it has no value for are null. */
static void put_finding(const struct lint_finding *finding)
{
	char text[2 * LINT_TEXT_SIZE];

	snprintf(text, sizeof(text), "%s. %s", finding->text, finding->row->why);
	json_print(stdout, "{\"code\": %s, \"severity\": %s, \"file\": %s, \"line\": %g",
		   finding->row->code, lint_severity_name(finding->row->severity), finding->file,
		   finding->line ? (double)finding->line : (double)NAN);
	json_print(stdout, ", \"key\": %s, \"text\": %s, \"fix\": %s}",
		   *finding->key ? finding->key : NULL, text, finding->fix);
}

/* Prints all findings as JSON; fathom-lint(1) describes the keys. */
static void print_lint_json(const struct lint_findings *findings)
{
	json_begin(stdout, JSON_LINT_FORMAT, JSON_LINT_VERSION);
	json_put(stdout, ",\n \"findings\": [");
	for (size_t i = 0; i < findings->count; i++) {
		json_put(stdout, i ? ",\n  " : "\n  ");
		put_finding(&findings->finding[i]);
	}
	json_put(stdout, "]}\n");
}

/* Prints all checks for --list as JSON. */
static void print_lint_list_json(void)
{
	json_begin(stdout, JSON_LIST_FORMAT, JSON_LINT_VERSION);
	json_put(stdout, ",\n \"checks\": [");
	for (size_t i = 0; i < lint_row_count(); i++) {
		const struct lint_row *row = lint_row_at(i);

		json_put(stdout, i ? ",\n  " : "\n  ");
		json_print(stdout, "{\"code\": %s, \"severity\": %s, \"finds\": %s, \"why\": %s, "
			   "\"fix\": %s}", row->code, lint_severity_name(row->severity),
			   row->title, row->why, row->fix);
	}
	json_put(stdout, "]}\n");
}

/* ---- SARIF -------------------------------------------------------------------------- */

/* Writes a check as a reportingDescriptor. */
static void put_rule(const struct lint_row *row)
{
	json_print(stdout, "{\"id\": %s, \"shortDescription\": {\"text\": %s}, "
		   "\"fullDescription\": {\"text\": %s}, \"help\": {\"text\": %s}, "
		   "\"defaultConfiguration\": {\"level\": %s}}", row->code, row->title, row->why,
		   row->fix, lint_severity_name(row->severity));
}

/* Writes a path as a URI: "file:///etc/slurm.conf", or "etc/slurm.conf" for a relative path. Bytes
 * that a URI must not have become %XX. */
static void put_uri(const char *path)
{
	char uri[3 * 4096 + 8];		/* "file://", and PATH_MAX bytes of 3 characters each */
	size_t length = *path == '/' ? (size_t)snprintf(uri, sizeof(uri), "file://") : 0;

	for (; *path && length + 4 < sizeof(uri); path++) {
		if (isalnum((unsigned char)*path) || strchr("-._~/", *path))
			uri[length++] = *path;
		else
			length += (size_t)snprintf(uri + length, sizeof(uri) - length, "%%%02X",
						   (unsigned)(unsigned char)*path);
	}
	uri[length] = '\0';
	json_put_string(stdout, uri);
}

/* Writes the file and line of a finding, which has a file, as the member "locations". */
static void put_location(const struct lint_finding *finding)
{
	json_put(stdout, ",\n    \"locations\": [{\"physicalLocation\": "
		 "{\"artifactLocation\": {\"uri\": ");
	put_uri(finding->file);
	json_put(stdout, "}");
	if (finding->line)
		json_print(stdout, ", \"region\": {\"startLine\": %zu}", (size_t)finding->line);
	json_put(stdout, "}}]");
}

/* Returns the index of a row among all checks. */
static size_t index_of(const struct lint_row *row)
{
	size_t i = 0;

	while (lint_row_at(i) != row)
		i++;
	return i;
}

/* Writes a finding as a result. */
static void put_result(const struct lint_finding *finding)
{
	char text[3 * LINT_TEXT_SIZE];

	snprintf(text, sizeof(text), "%s. %s Fix: %s.", finding->text, finding->row->why,
		 finding->fix);
	json_print(stdout, "{\"ruleId\": %s, \"ruleIndex\": %zu, \"level\": %s, "
		   "\"message\": {\"text\": %s}", finding->row->code, index_of(finding->row),
		   lint_severity_name(finding->row->severity), text);
	if (finding->file)
		put_location(finding);
	json_put(stdout, "}");
}

/* Prints findings in the form that code hosts show beside a file. Source: OASIS, "Static Analysis
 * Results Interchange Format (SARIF) Version 2.1.0". */
static void print_lint_sarif(const struct lint_findings *findings)
{
	json_print(stdout,
		   "{\"$schema\": \"" SARIF_SCHEMA "\", \"version\": \"2.1.0\",\n"
		   " \"runs\": [{\"tool\": {\"driver\": {\"name\": \"fathom lint\", \"version\": %s"
		   ",\n  \"rules\": [", fathom_version());
	for (size_t i = 0; i < lint_row_count(); i++) {
		json_put(stdout, i ? ",\n   " : "\n   ");
		put_rule(lint_row_at(i));
	}
	json_put(stdout, "]}},\n  \"results\": [");
	for (size_t i = 0; i < findings->count; i++) {
		json_put(stdout, i ? ",\n   " : "\n   ");
		put_result(&findings->finding[i]);
	}
	json_put(stdout, "]}]}\n");
}

/* ---- input -------------------------------------------------------------------------- */

/* Reads the running cluster; a part that cannot be read is a remark. */
static void read_cluster(struct lint_input *input)
{
	const char *warning;

	need_libslurm("--slurm-conf");
	warning = live_lint_read(input);
	if (warning)
		remark("%s", warning);
}

/* Reads the files that options name. */
static void read_files(const struct lint_options *options, struct lint_input *input)
{
	const struct lint_names names = {
		.slurm = options->slurm_conf, .fathom = options->fathom_conf,
		.from = options->from.from, .from_count = options->from.from_count,
		.plugin_dir = options->slurm_conf && HAS_LIBSLURM ? live_local_plugin_dir() : NULL,
	};

	lint_input_read(input, &names);
}

static int run(int argc, char **argv)
{
	struct lint_options options = { 0 };
	struct lint_input *input = need_object(sizeof(*input));
	struct lint_findings findings;

	options_parse(argc, argv, &option_table, &options);
	if (options.json && options.sarif)
		refuse("--json: cannot be used with --sarif");
	if (options.list && options.sarif)
		refuse("--list: cannot be used with --sarif, which has all checks as rules");
	if (options.list) {
		(options.json ? print_lint_list_json : print_lint_list)();
		return EXIT_DONE;
	}
	if (options.slurm_conf || options.fathom_conf || options.from.from_count)
		read_files(&options, input);
	else
		read_cluster(input);
	findings = lint_run(&input->site);
	(options.sarif ? print_lint_sarif : options.json ? print_lint_json
							 : print_lint_text)(&findings);
	return findings.of[LINT_ERROR] ? EXIT_NO : EXIT_DONE;
}

const struct command command_lint = {
	.name = "lint",
	.summary = "check slurm.conf, fathom.conf and the tree for mistakes",
	.options = &option_table,
	.run = run,
};
