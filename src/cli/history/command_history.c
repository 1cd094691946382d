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
#include "relation/text_table.h"

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
	const struct rebuild_request *rebuild = &options->rebuild;
	/* an option of --rebuild; NULL: none is given */
	const char *evaluates = rebuild->policies.count ? "policy"
				: rebuild->sets.count	? "set"
				: rebuild->scope	? "scope" : NULL;
	/* an option or operand that chooses what is shown; NULL: none is given */
	const char *shows = *options->who    ? *options->who
			    : options->json  ? "--json"
			    : options->since ? "--since" : NULL;

	if (!options->rebuilds && rebuild->files.from_count)
		refuse("--from: needs --rebuild; --history reads a HistoryFile");
	if (!options->rebuilds && evaluates)
		refuse("--%s: needs --rebuild", evaluates);
	if (options->rebuilds && shows)
		refuse("%s: not expected with --rebuild, which shows nothing", shows);
	if (options->rebuilds && !rebuild->files.from_count)
		refuse("--rebuild: needs --from with records of jobs, such as those of sacct");
}

/* ---- output ---------------------------------------------------------------------- */

/* Puts the row of a day, and with has_user also user and rank: "2/9", among the users of that day;
 * both are empty for an account. */
static void put_day(struct text_table *table, const struct history_row *row, bool in_hours,
		    bool has_user, bool has_partition)
{
	text_table_put(table, need_date((double)row->time, "%F"));
	text_table_put(table, row->account);
	if (has_user)
		text_table_put(table, row->user);
	if (has_partition)
		text_table_put(table, row->partition);
	text_table_put_value(table, isnan(row->raw_shares) ? value_of_text("parent")
							   : value_of_whole(row->raw_shares));
	text_table_put_value(table, value_of_figure(row->norm_shares));
	text_table_put_value(table, in_hours ? value_of_real(row->raw_usage / SECONDS_AN_HOUR, 1)
					     : value_of_whole(trunc(row->raw_usage)));
	text_table_put_value(table, value_of_figure(row->effective_usage));
	text_table_put_value(table, value_of_figure(row->factor));
	if (has_user)
		text_table_put(table, row->rank ? need_print("%lld/%lld", (long long)row->rank,
							     (long long)row->of) : NULL);
}

/* Prints the table of days. Columns of names that no row has are left out. */
static void print_days(const struct history_options *options, const struct history_rows *rows)
{
	/* hides: a narrow terminal hides the greatest first: shares, as they change least */
	static const struct {
		const char *heading;
		int hides;
	} figures[] = {
		{ "RawShares", 1 }, { "NormShares", 2 }, { "RawUsage", 0 }, { "EffectvUsage", 0 },
		{ "FairShare", 0 },
	};
	struct text_table table = { .table.narrow = "--parsable prints all" };
	bool has_user = false, has_partition = false;

	for (size_t i = 0; i < rows->count; i++) {
		has_user |= *rows->row[i].user != '\0';
		has_partition |= *rows->row[i].partition != '\0';
	}
	text_table_add_column(&table, "Day");
	text_table_add_column(&table, "Account")->shrinks = true;
	if (has_user)
		text_table_add_column(&table, "User")->shrinks = true;
	if (has_partition)
		text_table_add_column(&table, "Partition");
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		text_table_add_number(&table, figures[i].heading)->hides = figures[i].hides;
	if (has_user)
		text_table_add_number(&table, "Rank");
	for (size_t i = 0; i < rows->count; i++)
		put_day(&table, &rows->row[i], options->units == UNITS_HOURS, has_user,
			has_partition);
	text_table_finish(&table)->has_header = !options->no_header;
	print_either(&table.table, options->parsable);
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
