/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom status: shows a MetricsFile as a table or as JSON. */
#include "cli/command.h"
#include "cli/print_table.h"
#include "format/metrics.h"
#include "json/figures.h"
#include "json/json.h"
#include "live/live.h"
#include "relation/text_table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define JSON_STATUS_FORMAT "fathom-status"
#define JSON_STATUS_VERSION 1

struct status_options {
	const char *from;
	bool all, json, parsable, no_header;
};

/* ---- options ------------------------------------------------------------------ */

#define AT(member) offsetof(struct status_options, member), 0

static const struct option_row option_rows[] = {
	{ OPTION_FROM, "show the MetricsFile FILE, '-' for standard input, instead of that of the "
	  "running cluster", option_text, AT(from) },
	{ OPTION_ALL, "show settings, accounts and users, too", option_flag, AT(all) },
	{ OPTION_NO_HEADER, option_flag, AT(no_header) },
	{ OPTION_PARSABLE, "print a '|' between columns", option_flag, AT(parsable) },
	{ OPTION_JSON, "print JSON: all that the file has", option_flag, AT(json) },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom status [OPTION]...\n"
		 "Show what priority/fathom does: its policies, when the last pass was, how long\n"
		 "it held locks, what could not be saved, and the jobs of each partition, as the\n"
		 "last pass has written it to MetricsFile.\n\n",
};

/* ---- values, by the unit that a metric's name ends with ----------------------------- */

/* Functions that return what a table shows of a sample. */

/* The value of the last label: what metrics such as fathom_build_info{version="1.2"} 1 tell. */
static struct value as_last_label(const struct metric_sample *sample)
{
	return sample->label_count ? value_of_text(sample->label[sample->label_count - 1].value)
				   : value_none();
}

static struct value as_number(const struct metric_sample *sample)
{
	return value_of_short(sample->value, 15);
}

/* A time as a date in the local time zone, and how long ago it is. */
static struct value as_time(const struct metric_sample *sample)
{
	return value_of_text(need_print("%s, %.15g s ago",
					need_date(sample->value, "%Y-%m-%d %H:%M:%S"),
					(double)time(NULL) - trunc(sample->value)));
}

/* A duration, in milliseconds if it is below a second. */
static struct value as_seconds(const struct metric_sample *sample)
{
	bool is_short = sample->value > 0 && sample->value < 1;

	return value_of_text(is_short ? need_print("%.3g ms", sample->value * 1e3)
				      : need_print("%.15g s", sample->value));
}

/* The first unit that fits a name counts; the last one fits all. */
static const struct unit {
	const char *end;		/* of the name */
	const char *shown_end;		/* what the heading has in its place */
	struct value (*get)(const struct metric_sample *sample);
} units[] = {
	{ "_info", "", as_last_label },
	{ "_timestamp_seconds", " time", as_time },
	{ "_seconds_total", "", as_seconds },
	{ "_seconds", "", as_seconds },
	{ "_total", "", as_number },
	{ "_ratio", "", as_number },
	{ "", "", as_number },
};

/* Returns whether a text ends with `end`. */
static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && !strcmp(text + length - end_length, end);
}

/* Returns the unit with which the metric's name ends. */
static const struct unit *unit_of(const struct metric_sample *sample)
{
	const struct unit *unit = units;

	while (!ends_with(sample->name, unit->end))
		unit++;
	return unit;
}

/* ---- the table --------------------------------------------------------------------- */

/* Returns the name without its unit: "Rounds skipped" of fathom_rounds_skipped_total. */
static const char *heading_of(const struct metric_sample *sample)
{
	static const char own[] = "fathom_";
	const struct unit *unit = unit_of(sample);
	const char *name = sample->name;
	char *text;

	name += strncmp(name, own, strlen(own)) ? 0 : strlen(own);
	text = need_print("%.*s%s", (int)(strlen(name) - strlen(unit->end)), name,
			  unit->shown_end);
	for (char *blank = strchr(text, '_'); blank; blank = strchr(blank, '_'))
		*blank = ' ';
	*text = (char)toupper((unsigned char)*text);
	return text;
}

