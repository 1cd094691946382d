/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom complete WORD...: prints what the last word may become, for the shells' completions in
 * contrib/completion: a line "WORD\tDESCRIPTION" for each. Exit status 1: it is a file's name.
 *
 * What there is comes from the tables of options, policies and formats, and from other commands:
 * columns from --helpformat, names from fathom shares.
 */
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "evaluate/job_states.h"
#include "fathom.h"
#include "format/format.h"
#include "format/job_settings.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_ARGUMENTS 24
#define LINE_SIZE 1024

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.h"
#undef COMMAND
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

/* The word that is completed. */
struct completion {
	const struct command *command;	/* NULL: it is the command itself */
	char **words;			/* all words; bash has '=' as a word of its own */
	int count;
	const char *before;		/* what stands before the part that is completed, such as
					 * "--policy=lsf,", as long as before_length */
	size_t before_length;
	const char *part;
	bool is_split;		/* the key of KEY=VALUE is a word of its own */
};

/* ---- printing -------------------------------------------------------------------------- */

/* Prints a word if it begins with the part. description: may be NULL. */
static void offer(const struct completion *completion, const char *word, const char *description)
{
	if (strncasecmp(word, completion->part, strlen(completion->part)))
		return;
	printf("%.*s%s", (int)completion->before_length, completion->before, word);
	printf(description ? "\t%s\n" : "\n", description);
}

/* Completes the last item of a list. */
static struct completion last_item(const struct completion *completion)
{
	const char *comma = strrchr(completion->part, ',');
	struct completion item = *completion;

	if (!comma)
		return item;
	item.part = comma + 1;
	/* the part stands behind `before` in the same word */
	if (!item.before_length)
		item.before = completion->part;
	item.before_length = (size_t)(item.part - item.before);
	return item;
}

/* ---- what other commands print ---------------------------------------------------------- */

/* Runs a command whose standard output is the pipe. */
static _Noreturn void run_into(int pipe, const struct command *command, int argc, char **argv)
{
	int null = open("/dev/null", O_RDWR);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0 ||
	    dup2(pipe, STDOUT_FILENO) < 0)
		_exit(EXIT_WRONG);
	command->run(argc, argv);
	fflush(stdout);
	_exit(EXIT_DONE);
}

/* Starts a command and returns its standard output; NULL: it could not be started. */
static FILE *start(const struct command *command, int argc, char **argv, pid_t *child)
{
	int ends[2];

	fflush(stdout);
	if (pipe(ends))
		return NULL;
	*child = fork();
	if (!*child)
		run_into(ends[1], command, argc, argv);
	close(ends[1]);
	if (*child > 0)
		return fdopen(ends[0], "r");
	close(ends[0]);
	return NULL;
}

/* Calls `use` for each line that a command prints. */
static void for_each_line(const struct command *command, int argc, char **argv,
			  void (*use)(const struct completion *completion, char *line),
			  const struct completion *completion)
{
	char line[LINE_SIZE];
	pid_t child;
	FILE *output = start(command, argc, argv, &child);

	if (!output)
		return;
	while (fgets(line, sizeof(line), output)) {
		line[strcspn(line, "\n")] = '\0';
		use(completion, line);
	}
	fclose(output);
	waitpid(child, NULL, 0);
}

static void offer_name(const struct completion *completion, char *line)
{
	line += strspn(line, " ");
	if (*line)
		offer(completion, line, NULL);
}

/* A line of --helpformat: "  RawUsage  decayed usage". */
static void offer_column(const struct completion *completion, char *line)
{
	size_t length;
	const char *meaning;

	if (strncmp(line, "  ", 2))
		return;
	line += 2;
	length = strcspn(line, " ");
	meaning = line + length + strspn(line + length, " ");
	line[length] = '\0';
	offer(completion, line, *meaning ? meaning : NULL);
}

/* Adds the options that say where a tree comes from, as the words have them. */
static int add_source(const struct completion *completion, int argc, char **argv)
{
	for (int i = 1; i + 2 < completion->count && argc + 2 < MOST_ARGUMENTS; i++) {
		char **word = &completion->words[i];
		bool has_equals = !strcmp(word[1], "=") && i + 3 < completion->count;

		if (!strncmp(word[0], "--from=", 7))
			argv[argc++] = word[0];
		if (strcmp(word[0], "--from") && strcmp(word[0], "--format") &&
		    strcmp(word[0], "-M") && strcmp(word[0], "--cluster"))
			continue;
		argv[argc++] = word[0];
		argv[argc++] = has_equals ? word[2] : word[1];
	}
	return argc;
}

