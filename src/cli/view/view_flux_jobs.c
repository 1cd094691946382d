/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints jobs as "flux account jobs" does: the terms of the priority of each, and their weights.
 * Under other policies than flux, the terms that only flux has are printed as '-'.
 */
#include "cli/views.h"

#include "cli/jobs/command_jobs.h"
#include "cli/name_set.h"
#include "cli/view/flux_rows.h"
#include "cli/view/python_format.h"
#include "fathom/flux.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

#define ID_SIZE 24
#define MOST_SLURM_ID UINT32_MAX	/* larger ids are Flux's, which it prints in base 58 */
#define ROUNDING 1	/* by which a priority may differ from the sum of its terms */
#define HOOKED_F "\xc6\x92"	/* U+0192: what Flux prints in place of f where it can */

/* ---- options --------------------------------------------------------------------------- */

struct jobs_options {
	const char *user;	/* NULL: all */
	const char *bank, *queue;	/* NULL: all */
	const char *format;	/* NULL: not given */
	const char *filter, *count, *since;	/* as given; check() reads them */
	char *ids;		/* comma-separated; NULL: all */
	uint64_t states;	/* of --filter: 1 << state for each */
	size_t most;		/* of --count */
	bool verbose;
};

#define AT(member) offsetof(struct jobs_options, member), 0

static const struct option_row option_rows[] = {
	{ 0, "bank", "BANK", "only jobs of this bank, the account", option_text, AT(bank) },
	{ 0, "queue", "QUEUE", "only jobs in this queue, the partition", option_text, AT(queue) },
	{ 'o', "format", "FORMAT", "lines in Python's format, such as \"{JOBID:<12} {PRIORITY}\"",
	  option_text, AT(format) },
	{ 'f', "filter", "STATES", "only jobs in these states, such as pending,running",
	  option_text, AT(filter) },
	{ 'c', "count", "N", "only the first N jobs", option_text, AT(count) },
	{ 'j', "jobids", "ID...", "only these jobs, each a word or behind a comma", option_names,
	  AT(ids) },
	{ 0, "since", "WHEN", "0 alone, for all: no source tells when jobs have ended",
	  option_text, AT(since) },
	{ 'v', "verbose", NULL, "how each priority was calculated", option_flag, AT(verbose) },
	VIEW_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom prio [OPTION]... --view flux -- [USER] [OPTION OF jobs]...\n"
		 "Show jobs as \"flux account jobs\" shows them; without USER, those of all\n"
		 "users.\n\n",
	OPERANDS(1, "USER", struct jobs_options, user),
};

#define STATE(name) ((uint64_t)1 << (name))
enum { PENDING, RUNNING, SUSPENDED, COMPLETED, CANCELLED, FAILED, TIMEOUT, NODE_FAIL, PREEMPTED,
       BOOT_FAIL, DEADLINE, OUT_OF_MEMORY };	/* as Slurm numbers states */

#define DEPENDING 63	/* in place of PENDING: the job waits for other jobs */

#define IS_PENDING (STATE(PENDING) | STATE(DEPENDING))
#define IS_RUNNING (STATE(RUNNING) | STATE(SUSPENDED))

/* Flux's names of states and results, and the states of Slurm that they stand for. */
static const struct {
	const char *name;
	uint64_t states;
} filters[] = {
	{ "depend", STATE(DEPENDING) }, { "priority", STATE(PENDING) }, { "sched", STATE(PENDING) },
	{ "pending", IS_PENDING }, { "run", IS_RUNNING }, { "running", IS_RUNNING },
	{ "cleanup", 0 }, { "active", IS_PENDING | IS_RUNNING },
	{ "inactive", ~(IS_PENDING | IS_RUNNING) }, { "completed", STATE(COMPLETED) },
	{ "failed", STATE(FAILED) | STATE(NODE_FAIL) | STATE(BOOT_FAIL) | STATE(OUT_OF_MEMORY) },
	{ "canceled", STATE(CANCELLED) | STATE(PREEMPTED) },
	{ "timeout", STATE(TIMEOUT) | STATE(DEADLINE) },
};

#define FILTER_COUNT (sizeof(filters) / sizeof(*filters))

