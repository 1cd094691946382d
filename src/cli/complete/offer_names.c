/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Offers what other commands of fathom print: columns of --helpformat, names of the cluster or of
 * --from. Each command runs in a child process, so that a wrong file or a slow cluster does no
 * harm; its output is read line by line:
 *
 *	fathom complete prio --from jobs.json --user a
 *	runs	fathom prio -Pn --state=all -o User --from jobs.json
 *	offers	ann
 */
#include "cli/complete/completion.h"
#include "cli/option_values.h"
#include "cli/view.h"
#include "document/document.h"
#include "live/live.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_SIZE 1024
#define MOST_SECONDS 5	/* that a command may take, because a user waits for it */

/* Offers what a line of output names. The function may change the line, which has no "\n". */
typedef void use_line(const struct completion *completion, char *line);

/* ---- running commands ---------------------------------------------------------------------- */

/* A command line that is run for what it prints. */
struct subcommand {
	int (*run)(int argc, char **argv);
	char **argv;	/* ends with a NULL */
	int stream;	/* that is read: STDOUT_FILENO, or STDERR_FILENO for the error */
};

/* Runs a command in the child process, and ends the process. What the command prints to
 * subcommand->stream goes into the pipe, all else nowhere. */
static _Noreturn void run_into(int pipe, const struct subcommand *subcommand)
{
	int null = open("/dev/null", O_RDWR), argc = 0;

	/* first all three, then the one that is read */
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0 || dup2(pipe, subcommand->stream) < 0)
		_exit(EXIT_WRONG);
	while (subcommand->argv[argc])
		argc++;
	alarm(MOST_SECONDS);	/* its signal ends the child */
	subcommand->run(argc, subcommand->argv);
	fflush(stdout);
	_exit(EXIT_DONE);
}

/* Runs a command in a child process, and calls `use` for each line that it prints on its stream;
 * never if it cannot be started. */
static void use_lines(const struct subcommand *subcommand, use_line *use,
		      const struct completion *completion)
{
	char line[LINE_SIZE];
	int ends[2];
	pid_t child;
	FILE *output;

	fflush(stdout);		/* else the child would print it, too */
	if (pipe(ends))
		return;
	child = fork();
	if (!child)
		run_into(ends[1], subcommand);
	close(ends[1]);
	output = need_made(fdopen(ends[0], "r"));
	while (fgets(line, sizeof(line), output)) {	/* nothing without a child */
		line[strcspn(line, "\n")] = '\0';
		use(completion, line);
	}
	fclose(output);
	waitpid(child, NULL, 0);
}

/* Calls `use` for each line that a command prints on standard output. argv: ends with a NULL. */
static void for_each_line(const struct command *command, char **argv, use_line *use,
			  const struct completion *completion)
{
	use_lines(&(struct subcommand){ command->run, argv, STDOUT_FILENO }, use, completion);
}

/* ---- columns ------------------------------------------------------------------------------- */

/* Offers the column of a line of --helpformat: "  RawUsage  decayed usage". */
static void offer_column(const struct completion *completion, char *line)
{
	size_t length;
	const char *meaning;

	if (strncmp(line, "  ", 2))	/* a heading */
		return;
	line += 2;
	length = strcspn(line, " ");
	meaning = line + length + strspn(line + length, " ");
	line[length] = '\0';
	if (length)	/* else the line is the rest of a meaning, and has more blanks */
		offer(completion, line, *meaning ? meaning : NULL);
}

/* Offers the columns of a line of a view's --helpformat, which has several: "Account User". */
static void offer_words_of_line(const struct completion *completion, char *line)
{
	for (char *name = strtok(line, " "); name; name = strtok(NULL, " "))
		offer(completion, name, NULL);
}

void offer_columns(const struct completion *completion)
{
	const struct command *command = completion->command;
	struct completion item = completion_of_item(completion);
	char *own[] = { (char *)command->name, (char *)"--helpformat", NULL };
	char *of_view[] = { (char *)command->name, (char *)"--view",
			    (char *)(completion->view ? completion->view->tool : ""), (char *)"--",
			    (char *)"--helpformat", NULL };

	if (*item.part == '-')	/* --sort=-RawUsage: descending */
		item = completion_after(&item, 1);
	if (completion->options == command->options)
		for_each_line(command, own, offer_column, &item);
	else
		for_each_line(command, of_view, offer_words_of_line, &item);
}

