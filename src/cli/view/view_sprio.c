/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints jobs as sprio does. A format such as "%.15i %9r" is a text, in which each column has a
 * width and a letter; '.' aligns to the right. A cell is cut to its width.
 */
#include "config.h"

#include "cli/views.h"

#include "cli/complain.h"
#include "cli/jobs/job_filter.h"
#include "cli/option_values.h"
#include "cli/print_text.h"
#include "cli/shared_options.h"
#include "core/error.h"
#include "jobs/job_list.h"
#include "live/live_jobs.h"
#include "relation/column_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_ORDER "i"
#define EQUAL 1e-5	/* numbers that differ by less are equal to sprio when it sorts */

/* ---- options --------------------------------------------------------------------------- */

struct sprio_options {
	const char *format, *order;
	struct job_filter filter;
	bool all, plain, weights, no_header, ignored;
};

#define AT(member) offsetof(struct sprio_options, member), 0

static const struct option_row option_rows[] = {
	{ 'h', "noheader", NULL, "no header line", option_flag, AT(no_header) },
	{ 'j', "jobs", "LIST", "only these jobs", option_names, AT(filter.jobs) },
	{ 'l', "long", NULL, "all columns", option_flag, AT(all) },
	{ 'n', "norm", NULL, "factors before they are weighted", option_flag, AT(plain) },
	{ 'o', "format", "FORMAT", "columns, such as \"%.15i %9r %.10Y\"", option_text,
	  AT(format) },
	{ 'S', "sort", "LETTERS", "sort by these columns, such as u,-Y", option_text, AT(order) },
	{ 'p', "partition", "LIST", "only these partitions", option_names, AT(filter.partitions) },
	{ 'u', "user", "LIST", "only jobs of these users, by name or number", option_users,
	  AT(filter.users) },
	{ 'w', "weights", NULL, "the weights instead of jobs", option_flag, AT(weights) },
	{ 'v', "verbose", NULL, "has no effect", option_flag, AT(ignored) },
	{ 'V', "version", NULL, "print the version of fathom", option_version, 0, 0 },
	{ 0, "help", NULL, "print this help", option_help, 0, 0 },
	{ 0, "local", NULL, "has no effect: one cluster is shown", option_flag, AT(ignored) },
	{ 0, "users", "LIST", NULL, option_users, AT(filter.users) },
	{ 0, "usage", NULL, NULL, option_help, 0, 0 },
};

static const struct option_table option_table = {
	.rows = option_rows, .count = sizeof(option_rows) / sizeof(*option_rows),
	.usage = "Usage: fathom prio [OPTION]... --view sprio -- [OPTION OF sprio]...\n"
		 "Show jobs as sprio shows them.\n\n",
};

static int check(void *given)
{
	const struct sprio_options *options = given;
	const char *jobs = options->filter.jobs;

	if (jobs && jobs[strspn(jobs, "0123456789,")])
		return complain("--jobs: '%s' must be job ids, separated by commas", jobs);
	if (options->all && options->format)
		return complain("--long: cannot be used with --format");
	return 0;
}

static void clear(void *given)
{
	struct sprio_options *options = given;

	free(options->filter.jobs);
	free(options->filter.users);
	free(options->filter.partitions);
}

/* ---- cells ----------------------------------------------------------------------------- */

/* What is printed. row: NULL for the line of weights. */
struct sprio_cell {
	const struct job_list *list;
	const struct job_row *row;
	bool plain;		/* the column is one before weighting */
	enum job_factor factor;
};

struct sprio_column {
	char letter;
	char plain_letter;	/* of the value before weighting, or 0 */
	const char *heading;
	/* Returns the text, in `buffer` of CELL_SIZE or elsewhere. */
	const char *(*text)(const struct sprio_cell *cell, char *buffer);
	enum job_factor factor;
	bool is_sorted;		/* sprio can sort by it */
};

static const char *whole(double value, char *buffer)
{
	snprintf(buffer, CELL_SIZE, "%.0f", value);
	return buffer;
}

static double priority_of(const struct job_list *list, const struct job_row *row)
{
	const struct job_values *values = &row->weighted;
	double sum = 0;

	if (row->is_set || row->has_no_terms || list->formula || list->by_flux)
		return row->priority;
	for (size_t i = 0; i < JOB_FACTOR_COUNT; i++)
		sum += values->factor[i];
	sum += values->site - (double)values->nice;
	for (size_t i = 0; i < list->tres_count; i++)
		sum += values->tres[i];
	return sum < 1 ? 1 : sum;
}

