/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints jobs as sprio does. A format is a text with columns, each of which has a width and a
 * letter; '.' aligns it to the right. A cell is cut to its width:
 *
 *	"%.15i %9r"	prints	          JOBID PARTITION
 *				             17 long
 */
#include "cli/views.h"

#include "cli/jobs/command_jobs.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_ORDER "i"
#define SORTED "AFJPQNTYciru"	/* the columns that sprio can sort by */
#define EQUAL 1e-5	/* numbers that differ by less are equal to sprio when it sorts */

/* ---- options --------------------------------------------------------------------------- */

struct sprio_options {
	const char *format;	/* NULL: the standard one, or that of --long */
	const char *order;	/* of --sort: letters; NULL: DEFAULT_ORDER */
	struct job_filter filter;
	bool all;		/* --long */
	bool plain;		/* factors before they are weighted */
	bool weights, no_header, ignored;
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
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom prio [OPTION]... --view sprio -- [OPTION OF sprio]...\n"
		 "Show jobs as sprio shows them.\n\n",
};

/* Checks the options; see check() of struct view. */
static void check(void *given)
{
	const struct sprio_options *options = given;
	const char *jobs = options->filter.jobs;

	if (jobs && jobs[strspn(jobs, "0123456789,")])
		refuse("--jobs: '%s' must be job ids, separated by commas", jobs);
	if (options->all && options->format)
		refuse("--long: cannot be used with --format");
}

/* ---- cells ----------------------------------------------------------------------------- */

/* The column that sprio has beside those of fathom prio. Its cells are "(null)": a cluster that is
 * not a member of a federation sends no name. */
static const struct column cluster = { .letter = 'c', .heading = "CLUSTER" };

/* Returns the column of one of sprio's letters; NULL: there is no such column. */
static const struct column *find_column(char letter)
{
	return letter == cluster.letter ? &cluster : job_column_of_letter(letter);
}

/* Returns whether a column is one of enum job_factor, in column->detail. The columns of priority
 * and TRES have plain values, too. */
static bool is_factor(const struct column *column)
{
	return column->plain_letter && !strchr("YT", column->letter);
}

/* Functions that return the text of a cell, in `buffer` of CELL_SIZE or elsewhere. plain: before
 * weighting. */

/* Returns a number with so many decimals; "-" for NAN. */
static const char *number_text(double value, int decimals, char *buffer)
{
	snprintf(buffer, CELL_SIZE, isnan(value) ? "-" : "%.*f", decimals, value);
	return buffer;
}

/* Returns a number rounded to a whole one; "-" for NAN. */
static const char *whole_text(double value, char *buffer)
{
	return number_text(value, 0, buffer);
}

/* Returns the weighted TRES of a job in all. */
static double sum_of_tres(const struct job_list *list, const struct job_row *row)
{
	double sum = 0;

	for (size_t i = 0; i < list->tres_count; i++)
		sum += row->weighted.tres[i];
	return sum;
}

/* Returns the priority that sprio shows: the one that is set or comes from a formula or from flux,
 * else the sum of what is shown. */
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
	return sum < 1 ? 1 : sum;	/* 0 would be held */
}

/* Returns the text of a job's priority. plain: as a part of the greatest one that there can be,
 * but one that is set as it is. */
static const char *priority_text(const struct job_list *list, const struct job_row *row, bool plain,
				 char *buffer)
{
	double value = priority_of(list, row);

	return plain ? number_text(row->is_set ? value : value / UINT32_MAX, 14, buffer)
		     : whole_text(trunc(value), buffer);
}

/* Returns whether TRES have weights. */
static bool weighs_tres(const struct job_list *list)
{
	for (size_t i = 0; i < list->tres_count; i++)
		if (list->tres_weight[i] != 0)
			return true;
	return list->tres_weights;
}

/* Returns what is printed of TRES i: of a job its term, or plain its factor. row: NULL: the line of
 * weights, where it is the weight. */
static double tres_value(const struct job_list *list, const struct job_row *row, bool plain,
			 size_t i)
{
	double weight = list->tres_weight[i];

	if (!row)
		return plain ? 0 : weight;
	return row->weighted.tres[i] / (plain ? weight : 1);
}

