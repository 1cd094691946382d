/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/replay_sweep.h"

#include "cli/complain.h"
#include "cli/options.h"
#include "cli/out_file.h"
#include "cli/replay/replay_files.h"
#include "cli/replay/sweep_queue.h"
#include "cli/replay/sweep_record.h"

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
#define STANDARD_ARRAY_SIZE 1001	/* MaxArraySize of slurm.conf: task ids stay below */

extern char **environ;

/* ---- files --------------------------------------------------------------------------------- */

static int make_task_path(const struct replay_sweep *sweep, size_t task, const char *suffix,
			  char *path)
{
	char name[48];

	snprintf(name, sizeof(name), "task-%zu.%s", task, suffix);
	return folder_path(path, sweep->folder, name);
}

static bool has_result(const struct replay_sweep *sweep, size_t task)
{
	char path[PATH_MAX];

	return make_task_path(sweep, task, "json", path) || !access(path, F_OK);
}

/* Tasks without a result, but for those that wait or run in the cluster. */
struct missing {
	const bool *queued;	/* by task, what waits or runs; NULL: not asked */
	size_t count, first, last;
	size_t left_out;	/* that wait or run */
	char *list;		/* as sbatch takes them: 3,5-9 */
};

static bool is_missing(const struct replay_sweep *sweep, size_t task, struct missing *missing)
{
	bool is_queued = missing->queued && missing->queued[task];

	if (has_result(sweep, task))
		return false;
	missing->left_out += is_queued;
	return !is_queued;
}

static void put_range(FILE *out, size_t first, size_t last, bool is_first)
{
	fprintf(out, "%s%zu", is_first ? "" : ",", first);
	if (last > first)
		fprintf(out, "%c%zu", last > first + 1 ? '-' : ',', last);
}

static void list_missing(const struct replay_sweep *sweep, FILE *out, struct missing *missing)
{
	for (size_t task = 0; task < sweep->tasks; task++) {
		size_t first = task;

		while (task < sweep->tasks && is_missing(sweep, task, missing))
			task++;
		if (task == first)
			continue;
		put_range(out, first, task - 1, !missing->count);
		missing->first = missing->count ? missing->first : first;
		missing->last = task - 1;
		missing->count += task - first;
	}
}

/* The list is to be freed. Returns 0, or EXIT_WRONG after printing an error. */
static int find_missing(const struct replay_sweep *sweep, const bool *queued,
			struct missing *missing)
{
	size_t length;
	FILE *out;

	*missing = (struct missing){ .queued = queued };
	out = open_memstream(&missing->list, &length);
	if (!out)
		return complain("out of memory");
	list_missing(sweep, out, missing);
	return fclose(out) ? complain("out of memory") : 0;
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

static bool is_program(const char *folder, size_t length, const char *name)
{
	char path[PATH_MAX];

	/* an empty entry of PATH is the working folder */
	if (snprintf(path, sizeof(path), "%.*s%s%s", (int)length, folder, length ? "/" : "./",
		     name) >= (int)sizeof(path))
		return false;
	return !access(path, X_OK);
}

/* Looks before anything is written. */
static int find_program(const char *name)
{
	const char *at = getenv("PATH");

	for (size_t length; at; at = at[length] ? at + length + 1 : NULL) {
		length = strcspn(at, ":");
		if (is_program(at, length, name))
			return 0;
	}
	return complain("--array: %s is not found; without --array this machine replays all", name);
}

static int complain_of_sbatch(size_t last)
{
	if (last < STANDARD_ARRAY_SIZE)
		return complain("sbatch has failed; no task was submitted");
	return complain("sbatch has failed; no task was submitted; MaxArraySize in slurm.conf must "
			"be above %zu, and is %d by default", last, STANDARD_ARRAY_SIZE);
}

/* Runs sbatch, which prints the number of the job. */
static int run_sbatch(const struct replay_sweep *sweep, const struct missing *missing,
		      const char *job_name, const char *script)
{
	char *array = NULL, log[PATH_MAX + 16];
	char *arguments[] = { (char *)"sbatch", (char *)"--parsable", (char *)"--job-name",
			      (char *)job_name, NULL, log, (char *)script, NULL };
	pid_t child;
	int status = 0, code;

	if (asprintf(&array, "--array=%s%%%zu", missing->list, sweep->at_once) < 0)
		return complain("out of memory");
	arguments[4] = array;
	snprintf(log, sizeof(log), "--output=%s/task-%%a.log", sweep->folder);
	code = posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ);
	while (!code && waitpid(child, &status, 0) < 0)
		code = errno == EINTR ? 0 : errno;
	free(array);
	if (code)
		return complain("sbatch: %s", strerror(code));
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : complain_of_sbatch(missing->last);
}

