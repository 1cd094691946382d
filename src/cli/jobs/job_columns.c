/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of jobs: how each gets its cells, the table that describes them all, and which ones
 * are shown by default. */
#include "cli/jobs/command_jobs.h"

#include "cli/print_text.h"

#define URGENCY JOB_FACTOR_COUNT	/* flux-accounting's, counted as one more factor */
#define HELP_COLUMN 24	/* of meanings in the help */
#define FLUX_DIGITS 10	/* of flux-accounting's terms, behind the point, at most */
/* digits behind the point of values before weighting, as sprio has them */
#define PLAIN_PRIORITY_DIGITS 14
#define PLAIN_FACTOR_DIGITS 7
#define PLAIN_TRES_DIGITS 2

/* Flags of columns. */
enum {
	STANDARD = 1,	/* shown by default; a factor only if it has a weight */
	STAYS = 2,	/* a narrow terminal never hides it */
};

/* ---- cells ---------------------------------------------------------------------------- */

/* The functions from member_text() on are struct column.get. What `detail` of a column means
 * depends on its function: the offset of a member of struct job_row, or an enum job_factor. */

/* Returns the list of the column's policy. */
static const struct job_list *list_of(const struct cell *cell)
{
	const struct shown_jobs *shown = cell->context;

	return &shown->comparison->item[cell->column->which].list;
}

/* Returns the row of the cell's line. */
static const struct job_row *row_of(const struct cell *cell)
{
	const struct shown_jobs *shown = cell->context;

	return &list_of(cell)->row[shown->row[cell->row]];
}

/* Returns the row's terms before or after weighting, as the column shows them. */
static const struct job_values *values_of(const struct cell *cell)
{
	return cell->column->is_plain ? &row_of(cell)->plain : &row_of(cell)->weighted;
}

/* Returns the member of a row whose offset the column has. */
static const void *member_of(const struct cell *cell)
{
	return (const char *)row_of(cell) + cell->column->detail;
}

/* The text in the member of the row whose offset is column->detail. */
static struct value member_text(const struct cell *cell)
{
	return value_of_text(*(const char *const *)member_of(cell));
}

/* The number in the member of the row whose offset is column->detail, as a whole one. */
static struct value member_number(const struct cell *cell)
{
	return value_of_whole(*(const double *)member_of(cell));
}

/* By how many ranks a job moves up from the first policy to that of the column; below 0: down. */
static struct value change(const struct cell *cell)
{
	struct value value = member_number(cell);

	value.has_sign = true;
	return value;
}

static struct value id(const struct cell *cell)
{
	return value_of_integer(row_of(cell)->id);	/* may be larger than a double holds */
}

/* Shows the priority. Before weighting it is a fraction of the greatest one, as in sprio. With
 * marks, one that was set has "*" behind it, and others a blank, so that digits stay aligned. */
static struct value priority(const struct cell *cell)
{
	const struct shown_jobs *shown = cell->context;
	const struct job_row *row = row_of(cell);
	struct value value = value_of_whole(row->priority);

	if (cell->column->is_plain)
		value = value_of_real(row->priority / UINT32_MAX, PLAIN_PRIORITY_DIGITS);
	if (value.kind == VALUE_NONE || !shown->marks_set)
		return value;
	value_text(&value, cell->buffer);
	strcat(cell->buffer, row->is_set ? "*" : " ");
	return value_of_text(cell->buffer);
}

static struct value site(const struct cell *cell)
{
	return value_of_whole(row_of(cell)->weighted.site);
}

static struct value nice_value(const struct cell *cell)
{
	return value_of_whole((double)values_of(cell)->nice);
}

/* The term of the factor column->detail, before or after weighting. */
static struct value factor(const struct cell *cell)
{
	return value_of_real(values_of(cell)->factor[cell->column->detail],
			     cell->column->is_plain ? PLAIN_FACTOR_DIGITS : 0);
}