/* Returns TRES such as "cpu=100,mem=5"; those of 0 are left out. row: NULL: the line of weights. */
static const char *tres_text(const struct job_list *list, const struct job_row *row, bool plain,
			     char *buffer)
{
	size_t length = 0;

	if (!row && !plain && list->tres_weights)
		return list->tres_weights;
	*buffer = '\0';
	for (size_t i = 0; i < list->tres_count && length < CELL_SIZE; i++) {
		double value = tres_value(list, row, plain, i);

		if (value != 0 && !isnan(value))	/* without a weight, 0 / 0 */
			length += (size_t)snprintf(buffer + length, CELL_SIZE - length, "%s%s=%.*f",
						   length ? "," : "", list->tres_name[i],
						   plain ? 2 : 0, value);
	}
	return buffer;
}

/* Returns the factor of a column, or its weight. row: NULL: the line of weights. */
static const char *factor_text(const struct job_list *list, const struct job_row *row,
			       const struct column *column, bool plain, char *buffer)
{
	double weight = list->weight[column->detail], term;

	if (!row)
		return whole_text(weight, buffer);
	term = row->weighted.factor[column->detail];
	if (!plain)
		return whole_text(term, buffer);
	return number_text(weight != 0 ? term / weight : 0, 7, buffer);
}

/* What a line is of. */
enum line { HEADINGS, WEIGHTS, JOB };

/* Returns a cell of the line of WEIGHTS, or of that of a JOB, number `row`; plain: before
 * weighting. */
static const char *cell_text(const struct shown_jobs *shown, enum line line, size_t row,
			     const struct column *column, bool plain, char *buffer)
{
	const struct job_list *list = shown->list;
	const struct job_row *job = line == JOB ? &list->row[shown->row[row]] : NULL;
	/* a cell as get() of a column of fathom prio wants it */
	const struct table_column chosen = { .detail = column->detail };
	const struct cell cell = { shown, &chosen, row, buffer };
	struct value value;

	if (is_factor(column))
		return factor_text(list, job, column, plain, buffer);
	if (column->letter == 'T')
		return tres_text(list, job, plain, buffer);
	if (column->letter == 'c')
		return "(null)";
	if (!job)
		return column->letter == 'i' ? "Weights" : column->letter == 'S' ? "1" : "";
	if (column->letter == 'Y')
		return priority_text(list, job, plain, buffer);
	if (column->letter == 'S')
		return whole_text(job->weighted.site, buffer);
	value = column->get(&cell);
	return value_text(&value, buffer);
}

/* ---- formats --------------------------------------------------------------------------- */

/* A column of a format, "%.15i", and what follows it. */
struct field {
	const struct column *column;	/* NULL: sprio has no such column */
	bool right;		/* aligned to the right */
	bool plain;		/* values before weighting */
	int width;		/* 0: as wide as the text */
	const char *after;	/* text up to the next '%' or the end */
	size_t after_length;
};

/* Reads the field behind a '%', [.][WIDTH]LETTER, and moves *at behind what follows it: to the next
 * '%' or the end. */
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

/* Refuses a format with a column that sprio does not have. */
static void check_format(const char *format)
{
	const char *at = format + strcspn(format, "%");

	while (*at++) {
		const char *given = at;

		if (!next_field(&at).column)
			refuse("--format: '%%%.*s' is not a column of sprio",
			       (int)strcspn(given, " %"), given);
	}
}

/* Prints a cell and what follows it in the format. */
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

/* Prints a line. row: its number, for a line of JOB. */
static void print_line(const char *format, const struct shown_jobs *shown, enum line line,
		       size_t row)
{
	const char *at = format + strcspn(format, "%");
	char buffer[CELL_SIZE];

	fwrite(format, 1, (size_t)(at - format), stdout);
	while (*at++) {
		struct field field = next_field(&at);

		print_cell(&field, line == HEADINGS
				   ? field.column->heading
				   : cell_text(shown, line, row, field.column, field.plain,
					       buffer));
	}
	putchar('\n');
}

/* Writes sprio's format without --long: its columns, and factors that have a weight. */
static void standard_format(const struct sprio_options *options, const struct job_list *list,
			    char *format)
{
	/* by enum job_factor */
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
	if (weighs_tres(list))
		strcat(format, options->plain ? " %20t" : " %.20T");
}

/* Returns the format of all columns of the installed release's sprio, which shows names of accounts
 * and QOS since 23.02. A build without libslurm does so, too. */
static const char *long_format(bool plain)
{
	static const char *const formats[2][2] = {
		{ "%.15i %9r %.8u %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10Q %.11N %.20T",
		  "%.15i %9r %.8u %.8o %.10Y %.10S %.10A %.10B %.10F %.10J %.10P %.10n %.10Q "
		  "%.11N %.20T" },
		{ "%.15i %9r %.8u %10y %10a %10b %10f %10j %10p %10q %20t",
		  "%.15i %9r %.8u %.8o %10y %10a %10b %10f %10j %10p %10n %10q %20t" },
	};

	return formats[plain][!HAS_LIBSLURM || live_sprio_shows_names()];
}

