/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of fathom prio: one table, lists that name columns, and sorting. */
#include "cli/jobs/job_columns.h"

#include "cli/column_list.h"
#include "cli/print_text.h"
#include "core/error.h"
#include "jobs/job_states.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOB_NUMBER_SIZE 400	/* the largest double has 309 digits */

/* ---- the table ------------------------------------------------------------------- */

enum job_kind { TEXT, NUMBER, CHANGE, FACTOR, TRES, WEIGHT };

#define URGENCY JOB_FACTOR_COUNT	/* flux-accounting's, as a factor with a weight */

struct job_column {
	char letter;		/* sprio's letter, or 0 */
	char plain_letter;	/* sprio's letter of the value before weighting, or 0 */
	const char *name, *heading;
	enum job_kind kind;
	enum job_factor factor;	/* for FACTOR and WEIGHT */
	bool standard;		/* shown by default; a FACTOR only if it has a weight */
	bool stays;		/* a narrow terminal never hides it */
	bool of_jobs;		/* the same under each policy that is compared */
	bool of_comparison;	/* only where several policies are compared */
	bool has_digits;	/* shown with digits after the point, if there are any */
	bool is_marked;		/* gets '*' where an administrator has set the priority */
	bool (*is_there)(const struct shown_jobs *shown);	/* the jobs have it; NULL: always */
	const char *(*text)(const struct job_row *row);	/* for TEXT */
	double (*number)(const struct job_row *row);	/* for NUMBER and CHANGE */
	double (*plain_number)(const struct job_row *row);	/* before weighting, or NULL */
	const char *meaning;
};

static const char *user(const struct job_row *row) { return row->user; }
static const char *account(const struct job_row *row) { return row->account; }
static const char *partition(const struct job_row *row) { return row->partition; }
static const char *qos(const struct job_row *row) { return row->qos; }
static double id(const struct job_row *row) { return (double)row->id; }
static double priority(const struct job_row *row) { return row->priority; }
static const char *set_by(const struct job_row *row) { return row->is_set ? "admin" : NULL; }
static double place(const struct job_row *row) { return row->place; }
static double formula(const struct job_row *row) { return row->formula; }
static double site(const struct job_row *row) { return row->weighted.site; }
static double nice_value(const struct job_row *row) { return (double)row->weighted.nice; }
static double plain_nice(const struct job_row *row) { return (double)row->plain.nice; }
static const char *state(const struct job_row *row) { return job_state_name(row->state); }
static double bank(const struct job_row *row) { return row->plain.factor[JOB_ASSOC]; }
static double queue(const struct job_row *row) { return row->plain.factor[JOB_PARTITION]; }
static double urgency(const struct job_row *row)
{
	return FATHOM_FLUX_URGENCY - (double)row->plain.nice;
}

static double rank(const struct job_row *row) { return row->rank; }
static double change(const struct job_row *row) { return row->change; }

static bool has_formula(const struct shown_jobs *shown)
{
	return shown->list->formula;
}

static bool has_places(const struct shown_jobs *shown)
{
	for (size_t i = 0; i < shown->comparison->count; i++)
		if (shown->comparison->item[i].list.has_places)
			return true;
	return false;
}

static bool shows_state(const struct shown_jobs *shown)
{
	return shown->shows_state;
}

static bool is_by_flux(const struct shown_jobs *shown)
{
	return shown->list->by_flux;
}

static bool has_set_ones(const struct shown_jobs *shown)
{
	for (size_t i = 0; i < shown->count; i++)
		if (shown->list->row[shown->row[i]].is_set)
			return true;
	return false;
}

#define FACTOR_COLUMN(big, small, its_name, its_heading, its_factor, what)               \
	{ .letter = big, .plain_letter = small, .name = its_name, .heading = its_heading, \
	  .kind = FACTOR, .factor = its_factor, .standard = true, .meaning = what }

#define FLUX_COLUMN(its_name, its_heading, of_row, what)                       \
	{ .name = its_name, .heading = its_heading, .kind = NUMBER,            \
	  .has_digits = true, .is_there = is_by_flux, .number = of_row, .meaning = what }
