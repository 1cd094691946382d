/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom status: shows a MetricsFile to people. */
#include "config.h"

#include "cli/command.h"
#include "cli/complain.h"
#include "cli/option_values.h"
#include "cli/print_table.h"
#include "cli/shared_options.h"
#include "format/metrics.h"
#include "json/json.h"
#include "live/live_paths.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define JSON_METRICS_FORMAT "fathom-metrics"
#define JSON_METRICS_VERSION 1
#define PASSES_LATE 2		/* periods, and */
#define SECONDS_LATE 60		/* seconds, after which a file is old */

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

/* ---- figures ---------------------------------------------------------------------- */

struct figure;

/* A sample that is shown. */
struct shown_sample {
	const struct metric_sample *sample;
	const struct figure *figure;
};

/* Metrics with their headings. */
struct figure {
	const char *metric, *heading;
	struct value (*get)(const struct shown_sample *shown, char *buffer);
	const char *label;	/* that the value is; NULL: it is a number */
	bool only_all;		/* shown with --all alone */
};

static struct value as_label(const struct shown_sample *shown, char *buffer)
{
	const char *value = metric_label_value(shown->sample, shown->figure->label);

	(void)buffer;
	return value ? value_of_text(value) : value_none();
}

static struct value as_number(const struct shown_sample *shown, char *buffer)
{
	(void)buffer;
	return value_of_short(shown->sample->value, 15);
}

static struct value as_yes(const struct shown_sample *shown, char *buffer)
{
	(void)buffer;
	return value_of_text(shown->sample->value > 0 ? "yes" : "no");
}

/* Returns the text of a duration in the greatest unit that divides it. */
static struct value as_duration(const struct shown_sample *shown, char *buffer)
{
	static const struct { double seconds; const char *name; } units[] = {
		{ 86400, "d" }, { 3600, "h" }, { 60, "m" }, { 1, "s" },
	};
	double seconds = shown->sample->value;
	size_t i = 0;

	while (i + 1 < sizeof(units) / sizeof(*units) &&
	       (!(seconds > 0) || fmod(seconds, units[i].seconds) > 0))
		i++;
	snprintf(buffer, CELL_SIZE, "%.15g%s", seconds / units[i].seconds, units[i].name);
	return value_of_text(buffer);
}

static struct value as_milliseconds(const struct shown_sample *shown, char *buffer)
{
	snprintf(buffer, CELL_SIZE, "%.3f ms", shown->sample->value * 1e3);
	return value_of_text(buffer);
}

static struct value as_seconds(const struct shown_sample *shown, char *buffer)
{
	snprintf(buffer, CELL_SIZE, "%.3f s", shown->sample->value);
	return value_of_text(buffer);
}

static struct value as_time(const struct shown_sample *shown, char *buffer)
{
	time_t then = (time_t)shown->sample->value;
	struct tm local;
	size_t length = strftime(buffer, CELL_SIZE, "%Y-%m-%d %H:%M:%S",
				 localtime_r(&then, &local));

	snprintf(buffer + length, CELL_SIZE - length, ", %.0f s ago", difftime(time(NULL), then));
	return value_of_text(buffer);
}

#define LABEL(name) as_label, name
#define FOR_ALL NULL, true

static const struct figure figures[] = {
	{ "fathom_build_info", "Version", LABEL("version"), false },
	{ "fathom_policy_info", "Policy", LABEL("policy"), false },
	{ "fathom_setting_info", "Setting", LABEL("value"), true },
	{ "fathom_conf_in_force", "fathom.conf in force", as_yes, NULL, false },
	{ "fathom_half_life_seconds", "Half-life", as_duration, NULL, false },
	{ "fathom_calc_period_seconds", "Time between passes", as_duration, NULL, false },
	{ "fathom_passes_total", "Passes", as_number, NULL, false },
	{ "fathom_pass_timestamp_seconds", "Last pass", as_time, NULL, false },
	{ "fathom_pass_cpu_seconds_total", "CPU time of all passes", as_seconds, NULL, false },
	{ "fathom_rounds_skipped_total", "Rounds skipped", as_number, NULL, false },
	{ "fathom_saves_failed_total", "Saves failed", as_number, NULL, false },
	{ "fathom_state_timestamp_seconds", "State saved", as_time, NULL, false },
	{ "fathom_lock_hold_seconds", "Longest hold", as_milliseconds, NULL, false },
	{ "fathom_jobs", "Jobs in any state", as_number, NULL, false },
	{ "fathom_associations", "Associations", as_number, NULL, false },
	{ "fathom_partition_jobs", "Jobs", as_number, NULL, false },
	{ "fathom_account_shares", "Shares", as_number, FOR_ALL },
	{ "fathom_account_norm_shares_ratio", "Normalised shares", as_number, FOR_ALL },
	{ "fathom_account_usage_seconds", "Usage", as_number, FOR_ALL },
	{ "fathom_account_effective_usage_ratio", "Effective usage", as_number, FOR_ALL },
	{ "fathom_account_factor_ratio", "Factor", as_number, FOR_ALL },
	{ "fathom_user_shares", "Shares", as_number, FOR_ALL },
	{ "fathom_user_norm_shares_ratio", "Normalised shares", as_number, FOR_ALL },
	{ "fathom_user_usage_seconds", "Usage", as_number, FOR_ALL },
	{ "fathom_user_effective_usage_ratio", "Effective usage", as_number, FOR_ALL },
	{ "fathom_user_factor_ratio", "Factor", as_number, FOR_ALL },
	{ "fathom_user_rank", "Rank", as_number, FOR_ALL },
};