/* Returns the text "cpu=5,mem=9" of the TRES whose value is not 0; rows are sorted by the sum of
 * values. value: by TRES of the list; digits: behind the point; buffer: CELL_SIZE bytes, in which
 * the text stays. */
static struct value tres_value(const struct job_list *list, const double *value, int digits,
			       char *buffer)
{
	struct value made = value_of_text(buffer);
	size_t length = 0;

	*buffer = '\0';
	made.real = 0;
	for (size_t i = 0; i < list->tres_count; i++)
		made.real += value[i];
	for (size_t i = 0; i < list->tres_count && length < CELL_SIZE; i++)
		if (value[i] != 0)
			length += (size_t)snprintf(buffer + length, CELL_SIZE - length,
						   "%s%s=%.*f", length ? "," : "",
						   list->tres_name[i], digits, value[i]);
	return made;
}

static struct value tres(const struct cell *cell)
{
	return tres_value(list_of(cell), values_of(cell)->tres,
			  cell->column->is_plain ? PLAIN_TRES_DIGITS : 0, cell->buffer);
}

static struct value set_by(const struct cell *cell)
{
	return value_of_text(row_of(cell)->is_set ? "admin" : NULL);
}

static struct value state(const struct cell *cell)
{
	return value_of_text(job_state_name(row_of(cell)->state));
}

/* Shows a term of flux-accounting, before weighting; digits behind the point only if it has any. */
static struct value flux_term(const struct cell *cell)
{
	return value_of_short(row_of(cell)->plain.factor[cell->column->detail], FLUX_DIGITS);
}

/* Flux's urgency, which nice stands for: 16 is nice 0. */
static struct value urgency(const struct cell *cell)
{
	return value_of_short(FATHOM_FLUX_URGENCY - (double)row_of(cell)->plain.nice, FLUX_DIGITS);
}

/* Returns the weight of an enum job_factor, or of URGENCY. */
static double weight_of(const struct job_list *list, size_t term)
{
	return term == URGENCY ? list->nice_weight : list->weight[term];
}

/* The weight of the term column->detail, see weight_of(). */
static struct value flux_weight(const struct cell *cell)
{
	return value_of_whole(weight_of(list_of(cell), cell->column->detail));
}

/* Shows the weight of a column's values: a cell of the only row of --weights. */
static struct value weight(const struct cell *cell)
{
	const struct job_list *list = list_of(cell);
	const struct column *column = cell->column->of;

	if (column->get == id)
		return value_of_text("Weights");
	if (column->get == site)
		return value_of_text("1");
	if (column->get == nice_value && list->nice_weight != 1)
		return value_of_whole(list->nice_weight);
	if (column->get == factor || column->get == flux_weight)
		return value_of_whole(weight_of(list, column->detail));
	if (column->get == tres)
		return tres_value(list, list->tres_weight, 0, cell->buffer);
	return value_none();
}

void job_columns_show_weights(struct table *table)
{
	table->row_count = 1;
	for (size_t i = 0; i < table->column_count; i++) {
		table->column[i].get = weight;
		table->column[i].missing = NULL;
	}
}

/* ---- the table ------------------------------------------------------------------- */

/* The functions up to has_set_ones() are struct column.is_there. */

static bool has_formula(const void *context)
{
	const struct shown_jobs *shown = context;

	return shown->list->formula;
}

static bool has_places(const void *context)
{
	const struct shown_jobs *shown = context;

	for (size_t i = 0; i < shown->comparison->count; i++)
		if (shown->comparison->item[i].list.has_places)
			return true;
	return false;
}

static bool shows_state(const void *context)
{
	const struct shown_jobs *shown = context;

	return shown->shows_state;
}

static bool is_by_flux(const void *context)
{
	const struct shown_jobs *shown = context;

	return shown->list->by_flux;
}