/* ---- names --------------------------------------------------------------------------------- */

/* Offers the name that a line has behind blanks, which show the depth in the tree. */
static void offer_name(const struct completion *completion, char *line)
{
	line += strspn(line, " ");
	/* fathom shares prints a line "CLUSTER: ..." above each of several clusters */
	if (*line && strncmp(line, "CLUSTER: ", 9))
		offer(completion, line, NULL);
}

/* The options that say where names come from: files, clusters, or one of their trees. */
static const char *const source_options[] = { "--from", "--format", "-M", "--cluster", "--clusters",
					      "--scope" };

#define SOURCE_COUNT (sizeof(source_options) / sizeof(*source_options))
#define SOURCE_FROM 0	/* the index of --from */
#define ALL SIZE_MAX

/* Returns the index of the source option that a word is, with or without "=VALUE"; SOURCE_COUNT:
 * the word is another one. */
static size_t find_source(const char *word)
{
	size_t i = 0;

	/* strchr() also finds the NUL at the end of "=": the option may end there */
	while (i < SOURCE_COUNT &&
	       (strncmp(word, source_options[i], strlen(source_options[i])) ||
		!strchr("=", word[strlen(source_options[i])])))
		i++;
	return i;
}

/* Returns an argv: words[0], the source options of the command line, and the other words. words: up
 * to a NULL. which: of several --from, only this one, from 0; ALL: each. *from_count: the number of
 * --from on the command line; or NULL. */
static char **with_sources(const struct completion *completion, const char *const *words,
			   size_t which, size_t *from_count)
{
	char **argv = NULL;
	size_t argc = 0, count = 0;

	NEED_ADD(argv, argc, (char *)*words++);
	for (int i = 1; i + 1 < completion->count; i++) {
		char **word = &completion->words[i];
		size_t source = find_source(*word);
		bool has_value = strchr(*word, '=');	/* else it is the next word */

		/* an option whose value is the word that is completed has no value yet */
		if (source == SOURCE_COUNT || (!has_value && i + 2 == completion->count))
			continue;
		if (source != SOURCE_FROM || which == ALL || count == which) {
			NEED_ADD(argv, argc, word[0]);
			if (!has_value)
				NEED_ADD(argv, argc, word[1]);
		}
		count += source == SOURCE_FROM;
		i += !has_value;
	}
	while (*words)
		NEED_ADD(argv, argc, (char *)*words++);
	NEED_ADD(argv, argc, NULL);
	if (from_count)
		*from_count = count;
	return argv;
}

/* Offers the names in a column of all jobs; of other commands than prio, of pending ones. */
static void offer_of_jobs(const struct completion *completion, const char *column)
{
	bool of_all = completion->command == &command_prio;
	const char *states = of_all ? "--state=all" : "--state=PENDING";
	const char *const words[] = { "prio", "-Pn", states, "-o", column, NULL };

	for_each_line(&command_prio, with_sources(completion, words, ALL, NULL), offer_name,
		      completion);
}

void offer_own_jobs(const struct completion *completion)
{
	const char *caller = caller_name();
	const char *const words[] = { "prio", "-Pn", "-o", "JobID", "--user", caller, NULL };

	if (caller)
		for_each_line(&command_prio, with_sources(completion, words, ALL, NULL), offer_name,
			      completion);
}

/* Offers the names in a column of the tree. which: see with_sources(). Returns the number of --from
 * on the command line. */
static size_t offer_of_tree(const struct completion *completion, const char *column, size_t which)
{
	const char *const words[] = { "shares", "-aPn", "-o", column, NULL };
	size_t from_count;
	char **argv = with_sources(completion, words, which, &from_count);

	for_each_line(&command_shares, argv, offer_name, completion);
	return from_count;
}