/* Results and tasks whose sweep is not known cannot be told from those of this one. */
static int check_folder(const struct replay_sweep *sweep, const struct missing *missing)
{
	bool exists;

	if (sweep_record_compare(sweep->record, sweep->folder, &exists))
		return EXIT_WRONG;
	if (!exists && missing->count < sweep->tasks)
		return complain("%s: has results or tasks of a sweep that is not known; give "
				"another folder", sweep->folder);
	return exists ? sweep_record_check_owner(sweep->folder) : 0;
}

/* Says what is not submitted. */
static void report_rest(const struct replay_sweep *sweep, const struct missing *missing)
{
	if (missing->left_out)
		remark("%s: %zu of %zu results are missing, whose tasks wait or run; they are not "
		       "submitted again", sweep->folder, missing->left_out, sweep->tasks);
	else if (!missing->count)
		remark("%s has all %zu results; --collect prints them", sweep->folder,
		       sweep->tasks);
}

static int submit_missing(const struct replay_sweep *sweep, const struct missing *missing,
			  const char *job_name)
{
	char script[PATH_MAX];

	if (check_folder(sweep, missing))
		return EXIT_WRONG;
	report_rest(sweep, missing);
	if (!missing->count)
		return 0;
	if (folder_path(script, sweep->folder, SCRIPT) ||
	    sweep_record_write(sweep->record, sweep->folder) || write_script(sweep, script))
		return EXIT_WRONG;
	return run_sbatch(sweep, missing, job_name, script);
}

int replay_sweep_check(const struct replay_sweep *sweep)
{
	if (strpbrk(sweep->folder, "%\\"))
		return complain("--out: '%s': sbatch takes '%%' and '\\' in a name for marks of "
				"its own", sweep->folder);
	return find_program("sbatch") || find_program("squeue") ? EXIT_WRONG : 0;
}

/* Looks for tasks before it looks for results, as a task that ends meanwhile has one then. */
static int submit_unqueued(const struct replay_sweep *sweep, bool *queued)
{
	char job_name[SWEEP_JOB_NAME_SIZE];
	struct missing missing;
	int status;

	if (sweep_job_name(sweep->folder, job_name) ||
	    sweep_queue_read(job_name, queued, sweep->tasks))
		return EXIT_WRONG;
	status = find_missing(sweep, queued, &missing);
	if (!status)
		status = submit_missing(sweep, &missing, job_name);
	free(missing.list);
	return status;
}

int replay_sweep_submit(const struct replay_sweep *sweep)
{
	bool *queued = calloc(sweep->tasks, sizeof(*queued));
	int status;

	if (!queued)
		return complain("out of memory");
	if (mkdir(sweep->folder, 0777) && errno != EEXIST)
		status = complain("--out: %s: %s", sweep->folder, strerror(errno));
	else
		status = submit_unqueued(sweep, queued);
	free(queued);
	return status;
}

int replay_sweep_begin_task(const struct replay_sweep *sweep, size_t task, bool *is_done)
{
	static const struct option_row row = { 0, "out", "FILE", NULL, option_out, 0, 0 };
	static char path[PATH_MAX];	/* until standard output ends */

	if (task >= sweep->tasks)
		return complain("--task: %zu, must be below %zu", task, sweep->tasks);
	*is_done = has_result(sweep, task);
	if (*is_done)
		return 0;
	if (make_task_path(sweep, task, "json", path))
		return EXIT_WRONG;
	option_out(&row, NULL, path);
	return 0;
}

/* ---- collecting ----------------------------------------------------------------------------- */

#define BEGIN_POLICIES "\n\"policies\": [\n"	/* no text in JSON has a line break */
#define END_POLICIES "]}\n"

/* The text of a task's result. */
struct result {
	char *text;
	size_t length;		/* of it all */
	size_t head;		/* what is in front of its only replay */
};