static bool has_set_ones(const void *context)
{
	const struct shown_jobs *shown = context;

	for (size_t i = 0; i < shown->count; i++)
		if (shown->list->row[shown->row[i]].is_set)
			return true;
	return false;
}

void shown_jobs_mark_set(struct shown_jobs *shown)
{
	shown->marks_set = has_set_ones(shown);
}

/* Parts of rows. TEXT, WHOLE: columns that show a member of struct job_row. FACTOR: a row for an
 * enum job_factor. FLUX: a row for a column that only flux-accounting's lists have. */
#define TEXT(member)                                                                     \
	.kind = COLUMN_TEXT, .get = member_text, .detail = offsetof(struct job_row, member),    \
	.is_common = true
#define WHOLE(member) .get = member_number, .detail = offsetof(struct job_row, member)
#define FACTOR(big, small, its_name, its_heading, of, what)                                \
	{ .letter = big, .plain_letter = small, .name = its_name, .heading = its_heading, \
	  .get = factor, .detail = of, .flags = STANDARD, .meaning = what }
#define FLUX(its_name, its_heading, getter, of, what)                                      \
	{ .name = its_name, .heading = its_heading, .get = getter, .detail = of,           \
	  .is_there = is_by_flux, .meaning = "flux: " what }

/* All columns; the first ones in the order of sprio -l. */
static const struct column columns[] = {
	{ .letter = 'i', .name = "JobID", .heading = "JOBID", .key = "job_id", .get = id,
	  .is_common = true, .flags = STANDARD | STAYS, .meaning = "job id" },
	{ .letter = 'r', .name = "Partition", .heading = "PARTITION", .key = "partition",
	  TEXT(partition), .flags = STANDARD | STAYS,
	  .meaning = "partition; a job has a line for each of its partitions" },
	{ .letter = 'u', .name = "User", .heading = "USER", .key = "user", TEXT(user),
	  .flags = STAYS, .meaning = "user who submitted the job" },
	{ .letter = 'o', .name = "Account", .heading = "ACCOUNT", .key = "account", TEXT(account),
	  .meaning = "account that the job is charged to" },
	{ .letter = 'Y', .plain_letter = 'y', .name = "Priority", .heading = "PRIORITY",
	  .key = "priority", .get = priority, .flags = STANDARD | STAYS,
	  .meaning = "priority: the weighted sum, or by the formula or flux" },
	{ .letter = 'S', .name = "Site", .heading = "SITE", .get = site, .flags = STANDARD,
	  .meaning = "site factor" },
	FACTOR('A', 'a', "Age", "AGE", JOB_AGE, "time since the job became eligible, weighted"),
	FACTOR('B', 'b', "Assoc", "ASSOC", JOB_ASSOC, "priority of the association, weighted"),
	FACTOR('F', 'f', "FairShare", "FAIRSHARE", JOB_FAIRSHARE, "fair-share factor, weighted"),
	FACTOR('J', 'j', "JobSize", "JOBSIZE", JOB_SIZE, "size of the job, weighted"),
	FACTOR('P', 'p', "PartitionFactor", "PARTITION", JOB_PARTITION,
	       "PriorityJobFactor of the partition, weighted"),
	{ .letter = 'n', .name = "QOSName", .heading = "QOSNAME", .key = "qos", TEXT(qos),
	  .meaning = "the job's quality of service" },
	FACTOR('Q', 'q', "QOS", "QOS", JOB_QOS, "priority of the QOS, weighted"),
	{ .letter = 'N', .name = "Nice", .heading = "NICE", .get = nice_value,
	  .meaning = "nice value, which is subtracted" },
	{ .letter = 'T', .plain_letter = 't', .name = "TRES", .heading = "TRES",
	  .kind = COLUMN_AMOUNTS, .get = tres, .shrinks = true, .flags = STANDARD,
	  .meaning = "requested TRES, weighted" },
	{ .name = "Place", .heading = "PLACE", .key = "place", WHOLE(place), .is_there = has_places,
	  .meaning = "place in the order of dispatch, 1 is the first; of lsf" },
	{ .name = "Formula", .heading = "FORMULA", .key = "formula", WHOLE(formula),
	  .flags = STANDARD, .is_there = has_formula, .meaning = "priority by the formula" },
	{ .name = "Set", .heading = "SET", .kind = COLUMN_TEXT, .get = set_by, .is_common = true,
	  .is_there = has_set_ones, .meaning = "admin: an administrator has set the priority" },
	{ .name = "State", .heading = "STATE", .key = "state", .kind = COLUMN_TEXT, .get = state,
	  .is_common = true, .flags = STANDARD, .is_there = shows_state,
	  .meaning = "state of the job" },
	FLUX("BankPrio", "BANKPRIO", flux_term, JOB_ASSOC, "priority of the bank, the account"),
	FLUX("BankFact", "BANKFACT", flux_weight, JOB_ASSOC, "weight of the bank"),
	FLUX("QPrio", "QPRIO", flux_term, JOB_PARTITION, "priority of the queue, the partition"),
	FLUX("QFact", "QFACT", flux_weight, JOB_PARTITION, "weight of the queue"),
	FLUX("FSFactor", "FSFACTOR", flux_weight, JOB_FAIRSHARE, "weight of fair share"),
	FLUX("Urgency", "URGENCY", urgency, URGENCY, "urgency, 0 to 31"),
	FLUX("UrgFact", "URGFACT", flux_weight, URGENCY, "weight of urgency"),
	{ .name = "Rank", .heading = "RANK", .key = "rank", WHOLE(rank),
	  .meaning = "of a pending job by Priority, 1 is the best; equals share a rank" },
	{ .name = "Change", .heading = "CHANGE", .get = change,
	  .detail = offsetof(struct job_row, change), .of_comparison = true,
	  .meaning = "ranks that a job moves up from the first policy to this one" },
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(*columns))

