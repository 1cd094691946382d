/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints banks and associations as "flux account view-bank" does: a tree, a table, or JSON. A
 * database is printed as it is, with the fair-share factors that are stored in it; --policy or
 * --set evaluates its tree.
 */
#include "cli/views.h"

#include "cli/view/flux_rows.h"
#include "cli/view/python_format.h"
#include "memory/need_memory.h"
#include "relation/column_list.h"
#include "relation/text_table.h"

#define USER_TABLE_COLUMNS FLUX_USER_BANK	/* the columns in front of the bank, the last */
#define UNLIMITED INT32_MAX	/* how flux-accounting stores it */

/* ---- options --------------------------------------------------------------------------- */

struct bank_options {
	const char *bank;	/* a name; NULL: the root */
	bool is_tree, users, parsable, concise, active;
	const char *fields;	/* comma-separated; NULL: all columns */
	const char *format;	/* NULL: not given */
};

#define AT(member) offsetof(struct bank_options, member), 0

static const struct option_row option_rows[] = {
	{ 't', "tree", NULL, "the bank and all that is below it as a tree; the default without "
	  "BANK", option_flag, AT(is_tree) },
	{ 'P', "parsable", NULL, "a '|' between the columns of the tree", option_flag,
	  AT(parsable) },
	{ 'u', "users", NULL, "the bank and its users as tables", option_flag, AT(users) },
	{ 0, "fields", "COLUMNS", "these columns of the bank, such as bank,shares", option_text,
	  AT(fields) },
	{ 'o', "format", "FORMAT", "a line in Python's format, such as \"{bank:<8} {shares}\"",
	  option_text, AT(format) },
	{ 'c', "concise", NULL, "only associations that have used something", option_flag,
	  AT(concise) },
	{ 'A', "active", NULL, "only active associations", option_flag, AT(active) },
	VIEW_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom shares [OPTION]... --view flux -- [BANK] [OPTION OF view-bank]...\n"
		 "Show banks and associations as \"flux account view-bank\" shows them: with BANK\n"
		 "alone, the bank as JSON.\n\n",
	OPERANDS(1, "BANK", struct bank_options, bank),
};

/* Checks and completes the options, as view-bank does. */
static void check(void *given)
{
	struct bank_options *options = given;

	if (options->format && !*options->format)
		options->format = NULL;		/* as in the tool */
	if (!options->bank && !options->users && !options->fields && !options->format)
		options->is_tree = true;
	if (options->parsable && !options->is_tree)
		refuse("-P: needs -t");
	if (options->is_tree && options->fields)
		refuse("--fields: cannot be used with -t");
}

/* ---- which bank and columns -------------------------------------------------------------- */

/* A bank, and its columns that are printed. */
struct shown_bank {
	const struct bank_options *options;
	struct flux_tree tree;		/* whose top is the bank */
	size_t column[FLUX_BANK_COLUMNS];	/* enum flux_bank_column */
	size_t count;			/* of columns */
};

/* Returns the name of bank i; NULL: there are no more. For struct name_list. */
static const char *bank_at(const void *context, size_t i)
{
	const struct flux_accounts *accounts = context;

	return i < accounts->bank_count ? flux_text_of(&accounts->bank[i].value[FLUX_BANK]) : NULL;
}

/* Finds the bank of the options. Refuses one that `source` lacks. */
static void find_bank(struct shown_bank *shown, const char *source)
{
	const char *wanted = shown->options->bank;
	struct suggestion near = { .word = wanted, .length = wanted ? strlen(wanted) : 0 };

	shown->tree.bank = wanted ? flux_accounts_find(shown->tree.accounts, wanted)
				  : flux_accounts_root(shown->tree.accounts);
	if (shown->tree.bank != FLUX_NONE)
		return;
	if (!wanted)
		refuse("%s: has no root bank; name a bank", source);
	names_have((struct name_list){ bank_at, shown->tree.accounts }, false, &near);
	refuse_unknown(&near, "%s: %s has no such bank", wanted, source);
}

/* Returns the row of the bank. */
static const struct flux_bank *bank_of(const struct shown_bank *shown)
{
	return &shown->tree.accounts->bank[shown->tree.bank];
}

/* Chooses the columns of --fields, or all. */
static void choose_columns(struct shown_bank *shown)
{
	const char *rest = shown->options->fields;
	struct list_item item;

	for (size_t i = 0; !rest && i < FLUX_BANK_COLUMNS; i++)
		shown->column[shown->count++] = i;
	while (rest && list_next(&rest, ",", &item)) {
		size_t column = 0;

		while (column < FLUX_BANK_COLUMNS &&
		       (strlen(flux_bank_columns[column]) != item.length ||
			strncmp(flux_bank_columns[column], item.name, item.length)))
			column++;
		if (column == FLUX_BANK_COLUMNS)
			refuse("--fields: '%.*s' is not a column of bank_table",
			       list_item_shown(&item), item.name);
		if (shown->count == FLUX_BANK_COLUMNS)
			refuse("--fields: more than %d columns", FLUX_BANK_COLUMNS);
		shown->column[shown->count++] = column;
	}
	if (!shown->count)
		refuse("--fields: no column given");
}

/* ---- tables ------------------------------------------------------------------------------ */

/* Puts a value into a table. is_active: it is of the column "active". */
static void put_cell(struct text_table *table, const struct value *value, bool is_active)
{
	char buffer[PYTHON_SIZE];

	if (is_active)
		text_table_put(table, flux_active_text(value));
	else
		text_table_put(table, flux_number_of(value) == UNLIMITED
					      ? "unlimited"
					      : need_text(python_str(value, buffer)));
}

