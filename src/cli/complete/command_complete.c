/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom complete WORD...: prints what the last word may become, for the shells' completions in
 * contrib/completion: a line "WORD\tDESCRIPTION" for each. Exit status 1: it is a file's name.
 *
 * The words are those of the command line behind "fathom", without the shell's quotes. What may be
 * offered is in the tables of options, policies and formats, or is printed by other commands.
 *
 *	$ fathom complete shares --poli
 *	--policy	evaluate this policy, or several side by side; ...
 */
#include "cli/command.h"
#include "cli/complete/completion.h"
#include "cli/view.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define OPTION_SIZE 64

/* ---- printing -------------------------------------------------------------------------- */

/* Prints a word that the last word may become. description: may be NULL. */
static void print_offer(const struct completion *completion, const char *word,
			const char *description)
{
	printf("%.*s%s%s", (int)completion->before_length, completion->before, word,
	       completion->behind ? completion->behind : "");
	printf(description ? "\t%s\n" : "\n", description);
}

void offer(const struct completion *completion, const char *word, const char *description)
{
	if (strncasecmp(word, completion->part, strlen(completion->part)))
		return;
	print_offer(completion, word, description);
	*completion->has_offered = true;
}

struct completion completion_after(const struct completion *completion, size_t length)
{
	struct completion after = *completion;

	after.part += length;
	/* `before` begins where the part began, unless it has begun earlier in the word */
	if (!after.before_length)
		after.before = completion->part;
	after.before_length += length;
	return after;
}

struct completion completion_of_item(const struct completion *completion)
{
	const char *comma = strrchr(completion->part, ',');

	return completion_after(completion, comma ? (size_t)(comma + 1 - completion->part) : 0);
}

/* ---- options ---------------------------------------------------------------------------- */

const struct option_row *find_long(const struct option_table *table, const char *name,
				   size_t length)
{
	for (size_t i = 0; i < table->count; i++)
		if (strlen(table->rows[i].name) == length &&
		    !strncmp(table->rows[i].name, name, length))
			return &table->rows[i];
	return NULL;
}

const struct option_row *find_letter(const struct option_table *table, char letter)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].letter == letter)
			return &table->rows[i];
	return NULL;
}

/* Returns the option in a word such as "--user", "--user=a" or "-anua" that takes an argument;
 * NULL: the word has no such option. Sets *value to where the argument begins in the word; NULL: it
 * is the next word. */
static const struct option_row *find_option(const struct option_table *table, const char *word,
					    const char **value)
{
	size_t length = strcspn(word, "=");
	const struct option_row *row;

	*value = NULL;
	if (!strncmp(word, "--", 2)) {
		row = find_long(table, word + 2, length - 2);
		*value = word[length] ? word + length + 1 : NULL;
		return row && row->argument ? row : NULL;
	}
	for (const char *letter = word + 1; *word == '-' && *letter; letter++) {
		row = find_letter(table, *letter);
		if (row && row->argument) {
			*value = letter[1] ? letter + 1 : NULL;
			return row;
		}
	}
	return NULL;
}

/* Offers all options whose names begin with the part, but those without help. Unlike in offer(),
 * upper and lower case differ, as they do in -a and -A. */
static void offer_options(const struct completion *completion)
{
	const struct option_table *table = completion->options;
	size_t length = strlen(completion->part);
	char word[OPTION_SIZE];

	for (size_t i = 0; i < table->count; i++) {
		const struct option_row *row = &table->rows[i];

		if (!row->help)
			continue;
		snprintf(word, sizeof(word), "--%s", row->name);
		if (!strncmp(word, completion->part, length))
			print_offer(completion, word, row->help);
		snprintf(word, sizeof(word), "-%c", row->letter);
		if (row->letter && !strncmp(word, completion->part, length))
			print_offer(completion, word, row->help);
	}
}

/* Offers operands of the command or view. Returns EXIT_NO if the operand is the name of a file. */
static int offer_operand(const struct completion *completion)
{
	const struct option_row row = { .name = NO_OPTION,
					.argument = completion->options->operand };

	return row.argument ? offer_value(completion, &row) : EXIT_DONE;
}