#define FLUX_WEIGHT(its_name, its_heading, its_factor, what)                   \
	{ .name = its_name, .heading = its_heading, .kind = WEIGHT,            \
	  .factor = its_factor, .is_there = is_by_flux, .meaning = "flux: weight of " what }

/* In the order of sprio -l. */
static const struct job_column columns[] = {
	{ .letter = 'i', .name = "JobID", .heading = "JOBID", .kind = NUMBER, .of_jobs = true,
	  .stays = true,
	  .standard = true, .number = id, .meaning = "job id" },
	{ .letter = 'r', .name = "Partition", .heading = "PARTITION", .kind = TEXT, .of_jobs = true,
	  .stays = true,
	  .standard = true, .text = partition,
	  .meaning = "partition; a job has a line for each of its partitions" },
	{ .letter = 'u', .name = "User", .heading = "USER", .kind = TEXT,
	  .of_jobs = true, .stays = true,
	  .text = user,
	  .meaning = "user who submitted the job" },
	{ .letter = 'o', .name = "Account", .heading = "ACCOUNT", .kind = TEXT, .of_jobs = true,
	  .text = account,
	  .meaning = "account that the job is charged to" },
	{ .letter = 'Y', .plain_letter = 'y', .name = "Priority", .heading = "PRIORITY",
	  .kind = NUMBER, .standard = true, .stays = true, .is_marked = true, .number = priority,
	  .meaning = "priority: the weighted sum, or by the formula or flux" },
	{ .letter = 'S', .name = "Site", .heading = "SITE", .kind = NUMBER, .standard = true,
	  .number = site, .meaning = "site factor" },
	FACTOR_COLUMN('A', 'a', "Age", "AGE", JOB_AGE,
		      "time since the job became eligible, weighted"),
	FACTOR_COLUMN('B', 'b', "Assoc", "ASSOC", JOB_ASSOC,
		      "priority of the association, weighted"),
	FACTOR_COLUMN('F', 'f', "FairShare", "FAIRSHARE", JOB_FAIRSHARE,
		      "fair-share factor, weighted"),
	FACTOR_COLUMN('J', 'j', "JobSize", "JOBSIZE", JOB_SIZE, "size of the job, weighted"),
	FACTOR_COLUMN('P', 'p', "PartitionFactor", "PARTITION", JOB_PARTITION,
		      "PriorityJobFactor of the partition, weighted"),
	{ .letter = 'n', .name = "QOSName", .heading = "QOSNAME", .kind = TEXT, .of_jobs = true,
	  .text = qos,
	  .meaning = "the job's quality of service" },
	FACTOR_COLUMN('Q', 'q', "QOS", "QOS", JOB_QOS, "priority of the QOS, weighted"),
	{ .letter = 'N', .name = "Nice", .heading = "NICE", .kind = NUMBER, .number = nice_value,
	  .plain_number = plain_nice,
	  .meaning = "nice value, which is subtracted" },
	{ .letter = 'T', .plain_letter = 't', .name = "TRES", .heading = "TRES", .kind = TRES,
	  .standard = true, .meaning = "requested TRES, weighted" },
	{ .name = "Place", .heading = "PLACE", .kind = NUMBER, .is_there = has_places,
	  .number = place, .meaning = "place in the order of dispatch, 1 is the first; of lsf" },
	{ .name = "Formula", .heading = "FORMULA", .kind = NUMBER, .standard = true,
	  .is_there = has_formula, .number = formula,
	  .meaning = "priority by the formula" },
	{ .name = "Set", .heading = "SET", .kind = TEXT, .of_jobs = true,
	  .is_there = has_set_ones, .text = set_by,
	  .meaning = "admin: an administrator has set the priority" },
	{ .name = "State", .heading = "STATE", .kind = TEXT, .of_jobs = true, .standard = true,
	  .is_there = shows_state, .text = state, .meaning = "state of the job" },
	FLUX_COLUMN("BankPrio", "BANKPRIO", bank, "flux: priority of the bank, the account"),
	FLUX_WEIGHT("BankFact", "BANKFACT", JOB_ASSOC, "the bank"),
	FLUX_COLUMN("QPrio", "QPRIO", queue, "flux: priority of the queue, the partition"),
	FLUX_WEIGHT("QFact", "QFACT", JOB_PARTITION, "the queue"),
	FLUX_WEIGHT("FSFactor", "FSFACTOR", JOB_FAIRSHARE, "fair share"),
	FLUX_COLUMN("Urgency", "URGENCY", urgency, "flux: urgency, 0 to 31"),
	FLUX_WEIGHT("UrgFact", "URGFACT", URGENCY, "urgency"),
	{ .name = "Rank", .heading = "RANK", .kind = NUMBER, .number = rank,
	  .meaning = "of a pending job by Priority, 1 is the best; equals share a rank" },
	{ .name = "Change", .heading = "CHANGE", .kind = CHANGE, .of_comparison = true,
	  .number = change,
	  .meaning = "ranks that a job moves up from the first policy to this one" },
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(*columns))