/* Sets options->states to the states of --filter; without it, to all. */
static void read_filter(struct jobs_options *options)
{
	const char *rest = options->filter;
	struct list_item item;

	options->states = rest ? 0 : UINT64_MAX;
	while (rest && list_next(&rest, ",", &item)) {
		size_t i = 0;

		while (i < FILTER_COUNT && (strlen(filters[i].name) != item.length ||
					    strncasecmp(filters[i].name, item.name, item.length)))
			i++;
		if (i == FILTER_COUNT)
			refuse("--filter: '%.*s' is not a state, must be one such as pending, "
			       "running or completed", list_item_shown(&item), item.name);
		options->states |= filters[i].states;
	}
}

/* Checks the options, and sets `most` and `states`. */
static void check(void *given)
{
	struct jobs_options *options = given;
	char *end;

	options->most = SIZE_MAX;
	if (options->format && !*options->format)
		options->format = NULL;		/* as in the tool */
	if (options->count) {
		unsigned long long count = strtoull(options->count, &end, 10);

		if (!*options->count || *end || options->count[0] == '-')
			refuse("--count: '%s' must be a whole number, 0 for all", options->count);
		options->most = count ? (size_t)count : SIZE_MAX;
	}
	if (options->since && strcmp(options->since, "0") && strcmp(options->since, "0.0"))
		refuse("--since: '%s' must be 0; when jobs have ended is not known",
		       options->since);
	if (options->verbose && options->format)
		refuse("--verbose: cannot be used with --format");
	read_filter(options);
}

/* ---- columns ------------------------------------------------------------------------------ */

/* Columns; struct value arrays of a row have an element for each. */
enum { JOBID, USER, BANK, BANKPRIO, BANKFACT, QUEUE, QPRIO, QFACT, FAIRSHARE, FSFACTOR, URGENCY,
       URGFACT, PRIORITY, COLUMN_COUNT };

#define COLUMN(column, characters) [column] = { .name = #column, .width = characters }

static const struct column columns[COLUMN_COUNT] = {
	COLUMN(JOBID, 15), COLUMN(USER, 9), COLUMN(BANK, 8), COLUMN(BANKPRIO, 10),
	COLUMN(BANKFACT, 10), COLUMN(QUEUE, 8), COLUMN(QPRIO, 7), COLUMN(QFACT, 7),
	COLUMN(FAIRSHARE, 10), COLUMN(FSFACTOR, 10), COLUMN(URGENCY, 8), COLUMN(URGFACT, 8),
	COLUMN(PRIORITY, 8),
};

/* Writes an id: those of Flux as Flux does, in base 58 behind an f. text: ID_SIZE. Returns
 * `text`. */
static const char *id_text(int64_t id, char *text)
{
	static const char digits[] = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
	char *at = &text[ID_SIZE - 1];

	if (id <= MOST_SLURM_ID) {
		snprintf(text, ID_SIZE, "%lld", (long long)id);
		return text;
	}
	*at = '\0';
	for (; id; id /= 58)	/* from the last digit to the first */
		*--at = digits[id % 58];
	*--at = 'f';
	memmove(text, at, strlen(at) + 1);
	return text;
}

/* Returns a whole number; none if it is not known. */
static struct value whole_value(double number)
{
	return isnan(number) ? value_none() : value_of_integer((int64_t)number);
}

/* Fills in the terms that only flux's rule has. */
static void fill_terms(const struct job_list *list, const struct job_row *row, struct value *value)
{
	const struct job_values *plain = &row->plain;

	value[BANKPRIO] = value_of_real(plain->factor[JOB_ASSOC], 0);
	value[BANKFACT] = whole_value(list->weight[JOB_ASSOC]);
	value[QPRIO] = whole_value(plain->factor[JOB_PARTITION]);
	value[QFACT] = whole_value(list->weight[JOB_PARTITION]);
	value[FSFACTOR] = whole_value(list->weight[JOB_FAIRSHARE]);
	value[URGENCY] = value_of_integer(FATHOM_FLUX_URGENCY - plain->nice);
	value[URGFACT] = whole_value(list->nice_weight);
}

/* Returns whether the terms and weights of now give the priority of a job. A pending job always
 * gets it from them; another one keeps the priority that it had, and they may have changed
 * since. */