const struct column *job_column_at(size_t i)
{
	return i < COLUMN_COUNT ? &columns[i] : NULL;
}

const struct column *job_column_of_letter(char letter)
{
	for (size_t i = 0; letter && i < COLUMN_COUNT; i++)
		if (columns[i].letter == letter || columns[i].plain_letter == letter)
			return &columns[i];
	return NULL;
}

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

/* Returns the label of list i; NULL: there are fewer. context: the comparison. */
static const char *label_at(const void *context, size_t i)
{
	const struct job_comparison *compared = context;

	return i < compared->count ? compared->item[i].label : NULL;
}

void job_relation(struct relation *relation, const struct shown_jobs *shown, bool plain)
{
	*relation = (struct relation){ .labels = { label_at, shown->comparison },
				       .has_letters = true, .is_plain = plain };
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		relation_add(relation, &columns[i]);
	for (size_t i = 0; i < relation->count; i++)
		if (relation->column[i].kind == COLUMN_NUMBER)
			relation->column[i].missing = "-";
}

/* ---- default columns ---------------------------------------------------------------------- */

/* Returns whether a column of a single list is shown by default. */
static bool is_shown(const struct column *column, const struct shown_jobs *shown,
		     const struct job_choice *choice)
{
	const struct job_list *list = shown->list;
	bool weighs_tres = false;

	for (size_t i = 0; i < list->tres_count; i++)
		weighs_tres |= list->tres_weight[i] != 0;
	if (column->of_comparison || (column->is_there && !column->is_there(shown)))
		return false;
	if (column->get == site && choice->plain)	/* the site factor has no weight */
		return false;
	if (choice->all)
		return true;
	if (column->get == factor && list->weight[column->detail] == 0)
		return false;
	if (column->get == tres && !weighs_tres)
		return false;
	/* under flux, nice shows the urgency, so that it is shown by default */
	if (column->get == nice_value && list->nice_weight != 1 && list->nice_weight != 0)
		return true;
	return (column->flags & STANDARD) || (choice->with_user && column->letter == 'u');
}

