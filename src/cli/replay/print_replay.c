/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/print_replay.h"

#include "cli/complain.h"
#include "cli/print_table.h"
#include "cli/print_text.h"

#include <math.h>
#include <stdio.h>

/* A column of numbers: a member of struct replay_figures. */
struct figure_column {
	const char *heading, *meaning;
	size_t offset;
	double factor;		/* by which the shown number is multiplied */
	int decimals;
	int hides;
};

#define FIGURE(member) offsetof(struct replay_figures, member)

static const struct figure_column figure_columns[] = {
	{ "MeanWait", "from submission to start, in seconds: the mean",
	  FIGURE(mean_wait), 1, 0, 0 },
	{ "Median", "half of the jobs wait no longer", FIGURE(median_wait), 1, 0, 4 },
	{ "P95", "95 % of the jobs wait no longer", FIGURE(p95_wait), 1, 0, 0 },
	{ "Longest", "no job waits longer", FIGURE(longest_wait), 1, 0, 3 },
	{ "Slowdown", "mean of (wait + run) / run; short runs count as 10 s",
	  FIGURE(mean_bounded_slowdown), 1, 2, 0 },
	{ "Util%", "CPU seconds of all jobs over those of the machine",
	  FIGURE(utilization), 100, 2, 0 },
	{ "Makespan", "from the first submission to the last end, in seconds",
	  FIGURE(makespan), 1, 0, 5 },
	{ "ShareErr", "how far usage is from shares: 0 not at all, 1 the opposite",
	  FIGURE(share_error), 1, 4, 0 },
	{ "Jain", "Jain's index of usage over shares: 1 is equal for all", FIGURE(jain), 1, 4, 2 },
	{ "Below%", "part of the time with jobs in which a user waits below the share",
	  FIGURE(below_share), 100, 1, 1 },
};
#define FIGURE_COUNT (sizeof(figure_columns) / sizeof(*figure_columns))

void print_replay_columns(void)
{
	for (size_t i = 0; i < FIGURE_COUNT; i++) {
		int at = printf("  %-10s", figure_columns[i].heading);

		print_wrapped(figure_columns[i].meaning, (size_t)at, (size_t)at);
	}
}

static const char *name_text(const void *context, const struct table_column *column, size_t row,
			     char *buffer)
{
	const struct replay_results *results = context;

	(void)column, (void)buffer;
	return results->summary[row].name;
}

static const char *job_count_text(const void *context, const struct table_column *column,
				  size_t row, char *buffer)
{
	const struct replay_results *results = context;

	(void)column;
	snprintf(buffer, CELL_SIZE, "%llu",
		 (unsigned long long)results->summary[row].figures.jobs);
	return buffer;
}

static const char *figure_text(const void *context, const struct table_column *column, size_t row,
			       char *buffer)
{
	const struct replay_results *results = context;
	const struct figure_column *of = column->of;
	const struct replay_figures *figures = &results->summary[row].figures;
	double value = *(const double *)((const char *)figures + of->offset);

	if (!isfinite(value))
		return "";
	snprintf(buffer, CELL_SIZE, "%.*f", of->decimals, value * of->factor);
	return buffer;
}

int print_replay(const struct replay_results *results, const struct replay_look *look)
{
	struct table table = {
		.column = { { .heading = "Policy", .text = name_text, .wraps = true },
			    { .heading = "Jobs", .text = job_count_text, .right = true } },
		.column_count = 2, .row_count = results->count, .context = results,
		.has_header = !look->no_header, .narrow = "--parsable prints them",
	};
	struct fathom_error error;

	for (size_t i = 0; i < FIGURE_COUNT; i++)
		table.column[table.column_count++] = (struct table_column){
			.heading = figure_columns[i].heading, .text = figure_text,
			.of = &figure_columns[i], .right = true, .missing = "-",
			.hides = figure_columns[i].hides,
		};
	if (look->parsable)
		print_separated(&table, "|", false);
	else if (print_table(&table, &error))
		return complain("%s", error.text);
	return 0;
}
