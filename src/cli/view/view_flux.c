/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints banks and associations as "flux account view-bank" does: a tree, a table, or JSON. A
 * database is printed as it is, with the fair-share factors that are stored in it; --policy or
 * --set evaluates its tree.
 */
#include "cli/views.h"

#include "cli/complain.h"
#include "cli/print_text.h"
#include "cli/tree_comparison.h"
#include "cli/view/flux_rows.h"
#include "cli/view/python_format.h"
#include "relation/column_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 20	/* of the columns of a tree */
#define TREE_COLUMNS 6
#define USER_TABLE_COLUMNS FLUX_USER_BANK	/* all but the bank */
#define UNLIMITED INT32_MAX	/* how flux-accounting stores it */

/* ---- options --------------------------------------------------------------------------- */

struct bank_options {
	const char *bank;	/* NULL: the root */
	bool tree, users, parsable, concise, active;
	const char *fields, *format;
};

#define AT(member) offsetof(struct bank_options, member), 0

static const struct option_row option_rows[] = {
	{ 't', "tree", NULL, "the bank and all that is below it as a tree; the default without "
	  "BANK", option_flag, AT(tree) },
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
	.rows = option_rows, .count = sizeof(option_rows) / sizeof(*option_rows),
	.usage = "Usage: fathom shares [OPTION]... --view flux -- [BANK] [OPTION OF view-bank]...\n"
		 "Show banks and associations as \"flux account view-bank\" shows them: with BANK\n"
		 "alone, the bank as JSON.\n\n",
	.most_operands = 1, .operand_offset = offsetof(struct bank_options, bank),
	.operand = "BANK",
};

static void check(void *given)
{
	struct bank_options *options = given;

	if (options->format && !*options->format)
		options->format = NULL;		/* as in the tool */
	if (!options->bank && !options->users && !options->fields && !options->format)
		options->tree = true;
	if (options->parsable && !options->tree)
		refuse("-P: needs -t");
	if (options->tree && options->fields)
		refuse("--fields: cannot be used with -t");
}

/* ---- which bank and columns -------------------------------------------------------------- */

/* A bank, and its columns that are printed. */
struct shown_bank {
	const struct bank_options *options;
	const struct flux_accounts *accounts;
	size_t bank;
	size_t column[FLUX_BANK_COLUMNS], count;
};

static const char *bank_at(const void *context, size_t i)
{
	const struct flux_accounts *accounts = context;

	return i < accounts->bank_count ? flux_text_of(&accounts->bank[i].value[FLUX_BANK]) : NULL;
}

static void find_bank(struct shown_bank *shown, const char *source)
{
	const char *wanted = shown->options->bank;
	struct suggestion near = { .word = wanted, .length = wanted ? strlen(wanted) : 0 };

	shown->bank = wanted ? flux_accounts_find(shown->accounts, wanted)
			     : flux_accounts_root(shown->accounts);
	if (shown->bank != FLUX_NONE)
		return;
	if (!wanted)
		refuse("%s: has no root bank; name a bank", source);
	names_have((struct name_list){ bank_at, shown->accounts }, false, &near);
	refuse_unknown(&near, "%s: %s has no such bank", wanted, source);
}

