/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/replay_sweep.h"

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/out_file.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRIPT "sweep.sh"
#define LIST_SIZE (MOST_CANDIDATES * 4)

extern char **environ;

/* ---- files --------------------------------------------------------------------------------- */

static int make_path(const struct replay_sweep *sweep, const char *name, char *path)
{
	if (snprintf(path, PATH_MAX, "%s/%s", sweep->folder, name) >= PATH_MAX)
		return complain("--out: %s", strerror(ENAMETOOLONG));
	return 0;
}

static int make_result_path(const struct replay_sweep *sweep, size_t task, char *path)
{
	char name[32];

	snprintf(name, sizeof(name), "task-%zu.json", task);
	return make_path(sweep, name, path);
}

/* Lists the tasks without a result as sbatch's --array takes them. Returns how many there are. */
static size_t list_missing(const struct replay_sweep *sweep, char *list)
{
	size_t count = 0, length = 0;

	*list = '\0';
	for (size_t task = 0; task < sweep->tasks; task++) {
		char path[PATH_MAX];

		if (make_result_path(sweep, task, path) || !access(path, F_OK))
			continue;
		length += (size_t)snprintf(list + length, LIST_SIZE - length, "%s%zu",
					   count ? "," : "", task);
		count++;
	}
	return count;
}

/* ---- submitting ------------------------------------------------------------------------------ */

/* Writes a word that the shell takes as it is. */
static void put_word(FILE *out, const char *word)
{
	putc('\'', out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			putc(*word, out);
	putc('\'', out);
}

static int write_script(const struct replay_sweep *sweep, const char *path)
{
	struct out_file output;
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	if (length < 0)
		return complain("--array: %s", strerror(errno));
	program[length] = '\0';
	if (out_file_begin(&output, path))
		return EXIT_WRONG;
	fputs("#!/bin/sh\nexec ", output.stream);
	put_word(output.stream, program);
	fputs(" replay", output.stream);
	for (size_t i = 0; sweep->arguments[i]; i++) {
		putc(' ', output.stream);
		put_word(output.stream, sweep->arguments[i]);
	}
	fputs(" --task=\"$SLURM_ARRAY_TASK_ID\"\n", output.stream);
	return out_file_publish(&output);
}

/* Runs sbatch, which prints the number of the job. */
static int run_sbatch(const struct replay_sweep *sweep, const char *missing, const char *script)
{
	char array[LIST_SIZE + 64], log[PATH_MAX + 16];
	char *const arguments[] = { (char *)"sbatch", (char *)"--parsable",
				    (char *)"--job-name=fathom-replay", array, log,
				    (char *)script, NULL };
	pid_t child;
	int status, code;

	snprintf(array, sizeof(array), "--array=%s%%%zu", missing, sweep->at_once);
	snprintf(log, sizeof(log), "--output=%s/task-%%a.log", sweep->folder);
	code = posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ);
	if (code)
		return complain("sbatch: %s", strerror(code));
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return complain("sbatch: %s", strerror(errno));
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0
							 : complain("sbatch has failed; no task "
								    "was submitted");
}

int replay_sweep_submit(const struct replay_sweep *sweep)
{
	char missing[LIST_SIZE], script[PATH_MAX];

	if (strchr(sweep->folder, '%'))
		return complain("--out: '%s': sbatch takes '%%' in a name for a mark of its own",
				sweep->folder);
	if (mkdir(sweep->folder, 0777) && errno != EEXIST)
		return complain("--out: %s: %s", sweep->folder, strerror(errno));
	if (!list_missing(sweep, missing)) {
		remark("%s has all %zu results; --collect prints them", sweep->folder,
		       sweep->tasks);
		return 0;
	}
	if (make_path(sweep, SCRIPT, script) || write_script(sweep, script))
		return EXIT_WRONG;
	return run_sbatch(sweep, missing, script);
}

int replay_sweep_begin_task(const struct replay_sweep *sweep, size_t task)
{
	static const struct option_row row = { 0, "out", "FILE", NULL, option_out, 0, 0 };
	static char path[PATH_MAX];	/* until standard output ends */

	if (task >= sweep->tasks)
		return complain("--task: %zu, must be below %zu", task, sweep->tasks);
	return make_result_path(sweep, task, path) ? EXIT_WRONG : option_out(&row, NULL, path);
}

/* ---- collecting ----------------------------------------------------------------------------- */

/* Adds the replay of a result to those of the first one, *whole. */
static int add_result(json_t **whole, const char *path)
{
	json_error_t error;
	json_t *result = json_load_file(path, 0, &error);
	json_t *policies = json_object_get(result, "policies");

	if (!result)
		return complain("%s:%d: %s", path, error.line, error.text);
	if (json_array_size(policies) != 1) {
		json_decref(result);
		return complain("%s: must be the result of one replay", path);
	}
	if (!*whole) {
		*whole = result;
		return 0;
	}
	json_array_extend(json_object_get(*whole, "policies"), policies);
	json_decref(result);
	return 0;
}

int replay_sweep_collect(const struct replay_sweep *sweep)
{
	char missing[LIST_SIZE];
	json_t *whole = NULL;
	size_t count = list_missing(sweep, missing);
	int status = 0;

	if (count) {
		remark("%s: %zu of %zu results are missing: %s; --array submits them again",
		       sweep->folder, count, sweep->tasks, missing);
		return EXIT_NO;
	}
	for (size_t task = 0; !status && task < sweep->tasks; task++) {
		char path[PATH_MAX];

		status = make_result_path(sweep, task, path) || add_result(&whole, path)
				 ? EXIT_WRONG : 0;
	}
	if (!status && (json_dumpf(whole, stdout, JSON_REAL_PRECISION(17)) || putchar('\n') < 0))
		status = complain("standard output: %s", strerror(errno));
	json_decref(whole);
	return status;
}