/* Those that a later release writes are shown under their own name. */
static const struct figure *find_figure(const char *metric)
{
	struct figure *other;

	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		if (!strcmp(figures[i].metric, metric))
			return &figures[i];
	other = need_object(sizeof(*other));
	*other = (struct figure){ metric, metric, as_number, NULL, true };
	return other;
}

/* ---- columns --------------------------------------------------------------------- */

static struct value heading(const struct cell *cell)
{
	const struct shown_sample *shown = cell->context;

	return value_of_text(shown[cell->row].figure->heading);
}

/* What the figure is of: all labels but its own, and but the path, whose end is the account. */
static struct value of_what(const struct cell *cell)
{
	const struct shown_sample *shown = cell->context;
	const struct metric_sample *sample = shown[cell->row].sample;
	const char *own = shown[cell->row].figure->label;
	size_t length = 0;

	*cell->buffer = '\0';
	for (size_t i = 0; i < sample->label_count && length < CELL_SIZE; i++) {
		const struct metric_label *label = &sample->label[i];

		if ((!own || strcmp(label->name, own)) && strcmp(label->name, "path"))
			length += (size_t)snprintf(cell->buffer + length, CELL_SIZE - length,
						   "%s%s", length ? " " : "", label->value);
	}
	return length ? value_of_text(cell->buffer) : value_none();
}

static struct value value_column(const struct cell *cell)
{
	const struct shown_sample *shown = cell->context;

	return shown[cell->row].figure->get(&shown[cell->row], cell->buffer);
}

static const struct column columns[] = {
	{ .name = "Figure", .kind = COLUMN_TEXT, .get = heading },
	{ .name = "Of", .kind = COLUMN_TEXT, .get = of_what, .shrinks = true },
	{ .name = "Value", .kind = COLUMN_TEXT, .get = value_column },
};

/* ---- output ---------------------------------------------------------------------- */

static void print_sample_json(const struct metric_sample *sample)
{
	json_print(stdout, "{\"name\": %s, \"labels\": {", sample->name);
	for (size_t i = 0; i < sample->label_count; i++) {
		json_put(stdout, i ? ", " : "");
		json_print(stdout, "%s: %s", sample->label[i].name, sample->label[i].value);
	}
	json_print(stdout, "}, \"value\": %g}", sample->value);
}

static void print_metrics_json(const struct metrics *metrics)
{
	json_begin(stdout, JSON_METRICS_FORMAT, JSON_METRICS_VERSION);
	json_put(stdout, ",\n \"metrics\": [");
	for (size_t i = 0; i < metrics->count; i++) {
		json_put(stdout, i ? ",\n  " : "\n  ");
		print_sample_json(&metrics->sample[i]);
	}
	json_put(stdout, "]}\n");
}

static void print_metrics(const struct metrics *metrics, const struct status_options *options)
{
	struct shown_sample *shown = need_zeros(metrics->count, sizeof(*shown));
	struct table table = { .context = shown, .has_header = !options->no_header };

	for (size_t i = 0; i < metrics->count; i++) {
		const struct figure *figure = find_figure(metrics->sample[i].name);

		if (options->all || !figure->only_all)
			shown[table.row_count++] =
				(struct shown_sample){ &metrics->sample[i], figure };
	}
	table_add_all(&table, columns, sizeof(columns) / sizeof(*columns));
	print_either(&table, options->parsable);
}

static void remark_if_old(const struct metrics *metrics, const char *name)
{
	const struct metric_sample *pass = metrics_find(metrics, "fathom_pass_timestamp_seconds");
	const struct metric_sample *period = metrics_find(metrics, "fathom_calc_period_seconds");
	double age = pass ? (double)time(NULL) - pass->value : 0;

	if (period && age > PASSES_LATE * period->value + SECONDS_LATE)
		remark("%s: written %.0f s ago; no pass has written it since", name, age);
}

#ifdef HAVE_LIBSLURM
static const char *live_name(void)
{
	return live_metrics_path();
}
#else
static const char *live_name(void)
{
	refuse_without_libslurm("--from");
}
#endif

static int run(int argc, char **argv)
{
	struct status_options options = { 0 };
	struct document input;
	struct metrics metrics;

	options_parse(argc, argv, &option_table, &options);
	document_open(&input, options.from ? options.from : live_name());
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