/* ---- sorting --------------------------------------------------------------------------- */

/* Refuses letters by which sprio does not sort. */
static void check_order(const char *order)
{
	for (; *order; order++) {
		const struct column *column = find_column(*order);

		if (!strchr(",-+", *order) && !(column && strchr(SORTED, column->letter)))
			refuse("--sort: sprio does not sort by '%c'", *order);
	}
}

/* The context of compare_rows(). */
struct sorting {
	const struct job_list *list;
	const char *order;	/* letters, each with '-' in front if it is descending */
};

/* Returns the number by which a column sorts a job; 0 for columns of text, NAN: it is unknown. */
static double number_of(const struct column *column, const struct job_list *list,
			const struct job_row *row)
{
	if (is_factor(column))
		return row->weighted.factor[column->detail];
	switch (column->letter) {
	case 'Y':
		return priority_of(list, row);
	case 'i':
		return (double)row->id;
	case 'N':		/* a set priority comes without a nice value */
		return row->is_set ? (double)-INFINITY : (double)row->weighted.nice;
	case 'T':
		return sum_of_tres(list, row);
	default:
		return 0;
	}
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Compares two jobs by a column. Returns less than 0 if a comes before b, 0 if they are equal. */
static int compare_by(const struct column *column, const struct job_list *list,
		      const struct job_row *a, const struct job_row *b)
{
	/* an unknown number, NAN, is below all others */
	double number_a = fmax(number_of(column, list, a), -INFINITY);
	double number_b = fmax(number_of(column, list, b), -INFINITY);

	if (column->letter == 'u')
		return compare_texts(a->user, b->user);
	if (column->letter == 'r')
		return compare_texts(a->partition, b->partition);
	return (number_a > number_b + EQUAL) - (number_a < number_b - EQUAL);
}

/* Compares rows by each letter of the order in turn; equal ones stay as in the list. */
static int compare_rows(const void *first, const void *second, void *context)
{
	const size_t *a = first, *b = second;
	const struct sorting *sorting = context;
	const struct job_list *list = sorting->list;

	for (const char *at = sorting->order; *at; at++) {
		const struct column *column = find_column(*at);
		int order = column ? compare_by(column, list, &list->row[*a], &list->row[*b]) : 0;

		if (order)
			return at > sorting->order && at[-1] == '-' ? -order : order;
	}
	return (*a > *b) - (*a < *b);
}

/* ---- rows ------------------------------------------------------------------------------ */

/* Returns whether sprio lists a job: not if it is held. A job with the priority 0 is; but under
 * flux others have this priority, too. */
static bool is_listed(const struct job_list *list, const struct job_row *row)
{
	return list->by_flux ? !row->is_held && !row->own_hold : row->priority != 0;
}

/* Fills order[] with the wanted rows, sorted, and returns their number. */
static size_t choose_rows(const struct sprio_options *options, const struct job_list *list,
			  size_t *order)
{
	struct sorting sorting = { list, options->order ? options->order : DEFAULT_ORDER };
	size_t chosen = job_filter_choose(&options->filter, list, order), count = 0;

	for (size_t i = 0; i < chosen; i++)
		if (is_listed(list, &list->row[order[i]]))
			order[count++] = order[i];
	qsort_r(order, count, sizeof(*order), compare_rows, &sorting);
	return count;
}

/* Prints the jobs, or the weights, that are asked for; see print_jobs() of struct view. */
static void print(const void *given, struct shown_jobs *shown)
{
	const struct sprio_options *options = given;
	const struct job_list *list = shown->list;
	char standard[256];
	const char *format = options->format ? options->format : standard;

	standard_format(options, list, standard);
	if (options->all)
		format = long_format(options->plain);
	check_format(format);
	if (options->order)
		check_order(options->order);
	shown->count = choose_rows(options, list, shown->row);
	if (options->filter.jobs && !shown->count) {
		printf("Unable to find jobs matching user/id(s) specified\n");
		return;
	}
	if (!options->no_header)
		print_line(format, shown, HEADINGS, 0);
	if (options->weights) {
		print_line(format, shown, WEIGHTS, 0);
		shown->count = 0;
	}
	for (size_t i = 0; i < shown->count; i++)
		print_line(format, shown, JOB, i);
}

const struct view view_sprio = {
	.tool = "sprio",
	.options = &option_table,
	.size = sizeof(struct sprio_options),
	.check = check,
	.print_jobs = print,
	.as_sent = true,
};