/* Returns what the figure is of: the values of all labels, but not of the one that as_last_label()
 * shows, nor of the path, which the account ends. */
static const char *owner_of(const struct metric_sample *sample)
{
	bool is_last_shown = unit_of(sample)->get == as_last_label;	/* as the value */
	const char *text = "";

	for (size_t i = 0; i + is_last_shown < sample->label_count; i++)
		if (strcmp(sample->label[i].name, "path"))
			text = need_print("%s%s%s", text, *text ? " " : "",
					  sample->label[i].value);
	return text;
}

/* Prints the table: settings, accounts and users only with --all. */
static void print_metrics(const struct metrics *metrics, const struct status_options *options)
{
	struct text_table table = { .count = 0 };

	text_table_add_column(&table, "Figure");
	text_table_add_column(&table, "Of")->shrinks = true;
	text_table_add_column(&table, "Value");
	for (size_t i = 0; i < metrics->count; i++) {
		const struct metric_sample *sample = &metrics->sample[i];

		if (!options->all && (metric_label_value(sample, "setting") ||
				      metric_label_value(sample, "account")))
			continue;
		text_table_put(&table, heading_of(sample));
		text_table_put(&table, owner_of(sample));
		text_table_put_value(&table, unit_of(sample)->get(sample));
	}
	text_table_finish(&table)->has_header = !options->no_header;
	print_either(&table.table, options->parsable);
}

/* ---- JSON ------------------------------------------------------------------------ */

/* Writes a sample as an object. */
static void print_sample_json(const struct metric_sample *sample)
{
	json_print(stdout, "{\"name\": %s, \"labels\": {", sample->name);
	for (size_t i = 0; i < sample->label_count; i++) {
		json_put(stdout, i ? ", " : "");
		json_print(stdout, "%s: %s", sample->label[i].name, sample->label[i].value);
	}
	json_print(stdout, "}, \"value\": %g}", sample->value);
}

/* Returns whether a sample has all these labels. wanted: up to one without a name. */
static bool has_labels(const struct metric_sample *sample, const struct metric_label *wanted)
{
	for (; wanted->name; wanted++) {
		const char *value = metric_label_value(sample, wanted->name);

		if (!value || strcmp(value, wanted->value))
			return false;
	}
	return true;
}

/* Returns the value of the sample with this name and these labels; NAN: there is none. */
static double figure(const struct metrics *metrics, const char *name,
		     const struct metric_label *wanted)
{
	for (size_t i = 0; i < metrics->count; i++)
		if (!strcmp(metrics->sample[i].name, name) &&
		    has_labels(&metrics->sample[i], wanted))
			return metrics->sample[i].value;
	return NAN;
}

/* For figure(): labels that the sample must have; SINGLE: of a metric that has a single sample. */
#define LABELS(...) ((const struct metric_label[]){ __VA_ARGS__, { NULL, NULL } })
#define SINGLE LABELS({ NULL, NULL })
/* The longest hold of a lock in `metrics`, in seconds; for print_pass_json(). */
#define HOLD(lock, mode) figure(metrics, "fathom_lock_hold_seconds", \
				LABELS({ "lock", lock }, { "mode", mode }))

/* Prints the policy in force and its settings; null if the file does not tell. */
static void print_policy_json(const struct metrics *metrics)
{
	const char *policy = NULL, *between = "";

	for (size_t i = 0; !policy && i < metrics->count; i++)
		if (has_labels(&metrics->sample[i], LABELS({ "role", "in_force" })))
			policy = metric_label_value(&metrics->sample[i], "policy");
	json_print(stdout, ",\n \"policy\": %s, \"settings\": {", policy);
	for (size_t i = 0; i < metrics->count; i++) {
		const char *setting = metric_label_value(&metrics->sample[i], "setting");

		if (!setting || !has_labels(&metrics->sample[i], LABELS({ "role", "in_force" })))
			continue;
		json_put(stdout, between);
		json_print(stdout, "%s: %s", setting,
			   metric_label_value(&metrics->sample[i], "value"));
		between = ", ";
	}
	json_put(stdout, "}");
}

