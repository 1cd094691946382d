/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Three forms of the same findings, and the list of checks. */
#include "cli/lint/print_lint.h"

#include "cli/print_text.h"
#include "core/plural.h"
#include "json/json.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define INDENT 4
#define JSON_LINT_FORMAT "fathom-lint"
#define JSON_LINT_VERSION 1
#define SARIF_SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* ---- for people --------------------------------------------------------------------- */

static void print_indented(const char *label, const char *text)
{
	int at = printf("%*s%s", INDENT, "", label);

	print_wrapped(text, (size_t)at, INDENT);
}

/* Writes "FILE:LINE: "; what is about no file is about the cluster. */
static void place_text(const struct lint_finding *finding, char *text, size_t size)
{
	if (finding->line)
		snprintf(text, size, "%.400s:%u", finding->file ? finding->file : "cluster",
			 finding->line);
	else
		snprintf(text, size, "%.400s", finding->file ? finding->file : "cluster");
}

static void print_finding(const struct lint_finding *finding)
{
	char place[512], text[sizeof(place) + LINT_TEXT_SIZE + 128];

	place_text(finding, place, sizeof(place));
	snprintf(text, sizeof(text), "%s: %s: %s [%s]", place,
		 lint_severity_name(finding->row->severity), finding->text, finding->row->code);
	print_wrapped(text, 0, INDENT);
	print_indented("", finding->row->why);
	print_indented("Fix: ", finding->fix);
}

static void print_count(size_t count, const char *what, const char *after)
{
	printf("%zu %s%s%s", count, what, PLURAL(count), after);
}

void print_lint_text(const struct lint_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		print_finding(&findings->finding[i]);
	for (size_t i = 0; i < LINT_SEVERITY_COUNT; i++)
		print_count(findings->of[i], lint_severity_name((enum lint_severity)i),
			    i + 1 < LINT_SEVERITY_COUNT ? ", " : "; ");
	printf("%zu of %zu checks were made\n", findings->checks, lint_row_count());
}

void print_lint_list(void)
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

void print_lint_json(const struct lint_findings *findings)
{
	json_begin(stdout, JSON_LINT_FORMAT, JSON_LINT_VERSION);
	json_put(stdout, ",\n \"findings\": [");
	for (size_t i = 0; i < findings->count; i++) {
		json_put(stdout, i ? ",\n  " : "\n  ");
		put_finding(&findings->finding[i]);
	}
	json_put(stdout, "]}\n");
}

/* ---- SARIF -------------------------------------------------------------------------- */

static void put_rule(const struct lint_row *row)
{
	json_print(stdout, "{\"id\": %s, \"shortDescription\": {\"text\": %s}, "
		   "\"fullDescription\": {\"text\": %s}, \"help\": {\"text\": %s}, "
		   "\"defaultConfiguration\": {\"level\": %s}}", row->code, row->title, row->why,
		   row->fix, lint_severity_name(row->severity));
}

/* Writes a path as a URI; what is not allowed there becomes %XX. */
static void put_uri(const char *path)
{
	char uri[3 * 4096 + 8];
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

static size_t index_of(const struct lint_row *row)
{
	size_t i = 0;

	while (lint_row_at(i) != row)
		i++;
	return i;
}

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

void print_lint_sarif(const struct lint_findings *findings)
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