#define HELP_COLUMN 24	/* of meanings in the help */

void job_columns_help(void)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		printf("  %-15s ", columns[i].name);
		printf(columns[i].letter ? "%%%c" : "  ", columns[i].letter);
		printf(columns[i].plain_letter ? " %%%c " : "    ", columns[i].plain_letter);
		print_wrapped(columns[i].meaning, HELP_COLUMN, HELP_COLUMN);
	}
	printf("The second letter is the value before weighting, as --norm shows it.\n"
	       "With several policies, NAME:POLICY is the column of one of them.\n");
}

static bool is_number(const struct job_column *column)
{
	return column->kind != TEXT && column->kind != TRES;
}

/* ---- cells ---------------------------------------------------------------------------- */

static const char *tres_text(const struct job_list *list, const double *value, int digits,
			     char *buffer)
{
	size_t length = 0;

	*buffer = '\0';
	for (size_t i = 0; i < list->tres_count && length < CELL_SIZE; i++)
		if (value[i] != 0)
			length += (size_t)snprintf(buffer + length, CELL_SIZE - length,
						   "%s%s=%.*f", length ? "," : "",
						   list->tres_name[i], digits, value[i]);
	return buffer;
}

static const char *number_text(double value, int digits, char *buffer)
{
	if (isnan(value))
		return "";
	snprintf(buffer, JOB_NUMBER_SIZE, "%.*f", digits, value);
	return buffer;
}

/* Returns the list under the column's policy. */
static const struct job_list *list_of(const void *context, const struct table_column *chosen)
{
	const struct shown_jobs *shown = context;

	return &shown->comparison->item[chosen->which].list;
}

static const struct job_row *row_of(const void *context, const struct table_column *chosen,
				    size_t line)
{
	const struct shown_jobs *shown = context;

	return &list_of(context, chosen)->row[shown->row[line]];
}

static double weight_of(const struct job_list *list, enum job_factor factor)
{
	return factor == URGENCY ? list->nice_weight : list->weight[factor];
}

static const char *weight_text(const void *context, const struct table_column *chosen, size_t row,
			       char *buffer)
{
	const struct job_list *list = list_of(context, chosen);
	const struct job_column *column = chosen->of;

	(void)row;
	if (column->letter == 'i')
		return "Weights";
	if (column->letter == 'S')
		return "1";
	if (column->letter == 'N' && list->nice_weight != 1)
		return number_text(list->nice_weight, 0, buffer);
	if (column->kind == FACTOR || column->kind == WEIGHT)
		return number_text(weight_of(list, column->factor), 0, buffer);
	if (column->kind == TRES)
		return tres_text(list, list->tres_weight, 0, buffer);
	return "";
}

/* Writes the value of a NUMBER column, before weighting if `plain` and the column has that. sprio
 * shows a priority before weighting as a fraction of the greatest, with 14 digits. */
static const char *plain_or_whole(const struct job_column *column, bool plain,
				  const struct job_row *row, char *buffer)
{
	if (column->number == id) {	/* which may be larger than a double holds */
		snprintf(buffer, JOB_NUMBER_SIZE, "%" PRId64, row->id);
		return buffer;
	}
	if (plain && column->plain_letter)
		return number_text(column->number(row) / UINT32_MAX, 14, buffer);
	if (column->has_digits && !isnan(column->number(row))) {
		snprintf(buffer, JOB_NUMBER_SIZE, "%.10g", column->number(row));
		return buffer;
	}
	if (plain && column->plain_number)
		return number_text(column->plain_number(row), 0, buffer);
	return number_text(column->number(row), 0, buffer);
}