/* ---- words ------------------------------------------------------------------------------ */

/* Returns the option whose argument is the whole last word, as in "--user ann"; NULL: there is no
 * such option. first: index of the first word that may be an option. */
static const struct option_row *find_awaiting(const struct completion *completion, int first)
{
	const struct option_row *row = NULL;
	const char *value;

	for (int i = first; i + 1 < completion->count; i++) {
		if (row) {	/* the word is the argument, even if it looks like an option */
			row = NULL;
			continue;
		}
		row = find_option(completion->options, completion->words[i], &value);
		if (value)	/* the argument is in the same word */
			row = NULL;
	}
	return row;
}

/* Completes the last word by completion->options. first: as in find_awaiting(). Returns the exit
 * status. */
static int complete_word(struct completion *completion, int first)
{
	const struct option_row *row = find_awaiting(completion, first);
	const char *value;

	if (row)
		return offer_value(completion, row);
	row = find_option(completion->options, completion->part, &value);
	if (row && value) {	/* --policy=l or -uuser */
		*completion = completion_after(completion, (size_t)(value - completion->part));
		return offer_value(completion, row);
	}
	if (*completion->part != '-')
		return offer_operand(completion);
	offer_options(completion);
	return EXIT_DONE;
}

const char *completion_value(const struct completion *completion, const char *name, int *word)
{
	const char *option = need_print("--%s", name);
	size_t length = strlen(option);

	while (*word + 1 < completion->count) {
		const char *given = completion->words[(*word)++];

		if (strncmp(given, option, length))
			continue;
		if (given[length] == '=')
			return given + length + 1;
		if (!given[length])
			return completion->words[*word];
	}
	return NULL;
}

/* Returns the view that --view names; NULL: there is no such view. */
static const struct view *find_view(const struct completion *completion)
{
	const struct view *const *view = completion->command->views;
	const char *tool = "", *value;

	for (int word = 1; (value = completion_value(completion, "view", &word));)
		tool = value;
	while (view && *view && strcmp((*view)->tool, tool))
		view++;
	return view ? *view : NULL;
}

/* Completes the last word of a known command: by the command's options; behind "--" by those of the
 * view, or as an operand if there is no view. Sets options and view of the completion. Returns the
 * exit status. */
static int complete_words(struct completion *completion)
{
	const struct command *command = completion->command;
	int dashes = 1;		/* index of the "--" before the last word */

	while (dashes + 1 < completion->count && strcmp(completion->words[dashes], "--"))
		dashes++;
	completion->options = command->options;
	if (dashes + 1 >= completion->count)
		return complete_word(completion, 1);
	completion->view = find_view(completion);
	if (completion->view) {
		completion->options = completion->view->options;
		return complete_word(completion, dashes + 1);
	}
	return offer_operand(completion);
}

/* ---- commands --------------------------------------------------------------------------- */

/* Returns the command of this name that has options; NULL: there is no such command. */
static const struct command *find_command(const char *name)
{
	size_t i = 0;

	while (commands[i] && (strcmp(commands[i]->name, name) || !commands[i]->options))
		i++;
	return commands[i];
}

/* Offers the commands that the help names. */
static void offer_commands(const struct completion *completion)
{
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->summary)
			offer(completion, commands[i]->name, commands[i]->summary);
}

static int run(int argc, char **argv)
{
	bool has_offered = false;
	struct completion completion = { .words = argv + 1, .count = argc - 1,
					 .has_offered = &has_offered };

	if (argc < 2)
		return complain("complete: needs the words of a command line");
	completion.part = argv[argc - 1];
	if (argc == 2) {
		offer_commands(&completion);
		offer(&completion, "help", "print the commands, or the options of one");
		offer(&completion, "--help", "print the commands");
		offer(&completion, "--version", "print the version and what was built in");
		return EXIT_DONE;
	}
	completion.command = find_command(argv[1]);
	if (completion.command)
		return complete_words(&completion);
	if (!strcmp(argv[1], "help") && argc == 3)
		offer_commands(&completion);
	return EXIT_DONE;
}

const struct command command_complete = { .name = "complete", .run = run };
