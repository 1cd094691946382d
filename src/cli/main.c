/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program fathom: finds the command that the first argument names, and runs it. */
#include "config.h"

#include "cli/command.h"
#include "cli/output.h"
#include "cli/version.h"
#include "document/document.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.h"
#undef COMMAND
	NULL,
};

/* Returns the command of this name; NULL: there is none. */
static const struct command *find_command(const char *name)
{
	size_t i = 0;

	while (commands[i] && strcmp(commands[i]->name, name))
		i++;
	return commands[i];
}

/* Refuses a word that names no command, and suggests one. */
static _Noreturn void refuse_command(const char *name)
{
	struct suggestion suggestion = { .word = name, .length = strlen(name) };
	const char **known = NULL, *list;
	size_t count = 0;

	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->summary) {
			NEED_ADD(known, count, commands[i]->name);
			suggestion_consider(&suggestion, commands[i]->name);
		}
	list = need_words(known, count, ", ", 256);
	if (*name == '-')
		refuse("%s: unknown option; must be --help, --version, or come after a command: %s",
		       name, list);
	if (suggestion.name)
		refuse("%s: unknown command; did you mean %s?", name, suggestion.name);
	refuse("%s: unknown command; must be one of %s", name, list);
}

/* Prints the commands. Returns the exit status. */
static int help(void)
{
	printf("Usage: fathom COMMAND [OPTION]...\n"
	       "Show the fair share of an HPC cluster, and compute it under other policies.\n\n"
	       "Commands:\n");
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->summary)
			printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
	printf("\nfathom COMMAND --help prints the options of a command; fathom --version prints\n"
	       "what was built in.\n"
	       "Exit status: 0 done; 1 lint or doctor has found errors, or the fair share of\n"
	       "explain --until never comes back; 2 wrong use or bad input.\n");
	return EXIT_DONE;
}

/* Runs the command that argv[1] names. Returns the exit status. */
static int run(int argc, char **argv)
{
	const struct command *command;
	const char *name = argv[1];

	if (argc < 2)
		return help();
	if (!strcmp(name, "help") && argc > 2) {
		command = find_command(argv[2]);
		if (!command || !command->summary)
			refuse_command(argv[2]);
		if (argc > 3)
			refuse("%s: not expected; fathom help %s is enough", argv[3], argv[2]);
		return command->run(2, (char *[]){ argv[2], (char *)"--help", NULL });
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
		return help();
	if (!strcmp(name, "--version") || !strcmp(name, "-V"))
		return print_version();
	command = find_command(name);
	if (!command)
		refuse_command(name);
	return command->run(argc - 1, argv + 1);
}

/* A call of run(), for document_try(). */
struct call {
	int argc;
	char **argv;
	int status;
};

/* Runs the command of a struct call, and sets its status. */
static void run_call(void *context)
{
	struct call *call = context;

	call->status = run(call->argc, call->argv);
}

#ifdef __SANITIZE_ADDRESS__
/* The command leaves its memory to the end of the process; tests of its parts look for leaks. */
int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
	return 1;
}
#endif

/* Takes the place of standard streams that the caller has closed: a file that is opened would get
 * their number, and what is meant for them. Reading or writing them still fails. */
static void keep_standard_streams(void)
{
	for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
		if (fcntl(stream, F_GETFD) < 0 && open("/", O_PATH | O_DIRECTORY) != stream)
			return;
}

int main(int argc, char **argv)
{
	struct call call = { argc, argv, EXIT_DONE };
	struct failure failure;

	keep_standard_streams();
	/* not LC_NUMERIC: numbers have a decimal point in every locale */
	setlocale(LC_CTYPE, "");
	setlocale(LC_MESSAGES, "");
	if (document_try(run_call, &call, &failure))
		call.status = complain_of_failure(&failure);
	return output_finish(call.status);
}