static const char *id(const struct sprio_cell *cell, char *buffer)
{
	if (!cell->row)
		return "Weights";
	snprintf(buffer, CELL_SIZE, "%" PRId64, cell->row->id);
	return buffer;
}

static const char *user(const struct sprio_cell *cell, char *buffer)
{
	(void)buffer;
	return cell->row && cell->row->user ? cell->row->user : "";
}

static const char *partition(const struct sprio_cell *cell, char *buffer)
{
	(void)buffer;
	return cell->row && cell->row->partition ? cell->row->partition : "";
}

static const char *account(const struct sprio_cell *cell, char *buffer)
{
	(void)buffer;
	return cell->row && cell->row->account ? cell->row->account : "";
}

static const char *qos(const struct sprio_cell *cell, char *buffer)
{
	(void)buffer;
	return cell->row && cell->row->qos ? cell->row->qos : "";
}

/* A running cluster that is no member of a federation sends no name. */
static const char *cluster(const struct sprio_cell *cell, char *buffer)
{
	(void)cell, (void)buffer;
	return "(null)";
}

static const char *priority(const struct sprio_cell *cell, char *buffer)
{
	double value = cell->row ? priority_of(cell->list, cell->row) : 0;

	if (!cell->row)
		return "";
	if (!cell->plain)
		snprintf(buffer, CELL_SIZE, "%lld", (long long)value);
	else
		snprintf(buffer, CELL_SIZE, "%16.14f",
			 cell->row->is_set ? value : value / UINT32_MAX);
	return buffer;
}

static const char *site(const struct sprio_cell *cell, char *buffer)
{
	return whole(cell->row ? cell->row->weighted.site : 1, buffer);
}

static const char *nice_text(const struct sprio_cell *cell, char *buffer)
{
	return cell->row ? whole((double)cell->row->weighted.nice, buffer) : "";
}

static const char *factor(const struct sprio_cell *cell, char *buffer)
{
	double weight = cell->list->weight[cell->factor];

	if (!cell->row)
		return whole(weight, buffer);
	if (!cell->plain)
		return whole(cell->row->weighted.factor[cell->factor], buffer);
	snprintf(buffer, CELL_SIZE, "%.7f",
		 weight != 0 ? cell->row->weighted.factor[cell->factor] / weight : 0);
	return buffer;
}

static bool has_tres(const struct job_list *list)
{
	for (size_t i = 0; i < list->tres_count; i++)
		if (list->tres_weight[i] != 0)
			return true;
	return list->tres_weights;
}

/* Returns what is printed of a TRES: its weight, its term, or its factor. */
static double tres_value(const struct sprio_cell *cell, size_t i)
{
	double weight = cell->list->tres_weight[i];

	if (!cell->row)
		return cell->plain ? 0 : weight;
	return cell->row->weighted.tres[i] / (cell->plain ? weight : 1);
}

static const char *tres(const struct sprio_cell *cell, char *buffer)
{
	const struct job_list *list = cell->list;
	size_t length = 0;

	if (!cell->row && !cell->plain && list->tres_weights)
		return list->tres_weights;
	*buffer = '\0';
	for (size_t i = 0; i < list->tres_count && length < CELL_SIZE; i++) {
		double value = tres_value(cell, i);

		if (value != 0 && !isnan(value))	/* without a weight, 0 / 0 */
			length += (size_t)snprintf(buffer + length, CELL_SIZE - length, "%s%s=%.*f",
						   length ? "," : "", list->tres_name[i],
						   cell->plain ? 2 : 0, value);
	}
	return buffer;
}

#define FACTOR(big, small, its_heading, its_factor, sorts)                              \
	{ .letter = big, .plain_letter = small, .heading = its_heading, .text = factor, \
	  .factor = its_factor, .is_sorted = sorts }