static void offer_names(const struct completion *completion, const char *column)
{
	struct completion item = last_item(completion);
	char *argv[MOST_ARGUMENTS + 1] = { (char *)"shares", (char *)"-aPn", (char *)"-o",
					   (char *)column };

	for_each_line(&command_shares, add_source(completion, 4, argv), argv, offer_name, &item);
}

/* ---- values of options ------------------------------------------------------------------ */

static void offer_accounts(const struct completion *completion)
{
	offer_names(completion, "Account");
}

static void offer_users(const struct completion *completion)
{
	offer_names(completion, "User");
}

static void offer_columns(const struct completion *completion)
{
	struct completion item = last_item(completion);
	char *argv[] = { (char *)completion->command->name, (char *)"--helpformat", NULL };

	if (*item.part == '-' && !item.before_length)
		item.before = item.part;
	if (*item.part == '-') {	/* of --sort */
		item.part++;
		item.before_length++;
	}
	for_each_line(completion->command, 2, argv, offer_column, &item);
}

static void offer_policies(const struct completion *completion)
{
	struct completion item = last_item(completion);

	for (size_t i = 0; i < fathom_policy_count(); i++)
		offer(&item, fathom_policy_name(fathom_policy_at(i)),
		      fathom_policy_summary(fathom_policy_at(i)));
}

static void offer_formats(const struct completion *completion)
{
	for (size_t i = 0; i < format_count(); i++)
		offer(completion, format_at(i)->name, format_at(i)->summary);
}

static void offer_states(const struct completion *completion)
{
	struct completion item = last_item(completion);

	for (size_t i = 0; job_state_name(i); i++)
		offer(&item, job_state_name(i), NULL);
	offer(&item, "all", NULL);
}

static void offer_color(const struct completion *completion)
{
	offer(completion, "auto", NULL);
	offer(completion, "always", NULL);
	offer(completion, "never", NULL);
}

static void offer_view(const struct completion *completion)
{
	if (completion->command->view)
		offer(completion, completion->command->view, NULL);
}

static void offer_setting(const struct completion *completion, const struct fathom_setting *setting)
{
	char word[LINE_SIZE];

	snprintf(word, sizeof(word), "%s=", setting->name);
	offer(completion, word, setting->meaning);
}

/* Offers the words of a setting behind its '='. */
static void offer_choices(const struct completion *completion, const struct fathom_setting *setting)
{
	struct completion value = *completion;
	size_t key = strcspn(completion->part, "=") + 1;

	if (setting->type != FATHOM_CHOICE || strlen(setting->name) + 1 != key ||
	    strncmp(setting->name, completion->part, key - 1))
		return;
	value.part += key;
	if (!value.before_length)
		value.before = completion->part;
	value.before_length = value.is_split ? 0 : (size_t)(value.part - value.before);
	for (size_t i = 0; setting->choices[i]; i++)
		offer(&value, setting->choices[i], NULL);
}

static void offer_settings(const struct completion *completion)
{
	bool has_key = strchr(completion->part, '=');
	const struct fathom_setting *setting;

	if (!strcmp(completion->command->name, command_prio.name))
		for (size_t i = 0; !has_key && (setting = job_settings_at(i)); i++)
			offer_setting(completion, setting);
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		for (size_t j = 0; j < fathom_policy_setting_count(policy); j++)
			(has_key ? offer_choices : offer_setting)(completion,
								  fathom_policy_setting(policy, j));
	}
}

static const struct {
	const char *option;
	void (*offer)(const struct completion *completion);
} values[] = {
	{ "account", offer_accounts }, { "color", offer_color }, { "format", offer_formats },
	{ "output", offer_columns }, { "policy", offer_policies }, { "set", offer_settings },
	{ "sort", offer_columns }, { "state", offer_states }, { "to", offer_formats },
	{ "user", offer_users }, { "view", offer_view },
};