static int load_text(struct result *result, const char *path)
{
	FILE *file = fopen(path, "r");
	size_t room = 0;
	ssize_t length = file ? getdelim(&result->text, &room, '\0', file) : -1;
	int status = 0;

	if (length <= 0)
		status = complain("%s: %s", path, errno ? strerror(errno) : "is empty");

	result->length = length > 0 ? (size_t)length : 0;
	if (file)
		fclose(file);
	return status;
}

/* Checks that it is the result of one replay, whole. */
static int check_result(struct result *result, const char *path)
{
	json_error_t error;
	json_t *document = json_loadb(result->text, result->length, 0, &error);
	bool is_one = json_array_size(json_object_get(document, "policies")) == 1;
	const char *begin = strstr(result->text, BEGIN_POLICIES);
	size_t end = strlen(END_POLICIES);

	json_decref(document);
	if (!document)
		return complain("%s:%d: %s; remove it, and submit again with --array", path,
				error.line, error.text);
	if (!is_one || !begin || result->length < end ||
	    strcmp(result->text + result->length - end, END_POLICIES))
		return complain("%s: must be the result of one replay; remove it, and submit again "
				"with --array", path);
	result->head = (size_t)(begin - result->text) + strlen(BEGIN_POLICIES);
	return 0;
}

/* Adds a result to what is collected. All results have the same head, *first. */
static int put_result(FILE *collected, const struct result *result, struct result *first,
		      const char *path)
{
	bool is_first = !first->text;

	if (is_first) {
		first->text = strndup(result->text, result->head);
		first->head = result->head;
	}
	if (!first->text)
		return complain("out of memory");
	if (result->head != first->head || strncmp(result->text, first->text, first->head))
		return complain("%s: is of another trace than the results before; remove it, and "
				"submit again with --array", path);
	fputs(is_first ? first->text : ",\n", collected);
	fwrite(result->text + result->head, 1,
	       result->length - result->head - strlen(END_POLICIES), collected);
	return 0;
}

static int collect_task(const struct replay_sweep *sweep, size_t task, FILE *collected,
			struct result *first)
{
	char path[PATH_MAX];
	struct result result = { NULL };
	int status;

	errno = 0;
	status = make_task_path(sweep, task, "json", path) || load_text(&result, path) ||
			 check_result(&result, path) || put_result(collected, &result, first, path)
		 ? EXIT_WRONG : 0;
	free(result.text);
	return status;
}

/* Prints all, or nothing if one is wrong. */
static int collect_tasks(const struct replay_sweep *sweep)
{
	struct result first = { NULL };
	FILE *collected = tmpfile();
	int status = collected ? 0 : complain("--collect: %s", strerror(errno));

	for (size_t task = 0; !status && task < sweep->tasks; task++)
		status = collect_task(sweep, task, collected, &first);
	if (!status) {
		fputs(END_POLICIES, collected);
		status = copy_stream(stdout, collected)
				 ? complain("--collect: %s", strerror(errno)) : 0;
	}
	if (collected)
		fclose(collected);
	free(first.text);
	return status;
}

/* Shows the last line of the first log among tasks without a result: why it has failed. */
static void show_log(const struct replay_sweep *sweep, const struct missing *missing)
{
	char path[PATH_MAX], line[1024], last[1024] = "";

	for (size_t task = missing->first; !*last && task <= missing->last; task++) {
		FILE *log = has_result(sweep, task) || make_task_path(sweep, task, "log", path)
				    ? NULL : fopen(path, "r");

		while (log && fgets(line, sizeof(line), log))
			strcpy(last, line);
		if (log)
			fclose(log);
	}
	last[strcspn(last, "\n")] = '\0';
	if (*last)
		remark("%s ends with: %s", path, last);
}

static int collect_all(const struct replay_sweep *sweep, const struct missing *missing)
{
	bool exists;

	if (sweep_record_compare(sweep->record, sweep->folder, &exists))
		return EXIT_WRONG;
	if (!exists)
		return complain("%s: has no sweep; --array NUMBER begins one", sweep->folder);
	if (!missing->count)
		return collect_tasks(sweep);
	show_log(sweep, missing);
	remark("%s: %zu of %zu results are missing: %s; --array submits them again", sweep->folder,
	       missing->count, sweep->tasks, missing->list);
	return EXIT_NO;
}

int replay_sweep_collect(const struct replay_sweep *sweep)
{
	struct missing missing;
	int status = find_missing(sweep, NULL, &missing);

	if (!status)
		status = collect_all(sweep, &missing);
	free(missing.list);
	return status;
}