static const struct sprio_column columns[] = {
	FACTOR('A', 'a', "AGE", JOB_AGE, true),
	FACTOR('B', 'b', "ASSOC", JOB_ASSOC, false),
	FACTOR('F', 'f', "FAIRSHARE", JOB_FAIRSHARE, true),
	FACTOR('J', 'j', "JOBSIZE", JOB_SIZE, true),
	FACTOR('P', 'p', "PARTITION", JOB_PARTITION, true),
	FACTOR('Q', 'q', "QOS", JOB_QOS, true),
	{ .letter = 'N', .heading = "NICE", .text = nice_text, .is_sorted = true },
	{ .letter = 'S', .heading = "SITE", .text = site },
	{ .letter = 'T', .plain_letter = 't', .heading = "TRES", .text = tres,
	  .is_sorted = true },
	{ .letter = 'Y', .plain_letter = 'y', .heading = "PRIORITY", .text = priority,
	  .is_sorted = true },
	{ .letter = 'c', .heading = "CLUSTER", .text = cluster, .is_sorted = true },
	{ .letter = 'i', .heading = "JOBID", .text = id, .is_sorted = true },
	{ .letter = 'n', .heading = "QOSNAME", .text = qos },
	{ .letter = 'o', .heading = "ACCOUNT", .text = account },
	{ .letter = 'r', .heading = "PARTITION", .text = partition, .is_sorted = true },
	{ .letter = 'u', .heading = "USER", .text = user, .is_sorted = true },
};

static const struct sprio_column *find_column(char letter)
{
	for (size_t i = 0; letter && i < sizeof(columns) / sizeof(*columns); i++)
		if (columns[i].letter == letter || columns[i].plain_letter == letter)
			return &columns[i];
	return NULL;
}

/* ---- formats --------------------------------------------------------------------------- */

/* A column of a format, "%.15i", and what follows it. */
struct field {
	const struct sprio_column *column;	/* NULL: sprio has no such column */
	bool right, plain;
	int width;		/* 0: as wide as the text */
	const char *after;	/* text up to the next '%' or the end */
	size_t after_length;
};

/* Reads the field behind a '%', and moves *at behind what follows it. */
static struct field next_field(const char **at)
{
	struct field field = { .right = **at == '.' };
	char *letter;

	field.width = (int)strtoul(*at + field.right, &letter, 10);
	if (field.width > MOST_WIDTH)
		field.width = MOST_WIDTH;
	field.column = find_column(*letter);
	field.plain = field.column && field.column->plain_letter == *letter;
	field.after = letter + (*letter != '\0');
	field.after_length = strcspn(field.after, "%");
	*at = field.after + field.after_length;
	return field;
}

static int check_format(const char *format)
{
	const char *at = format + strcspn(format, "%");

	while (*at++) {
		const char *given = at;

		if (!next_field(&at).column)
			return complain("--format: '%%%.*s' is not a column of sprio",
					(int)strcspn(given, " %"), given);
	}
	return 0;
}

static void print_cell(const struct field *field, const char *text)
{
	char cut[MOST_WIDTH + 1];

	if (field->width) {
		snprintf(cut, sizeof(cut), "%.*s", field->width, text);
		text = cut;
	}
	print_padded(text, field->right ? field->width : -field->width);
	fwrite(field->after, 1, field->after_length, stdout);
}

/* Prints a line. is_header: the headings; row: NULL for the weights. */
static void print_line(const char *format, const struct job_list *list, const struct job_row *row,
		       bool is_header)
{
	const char *at = format + strcspn(format, "%");
	char buffer[CELL_SIZE];

	fwrite(format, 1, (size_t)(at - format), stdout);
	while (*at++) {
		struct field field = next_field(&at);
		struct sprio_cell cell = { list, row, field.plain, field.column->factor };

		print_cell(&field, is_header ? field.column->heading
					     : field.column->text(&cell, buffer));
	}
	putchar('\n');
}

/* Writes the standard format: sprio's columns, and factors that have a weight. */
static void standard_format(const struct sprio_options *options, const struct job_list *list,
			    char *format)
{
	static const char *const plain[] = { " %10a", " %10b", " %10f", " %10j", " %10p", " %10q" };
	static const char *const weighted[] = { " %.10A", " %.10B", " %.10F", " %.10J", " %.10P",
						" %.10Q" };

	strcpy(format, "%.15i %9r");
	if (options->filter.users)
		strcat(format, " %.8u");
	strcat(format, options->plain ? " %10y" : " %.10Y %.10S");
	for (size_t i = 0; i < JOB_FACTOR_COUNT; i++)
		if (list->weight[i] != 0)
			strcat(format, options->plain ? plain[i] : weighted[i]);
	if (has_tres(list))
		strcat(format, options->plain ? " %20t" : " %.20T");
}

/* Without Slurm: as sprio does since 23.02. */
static bool shows_names(void)
{
#ifdef HAVE_LIBSLURM
	return live_sprio_shows_names();
#else
	return true;
#endif
}