/* Prints the time that a metric tells, in seconds since 1970, and the same as text; null if the
 * file lacks the metric. */
static void print_time_json(const struct metrics *metrics, const char *name)
{
	double time = figure(metrics, name, SINGLE);

	json_print(stdout, "\"time\": %g", time);
	json_put_instant_key(stdout, "time_iso", time);
}

/* Prints the figures of the last pass; null for those that the file lacks. */
static void print_pass_json(const struct metrics *metrics)
{
	json_put(stdout, ",\n \"pass\": {");
	print_time_json(metrics, "fathom_pass_timestamp_seconds");
	json_print(stdout, ", \"cpu_seconds\": %g, "
		   "\"wall_seconds\": %g,\n  \"longest\": {\"job_write\": %g, \"job_read\": %g, "
		   "\"assoc_write\": %g, \"assoc_read\": %g},\n  \"associations\": %g, "
		   "\"pending\": %g, \"running\": %g}",
		   figure(metrics, "fathom_last_pass_cpu_seconds", SINGLE),
		   figure(metrics, "fathom_last_pass_wall_seconds", SINGLE),
		   HOLD("job", "write"), HOLD("job", "read"), HOLD("assoc", "write"),
		   HOLD("assoc", "read"), figure(metrics, "fathom_associations", SINGLE),
		   figure(metrics, "fathom_state_jobs", LABELS({ "state", "pending" })),
		   figure(metrics, "fathom_state_jobs", LABELS({ "state", "running" })));
}

/* Prints the whole file as JSON; fathom-status(1) describes the keys. */
static void print_metrics_json(const struct metrics *metrics)
{
	json_begin(stdout, JSON_STATUS_FORMAT, JSON_STATUS_VERSION);
	print_policy_json(metrics);
	print_pass_json(metrics);
	json_put(stdout, ",\n \"state\": {");
	print_time_json(metrics, "fathom_state_timestamp_seconds");
	json_print(stdout, ", \"errors\": %g}",
		   figure(metrics, "fathom_saves_failed_total", SINGLE));
	json_put(stdout, ",\n \"metrics\": [");
	for (size_t i = 0; i < metrics->count; i++) {
		json_put(stdout, i ? ",\n  " : "\n  ");
		print_sample_json(&metrics->sample[i]);
	}
	json_put(stdout, "]}\n");
}

/* Warns if no pass has written the file for longer than passes take to come. name: of the file. */
static void remark_if_old(const struct metrics *metrics, const char *name)
{
	const struct metric_sample *pass = metrics_find(metrics, "fathom_pass_timestamp_seconds");
	const struct metric_sample *period = metrics_find(metrics, "fathom_calc_period_seconds");
	double age = pass ? (double)time(NULL) - pass->value : 0;

	if (period && json_figures_are_late(age, period->value))
		remark("%s: written %.0f s ago; no pass has written it since", name, age);
}

static int run(int argc, char **argv)
{
	struct status_options options = { 0 };
	struct document input;
	struct metrics metrics;

	options_parse(argc, argv, &option_table, &options);
	if (options.from) {
		document_open(&input, options.from);
	} else {
		need_libslurm("--from");
		document_open_regular(&input, live_metrics_path());
	}
	document_load_rest(&input);
	metrics = metrics_read(&input);
	remark_if_old(&metrics, input.name);
	if (options.json)
		print_metrics_json(&metrics);
	else
		print_metrics(&metrics, &options);
	return EXIT_DONE;
}

const struct command command_status = {
	.name = "status",
	.summary = "show passes, locks, saves and jobs, as the last pass wrote them",
	.options = &option_table,
	.run = run,
};