void offer_names(const struct completion *completion, const char *column)
{
	struct completion item = completion_of_item(completion);

	if (completion->command == &command_shares)
		offer_of_tree(&item, column, ALL);
	else if (completion->command == &command_prio)
		offer_of_jobs(&item, column);
	else	/* explain takes several files, each of which may be the tree; without --from, one
		 * call reads the cluster */
		for (size_t i = 0, count = 1; i < count; i++)
			count = offer_of_tree(&item, column, i);
}

/* Offers the users of an account, in the part behind "ACCOUNT/", which is `length` bytes long. */
static void offer_members(const struct completion *completion, size_t length)
{
	const struct completion user = completion_after(completion, length);
	const char *account = need_copy((struct piece){ completion->part, length - 1 });
	const char *const words[] = { "shares", "-aUPn", "-o", "User", "-A", account, NULL };

	for_each_line(&command_shares, with_sources(completion, words, ALL, NULL), offer_name,
		      &user);
}

void offer_owners(const struct completion *completion)
{
	const char *slash = strchr(completion->part, '/');

	if (slash) {
		offer_members(completion, (size_t)(slash + 1 - completion->part));
		return;
	}
	offer_names(completion, "Account");
	offer_names(completion, "User");
}

void offer_jobs(const struct completion *completion)
{
	struct completion item = completion_of_item(completion);

	offer_of_jobs(&item, "JobID");
}

/* ---- places of LSF's views ------------------------------------------------------------------- */

/* Offers the name of a line that begins with one of LSF's labels: "QUEUE: normal". */
static void offer_labelled(const struct completion *completion, char *line)
{
	static const char *const labels[] = { "HOST_PARTITION_NAME: ", "QUEUE: ", "GROUP_NAME: " };

	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++)
		if (!strncmp(line, labels[i], strlen(labels[i])))
			offer(completion, line + strlen(labels[i]), NULL);
}

void offer_places(const struct completion *completion)
{
	const struct view *view = completion->view;
	/* without -l, views that have it print no labels; bhpart always prints them */
	const char *const words[] = { completion->command->name, "--view", view->tool, "--",
				      find_letter(view->options, 'l') ? "-l" : NULL, NULL };

	for_each_line(completion->command, with_sources(completion, words, ALL, NULL),
		      offer_labelled, completion);
}

/* ---- scopes, clusters ------------------------------------------------------------------------ */

/* Offers the scopes that an error about an unknown scope names: "..., must be a, b or c". */
static void offer_listed(const struct completion *completion, char *line)
{
	static const char before[] = ", must be ";
	char *list = strstr(line, before), *end;

	/* word by word, without the "or" before the last name */
	for (list = list ? list + sizeof(before) - 1 : NULL; list; list = end) {
		end = strchr(list, ' ');
		if (end)
			*end++ = '\0';
		list[strcspn(list, ",")] = '\0';
		if (strcmp(list, "or"))
			offer(completion, list, NULL);
	}
}

void offer_scopes(const struct completion *completion)
{
	/* no scope has the name "", so that the error lists all */
	const char *const words[] = { "shares", "--scope=", NULL };
	char **argv = with_sources(completion, words, ALL, NULL);

	use_lines(&(struct subcommand){ command_shares.run, argv, STDERR_FILENO }, offer_listed,
		  completion);
}

/* Prints the name of a cluster on a line. */
static void print_cluster(void *context, const char *name)
{
	(void)context;
	puts(name);
}

/* Prints all clusters, for document_try(): slurmdbd may not answer. */
static void print_all_clusters(void *context)
{
	live_clusters_each(print_cluster, context);
}

/* Runs as a subcommand: prints the name of each cluster on a line. */
static int print_clusters(int argc, char **argv)
{
	struct failure failure;

	(void)argc, (void)argv;
	return document_try(print_all_clusters, NULL, &failure) ? EXIT_WRONG : EXIT_DONE;
}

void offer_clusters(const struct completion *completion)
{
	struct completion item = completion_of_item(completion);
	char *argv[] = { (char *)"clusters", NULL };

	if (HAS_LIBSLURM)
		use_lines(&(struct subcommand){ print_clusters, argv, STDOUT_FILENO }, offer_name,
			  &item);
}