/* Returns the format of all columns of the installed release's sprio. */
static const char *long_format(bool plain)
{
	static const char *const formats[2][2] = {
		{ "%.15i %9r %.8u %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10Q %.11N %.20T",
		  "%.15i %9r %.8u %.8o %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10n %.10Q "
		  "%.11N %.20T" },
		{ "%.15i %9r %.8u %10y %10a %10b %10f %10j %10p %10q %20t",
		  "%.15i %9r %.8u %.8o %10y %10a %10b %10f %10j %10p %10n %10q %20t" },
	};

	return formats[plain][shows_names()];
}

/* ---- sorting --------------------------------------------------------------------------- */

static int check_order(const char *order)
{
	for (; *order; order++) {
		const struct sprio_column *column = find_column(*order);

		if (!strchr(",-+", *order) && !(column && column->is_sorted))
			return complain("--sort: sprio does not sort by '%c'", *order);
	}
	return 0;
}

struct sorting {
	const struct job_list *list;
	const char *order;
};

/* Returns the number to sort by; of texts 0. */
static double number_of(const struct sprio_column *column, const struct job_list *list,
			const struct job_row *row)
{
	double sum = 0;

	if (column->text == factor)
		return row->weighted.factor[column->factor];
	if (column->text == priority)
		return priority_of(list, row);
	if (column->text == id)
		return (double)row->id;
	if (column->text == nice_text)	/* a set priority comes without a nice value */
		return row->is_set ? (double)-INFINITY : (double)row->weighted.nice;
	if (column->text != tres)
		return 0;
	for (size_t i = 0; i < list->tres_count; i++)
		sum += row->weighted.tres[i];
	return sum;
}

static int compare_by(const struct sprio_column *column, const struct job_list *list,
		      const struct job_row *a, const struct job_row *b)
{
	double number = number_of(column, list, a), against = number_of(column, list, b);
	char buffer[CELL_SIZE], other[CELL_SIZE];

	if (column->text == user || column->text == partition)
		return strcmp(column->text(&(struct sprio_cell){ list, a, false, 0 }, buffer),
			      column->text(&(struct sprio_cell){ list, b, false, 0 }, other));
	return (number > against + EQUAL) - (number < against - EQUAL);
}

static int compare_rows(const void *first, const void *second, void *context)
{
	const size_t *a = first, *b = second;
	const struct sorting *sorting = context;
	const struct job_list *list = sorting->list;

	for (const char *at = sorting->order; *at; at++) {
		const struct sprio_column *column = find_column(*at);
		int order = column ? compare_by(column, list, &list->row[*a], &list->row[*b]) : 0;

		if (order)
			return at > sorting->order && at[-1] == '-' ? -order : order;
	}
	return (*a > *b) - (*a < *b);
}

/* ---- rows ------------------------------------------------------------------------------ */

/* Fills order[] with the wanted rows, sorted, and returns their number. */
static size_t choose_rows(const struct sprio_options *options, const struct job_list *list,
			  size_t *order)
{
	struct sorting sorting = { list, options->order ? options->order : DEFAULT_ORDER };
	struct job_filter filter = options->filter;
	size_t count = 0;

	filter.states = UINT64_MAX;

	for (size_t i = 0; i < list->count; i++)
		if (job_filter_allows(&filter, &list->row[i]))
			order[count++] = i;
	qsort_r(order, count, sizeof(*order), compare_rows, &sorting);
	return count;
}

static int print(const void *given, const struct job_list *list)
{
	const struct sprio_options *options = given;
	char standard[256];
	const char *format = options->format ? options->format : standard;
	size_t *order, count;

	standard_format(options, list, standard);
	if (options->all)
		format = long_format(options->plain);
	if (check_format(format) || (options->order && check_order(options->order)))
		return EXIT_WRONG;
	order = calloc(list->count + 1, sizeof(*order));
	if (!order)
		return complain("out of memory");
	count = choose_rows(options, list, order);
	if (options->filter.jobs && !count) {
		printf("Unable to find jobs matching user/id(s) specified\n");
		free(order);
		return EXIT_DONE;
	}
	if (!options->no_header)
		print_line(format, list, NULL, true);
	for (size_t i = 0; !options->weights && i < count; i++)
		print_line(format, list, &list->row[order[i]], false);
	if (options->weights)
		print_line(format, list, NULL, false);
	free(order);
	return EXIT_DONE;
}

const struct view view_sprio = {
	.tool = "sprio",
	.options = &option_table,
	.size = sizeof(struct sprio_options),
	.check = check,
	.clear = clear,
	.print_jobs = print,
	.as_sent = true,
};