/* Adds the default columns of a single list. */
static void add_standard(struct table *table, const struct relation *relation,
			 const struct shown_jobs *shown, const struct job_choice *choice)
{
	int order = 0;	/* a narrow terminal hides columns of --long, the last one first */

	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		struct table_column *added;

		if (!is_shown(&columns[i], shown, choice))
			continue;
		added = relation_pick(relation, table, columns[i].name, 0);
		if (choice->all && !(columns[i].flags & STAYS))
			added->hides = ++order;
	}
}

/* Adds the columns that flux-accounting lists jobs with. */
static void add_of_flux(struct table *table, const struct relation *relation,
			const struct shown_jobs *shown)
{
	/* hides: a narrow terminal hides the greatest first: weights, as all jobs have the same */
	static const struct { const char *name, *heading; int hides; } shown_as[] = {
		{ "JobID", "JOBID", 0 }, { "User", "USER", 0 }, { "Account", "BANK", 0 },
		{ "BankPrio", "BANKPRIO", 1 }, { "BankFact", "BANKFACT", 2 },
		{ "Partition", "QUEUE", 0 }, { "QPrio", "QPRIO", 1 }, { "QFact", "QFACT", 2 },
		{ "FairShare", "FAIRSHARE", 0 }, { "FSFactor", "FSFACTOR", 2 },
		{ "Urgency", "URGENCY", 1 }, { "UrgFact", "URGFACT", 2 },
		{ "Priority", "PRIORITY", 0 }, { "State", "STATE", 0 },
	};

	for (size_t i = 0; i < sizeof(shown_as) / sizeof(*shown_as); i++) {
		struct table_column *added = relation_pick(relation, table, shown_as[i].name, 0);

		if (added->of->is_there && !added->of->is_there(shown)) {
			table->column_count--;	/* takes the column away again */
			continue;
		}
		/* flux-accounting lists fair share before weighting */
		added->is_plain = added->get == factor;
		added->heading = shown_as[i].heading;
		added->hides = shown_as[i].hides;
	}
}

/* Adds the columns of one list of a comparison. with_all: also factors and changes of rank, which
 * do not fit on a line for more than two lists. */
static void add_group(struct table *table, const struct relation *relation, size_t which,
		      bool with_all)
{
	/* of_all: only with_all; hides: as in struct table_column */
	static const struct { const char *name; bool of_all; int hides; } of_group[] = {
		{ "FairShare", true, 3 }, { "Priority", false, 1 }, { "Rank", false, 0 },
		{ "Change", true, 2 },
	};

	for (size_t i = 0; i < sizeof(of_group) / sizeof(*of_group); i++) {
		struct table_column *added;

		if (of_group[i].of_all && !with_all)
			continue;
		added = relation_pick(relation, table, of_group[i].name, which);
		if (added)	/* the first list has no Change */
			added->hides = of_group[i].hides;
	}
}

/* Adds the default columns of a comparison: those of the jobs, then a group for each list. */
static void add_compared(struct table *table, const struct relation *relation,
			 const struct shown_jobs *shown, const struct job_choice *choice)
{
	size_t count = shown->comparison->count;

	relation_pick(relation, table, "JobID", 0);
	relation_pick(relation, table, "Partition", 0);
	relation_pick(relation, table, "User", 0);
	if (shown->shows_state)
		relation_pick(relation, table, "State", 0);
	for (size_t which = 0; which < count; which++)
		add_group(table, relation, which, choice->all || count == 2);
}

void job_columns_standard(struct table *table, const struct relation *relation,
			  const struct shown_jobs *shown, const struct job_choice *choice)
{
	if (shown->comparison->count > 1)
		add_compared(table, relation, shown, choice);
	else if (choice->all && shown->list->by_flux)
		add_of_flux(table, relation, shown);
	else
		add_standard(table, relation, shown, choice);
}