static bool is_explained(const struct job_list *list, const struct job_row *row)
{
	const double *term = row->plain.factor;
	const struct fathom_flux_weights weights = {
		.fairshare = list->weight[JOB_FAIRSHARE], .queue = list->weight[JOB_PARTITION],
		.bank = list->weight[JOB_ASSOC], .urgency = list->nice_weight,
	};
	const struct fathom_flux_job job = {
		.fairshare = term[JOB_FAIRSHARE], .queue = term[JOB_PARTITION],
		.bank = term[JOB_ASSOC],
		.urgency = (unsigned)(FATHOM_FLUX_URGENCY - row->plain.nice),
	};

	bool is_pending = row->state == PENDING || row->state == JOB_STATE_UNKNOWN;

	return is_pending || isnan(row->priority) ||
	       fabs(fathom_flux_priority(&weights, &job) - row->priority) <= ROUNDING;
}

/* Removes the terms and weights that may have changed since the priority was computed. */
static void forget_terms(struct value *value)
{
	static const size_t forgotten[] = { FAIRSHARE, FSFACTOR, BANKFACT, QFACT, URGFACT };

	for (size_t i = 0; i < sizeof(forgotten) / sizeof(*forgotten); i++)
		value[forgotten[i]] = value_none();
}

/* Fills value[] with the cells of a job. id: ID_SIZE, room for the text of its id. */
static void fill_cells(const struct job_list *list, const struct job_row *row, char *id,
		       struct value *value)
{
	double fairshare = row->plain.factor[JOB_FAIRSHARE];

