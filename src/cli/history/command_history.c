/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom history: shows what the figures of a user or account were, day by day; or rebuilds them
 * from records of jobs, which rebuild_history.c does. */
#include "cli/command.h"
#include "cli/history/history_input.h"
#include "cli/history/rebuild_history.h"
#include "cli/history/since.h"
#include "cli/option_words.h"
#include "cli/print_table.h"
#include "json/json.h"

#include <math.h>
#include <stdio.h>

#define STANDARD_DAYS 30
#define SECONDS_A_DAY 86400
#define SECONDS_AN_HOUR 3600

struct history_options {
	const char *who[2];	/* the first is WHO; NULL: not given */
	const char *history;	/* path of the file; NULL: that of the running cluster */
	struct rebuild_request rebuild;
	time_t since;		/* 0: not given */
	int units;		/* of usage: UNITS_HOURS or UNITS_BILLING */
	bool json, parsable, no_header;
	bool rebuilds;		/* --rebuild */
};

/* ---- options ------------------------------------------------------------------ */

#define AT(member) offsetof(struct history_options, member), 0

static const struct option_row option_rows[] = {
	{ 0, "history", "FILE", "read this HistoryFile; default: that of the running cluster",
	  option_text, AT(history) },
	{ 0, "since", "TIME", "show days from TIME on: yesterday, 90d, 2026-01-31; default: the "
	  "last 30 days", option_since, AT(since) },
	{ 0, "units", "UNIT", "print usage in hours or billing seconds; default: billing",
	  option_word, offsetof(struct history_options, units), WORDS_UNITS },
	{ 0, "rebuild", NULL, "add the days before the first one, from records of jobs",
	  option_flag, AT(rebuilds) },
	{ OPTION_FROM, "with --rebuild: read FILE, which has a tree, jobs, or settings; repeat it",
	  option_from, AT(rebuild.files) },
	{ OPTION_SCOPE, "with --rebuild: add the figures of this queue or host partition, if the "
	  "files describe several trees", option_text, AT(rebuild.scope) },
	{ OPTION_POLICY, "with --rebuild: evaluate under this policy", option_policies,
	  AT(rebuild.policies) },
	{ OPTION_SET, "with --rebuild: change a setting of the policy, or half_life", option_set,
	  AT(rebuild.sets) },
	{ OPTION_NO_HEADER, option_flag, AT(no_header) },
	{ OPTION_PARSABLE, "print a '|' between columns", option_flag, AT(parsable) },
	{ OPTION_JSON, "print JSON, unrounded", option_flag, AT(json) },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom history [OPTION]... [WHO]\n"
		 "       fathom history --rebuild --from FILE... [--history FILE]\n"
		 "Show shares, usage, factor and rank of a user or account day by day, from the\n"
		 "HistoryFile that priority/fathom writes. WHO is a user, ACCOUNT/USER, or an\n"
		 "account; user:NAME and account:NAME tell them apart. Without WHO, it is you, or\n"
		 "if the file does not know you, the whole cluster.\n\n",
	OPERANDS(1, "WHO", struct history_options, who),
};

/* Refuses options that do not go together. */
static void check_options(const struct history_options *options)
{
	/* an option or operand that chooses what is shown; NULL: none is given */
	const char *shows = *options->who ? *options->who : options->json ? "--json"
			    : options->since				 ? "--since" : NULL;

	if (!options->rebuilds && options->rebuild.files.from_count)
		refuse("--from: needs --rebuild; --history reads a HistoryFile");
	if (!options->rebuilds && (options->rebuild.policies.count || options->rebuild.sets.count ||
				   options->rebuild.scope))
		refuse("--%s: needs --rebuild", options->rebuild.policies.count ? "policy" :
		       options->rebuild.sets.count ? "set" : "scope");
	if (options->rebuilds && shows)
		refuse("%s: not expected with --rebuild, which shows nothing", shows);
	if (options->rebuilds && !options->rebuild.files.from_count)
		refuse("--rebuild: needs --from with records of jobs, such as those of sacct");
}

/* ---- columns --------------------------------------------------------------------- */

/* The context of the table. */
struct shown_days {
	const struct history_rows *rows;
	bool in_hours;		/* usage; else in seconds */
	bool has_partition, has_user;	/* a row has one; else the columns are left out */
};

/* The functions below are struct column.get and is_there. `detail` of a column that shows a member
 * of struct history_row is the member's offset. */

static const struct history_row *row_of(const struct cell *cell)
{
	const struct shown_days *shown = cell->context;

	return &shown->rows->row[cell->row];
}

static struct value day(const struct cell *cell)
{
	return value_of_text(need_date((double)row_of(cell)->time, "%F"));
}

/* Shows a member that is a name; an empty cell for "". */
static struct value name(const struct cell *cell)
{
	const char *row = (const char *)row_of(cell);
	const char *text = *(const char *const *)(row + cell->column->detail);

	return *text ? value_of_text(text) : value_none();
}

static struct value raw_shares(const struct cell *cell)
{
	double shares = row_of(cell)->raw_shares;

	return isnan(shares) ? value_of_text("parent") : value_of_whole(shares);
}

/* Shows a member that is a figure. */
static struct value figure(const struct cell *cell)
{
	const char *row = (const char *)row_of(cell);

	return value_of_figure(*(const double *)(row + cell->column->detail));
}

