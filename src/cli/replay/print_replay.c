/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/print_replay.h"

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

static struct value name(const struct cell *cell)
{
	const struct replay_results *results = cell->context;

	return value_of_text(results->summary[cell->row].name);
}

static struct value job_count(const struct cell *cell)
{
	const struct replay_results *results = cell->context;

	return value_of_integer((int64_t)results->summary[cell->row].figures.jobs);
}

static struct value figure(const struct cell *cell)
{
	const struct replay_results *results = cell->context;
	const struct figure_column *of = &figure_columns[cell->column->detail];
	const char *figures = (const char *)&results->summary[cell->row].figures;
	double value = *(const double *)(figures + of->offset);

	return isfinite(value) ? value_of_real(value * of->factor, of->decimals) : value_none();
}

void print_replay(const struct replay_results *results, const struct replay_look *look)
{
	static const struct column columns[] = {
		{ .name = "Policy", .kind = COLUMN_TEXT, .get = name },
		{ .name = "Jobs", .get = job_count },
	};
	struct table table = { .row_count = results->count, .context = results,
			       .has_header = !look->no_header,
			       .narrow = "--parsable prints them" };

	table_add(&table, &columns[0])->wraps = true;
	table_add(&table, &columns[1]);
	for (size_t i = 0; i < FIGURE_COUNT; i++)
		table.column[table.column_count++] = (struct table_column){
			.heading = figure_columns[i].heading, .get = figure, .detail = i,
			.right = true, .missing = "-", .hides = figure_columns[i].hides,
		};
	print_either(&table, look->parsable);
}