	memset(value, 0, COLUMN_COUNT * sizeof(*value));	/* VALUE_NONE */
	value[JOBID] = value_of_text(id_text(row->id, id));
	value[USER] = value_of_text(row->user);
	value[BANK] = value_of_text(row->account);
	value[QUEUE] = value_of_text(row->partition);
	if (!isnan(fairshare) && !row->is_set)
		value[FAIRSHARE] = value_of_real(python_round(fairshare, FAIRSHARE_DECIMALS), 0);
	value[PRIORITY] = whole_value(row->priority);
	if (list->by_flux && !row->is_set)
		fill_terms(list, row, value);
	if (list->by_flux && !is_explained(list, row))
		forget_terms(value);
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Prints a line of cells. value: NULL: the headings. */
static void print_line(const struct value *value)
{
	char buffer[PYTHON_SIZE];

	for (size_t i = 0; i < COLUMN_COUNT; i++)
		python_pad(value ? python_str(&value[i], buffer) : columns[i].name,
			   -columns[i].width);
	putchar('\n');
}

/* Returns the product of a term and its weight, as Python does: that of integers is an integer. */
static struct value product_of(const struct value *term, const struct value *weight)
{
	if (term->kind == VALUE_NONE || weight->kind == VALUE_NONE)
		return value_none();
	if (term->kind == VALUE_INTEGER && weight->kind == VALUE_INTEGER)
		return value_of_integer(term->integer * weight->integer);
	return value_of_real(flux_number_of(term) * flux_number_of(weight), 0);
}

/* Prints how the priority of a job is the sum of its terms: the formula, the values, the products,
 * and the sum. */
static void print_calculation(const struct value *value)
{
	char text[COLUMN_COUNT][PYTHON_SIZE];
	const char *shown[COLUMN_COUNT];
	struct value above = value[URGENCY], product;	/* above: how much urgency is above 16 */
	const size_t terms[][2] = { { FAIRSHARE, FSFACTOR }, { QPRIO, QFACT },
				    { BANKPRIO, BANKFACT } };

	for (size_t i = 0; i < COLUMN_COUNT; i++)
		shown[i] = python_str(&value[i], text[i]);
	printf("%s\n= (FAIRSHARE * FAIRSHARE_WEIGHT) + (QUEUE_PRIORITY * QUEUE_WEIGHT) + "
	       "(BANK_PRIORITY * BANK_WEIGHT) + (URGENCY_WEIGHT * (URGENCY - 16))\n= ",
	       shown[JOBID]);
	for (size_t i = 0; i < 3; i++)
		printf("(%s * %s) + ", shown[terms[i][0]], shown[terms[i][1]]);
	printf("(%s * (%s - 16))\n= ", shown[URGFACT], shown[URGENCY]);
	for (size_t i = 0; i < 3; i++) {
		product = product_of(&value[terms[i][0]], &value[terms[i][1]]);
		printf("%s + ", python_str(&product, text[JOBID]));
	}
	above.integer -= FATHOM_FLUX_URGENCY;
	product = product_of(&above, &value[URGFACT]);
	printf("%s\n", python_str(&product, text[JOBID]));
	printf("= %s\n", shown[PRIORITY]);
}

/* Prints a job as the options say. value: its cells; NULL: the headings. */
static void print_job(const struct jobs_options *options, const struct value *value)
{
	const struct python_row row = { .column = columns, .value = value, .count = COLUMN_COUNT };

	if (options->format)
		python_format_print(options->format, &row);
	else if (options->verbose)
		print_calculation(value);
	else
		print_line(value);
}

/* ---- which jobs ---------------------------------------------------------------------------- */

/* Returns whether a job has the name that is wanted; wanted: NULL: any. */
static bool is_named(const char *wanted, const char *name)
{
	return !wanted || (name && !strcmp(name, wanted));
}

/* Returns whether --jobids has the job: as a number, or in base 58 behind an f or HOOKED_F. */
static bool is_listed(const struct name_set *ids, const struct job_row *row)
{
	char number[ID_SIZE], text[ID_SIZE], hooked[ID_SIZE + 1];

	snprintf(number, sizeof(number), "%lld", (long long)row->id);
	id_text(row->id, text);
	snprintf(hooked, sizeof(hooked), HOOKED_F "%s", text + (*text == 'f'));
	return name_set_has(ids, number) || name_set_has(ids, text) || name_set_has(ids, hooked);
}

/* Returns whether the options choose a job. ids: of --jobids. slurmctld does not tell the
 * states of the pending jobs that it shows sprio. */
static bool is_wanted(const struct jobs_options *options, const struct name_set *ids,
		      const struct job_row *row)
{
	size_t state = row->state == JOB_STATE_UNKNOWN ? PENDING : row->state;

	if (state == PENDING && row->depends)
		state = DEPENDING;
	return is_named(options->user, row->user) && is_named(options->bank, row->account) &&
	       is_named(options->queue, row->partition) && is_listed(ids, row) &&
	       (options->states >> state & 1);
}

/* Refuses a name of a user, bank or queue without jobs. wanted: NULL: none is given. member: the
 * offset of the names in struct job_row; before: the option, for the error. */
static void check_name(const struct job_list *list, const char *wanted, size_t member,
		       const char *before)
{
	const struct job_names names = { list, member };
	struct suggestion near = { .word = wanted, .length = wanted ? strlen(wanted) : 0 };

	if (wanted && !names_have((struct name_list){ job_name_at, &names }, false, &near))
		refuse_unknown(&near, "%s: there are no jobs of %s", before, wanted);
}

/* Prints headings and the jobs that are asked for; see print_jobs() of struct view. */
static void print(const void *given, struct shown_jobs *shown)
{
	const struct jobs_options *options = given;
	const struct job_list *list = shown->list;
	const struct name_set *ids = name_set_of(options->ids);

	check_name(list, options->user, offsetof(struct job_row, user), "USER");
	check_name(list, options->bank, offsetof(struct job_row, account), "--bank");
	check_name(list, options->queue, offsetof(struct job_row, partition), "--queue");
	if (options->format)
		python_format_check(options->format, "--format", columns, COLUMN_COUNT);
	if (!options->verbose)
		print_job(options, NULL);
	for (size_t i = 0; i < list->count && shown->count < options->most; i++) {
		struct value value[COLUMN_COUNT];
		char id[ID_SIZE];

		if (!is_wanted(options, ids, &list->row[i]))
			continue;
		fill_cells(list, &list->row[i], id, value);
		print_job(options, value);
		shown->row[shown->count++] = i;
	}
	/* the tool prints an empty line here */
	if (options->verbose || (!shown->count && !options->format))
		putchar('\n');
}

const struct view view_flux_jobs = {
	.tool = "flux",
	.policy = "flux",
	.options = &option_table,
	.size = sizeof(struct jobs_options),
	.check = check,
	.print_jobs = print,
	.all_states = true,
};