/* Returns EXIT_NO if the value is the name of a file. */
static int offer_value(const struct completion *completion, const struct option_row *row)
{
	if (!strcmp(row->argument, "FILE"))
		return EXIT_NO;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (!strcmp(values[i].option, row->name))
			values[i].offer(completion);
	return EXIT_DONE;
}

/* ---- options ---------------------------------------------------------------------------- */

/* Returns the row of "--user", "--users" or "-anu" if it takes an argument; an alias gives the row
 * whose name the help shows. length: of the word. */
static const struct option_row *find_option(const struct option_table *table, const char *word,
					    size_t length)
{
	const struct option_row *found = NULL;

	for (size_t i = 0; length > 1 && i < table->count; i++) {
		const struct option_row *row = &table->rows[i];

		if (word[1] == '-' ? strlen(row->name) + 2 == length &&
				     !strncmp(row->name, word + 2, length - 2)
				   : row->letter && row->letter == word[length - 1])
			found = row;
	}
	for (size_t i = 0; found && !found->help && i < table->count; i++)
		if (table->rows[i].help && table->rows[i].set == found->set &&
		    table->rows[i].offset == found->offset)
			found = &table->rows[i];
	return found && found->argument ? found : NULL;
}

static void offer_options(const struct completion *completion)
{
	const struct option_table *table = completion->command->options;
	char word[LINE_SIZE];

	for (size_t i = 0; i < table->count; i++) {
		const struct option_row *row = &table->rows[i];

		if (!row->help)
			continue;
		snprintf(word, sizeof(word), "--%s", row->name);
		offer(completion, word, row->help);
		snprintf(word, sizeof(word), "-%c", row->letter);
		if (row->letter && completion->part[1] != '-')
			offer(completion, word, row->help);
	}
}

/* Completes the value of --set KEY = VALUE, as bash splits it. at: the word before KEY. */
static int complete_split(struct completion *completion, char **at, const char *value)
{
	const struct option_row *row =
		find_option(completion->command->options, *at, strlen(*at));
	char pair[LINE_SIZE];

	snprintf(pair, sizeof(pair), "%s=%s", at[1], value);
	completion->part = pair;
	completion->is_split = true;
	return row ? offer_value(completion, row) : EXIT_DONE;
}

/* Completes a word of a command. */
static int complete_word(struct completion *completion)
{
	const struct option_table *table = completion->command->options;
	char **last = &completion->words[completion->count - 1];
	const char *word = *last, *equals = strchr(word, '=');
	const char *option = last[-1];
	const struct option_row *row;

	bool is_equals = !strcmp(word, "="), is_after = !strcmp(option, "=");

	if (completion->count > 3 && is_equals && *option != '-')
		return complete_split(completion, last - 2, "");
	if (completion->count > 4 && is_after && *last[-2] != '-')
		return complete_split(completion, last - 3, word);
	if (is_equals) {	/* --policy = */
		completion->part = "";
	} else if (completion->count > 2 && is_after) {	/* --policy = l */
		option = last[-2];
	} else if (!strncmp(word, "--", 2) && equals) {	/* --policy=l */
		row = find_option(table, word, (size_t)(equals - word));
		completion->before = word;
		completion->before_length = (size_t)(equals + 1 - word);
		completion->part = equals + 1;
		return row ? offer_value(completion, row) : EXIT_DONE;
	}
	row = *option == '-' ? find_option(table, option, strlen(option)) : NULL;
	if (row)
		return offer_value(completion, row);
	if (*word == '-')
		offer_options(completion);
	else if (table->most_operands)
		offer_users(completion);
	return EXIT_DONE;
}

/* ---- commands --------------------------------------------------------------------------- */

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(commands[i]->name, name) && commands[i]->options)
			return commands[i];
	return NULL;
}

static void offer_commands(const struct completion *completion)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (commands[i]->summary)
			offer(completion, commands[i]->name, commands[i]->summary);
}

static int run(int argc, char **argv)
{
	struct completion completion = { .words = argv + 1, .count = argc - 1, .before = "" };

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
		return complete_word(&completion);
	if (!strcmp(argv[1], "help") && argc == 3)
		offer_commands(&completion);
	return EXIT_DONE;
}

const struct command command_complete = { .name = "complete", .run = run };