/* Writes a cell with as many digits as sprio. */
static const char *job_text(const void *context, const struct table_column *chosen, size_t line,
			    char *buffer)
{
	const struct shown_jobs *shown = context;
	const struct job_list *list = list_of(context, chosen);
	const struct job_row *row = row_of(context, chosen, line);
	const struct job_column *column = chosen->of;
	bool plain = chosen->detail;
	const struct job_values *values = plain ? &row->plain : &row->weighted;
	const char *text;

	switch (column->kind) {
	case TEXT:
		text = column->text(row);
		return text ? text : "";
	case NUMBER:
		text = plain_or_whole(column, plain, row, buffer);
		if (*text && column->is_marked && shown->marks_set)
			strcat(buffer, row->is_set ? "*" : " ");
		return text;
	case CHANGE:
		text = number_text(column->number(row), 0, buffer + 1);
		*buffer = '+';
		return column->number(row) > 0 ? buffer : text;
	case FACTOR:
		return number_text(values->factor[column->factor], plain ? 7 : 0, buffer);
	case WEIGHT:
		return number_text(weight_of(list, column->factor), 0, buffer);
	case TRES:
		break;
	}
	return tres_text(list, values->tres, plain ? 2 : 0, buffer);
}

/* Returns the number by which a line is sorted: of TRES their sum. */
static double job_number(const void *context, const struct table_column *chosen, size_t line)
{
	const struct job_list *list = list_of(context, chosen);
	const struct job_row *row = row_of(context, chosen, line);
	const struct job_column *column = chosen->of;
	double sum = 0;

	if (column->number)
		return column->number(row);
	if (column->kind == WEIGHT)
		return weight_of(list, column->factor);
	if (column->kind == FACTOR)
		return row->weighted.factor[column->factor];
	for (size_t i = 0; i < list->tres_count; i++)
		sum += row->weighted.tres[i];
	return sum;
}

void job_columns_show_weights(struct table *table)
{
	table->row_count = 1;
	for (size_t i = 0; i < table->column_count; i++) {
		table->column[i].text = weight_text;
		table->column[i].missing = NULL;
	}
}

/* ---- choosing columns -------------------------------------------------------------------- */

/* Adds a column of list `which`. plain: values are shown before weighting, as the table's `detail`
 * then says. */
static struct table_column *add(struct table *table, const struct job_column *column,
				const struct shown_jobs *shown, size_t which, bool plain, int width)
{
	struct table_column *chosen = &table->column[table->column_count++];
	const struct job_comparison *compared = shown->comparison;
	bool is_grouped = compared->count > 1 && !column->of_jobs;

	*chosen = (struct table_column){ .heading = column->heading, .text = job_text,
					 .number = column->kind == TEXT ? NULL : job_number,
					 .of = column, .detail = plain, .which = which,
					 .group = is_grouped ? compared->item[which].label
							     : NULL,
					 .missing = is_number(column) ? "-" : NULL,
					 .right = is_number(column),
					 .shrinks = column->kind == TRES };
	column_set_width(chosen, width, is_number(column));
	return chosen;
}

static const struct job_column *find_column(const char *name)
{
	size_t i = 0;

	while (strcmp(columns[i].name, name))
		i++;
	return &columns[i];
}

static bool has_tres(const struct job_list *list)
{
	for (size_t i = 0; i < list->tres_count; i++)
		if (list->tres_weight[i] != 0)
			return true;
	return false;
}

/* Under flux, nice shows the urgency, so that it is shown by default. */
static bool is_standard(const struct job_column *column, const struct job_list *list)
{
	bool is_urgency = column->letter == 'N' && list->nice_weight != 1 && list->nice_weight != 0;

	return column->standard || is_urgency;
}

void shown_jobs_mark_set(struct shown_jobs *shown)
{
	shown->marks_set = has_set_ones(shown);
}