static void choose_columns(struct shown_bank *shown)
{
	const char *rest = shown->options->fields;
	struct list_item item;

	for (size_t i = 0; !rest && i < FLUX_BANK_COLUMNS; i++)
		shown->column[shown->count++] = i;
	while (rest && list_next(&rest, ",", &item)) {
		size_t column = 0;

		while (column < FLUX_BANK_COLUMNS &&
		       (strlen(flux_bank_column_name(column)) != item.length ||
			strncmp(flux_bank_column_name(column), item.name, item.length)))
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

/* ---- trees ------------------------------------------------------------------------------- */

static const char *const tree_headings[TREE_COLUMNS] = {
	"Bank", "Username", "Active", "RawShares", "RawUsage", "Fairshare",
};

static const char *active_text(const struct flux_value *value)
{
	return value->kind == FLUX_INTEGER && value->integer == 1 ? "true" : "false";
}

/* Prints a line. The name of the user has less room by the indentation. */
static void print_line(const struct shown_bank *shown, int indent, const char *const *cells,
		       size_t count)
{
	printf("%*s", indent, "");
	for (size_t i = 0; i < count; i++) {
		if (shown->options->parsable)
			python_separated(i, "|", cells[i]);
		else if (!i)
			python_ljust(cells[i], WIDTH);
		else
			python_rjust(cells[i], i == 1 ? WIDTH - indent : WIDTH);
	}
	putchar('\n');
}

/* Prints a bank. The usage of the one that was asked for has at most two decimals. */
static void print_bank(const struct shown_bank *shown, size_t at, int indent)
{
	const struct flux_value *value = shown->accounts->bank[at].value;
	struct flux_value usage = value[FLUX_BANK_USAGE];
	char buffer[2][PYTHON_SIZE];
	const char *cells[] = { flux_text_of(&value[FLUX_BANK]), "",
				active_text(&value[FLUX_BANK_ACTIVE]),
				python_str(&value[FLUX_BANK_SHARES], buffer[0]), NULL };

	if (at == shown->bank && usage.kind == FLUX_REAL)
		usage.real = python_round(usage.real, 2);
	cells[4] = python_str(&usage, buffer[1]);
	print_line(shown, indent, cells, 5);
}

static bool is_shown(const struct shown_bank *shown, const struct flux_user *user)
{
	if (shown->options->concise && !(flux_number_of(&user->value[FLUX_USER_USAGE]) > 0))
		return false;
	return !shown->options->active || flux_number_of(&user->value[FLUX_USER_ACTIVE]) == 1;
}

static void print_user(const struct shown_bank *shown, const struct flux_user *user, int indent)
{
	const struct flux_value *value = user->value;
	char buffer[3][PYTHON_SIZE];
	const char *const cells[TREE_COLUMNS] = {
		flux_text_of(&value[FLUX_USER_BANK]), flux_text_of(&value[FLUX_USER]),
		active_text(&value[FLUX_USER_ACTIVE]),
		python_str(&value[FLUX_USER_SHARES], buffer[0]),
		python_str(&value[FLUX_USER_USAGE], buffer[1]),
		python_str(&value[FLUX_FAIRSHARE], buffer[2]),
	};

	print_line(shown, indent, cells, TREE_COLUMNS);
}

/* Prints what is below a bank. In flux-accounting a bank holds either banks or associations; in
 * other trees it may hold both. */
static void print_below(const struct shown_bank *shown, size_t at, int indent)
{
	const struct flux_accounts *accounts = shown->accounts;
	size_t first = flux_accounts_find(accounts,
					  flux_text_of(&accounts->bank[at].value[FLUX_BANK]));

	for (size_t i = accounts->bank[first].first_user; i != FLUX_NONE;
	     i = accounts->user[i].next)
		if (is_shown(shown, &accounts->user[i]))
			print_user(shown, &accounts->user[i], indent);
	for (size_t i = accounts->bank[first].first_bank; i != FLUX_NONE;
	     i = accounts->bank[i].next) {
		print_bank(shown, i, indent);
		print_below(shown, i, indent + 1);
	}
}

static void print_tree(const struct shown_bank *shown)
{
	print_line(shown, 0, tree_headings, TREE_COLUMNS);
	print_bank(shown, shown->bank, 0);
	print_below(shown, shown->bank, 1);
	putchar('\n');
}

/* ---- tables ------------------------------------------------------------------------------ */

/* A table with a line between header and rows. */
struct grid {
	const char *const *heading;
	size_t columns;
	size_t active;		/* the column that says true or false; or FLUX_NONE */
	int *width;
};

static struct flux_value shown_value(const struct grid *grid, size_t column,
				     const struct flux_value *value)
{
	if (column == grid->active)
		return flux_text(active_text(value));
	return flux_number_of(value) == UNLIMITED ? flux_text("unlimited") : *value;
}

static void widen(const struct grid *grid, const struct flux_value *row)
{
	char buffer[PYTHON_SIZE];

	for (size_t i = 0; i < grid->columns; i++) {
		const struct flux_value value = shown_value(grid, i, &row[i]);
		int length = python_length(python_str(&value, buffer));

		if (length > grid->width[i])
			grid->width[i] = length;
	}
}

static void print_head(const struct grid *grid)
{
	for (size_t i = 0; i < grid->columns; i++) {
		fputs(i ? " | " : "", stdout);
		python_ljust(grid->heading[i], grid->width[i]);
	}
	putchar('\n');
	for (size_t i = 0; i < grid->columns; i++) {
		fputs(i ? "-+-" : "", stdout);
		for (int dash = 0; dash < grid->width[i]; dash++)
			putchar('-');
	}
	putchar('\n');
}

static void print_grid_row(const struct grid *grid, const struct flux_value *row)
{
	char buffer[PYTHON_SIZE];

	for (size_t i = 0; i < grid->columns; i++) {
		const struct flux_value value = shown_value(grid, i, &row[i]);

		fputs(i ? " | " : "", stdout);
		python_ljust(python_str(&value, buffer), grid->width[i]);
	}
	putchar('\n');
}

/* Fills the values of the chosen columns, their names, and which of them is `active`. */
static void fill_bank(const struct shown_bank *shown, struct flux_value *row, const char **heading,
		      size_t *active)
{
	const struct flux_value *value = shown->accounts->bank[shown->bank].value;

	*active = FLUX_NONE;
	for (size_t i = 0; i < shown->count; i++) {
		row[i] = value[shown->column[i]];
		heading[i] = flux_bank_column_name(shown->column[i]);
		if (shown->column[i] == FLUX_BANK_ACTIVE)
			*active = i;
	}
}

static void print_bank_grid(const struct shown_bank *shown)
{
	struct flux_value row[FLUX_BANK_COLUMNS];
	const char *heading[FLUX_BANK_COLUMNS];
	int width[FLUX_BANK_COLUMNS];
	struct grid grid = { .heading = heading, .columns = shown->count, .width = width };

	fill_bank(shown, row, heading, &grid.active);
	for (size_t i = 0; i < shown->count; i++)
		width[i] = python_length(heading[i]);
	widen(&grid, row);
	print_head(&grid);
	print_grid_row(&grid, row);
}

static void print_users_grid(const struct shown_bank *shown)
{
	const struct flux_accounts *accounts = shown->accounts;
	const char *heading[USER_TABLE_COLUMNS];
	int width[USER_TABLE_COLUMNS];
	const struct grid grid = { .heading = heading, .columns = USER_TABLE_COLUMNS,
				   .active = FLUX_USER_ACTIVE, .width = width };
	const struct flux_user *user = accounts->user;
	size_t first = accounts->bank[shown->bank].first_user, count = 0;

	for (size_t i = 0; i < USER_TABLE_COLUMNS; i++) {
		heading[i] = flux_user_column_name(i);
		width[i] = python_length(heading[i]);
	}
	for (size_t i = first; i != FLUX_NONE; i = user[i].next)
		if (is_shown(shown, &user[i]) && ++count)
			widen(&grid, user[i].value);
	if (!count) {
		print_labelled("no users under ",
			       flux_text_of(&accounts->bank[shown->bank].value[FLUX_BANK]));
		return;
	}
	print_head(&grid);
	for (size_t i = first; i != FLUX_NONE; i = user[i].next)
		if (is_shown(shown, &user[i]))
			print_grid_row(&grid, user[i].value);
}

static void print_users(const struct shown_bank *shown)
{
	print_bank_grid(shown);
	putchar('\n');
	print_users_grid(shown);
}

/* ---- JSON, and formats --------------------------------------------------------------------- */

static void put_value(const struct flux_value *value)
{
	char buffer[PYTHON_SIZE];

	if (value->kind == FLUX_TEXT)
		python_json_string(value->text);
	else if (value->kind == FLUX_NO_VALUE)
		fputs("null", stdout);
	else if (flux_number_of(value) == UNLIMITED)
		python_json_string("unlimited");
	else
		fputs(python_str(value, buffer), stdout);
}

static void print_json(const struct shown_bank *shown)
{
	const struct flux_value *value = shown->accounts->bank[shown->bank].value;

	printf("[\n  {\n");
	for (size_t i = 0; i < shown->count; i++) {
		printf("    \"%s\": ", flux_bank_column_name(shown->column[i]));
		put_value(&value[shown->column[i]]);
		printf(i + 1 < shown->count ? ",\n" : "\n");
	}
	printf("  }\n]\n");
}

static void print_formatted(const struct shown_bank *shown)
{
	const char *format = shown->options->format;
	struct flux_value value[FLUX_BANK_COLUMNS];
	const char *name[FLUX_BANK_COLUMNS];
	struct python_row row = { .name = name, .count = shown->count };
	size_t active;

	fill_bank(shown, value, name, &active);
	python_format_check(format, "--format", name, shown->count);
	python_format_print(format, &row);
	row.value = value;
	python_format_print(format, &row);
}

/* ---- the view ------------------------------------------------------------------------------ */

static void print(const struct bank_options *options, const struct flux_accounts *accounts,
		  const char *source)
{
	struct shown_bank shown = { .options = options, .accounts = accounts };

	find_bank(&shown, source);
	choose_columns(&shown);
	if (options->format)
		print_formatted(&shown);
	else if (options->tree)
		print_tree(&shown);
	else if (options->users)
		print_users(&shown);
	else
		print_json(&shown);
}

static void print_tree_of(const void *options, const struct tree_source *source,
			  const struct evaluated_tree *tree)
{
	const struct flux_accounts accounts = flux_rows_of_tree(tree, source->name);

	print(options, &accounts, source->name);
}

static void print_file(const void *options, struct document *input)
{
	const struct flux_accounts accounts = flux_accounts_read(input);

	print(options, &accounts, input->name);
}

const struct view view_flux = {
	.tool = "flux",
	.policy = "flux",
	.options = &option_table,
	.size = sizeof(struct bank_options),
	.check = check,
	.of_file = &format_flux_db,
	.print_file = print_file,
	.print_tree = print_tree_of,
};
