/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of one cluster. */
#include "plugin_bench.h"

#include <libsmartcols.h>
#include <math.h>
#include <string.h>

enum column { WHAT, OF_MULTIFACTOR, OF_FATHOM, RATIO_COLUMN, OF_OTHER, OTHER_RATIO, GOAL, MET };

static const struct {
	const char *name;
	double scale;		/* from seconds or MiB */
} rows[FIGURES] = {
	[PASS_WALL] = { "pass, wall, ms", 1e3 },
	[PASS_CPU] = { "pass, CPU, ms", 1e3 },
	[JOB_WRITE_LONGEST] = { "job write, longest, ms", 1e3 },
	[JOB_WRITE_TOTAL] = { "job write, total, ms", 1e3 },
	[JOB_READ_LONGEST] = { "job read, longest, ms", 1e3 },
	[JOB_READ_TOTAL] = { "job read, total, ms", 1e3 },
	[ASSOC_WRITE_LONGEST] = { "assoc write, longest, ms", 1e3 },
	[ASSOC_WRITE_TOTAL] = { "assoc write, total, ms", 1e3 },
	[ASSOC_READ_LONGEST] = { "assoc read, longest, ms", 1e3 },
	[ASSOC_READ_TOTAL] = { "assoc read, total, ms", 1e3 },
	[QOS_WRITE_LONGEST] = { "QOS write, longest, ms", 1e3 },
	[QOS_WRITE_TOTAL] = { "QOS write, total, ms", 1e3 },
	[QOS_READ_LONGEST] = { "QOS read, longest, ms", 1e3 },
	[QOS_READ_TOTAL] = { "QOS read, total, ms", 1e3 },
	[END_OF_JOB] = { "job write at a job's end, ms", 1e3 },
	[PEAK_MEMORY] = { "peak memory, MiB", 1 },
	[SET_PRIORITY] = { "priority_p_set, us a job", 1e6 },
	[SPRIO_LIST] = { "list of sprio, ms", 1e3 },
	[SSHARE_LIST] = { "list of sshare, ms", 1e3 },
};

/* other: with columns for another fathom. */
static struct libscols_table *table_create(bool other)
{
	int of_other = SCOLS_FL_RIGHT | (other ? 0 : SCOLS_FL_HIDDEN);
	const struct { const char *name; int flags; } columns[] = {
		[WHAT] = { "", 0 },
		[OF_MULTIFACTOR] = { "MULTIFACTOR", SCOLS_FL_RIGHT },
		[OF_FATHOM] = { "FATHOM", SCOLS_FL_RIGHT },
		[RATIO_COLUMN] = { "RATIO", SCOLS_FL_RIGHT },
		[OF_OTHER] = { "OTHER", of_other },
		[OTHER_RATIO] = { "RATIO", of_other },
		[GOAL] = { "GOAL", SCOLS_FL_RIGHT },
		[MET] = { "MET", 0 },
	};
	struct libscols_table *table = scols_new_table();

	for (size_t i = 0; table && i < sizeof(columns) / sizeof(*columns); i++)
		if (!scols_table_new_column(table, columns[i].name, 0, columns[i].flags))
			host_die("out of memory");
	return table;
}

static void set(struct libscols_line *line, enum column column, const char *format, double value)
{
	char text[32];

	snprintf(text, sizeof(text), format, value);
	scols_line_set_data(line, column, text);
}

/* Four digits, and no exponent. */
static void set_figure(struct libscols_line *line, enum column column, double value)
{
	int digits = value > 0 ? 3 - (int)floor(log10(value)) : 0;
	char format[8];

	snprintf(format, sizeof(format), "%%.%df", digits < 0 ? 0 : digits > 4 ? 4 : digits);
	set(line, column, format, value);
}

static void set_ratio(struct libscols_line *line, enum column column, double of, double to)
{
	if (of > 0 && to > 0)
		set(line, column, of < 100 * to ? "%.2f" : "%.0f", of / to);
}

static const struct goal *goal_of(const struct cluster *cluster, enum figure figure)
{
	const struct goal *goal = cluster->goals;

	while (goal->value > 0 && goal->figure != figure)
		goal++;
	return goal->value > 0 ? goal : NULL;
}

static void add_goal(struct libscols_line *line, const struct goal *goal, double ratio,
		     double figure)
{
	bool met = goal->of == MOST ? figure <= goal->value : ratio >= goal->value;

	if (goal->of == MOST)
		set(line, GOAL, "<= %g ms", goal->value * 1e3);
	else
		set(line, GOAL, goal->of == OF_WRITE ? ">= %.0f *" : ">= %.0f", goal->value);
	scols_line_set_data(line, MET, met ? "yes" : "no");
}

static void add_row(struct libscols_table *table, const struct cluster *cluster,
		    enum figure figure, const double value[PLUGINS][FIGURES])
{
	const struct goal *goal = goal_of(cluster, figure);
	struct libscols_line *line = scols_table_new_line(table, NULL);
	double of_multifactor = value[MULTIFACTOR][figure], of_fathom = value[FATHOM][figure];

	scols_line_set_data(line, WHAT, rows[figure].name);
	set_figure(line, OF_MULTIFACTOR, of_multifactor * rows[figure].scale);
	set_figure(line, OF_FATHOM, of_fathom * rows[figure].scale);
	set_figure(line, OF_OTHER, value[OTHER][figure] * rows[figure].scale);
	set_ratio(line, OTHER_RATIO, value[OTHER][figure], of_fathom);
	if (goal && goal->of == OF_WRITE)
		of_multifactor = fmax(value[MULTIFACTOR][JOB_WRITE_LONGEST],
				      value[MULTIFACTOR][ASSOC_WRITE_LONGEST]);
	set_ratio(line, RATIO_COLUMN, of_multifactor, of_fathom);
	if (goal)
		add_goal(line, goal, of_multifactor / of_fathom, of_fathom);
}

static void add_limit(struct libscols_table *table, const struct cluster *cluster,
		      const struct memory *memory)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	double lines = memory_lines(cluster);
	char text[64];

	snprintf(text, sizeof(text), "limit: %.2f million lines, ms", lines / 1e6);
	scols_line_set_data(line, WHAT, text);
	set_figure(line, OF_FATHOM, lines * memory->scattered * 1e3);
}

void report(const struct cluster *cluster, struct results *results, const struct memory *memory)
{
	struct libscols_table *table = table_create(results->series[OTHER][PASS_CPU].count);
	double value[PLUGINS][FIGURES];

	for (size_t plugin = 0; plugin < PLUGINS; plugin++)
		for (size_t i = 0; i < FIGURES; i++)
			value[plugin][i] = median(&results->series[plugin][i]);
	printf("%s: %zu associations, accounts in %u level(s); %u jobs pending, %u running\n",
	       cluster->name, cluster_associations(cluster), cluster->shape.levels,
	       cluster->pending, cluster->running);
	if (cluster->more_partitions)
		printf("%u partitions\n", cluster->more_partitions + 4);
	if (cluster->churn)
		printf("%u users deleted and added again before each pass\n", cluster->churn);
	for (size_t i = 0; i < FIGURES; i++)
		if (!isnan(value[FATHOM][i]))
			add_row(table, cluster, i, (const double(*)[FIGURES])value);
	add_limit(table, cluster, memory);
	scols_print_table(table);
	scols_unref_table(table);
	putchar('\n');
	fflush(stdout);
}
