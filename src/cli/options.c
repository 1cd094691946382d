/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/options.h"

#include "cli/complain.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define MOST_OPTIONS 64
#define FIRST_CODE 256	/* of options without a letter */
#define HELP_COLUMN 26

struct getopt_tables {
	struct option options[MOST_OPTIONS + 1];
	char letters[3 * MOST_OPTIONS + 2];
};

static int code_of(const struct option_row *rows, size_t i)
{
	return rows[i].letter ? rows[i].letter : FIRST_CODE + (int)i;
}

static void fill_tables(const struct option_row *rows, size_t count, struct getopt_tables *tables)
{
	char *letter = tables->letters;

	memset(tables, 0, sizeof(*tables));
	*letter++ = ':';	/* tells a missing argument from an unknown option */
	for (size_t i = 0; i < count && i < MOST_OPTIONS; i++) {
		tables->options[i] = (struct option){
			.name = rows[i].name, .has_arg = rows[i].argument ? required_argument : no_argument,
			.val = code_of(rows, i),
		};
		if (!rows[i].letter)
			continue;
		*letter++ = rows[i].letter;
		if (rows[i].argument)
			*letter++ = ':';
	}
}

static int complain_of_option(const char *command, int found, char **argv)
{
	char letter[] = { '-', (char)optopt, '\0' };
	const char *given = optopt > 0 && optopt < FIRST_CODE ? letter : argv[optind - 1];
	int length = (int)strcspn(given, "=");

	if (strncmp(argv[optind - 1], "--", 2) == 0) {
		given = argv[optind - 1];
		length = (int)strcspn(given, "=");
	}
	if (found == ':')
		return complain("%.*s: wants an argument; see fathom %s --help", length, given, command);
	if (given[length] == '=' && optopt)
		return complain("%.*s: takes no argument; see fathom %s --help", length, given,
				command);
	return complain("%.*s: unknown option, or short for several; see fathom %s --help", length,
			given, command);
}

int options_parse(int argc, char **argv, const struct option_row *rows, size_t count,
		  void *context)
{
	struct getopt_tables tables;
	int found, status = 0;

	fill_tables(rows, count, &tables);
	opterr = 0;
	optind = 0;	/* starts anew, whatever was parsed before */
	while (!status && (found = getopt_long(argc, argv, tables.letters, tables.options, NULL)) != -1) {
		size_t i = 0;

		while (i < count && code_of(rows, i) != found)
			i++;
		if (i == count)
			return complain_of_option(argv[0], found, argv);
		status = rows[i].take(context, optarg);
	}
	if (!status && optind < argc)
		return complain("%s: not expected; see fathom %s --help", argv[optind], argv[0]);
	return status;
}

/* Breaks `text` at blanks, to end before column 80. */
static void print_wrapped(const char *text)
{
	size_t at = HELP_COLUMN;

	while (*text) {
		size_t word = strcspn(text, " ");

		if (at > HELP_COLUMN && at + 1 + word > 79) {
			printf("\n%*s", HELP_COLUMN, "");
			at = HELP_COLUMN;
		}
		at += (size_t)printf("%s%.*s", at > HELP_COLUMN ? " " : "", (int)word, text);
		text += word + strspn(text + word, " ");
	}
	putchar('\n');
}

void options_help(const struct option_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char letter[5] = "    ";
		int width;

		if (!rows[i].help)
			continue;
		if (rows[i].letter)
			snprintf(letter, sizeof(letter), "-%c%s", rows[i].letter,
				 rows[i].name ? ", " : "  ");
		width = printf("  %s--%s%s%s", letter, rows[i].name, rows[i].argument ? "=" : "",
			       rows[i].argument ? rows[i].argument : "");
		if (width > HELP_COLUMN - 2)
			width = printf("\n") - 1;
		printf("%*s", HELP_COLUMN - width, "");
		print_wrapped(rows[i].help);
	}
}
