/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Offers what other commands print: columns of --helpformat, names of the cluster or of --from. */
#include "cli/complain.h"
#include "cli/complete/completion.h"
#include "cli/libslurm_option.h"
#include "cli/option_values.h"
#include "cli/view.h"
#include "document/document.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_ARGUMENTS 24
#define LINE_SIZE 1024
#define MOST_SECONDS 5	/* that a command may take, because a user waits for it */

typedef void use_line(const struct completion *completion, char *line);

/* ---- running commands ---------------------------------------------------------------------- */

/* A command line that is run for what it prints. argv: ends with a NULL. */
struct asked {
	int (*run)(int argc, char **argv);
	char **argv;
	int stream;	/* STDOUT_FILENO, or STDERR_FILENO for the error */
};

/* Runs a command whose stream is the pipe. */
static _Noreturn void run_into(int pipe, const struct asked *asked)
{
	int null = open("/dev/null", O_RDWR), argc = 0;

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0 || dup2(pipe, asked->stream) < 0)
		_exit(EXIT_WRONG);
	while (asked->argv[argc])
		argc++;
	alarm(MOST_SECONDS);
	asked->run(argc, asked->argv);
	fflush(stdout);
	_exit(EXIT_DONE);
}

/* Starts a command and returns its stream; NULL: it could not be started. */
static FILE *start(const struct asked *asked, pid_t *child)
{
	int ends[2];

	fflush(stdout);
	if (pipe(ends))
		return NULL;
	*child = fork();
	if (!*child)
		run_into(ends[1], asked);
	close(ends[1]);
	if (*child > 0)
		return fdopen(ends[0], "r");
	close(ends[0]);
	return NULL;
}

/* Calls `use` for each line that a command prints. */
static void use_lines(const struct asked *asked, use_line *use, const struct completion *completion)
{
	char line[LINE_SIZE];
	pid_t child;
	FILE *output = start(asked, &child);

	if (!output)
		return;
	while (fgets(line, sizeof(line), output)) {
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
	use_lines(&(struct asked){ command->run, argv, STDOUT_FILENO }, use, completion);
}

/* ---- columns ------------------------------------------------------------------------------- */

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
	if (length)	/* not the rest of a meaning */
		offer(completion, line, *meaning ? meaning : NULL);
}

/* A line of sshare's --helpformat: several columns. */
static void offer_line(const struct completion *completion, char *line)
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

	if (*item.part == '-')	/* of --sort */
		item = completion_after(&item, 1);
	if (completion->options == command->options)
		for_each_line(command, own, offer_column, &item);
	else
		for_each_line(command, of_view, offer_line, &item);
}

/* ---- names --------------------------------------------------------------------------------- */

static void offer_name(const struct completion *completion, char *line)
{
	line += strspn(line, " ");
	/* shares prints such a line above each of several clusters */
	if (*line && strncmp(line, "CLUSTER: ", 9))
		offer(completion, line, NULL);
}

/* The options that name files, clusters or one of their trees; --from comes first. */
static const char *const sources[] = { "--from", "--format", "-M", "--cluster", "--clusters",
				       "--scope" };

#define SOURCE_COUNT (sizeof(sources) / sizeof(*sources))
#define ALL SIZE_MAX

/* Returns which of these options a word is, with or without "=VALUE"; SOURCE_COUNT: none. */
static size_t find_source(const char *word)
{
	size_t i = 0;

	while (i < SOURCE_COUNT && (strncmp(word, sources[i], strlen(sources[i])) ||
				    !strchr("=", word[strlen(sources[i])])))
		i++;
	return i;
}

/* Adds these options as the words have them. which: of several --from, add only this one, from 0;
 * or ALL. Returns how many --from there are. */
static size_t add_sources(const struct completion *completion, int argc, char **argv, size_t which)
{
	size_t from_count = 0;

	for (int i = 1; i + 1 < completion->count; i++) {
		char **word = &completion->words[i];
		size_t source = find_source(*word);
		bool has_value = strchr(*word, '=');

		if (source == SOURCE_COUNT || (!has_value && i + 2 == completion->count))
			continue;
		if ((source || which == ALL || from_count == which) && argc + 2 < MOST_ARGUMENTS) {
			argv[argc++] = word[0];
			if (!has_value)
				argv[argc++] = word[1];
		}
		from_count += !source;
		i += !has_value;
	}
	return from_count;
}