static struct value raw_usage(const struct cell *cell)
{
	const struct shown_days *shown = cell->context;
	double usage = row_of(cell)->raw_usage;

	return shown->in_hours ? value_of_real(usage / SECONDS_AN_HOUR, 1)
			       : value_of_whole(trunc(usage));
}

/* Shows "2/9": the rank among the users of that day; an empty cell for an account. */
static struct value rank(const struct cell *cell)
{
	const struct history_row *row = row_of(cell);

	if (!row->rank)
		return value_none();
	snprintf(cell->buffer, CELL_SIZE, "%lld/%lld", (long long)row->rank, (long long)row->of);
	return value_of_text(cell->buffer);
}

static bool has_user(const void *context)
{
	const struct shown_days *shown = context;

	return shown->has_user;
}

static bool has_partition(const void *context)
{
	const struct shown_days *shown = context;

	return shown->has_partition;
}

#define NAME(member)                                                                            \
	.kind = COLUMN_TEXT, .get = name, .detail = offsetof(struct history_row, member)
#define FIGURE(member) .get = figure, .detail = offsetof(struct history_row, member)

static const struct column columns[] = {
	{ .name = "Day", .kind = COLUMN_TEXT, .get = day },
	{ .name = "Account", NAME(account), .shrinks = true },
	{ .name = "User", NAME(user), .is_there = has_user, .shrinks = true },
	{ .name = "Partition", NAME(partition), .is_there = has_partition },
	{ .name = "RawShares", .get = raw_shares },
	{ .name = "NormShares", FIGURE(norm_shares) },
	{ .name = "RawUsage", .get = raw_usage },
	{ .name = "EffectvUsage", FIGURE(effective_usage) },
	{ .name = "FairShare", FIGURE(factor) },
	{ .name = "Rank", .kind = COLUMN_TEXT, .is_right = true, .get = rank,
	  .is_there = has_user },
};

/* ---- output ---------------------------------------------------------------------- */

/* Prints the table of days. */
static void print_days(const struct history_options *options, const struct history_rows *rows)
{
	struct shown_days shown = { .rows = rows, .in_hours = options->units == UNITS_HOURS };
	struct table table = { .context = &shown, .has_header = !options->no_header,
			       .row_count = rows->count };

	for (size_t i = 0; i < rows->count; i++) {
		shown.has_user |= *rows->row[i].user != '\0';
		shown.has_partition |= *rows->row[i].partition != '\0';
	}
	table_add_all(&table, columns, sizeof(columns) / sizeof(*columns));
	print_either(&table, options->parsable);
}

/* Writes a day as an object. */
static void print_day_json(const struct history_row *row)
{
	json_print(stdout, "{\"time\": %lld", (long long)row->time);
	json_put_instant_key(stdout, "time_iso", (double)row->time);
	json_print(stdout, ", \"policy\": %s, \"account\": %s, \"user\": %s, \"partition\": %s",
		   row->policy, row->account, *row->user ? row->user : NULL,
		   *row->partition ? row->partition : NULL);
	if (isnan(row->raw_shares))
		json_put_text_key(stdout, "raw_shares", "parent");
	else
		json_put_number_key(stdout, "raw_shares", row->raw_shares);
	json_print(stdout, ", \"norm_shares\": %g, \"raw_usage\": %g, \"effective_usage\": %g, "
		   "\"factor\": %g, \"rank\": %g, \"of\": %g}", row->norm_shares, row->raw_usage,
		   row->effective_usage, row->factor, row->rank ? (double)row->rank : NAN,
		   (double)row->of);
}

/* Prints all days as JSON. filter: with the names of the user or account. */
static void print_days_json(const struct history_filter *filter, const struct history_rows *rows)
{
	bool is_user = *filter->user;	/* "" for an account */

	json_begin(stdout, "fathom-history", 1);
	json_print(stdout, ",\n \"who\": {\"user\": %s, \"account\": %s},\n \"days\": [",
		   is_user ? filter->user : NULL, filter->account);
	for (size_t i = 0; i < rows->count; i++) {
		json_put(stdout, i ? ",\n  " : "\n  ");
		print_day_json(&rows->row[i]);
	}
	json_put(stdout, "]}\n");
}

static int run(int argc, char **argv)
{
	struct history_options options = { .units = UNITS_BILLING };
	struct history_filter filter = { .until = INT64_MAX };
	struct history_rows rows = { 0 };
	struct history_input input;
	const bool may_write = false;

	options_parse(argc, argv, &option_table, &options);
	check_options(&options);
	if (options.rebuilds) {
		rebuild_history(&options.rebuild, options.history);
		return EXIT_DONE;
	}
	input = history_input_open(options.history, may_write);
	filter.from = options.since ? options.since : time(NULL) - STANDARD_DAYS * SECONDS_A_DAY;
	history_input_read_of(&input, *options.who, &filter, &rows);
	if (!rows.count)
		remark("%s has no day of %s since then; --since shows earlier ones", input.name,
		       *filter.user ? filter.user : filter.account);
	if (options.json)
		print_days_json(&filter, &rows);
	else
		print_days(&options, &rows);
	return EXIT_DONE;
}

const struct command command_history = {
	.name = "history",
	.summary = "show what shares, usage and factors were, day by day",
	.options = &option_table,
	.run = run,
};