static bool is_shown(const struct job_column *column, const struct shown_jobs *shown,
		     const struct job_choice *choice)
{
	const struct job_list *list = shown->list;

	if (column->of_comparison || (column->is_there && !column->is_there(shown)))
		return false;
	if (column->letter == 'S' && choice->plain)	/* the site factor has no weight */
		return false;
	if (choice->all)
		return true;
	if (column->kind == FACTOR && list->weight[column->factor] == 0)
		return false;
	if (column->kind == TRES && !has_tres(list))
		return false;
	return is_standard(column, list) || (choice->with_user && column->letter == 'u');
}

void job_columns_standard(struct table *table, const struct shown_jobs *shown,
			  const struct job_choice *choice)
{
	int order = 0;	/* a narrow terminal hides columns of --long, the last one first */

	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		struct table_column *added;

		if (!is_shown(&columns[i], shown, choice))
			continue;
		added = add(table, &columns[i], shown, 0, choice->plain, 0);
		if (choice->all && !columns[i].stays)
			added->hides = ++order;
	}
}

void job_columns_of_flux(struct table *table, const struct shown_jobs *shown)
{
	/* a narrow terminal hides weights first, which are the same for all jobs */
	static const struct { const char *name, *heading; int hides; } row[] = {
		{ "JobID", "JOBID", 0 }, { "User", "USER", 0 }, { "Account", "BANK", 0 },
		{ "BankPrio", "BANKPRIO", 1 }, { "BankFact", "BANKFACT", 2 },
		{ "Partition", "QUEUE", 0 }, { "QPrio", "QPRIO", 1 }, { "QFact", "QFACT", 2 },
		{ "FairShare", "FAIRSHARE", 0 }, { "FSFactor", "FSFACTOR", 2 },
		{ "Urgency", "URGENCY", 1 }, { "UrgFact", "URGFACT", 2 },
		{ "Priority", "PRIORITY", 0 }, { "State", "STATE", 0 },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		const struct job_column *column = find_column(row[i].name);
		struct table_column *added;

		if (column->is_there && !column->is_there(shown))
			continue;
		added = add(table, column, shown, 0, column->kind == FACTOR, 0);
		added->heading = row[i].heading;
		added->hides = row[i].hides;
	}
}

/* Adds the columns of one list. Factors and changes of rank are shown if there are two lists; more
 * would not fit on a line. */
static void add_group(struct table *table, const struct shown_jobs *shown, size_t which,
		      const struct job_choice *choice)
{
	static const struct { const char *name; bool all; int hides; } of_group[] = {
		{ "FairShare", true, 3 }, { "Priority", false, 1 }, { "Rank", false, 0 },
		{ "Change", true, 2 },
	};
	bool with_all = choice->all || shown->comparison->count == 2;

	for (size_t i = 0; i < sizeof(of_group) / sizeof(*of_group); i++) {
		const struct job_column *column = find_column(of_group[i].name);

		if (of_group[i].all && !with_all)
			continue;
		if (column->of_comparison && !which)	/* the others are compared with it */
			continue;
		add(table, column, shown, which, choice->plain, 0)->hides = of_group[i].hides;
	}
}

void job_columns_of_comparison(struct table *table, const struct shown_jobs *shown,
			       const struct job_choice *choice)
{
	static const char *const of_jobs[] = { "JobID", "Partition", "User" };

	for (size_t i = 0; i < sizeof(of_jobs) / sizeof(*of_jobs); i++)
		add(table, find_column(of_jobs[i]), shown, 0, choice->plain, 0);
	if (shown->shows_state)
		add(table, find_column("State"), shown, 0, choice->plain, 0);
	for (size_t which = 0; which < shown->comparison->count; which++)
		add_group(table, shown, which, choice);
}

static const struct job_column *find_letter(char letter)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		if (letter && (columns[i].letter == letter || columns[i].plain_letter == letter))
			return &columns[i];
	return NULL;
}

/* Which columns may be named, and how they are shown. plain: values before weighting; is_order: to
 * sort by, where a single letter is sprio's, and only the first list that has a column counts. */
struct naming {
	const struct shown_jobs *shown;
	bool plain, is_order;
};