/* Makes columns as wide as their heading and their widest cell. */
static void widen_columns(struct table *table)
{
	char buffer[CELL_SIZE];

	for (size_t i = 0; i < table->column_count; i++) {
		struct table_column *column = &table->column[i];

		column->least = python_length(column->heading);
		for (size_t row = 0; row < table->row_count; row++) {
			int length = python_length(table_text(table, column, row, buffer));

			if (length > column->least)
				column->least = length;
		}
	}
}

/*
 * Prints a table with a line between header and rows:
 *
 *	bank | shares
 *	-----+-------
 *	root | 1
 */
static void print_grid(struct table *table)
{
	char buffer[CELL_SIZE];

	widen_columns(table);
	for (size_t i = 0; i < table->column_count; i++) {
		fputs(i ? " | " : "", stdout);
		python_pad(table->column[i].heading, -table->column[i].least);
	}
	putchar('\n');
	for (size_t i = 0; i < table->column_count; i++) {
		fputs(i ? "-+-" : "", stdout);
		for (int dash = 0; dash < table->column[i].least; dash++)
			putchar('-');
	}
	for (size_t row = 0; row < table->row_count; row++)
		for (size_t i = 0; i < table->column_count; i++) {
			fputs(i ? " | " : "\n", stdout);
			python_pad(table_text(table, &table->column[i], row, buffer),
				   -table->column[i].least);
		}
	putchar('\n');
}

/* Prints the table of the bank: one row. */
static void print_bank_grid(const struct shown_bank *shown)
{
	const struct value *value = bank_of(shown)->value;
	struct text_table table = { .count = 0 };

	for (size_t i = 0; i < shown->count; i++)
		text_table_add_column(&table, flux_bank_columns[shown->column[i]]);
	for (size_t i = 0; i < shown->count; i++)
		put_cell(&table, &value[shown->column[i]], shown->column[i] == FLUX_BANK_ACTIVE);
	print_grid(text_table_finish(&table));
}

/* Prints the table of the bank's users. */
static void print_users_grid(const struct shown_bank *shown)
{
	const struct flux_user *user = shown->tree.accounts->user;
	const struct flux_bank *bank = bank_of(shown);
	struct text_table table = { .count = 0 };

	for (size_t i = 0; i < USER_TABLE_COLUMNS; i++)
		text_table_add_column(&table, flux_user_columns[i]);
	for (size_t at = bank->first_user; at != FLUX_NONE; at = user[at].next)
		for (size_t i = 0; i < USER_TABLE_COLUMNS; i++)
			if (flux_tree_shows(&shown->tree, &user[at]))
				put_cell(&table, &user[at].value[i], i == FLUX_USER_ACTIVE);
	if (table.count)
		print_grid(text_table_finish(&table));
	else
		print_labelled("no users under ", flux_text_of(&bank->value[FLUX_BANK]));
}

/* ---- JSON, and formats --------------------------------------------------------------------- */

/* Prints a value as JSON. */
static void put_value(const struct value *value)
{
	char buffer[PYTHON_SIZE];

	if (value->kind == VALUE_TEXT)
		python_json_string(value->text);
	else if (value->kind == VALUE_NONE)
		fputs("null", stdout);
	else if (flux_number_of(value) == UNLIMITED)
		python_json_string("unlimited");
	else
		fputs(python_str(value, buffer), stdout);
}

/* Prints the bank as JSON, a list with one object. */
static void print_json(const struct shown_bank *shown)
{
	const struct value *value = bank_of(shown)->value;

	printf("[\n  {\n");
	for (size_t i = 0; i < shown->count; i++) {
		printf("    \"%s\": ", flux_bank_columns[shown->column[i]]);
		put_value(&value[shown->column[i]]);
		printf(i + 1 < shown->count ? ",\n" : "\n");
	}
	printf("  }\n]\n");
}

/* Prints a line of headings and the bank in the format of --format. */
static void print_formatted(const struct shown_bank *shown)
{
	const struct value *all_values = bank_of(shown)->value;
	const char *format = shown->options->format;
	struct value value[FLUX_BANK_COLUMNS];
	struct column column[FLUX_BANK_COLUMNS];
	struct python_row row = { .column = column, .count = shown->count };

	for (size_t i = 0; i < shown->count; i++) {
		column[i] = (struct column){ .name = flux_bank_columns[shown->column[i]] };
		value[i] = all_values[shown->column[i]];
	}
	python_format_check(format, "--format", column, shown->count);
	python_format_print(format, &row);	/* without values: the headings */
	row.value = value;
	python_format_print(format, &row);
}

/* ---- the view ------------------------------------------------------------------------------ */

/* Prints the bank in the form that is asked for; see print_accounts() of struct view. */
static void print(const void *given, const struct flux_accounts *accounts, const char *source)
{
	const struct bank_options *options = given;
	struct shown_bank shown = {
		.options = options,
		.tree = { .accounts = accounts, .separator = options->parsable ? "|" : NULL,
			  .concise = options->concise, .active = options->active },
	};

	find_bank(&shown, source);
	choose_columns(&shown);
	if (options->format) {
		print_formatted(&shown);
	} else if (options->is_tree) {
		flux_tree_print(&shown.tree);
		putchar('\n');
	} else if (options->users) {
		print_bank_grid(&shown);
		putchar('\n');
		print_users_grid(&shown);
	} else {
		print_json(&shown);
	}
}

const struct view view_flux = {
	.tool = "flux",
	.policy = "flux",
	.options = &option_table,
	.size = sizeof(struct bank_options),
	.check = check,
	.print_accounts = print,
};
