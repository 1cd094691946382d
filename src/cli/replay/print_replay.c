/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/print_replay.h"

#include "cli/complain.h"
#include "cli/print_table.h"

#include <math.h>
#include <stdio.h>

/* A column of numbers: a member of struct replay_figures. */
struct figure_column {
	const char *heading;
	size_t offset;
	double factor;		/* by which the shown number is multiplied */
	int decimals;
	int hides;
};

#define FIGURE(member) offsetof(struct replay_figures, member)

static const struct figure_column figure_columns[] = {
	{ "MeanWait", FIGURE(mean_wait), 1, 0, 0 },
	{ "Median", FIGURE(median_wait), 1, 0, 4 },
	{ "P95", FIGURE(p95_wait), 1, 0, 0 },
	{ "Longest", FIGURE(longest_wait), 1, 0, 3 },
	{ "Slowdown", FIGURE(mean_bounded_slowdown), 1, 2, 0 },
	{ "Util%", FIGURE(utilization), 100, 2, 0 },
	{ "Makespan", FIGURE(makespan), 1, 0, 5 },
	{ "ShareErr", FIGURE(share_error), 1, 4, 0 },
	{ "Jain", FIGURE(jain), 1, 4, 2 },
	{ "Below%", FIGURE(below_share), 100, 1, 1 },
};
#define FIGURE_COUNT (sizeof(figure_columns) / sizeof(*figure_columns))

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
		.column = { { .heading = "Policy", .text = name_text },
			    { .heading = "Jobs", .text = job_count_text, .right = true } },
		.column_count = 2, .row_count = results->count, .context = results,
		.has_header = !look->no_header,
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