/* Returns the name of a column; "" for one of a comparison if nothing is compared. */
static const char *name_at(const void *context, size_t i)
{
	const struct naming *naming = context;

	if (i >= COLUMN_COUNT)
		return NULL;
	return columns[i].of_comparison && naming->shown->comparison->count == 1 ? ""
										  : columns[i].name;
}

static int refuse_column(const struct list_item *item, const struct naming *naming,
			 struct fathom_error *error)
{
	char hint[64];

	column_hint((struct name_list){ name_at, naming }, item, hint, sizeof(hint));
	return fathom_error_set(error, EINVAL, "'%.*s' is not a column%s", list_item_shown(item),
				item->name, hint);
}

/* Adds a column for each list of a range that has it. */
static int add_each(struct table *table, const struct job_column *column,
		    const struct naming *naming, struct label_range range, bool plain, int width,
		    struct fathom_error *error)
{
	if (column->of_jobs)
		range = (struct label_range){ 0, 1 };
	for (size_t which = range.first; which < range.end; which++) {
		if (!which && column->of_comparison)	/* the others are compared with the first */
			continue;
		if (column_list_check_room(table, error))
			return -1;
		add(table, column, naming->shown, which, plain, width);
		if (naming->is_order)
			break;
	}
	return 0;
}

/* Reads columns in sprio's form, "%[.][width]letter". Other text between them is ignored. */
static int parse_letters(struct table *table, const char *format, const struct naming *naming,
			 struct fathom_error *error)
{
	const struct label_range all = { 0, naming->shown->comparison->count };

	for (const char *at = format; *at; at++) {
		const struct job_column *column;
		struct list_item item = { .name = at };
		size_t before = table->column_count;
		bool right = at[1] == '.';
		unsigned long width;
		char *end;

		if (*at != '%')
			continue;
		at += 1 + right;
		width = isdigit((unsigned char)*at) ? strtoul(at, &end, 10) : 0;
		if (width)
			at = end;
		item.length = (size_t)(at - item.name) + (*at != 0);
		column = find_letter(*at);
		if (!column || width > MOST_WIDTH)
			return refuse_column(&item, naming, error);
		if (add_each(table, column, naming, all, column->plain_letter == *at, (int)width,
			     error))
			return -1;
		for (; before < table->column_count; before++)
			table->column[before].right = right;
	}
	return 0;
}

static const char *label_at(const void *context, size_t i)
{
	const struct job_comparison *compared = context;

	return i < compared->count ? compared->item[i].label : NULL;
}

static const struct job_column *find_named(const struct naming *naming,
					   const struct list_item *item)
{
	size_t i;

	if (naming->is_order && item->length == 1)
		return find_letter(*item->name);
	i = column_find((struct name_list){ name_at, naming }, item);
	return i == NO_COLUMN ? NULL : &columns[i];
}

static int add_named(struct table *table, const struct list_item *given, const void *context,
		     struct fathom_error *error)
{
	const struct naming *naming = context;
	const struct job_comparison *compared = naming->shown->comparison;
	struct list_item item = *given;
	const struct job_column *column;
	struct label_range range;
	size_t before = table->column_count;

	if (list_item_take_label(&item, (struct name_list){ label_at, compared }, &range, error))
		return -1;
	column = find_named(naming, &item);
	if (!column)
		return refuse_column(given, naming, error);
	if (add_each(table, column, naming, range, naming->plain, item.width, error))
		return -1;
	return table->column_count > before ? 0 : refuse_column(given, naming, error);
}

int job_columns_parse(struct table *table, const char *list, const struct shown_jobs *shown,
		      bool plain, struct fathom_error *error)
{
	const struct naming naming = { .shown = shown, .plain = plain };
	int status = list[strspn(list, " ")] == '%'
			     ? parse_letters(table, list, &naming, error)
			     : column_list_parse(table, list, add_named, &naming, error);

	if (!status)
		columns_join_groups(table);
	return status;
}

int job_columns_parse_order(struct sort_keys *keys, const char *list,
			    const struct shown_jobs *shown, struct fathom_error *error)
{
	return sort_keys_parse(keys, list, add_named,
			       &(struct naming){ .shown = shown, .is_order = true }, error);
}
