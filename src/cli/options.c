/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses options by a table of rows, and prints help from the same table. */
#include "cli/options.h"

#include "cli/complain.h"
#include "cli/print_text.h"
#include "cli/version.h"
#include "memory/need_memory.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define MOST_OPTIONS 64	/* rows of a table */
#define FIRST_CODE 256	/* getopt's code of options without a letter: this + row */
#define HELP_COLUMN 26	/* where the help of an option begins */

/* A table of options as getopt_long() wants it. */
struct getopt_tables {
	struct option options[MOST_OPTIONS + 1];
	char letters[3 * MOST_OPTIONS + 2];	/* such as ":ab:": -b has an argument */
};

/* Returns whether a row is another name of the option of row `of`. */
static bool is_alias(const struct option_row *row, const struct option_row *of)
{
	return !row->help && row->set == of->set && row->offset == of->offset &&
	       row->choice == of->choice && !row->argument == !of->argument;
}

/* Returns the code by which getopt reports the option of row i. Names of one option have one code:
 * getopt then takes an abbreviation of several of them. */
static int code_of(const struct option_table *table, size_t i)
{
	for (size_t of = 0; of < i && !table->rows[i].letter; of++)
		if (is_alias(&table->rows[i], &table->rows[of]))
			return code_of(table, of);
	return table->rows[i].letter ? table->rows[i].letter : FIRST_CODE + (int)i;
}

/* Fills the tables of getopt_long(). */
static void fill_tables(const struct option_table *table, struct getopt_tables *tables)
{
	char *letter = tables->letters;

	memset(tables, 0, sizeof(*tables));
	*letter++ = ':';	/* getopt then returns ':' for a missing argument */
	for (size_t i = 0; i < table->count && i < MOST_OPTIONS; i++) {
		const struct option_row *row = &table->rows[i];

		tables->options[i] = (struct option){
			.name = row->name,
			.has_arg = row->argument ? required_argument : no_argument,
			.val = code_of(table, i),
		};
		if (!row->letter)
			continue;
		*letter++ = row->letter;
		if (row->argument)
			*letter++ = ':';
	}
}

/* Refuses a long option that getopt does not know: it is short for several, or unknown. */
static _Noreturn void refuse_name(const char *command, const struct option_table *table,
				  const char *name, size_t length)
{
	struct suggestion suggestion = { .word = name, .length = length };
	const char **longer = NULL;	/* names that begin with the word */
	size_t count = 0;

	for (size_t i = 0; i < table->count; i++) {
		const struct option_row *row = &table->rows[i];

		if (!row->help)
			continue;
		suggestion_consider(&suggestion, row->name);
		if (!strncmp(row->name, name, length))
			NEED_ADD(longer, count, row->name);
	}
	if (length && count > 1)
		refuse("--%.*s: short for several options: %s", (int)length, name,
		       need_words(longer, count, " or ", 256));
	if (suggestion.name)
		refuse("--%.*s: unknown option; did you mean --%s?", (int)length, name,
		       suggestion.name);
	refuse("--%.*s: unknown option; see fathom %s --help", (int)length, name, command);
}

/* Refuses the option that getopt has just read, and says what is wrong with it. found: ':' for a
 * missing argument, '?' for any other mistake. getopt's optopt is the code of the option, see
 * code_of(), 0 for an unknown name. */
static _Noreturn void refuse_option(const char *command, const struct option_table *table,
				    int found, char **argv)
{
	char letter[] = { '-', (char)optopt, '\0' };
	const char *word = argv[optind - 1];
	/* a letter may be one of several in a word such as -la */
	bool is_letter = optopt > 0 && optopt < FIRST_CODE && strncmp(word, "--", 2);
	const char *given = is_letter ? letter : word;
	int length = (int)strcspn(given, "=");

	if (found == ':')
		refuse("%.*s: needs an argument; see fathom %s --help", length, given, command);
	if (given[length] == '=' && optopt)
		refuse("%.*s: takes no argument; see fathom %s --help", length, given, command);
	if (is_letter)
		refuse("%s: unknown option; see fathom %s --help", given, command);
	refuse_name(command, table, given + 2, (size_t)length - 2);
}

/* ---- help -------------------------------------------------------------------- */

/* Prints the help and ends the command. */
static _Noreturn void print_help(const struct option_table *table)
{
	fputs(table->usage, stdout);
	for (size_t i = 0; i < table->count; i++) {
		const struct option_row *row = &table->rows[i];
		char letter[5] = "    ";
		int width;

		if (!row->help)
			continue;
		if (row->letter)
			snprintf(letter, sizeof(letter), "-%c, ", row->letter);
		width = printf("  %s--%s%s%s", letter, row->name, row->argument ? "=" : "",
			       row->argument ? row->argument : "");
		if (width > HELP_COLUMN - 2) {	/* the help begins on a line of its own */
			putchar('\n');
			width = 0;
		}
		printf("%*s", HELP_COLUMN - width, "");
		print_wrapped(row->help, HELP_COLUMN, HELP_COLUMN);
	}
	if (table->help_more)
		table->help_more();
	end_done();
}

/* ---- parsing ----------------------------------------------------------------- */

/* Stores the value of the option that getopt has just read. If the name of its argument ends with
 * "...", words up to the next option are arguments, too; not so if the first one is part of the
 * option's own word, as in --job=5. */
static void store_value(const struct option_row *row, void *options, int argc, char **argv)
{
	void *member = (char *)options + row->offset;
	size_t length = row->argument ? strlen(row->argument) : 0;
	bool takes_words = length > 3 && !strcmp(row->argument + length - 3, "...") &&
			   optarg == argv[optind - 1];

	row->set(row, member, optarg);
	while (takes_words && optind < argc && *argv[optind] != '-')
		row->set(row, member, argv[optind++]);
}

void options_parse(int argc, char **argv, const struct option_table *table, void *options)
{
	const char **operand = (const char **)((char *)options + table->operand_offset);
	struct getopt_tables tables;
	int found;

	fill_tables(table, &tables);
	opterr = 0;
	optind = 0;	/* makes getopt start anew */
	while ((found = getopt_long(argc, argv, tables.letters, tables.options, NULL)) != -1) {
		size_t i = 0;

		while (i < table->count && code_of(table, i) != found)
			i++;
		if (i == table->count)
			refuse_option(argv[0], table, found, argv);
		if (table->rows[i].set == option_help)
			print_help(table);
		store_value(&table->rows[i], options, argc, argv);
	}
	if (table->any_operands) {
		*(char ***)operand = argv + optind;
		return;
	}
	for (size_t i = 0; optind < argc; i++) {
		if (i == table->most_operands)
			refuse("%s: not expected; see fathom %s --help", argv[optind], argv[0]);
		operand[i] = argv[optind++];
	}
}

/* ---- storing values ------------------------------------------------------------ */

void option_flag(const struct option_row *row, void *member, const char *value)
{
	(void)row, (void)value;
	*(bool *)member = true;
}

void option_choice(const struct option_row *row, void *member, const char *value)
{
	(void)value;
	*(int *)member = row->choice;
}

void option_text(const struct option_row *row, void *member, const char *value)
{
	(void)row;
	*(const char **)member = value;
}

void option_version(const struct option_row *row, void *member, const char *value)
{
	(void)row, (void)member, (void)value;
	print_version();
	end_done();
}

/* options_parse() knows it, and prints the help of its table. */
void option_help(const struct option_row *row, void *member, const char *value)
{
	(void)row, (void)member, (void)value;
}
