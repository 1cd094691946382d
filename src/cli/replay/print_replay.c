/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the table of a replay: a row for each run. */
#include "cli/replay/replay_command.h"

#include "cli/print_table.h"
#include "cli/print_text.h"

#define FIGURE(member) offsetof(struct replay_figures, member)

/* heading, key, meaning, offset, factor, decimals, hides */
const struct figure_column replay_columns[] = {
	{ "MeanWait", "mean_wait", "from submission to start, in seconds: the mean",
	  FIGURE(mean_wait), 1, 0, 0 },
	{ "Median", "median_wait", "half of the jobs wait no longer", FIGURE(median_wait), 1, 0,
	  4 },
	{ "P95", "p95_wait", "95 % of the jobs wait no longer", FIGURE(p95_wait), 1, 0, 0 },
	{ "Longest", "longest_wait", "no job waits longer", FIGURE(longest_wait), 1, 0, 3 },
	{ "Slowdown", "mean_bounded_slowdown",
	  "mean of (wait + run) / run; short runs count as 10 s",
	  FIGURE(mean_bounded_slowdown), 1, 2, 0 },
	{ "Util%", "utilization", "CPU seconds of all jobs over those of the machine",
	  FIGURE(utilization), 100, 2, 0 },
	{ "Makespan", "makespan", "from the first submission to the last end, in seconds",
	  FIGURE(makespan), 1, 0, 5 },
	{ "ShareErr", "share_error", "how far usage is from shares: 0 not at all, 1 the opposite",
	  FIGURE(share_error), 1, 4, 0 },
	{ "Jain", "jain", "Jain's index of usage over shares: 1 is equal for all", FIGURE(jain), 1,
	  4, 2 },
	{ "Below%", "below_share",
	  "part of the time with jobs in which a user waits below the share",
	  FIGURE(below_share), 100, 1, 1 },
	{ .heading = NULL },
};

double replay_figure(const struct figure_column *column, const struct replay_figures *figures)
{
	return *(const double *)((const char *)figures + column->offset);
}

void print_replay_columns(void)
{
	for (size_t i = 0; replay_columns[i].heading; i++)
		print_entry(replay_columns[i].heading, 12, replay_columns[i].meaning);
}

/* Returns the replay of a cell's row. */
static const struct replay_summary *summary_of(const struct cell *cell)
{
	const struct replay_results *results = cell->context;

	return &results->summary[cell->row];
}

/* Functions for struct column: the value of a cell. */

static struct value name(const struct cell *cell)
{
	return value_of_text(summary_of(cell)->name);
}

static struct value cluster(const struct cell *cell)
{
	return value_of_text(summary_of(cell)->cluster);
}

static struct value job_count(const struct cell *cell)
{
	return value_of_integer((int64_t)summary_of(cell)->figures.jobs);
}

/* The figure of replay_columns[] whose index is the column's detail. */
static struct value figure(const struct cell *cell)
{
	const struct figure_column *column = &replay_columns[cell->column->detail];
	double value = replay_figure(column, &summary_of(cell)->figures);

	return isfinite(value) ? value_of_real(value * column->factor, column->decimals)
			       : value_none();
}

void print_replay(const struct replay_results *results, const struct replay_options *options)
{
	static const struct column columns[] = {
		{ .name = "Policy", .kind = COLUMN_TEXT, .get = name },
		{ .name = "Cluster", .kind = COLUMN_TEXT, .get = cluster },
		{ .name = "Jobs", .get = job_count },
	};
	struct table table = { .row_count = results->count, .context = results,
			       .has_header = !options->no_header,
			       .narrow = "--parsable prints them" };

	table_add(&table, &columns[0])->wraps = true;
	if (options->clusters.count)
		table_add(&table, &columns[1]);
	table_add(&table, &columns[2]);
	for (size_t i = 0; replay_columns[i].heading; i++)
		table.column[table.column_count++] = (struct table_column){
			.heading = replay_columns[i].heading, .get = figure, .detail = i,
			.right = true, .missing = "-", .hides = replay_columns[i].hides,
		};
	print_either(&table, options->parsable);
}