/* Offers a column of the jobs of files or of the cluster. */
static void offer_of_jobs(const struct completion *completion, const char *column)
{
	char *argv[MOST_ARGUMENTS] = { (char *)"prio", (char *)"-Pn", (char *)"--state=all",
				       (char *)"-o", (char *)column };

	add_sources(completion, 5, argv, ALL);
	for_each_line(&command_prio, argv, offer_name, completion);
}

void offer_own_jobs(const struct completion *completion)
{
	const char *caller = caller_name();
	char *argv[MOST_ARGUMENTS] = { (char *)"prio", (char *)"-Pn", (char *)"-o",
				       (char *)"JobID", (char *)"--user", (char *)caller };

	if (!caller)
		return;
	add_sources(completion, 6, argv, ALL);
	for_each_line(&command_prio, argv, offer_name, completion);
}

/* Offers a column of the tree. Returns how many --from the words have; which: see add_sources(). */
static size_t offer_of_tree(const struct completion *completion, const char *column, size_t which)
{
	char *argv[MOST_ARGUMENTS] = { (char *)"shares", (char *)"-aPn", (char *)"-o",
				       (char *)column };
	size_t from_count = add_sources(completion, 4, argv, which);

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
	else	/* for explain, each of several files may be the tree */
		for (size_t i = 0, count = 1; i < count; i++)
			count = offer_of_tree(&item, column, i);
}

void offer_jobs(const struct completion *completion)
{
	struct completion item = completion_of_item(completion);

	offer_of_jobs(&item, "JobID");
}

/* ---- places of LSF's views ------------------------------------------------------------------- */

/* A line of a view that begins with one of LSF's labels: "QUEUE: normal". */
static void offer_labelled(const struct completion *completion, char *line)
{
	static const char *const labels[] = { "HOST_PARTITION_NAME: ", "QUEUE: ", "GROUP_NAME: " };

	for (size_t i = 0; i < sizeof(labels) / sizeof(*labels); i++)
		if (!strncmp(line, labels[i], strlen(labels[i])))
			offer(completion, line + strlen(labels[i]), NULL);
}

/* Returns whether the view names places behind labels with -l alone: bhpart always does. */
static bool has_long_form(const struct view *view)
{
	for (size_t i = 0; i < view->options->count; i++)
		if (view->options->rows[i].letter == 'l')
			return true;
	return false;
}

void offer_places(const struct completion *completion)
{
	char *argv[MOST_ARGUMENTS] = { (char *)completion->command->name, (char *)"--view",
				       (char *)completion->view->tool };
	int argc = 3;

	add_sources(completion, argc, argv, ALL);
	while (argv[argc])
		argc++;
	argv[argc] = (char *)"--";
	if (has_long_form(completion->view))
		argv[argc + 1] = (char *)"-l";
	for_each_line(completion->command, argv, offer_labelled, completion);
}

/* ---- scopes, clusters ------------------------------------------------------------------------ */

/* The error about a scope that is not there ends in the names of those that are: "a, b or c". */
static void offer_listed(const struct completion *completion, char *line)
{
	static const char before[] = ", must be ";
	char *list = strstr(line, before), *end;

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
	char *argv[MOST_ARGUMENTS] = { (char *)"shares", (char *)"--scope=" };

	add_sources(completion, 2, argv, ALL);
	use_lines(&(struct asked){ command_shares.run, argv, STDERR_FILENO }, offer_listed,
		  completion);
}

static void print_cluster(void *context, const char *name)
{
	(void)context;
	puts(name);
}

static void print_all_clusters(void *context)
{
	live_clusters_each(print_cluster, context);
}

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
		use_lines(&(struct asked){ print_clusters, argv, STDOUT_FILENO }, offer_name,
			  &item);
}
