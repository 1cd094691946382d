/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder of a sweep has a file for each task with a result; a task writes its own under another
 * name first. What is missing is submitted again, and all are collected into one JSON.
 *
 *	sweep.txt	the record: what the results are results of
 *	sweep.sh	the batch script of all tasks
 *	task-3.json	the result of task 3, which replays candidate 3 alone
 *	task-3.log	what task 3 has printed
 */
#include "cli/replay/replay_command.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRIPT "sweep.sh"
#define RECORD "sweep.txt"
#define STANDARD_ARRAY_SIZE 1001	/* MaxArraySize of slurm.conf: task ids stay below */
#define SQUEUE_VARIABLE "SQUEUE_"	/* variables by which users choose what squeue shows */
#define NOT_KNOWN "it is not known which tasks wait or run, and none was submitted"

extern char **environ;

/* ---- the record --------------------------------------------------------------------------- */

/*
 * The file sweep.txt in the folder of a sweep: what its results are results of. A line for the
 * trace and each file of --from, with its size and when it was changed; one for each option that
 * counts; and one for each task, with its policy and settings:
 *
 *	trace: /traces/month, 123456 bytes, changed 1790000000.000000000
 *	scheduler: easy
 *	task 0: lsf half_life=259200
 */

/* Writes a line for a file. If it is replaced by another of its name, size or time differ. */
static void put_file(FILE *out, const char *key, const char *name)
{
	char path[PATH_MAX];
	struct stat status;

	if (!realpath(name, path) || stat(path, &status))
		refuse("%s: %s", name, strerror(errno));
	fprintf(out, "%s: %s, %lld bytes, changed %lld.%09ld\n", key, path,
		(long long)status.st_size, (long long)status.st_mtim.tv_sec,
		status.st_mtim.tv_nsec);
}

/* Writes a line for an option that was given. */
static void put_given(FILE *out, const char *key, double value)
{
	if (value > 0)
		fprintf(out, "%s: %.17g\n", key, value);
}

/* Writes the line of a task. */
static void put_task(FILE *out, const struct replay_options *options, size_t task)
{
	const struct candidates *candidates = &options->candidates;
	const struct candidate *candidate = &candidates->item[task];

	fprintf(out, "task %zu:", task);
	if (candidate->policy)
		fprintf(out, " %s", fathom_policy_name(candidate->policy));
	if (options->schedulers.count > 1)
		fprintf(out, " %s", replay_schedulers[candidate->scheduler]->name);
	if (candidates->sets.half_life_count)
		fprintf(out, " half_life=%.17g", candidates->sets.half_life[candidate->half_life]);
	for (size_t i = 0; i < candidate->sets.count; i++)
		fprintf(out, " %s", candidate->sets.set[i]->text);
	putc('\n', out);
}

/* Returns the text of sweep.txt for the sweep that the options ask for. Refuses files that are not
 * there. */
static const char *record_of(const struct replay_options *options)
{
	char *text = NULL;
	size_t length;
	FILE *out = need_made(open_memstream(&text, &length));

	put_file(out, "trace", options->trace);
	if (options->files.format)
		fprintf(out, "format: %s\n", options->files.format->name);
	for (size_t i = 0; i < options->files.from_count; i++)
		put_file(out, "from", options->files.from[i]);
	fprintf(out, "scheduler: %s\n", replay_scheduler_names(options));
	put_given(out, "cpus", options->cpus);
	put_given(out, "nodes", options->nodes);
	put_given(out, "calc-period", options->calc_period);
	put_given(out, "warm-up", options->warm_up);
	put_given(out, "yardstick", options->yardstick);
	put_given(out, "initial", options->with_usage);
	put_given(out, "strict", options->strict);
	for (size_t i = 0; i < options->candidates.count; i++)
		put_task(out, options, i);
	need_done(fclose(out));
	return text;
}

/* Refuses a folder with the record of another sweep, and names the first line that differs. */
static _Noreturn void refuse_line(const char *folder, const char *path, const char *record,
				  const char *old)
{
	size_t begin = 0;	/* of the line that differs */

	while (old[begin] && old[begin] == record[begin])
		begin++;
	while (begin && old[begin - 1] != '\n')
		begin--;
	refuse("%s: has another sweep, with '%.*s' in %s; give another folder, or the same options",
	       folder, (int)strcspn(old + begin, "\n"), old + begin, path);
}

/* Returns whether a folder has a record. Refuses one that is not the same as `record`. */
static bool has_record(const char *record, const char *folder)
{
	const char *path = folder_path(folder, RECORD);
	struct fathom_error error;
	struct document old;

	if (document_load(&old, path, &error)) {
		if (error.code == ENOENT)
			return false;
		refuse("%s: %s", path, error.text);
	}
	if (strcmp(old.text, record))
		refuse_line(folder, path, record, old.text);
	return true;
}

/* Refuses a sweep that another user has begun, unless the caller is root. */
static void check_owner(const char *folder)
{
	const char *path = folder_path(folder, RECORD);
	struct stat status;

	if (stat(path, &status))
		refuse("%s: %s", path, strerror(errno));
	if (geteuid() && status.st_uid != geteuid())
		refuse("%s: is of another user, whose tasks squeue may hide; let that user submit, "
		       "or give another folder", path);
}

/* Writes sweep.txt, whole or not at all. */
static void write_record(const char *record, const char *folder)
{
	struct out_file output;

	out_file_begin(&output, "out", folder_path(folder, RECORD));
	fputs(record, output.stream);
	out_file_publish(&output);
}

/* ---- files --------------------------------------------------------------------------------- */

/* Returns the path of a file of a task. suffix: "json" or "log". */
static const char *task_path(const struct replay_options *options, size_t task, const char *suffix)
{
	return folder_path(options->out.folder, need_print("task-%zu.%s", task, suffix));
}

/* Returns whether a task has a result. */
static bool has_result(const struct replay_options *options, size_t task)
{
	return !access(task_path(options, task, "json"), F_OK);
}

/* Tasks without a result that do not wait or run in the cluster. */
struct missing {
	const bool *queued;	/* by task: it waits or runs; NULL: all count that have no result */
	size_t count;
	size_t first, last;	/* the first and the last of these tasks, if there are any */
	size_t left_out;	/* tasks without a result that wait or run */
	char *list;		/* as sbatch takes them: 3,5-9 */
};

/* Returns whether a task is missing. Counts one without a result that waits or runs as left out. */
static bool is_missing(const struct replay_options *options, size_t task, struct missing *missing)
{
	bool is_queued = missing->queued && missing->queued[task];

	if (has_result(options, task))
		return false;
	missing->left_out += is_queued;
	return !is_queued;
}

/* Adds tasks first to last to the missing ones. out: writes missing->list. */
static void add_missing(struct missing *missing, FILE *out, size_t first, size_t last)
{
	fprintf(out, "%s%zu", missing->count ? "," : "", first);
	if (last > first)
		fprintf(out, "%c%zu", last > first + 1 ? '-' : ',', last);
	missing->first = missing->count ? missing->first : first;
	missing->last = last;
	missing->count += last - first + 1;
}

/* Lists the missing tasks. queued: see struct missing. */
static struct missing find_missing(const struct replay_options *options, const bool *queued)
{
	const size_t count = options->candidates.count;
	struct missing missing = { .queued = queued };
	size_t length, in_row = 0;	/* missing tasks directly before `task` */
	FILE *out = need_made(open_memstream(&missing.list, &length));

	for (size_t task = 0; task <= count; task++) {
		if (task < count && is_missing(options, task, &missing)) {
			in_row++;
			continue;
		}
		if (in_row)
			add_missing(&missing, out, task - in_row, task - 1);
		in_row = 0;
	}
	need_done(fclose(out));
	return missing;
}

/* ---- tasks that wait or run ------------------------------------------------------------------ */

/* Returns the name of the jobs of a sweep: "fathom-replay-", and a number made of the folder's
 * path. */
static const char *sweep_job_name(const char *folder)
{
	uint64_t hash = 0xcbf29ce484222325;	/* FNV-1a */
	char path[PATH_MAX];

	if (!realpath(folder, path))
		refuse("--out: %s: %s", folder, strerror(errno));
	for (const char *at = path; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
	return need_print("fathom-replay-%016llx", (unsigned long long)hash);
}

/* Returns the environment without the variables by which users choose what squeue shows. */
static char **make_environment(void)
{
	size_t count = 0, kept = 0;
	char **made;

	while (environ[count])
		count++;
	made = need_zeros(count, sizeof(*made));
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], SQUEUE_VARIABLE, strlen(SQUEUE_VARIABLE)))
			made[kept++] = environ[i];
	return made;
}

/* Runs a program, and returns whether it has succeeded. Refuses to go on if it cannot be run. out:
 * a file that gets its output; NULL: standard output does. consequence: ends the error; begins with
 * "; ", or is "". */
static bool run_program(char *const *arguments, char *const *environment, FILE *out,
			const char *consequence)
{
	posix_spawn_file_actions_t actions;
	int status = 0, code = posix_spawn_file_actions_init(&actions);
	pid_t child;

	if (!code && out)
		code = posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
	if (!code)
		code = posix_spawnp(&child, *arguments, &actions, NULL, arguments, environment);
	while (!code && waitpid(child, &status, 0) < 0)
		code = errno == EINTR ? 0 : errno;
	if (code)
		refuse("%s: %s%s", *arguments, strerror(code), consequence);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Runs squeue for the jobs of this name; its output, a line for each task, goes to a file. */
static void run_squeue(const char *job_name, FILE *out)
{
	const char *clusters = getenv("SBATCH_CLUSTERS");	/* where sbatch submits */
	char *arguments[] = { (char *)"squeue", (char *)"--noheader", (char *)"--array",
			      (char *)"--format=%K", (char *)"--name", (char *)job_name,
			      clusters ? (char *)"--clusters" : NULL, (char *)clusters, NULL };

	if (!run_program(arguments, make_environment(), out, "; " NOT_KNOWN))
		refuse("squeue has failed; " NOT_KNOWN);
}

/* Notes a line of squeue: the number of a task, or with --clusters a line "CLUSTER: NAME". */
static void note_queued_task(const char *line, bool *queued, size_t tasks)
{
	char *end;
	unsigned long task = strtoul(line, &end, 10);

	if (!*line || !strncmp(line, "CLUSTER:", strlen("CLUSTER:")))
		return;
	if (end == line || *end || task >= tasks)
		refuse("squeue: '%s', must be the number of a task below %zu; " NOT_KNOWN, line,
		       tasks);
	queued[task] = true;
}

/* Sets queued[] of the tasks that wait or run, whose jobs have this name. */
static void sweep_queue_read(const char *job_name, bool *queued, size_t tasks)
{
	char line[256];
	FILE *out = tmpfile();

	if (!out)
		refuse("%s: %s", P_tmpdir, strerror(errno));
	run_squeue(job_name, out);
	rewind(out);
	while (fgets(line, sizeof(line), out)) {
		line[strcspn(line, " \n")] = '\0';
		note_queued_task(line, queued, tasks);
	}
	fclose(out);
}

/* ---- submitting ------------------------------------------------------------------------------ */

/* Writes a word in single quotes, so that the shell takes it as it is. */
static void put_quoted(FILE *out, const char *word)
{
	putc('\'', out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			putc(*word, out);
	putc('\'', out);
}

/* Writes the batch script: this program with its own arguments, and the number of the task. */
static void write_script(const struct replay_options *options, const char *path)
{
	struct out_file output;
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	if (length < 0)
		refuse("--array: %s", strerror(errno));
	program[length] = '\0';
	out_file_begin(&output, "out", path);
	fputs("#!/bin/sh\nexec ", output.stream);
	put_quoted(output.stream, program);
	fputs(" replay", output.stream);
	for (size_t i = 0; options->arguments[i]; i++) {
		putc(' ', output.stream);
		put_quoted(output.stream, options->arguments[i]);
	}
	fputs(" --task=\"$SLURM_ARRAY_TASK_ID\"\n", output.stream);
	out_file_publish(&output);
}

/* Returns whether a folder, a text of this length, has the program. */
static bool is_program(const char *folder, size_t length, const char *name)
{
	/* an empty entry of PATH is the working folder */
	return !access(need_print("%.*s%s%s", (int)length, folder, length ? "/" : "./", name),
		       X_OK);
}

/* Refuses to go on if PATH does not have a program. */
static void require_program(const char *name)
{
	const char *at = getenv("PATH");

	for (size_t length; at; at = at[length] ? at + length + 1 : NULL) {
		length = strcspn(at, ":");
		if (is_program(at, length, name))
			return;
	}
	refuse("--array: %s is not found; without --array this machine replays all", name);
}

/* Runs sbatch, which prints the number of the job. */
static void run_sbatch(const struct replay_options *options, const struct missing *missing,
		       const char *job_name, const char *script)
{
	char *arguments[] = {
		(char *)"sbatch", (char *)"--parsable", (char *)"--job-name", (char *)job_name,
		need_print("--array=%s%%%zu", missing->list, (size_t)options->array),
		need_print("--output=%s/task-%%a.log", options->out.folder), (char *)script, NULL
	};

	if (run_program(arguments, environ, NULL, ""))
		return;
	/* more tasks than a MaxArraySize by default allows are the likely reason */
	if (missing->last < STANDARD_ARRAY_SIZE)
		refuse("sbatch has failed; no task was submitted");
	refuse("sbatch has failed; no task was submitted; MaxArraySize in slurm.conf must be above "
	       "%zu, and is %d by default", missing->last, STANDARD_ARRAY_SIZE);
}

void replay_sweep_check(const struct replay_options *options)
{
	record_of(options);	/* for its errors: first of all a file that is missing */
	if (strpbrk(options->out.folder, "%\\"))
		refuse("--out: '%s': sbatch takes '%%' and '\\' in a name for marks of its own",
		       options->out.folder);
	require_program("sbatch");
	require_program("squeue");
}

/* Waits until no other command submits into the folder, which would submit the same tasks, or those
 * of another sweep. The lock ends with the process. A file system without locks has none. */
static void lock_folder(const char *folder)
{
	int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (opened < 0)
		refuse("--out: %s: %s", folder, strerror(errno));
	while (flock(opened, LOCK_EX) && errno == EINTR)
		;
}

/* Asks for tasks that wait or run before it looks for results: a task that ends in between has
 * one. */
void replay_sweep_submit(const struct replay_options *options)
{
	const char *record = record_of(options);
	bool *queued = need_zeros(options->candidates.count, sizeof(*queued));
	const char *job_name, *script;
	struct missing missing;

	if (mkdir(options->out.folder, 0777) && errno != EEXIST)
		refuse("--out: %s: %s", options->out.folder, strerror(errno));
	lock_folder(options->out.folder);
	job_name = sweep_job_name(options->out.folder);
	sweep_queue_read(job_name, queued, options->candidates.count);
	missing = find_missing(options, queued);
	/* without a record, results and tasks may be of another sweep */
	if (has_record(record, options->out.folder))
		check_owner(options->out.folder);
	else if (missing.count < options->candidates.count)
		refuse("%s: has results or tasks of a sweep that is not known; give another folder",
		       options->out.folder);
	if (missing.left_out)
		remark("%s: %zu of %zu results are missing, whose tasks wait or run; they are not "
		       "submitted again", options->out.folder, missing.left_out,
		       options->candidates.count);
	else if (!missing.count)
		remark("%s has all %zu results; --collect prints them", options->out.folder,
		       options->candidates.count);
	if (!missing.count)
		return;
	script = folder_path(options->out.folder, SCRIPT);
	write_record(record, options->out.folder);
	write_script(options, script);
	run_sbatch(options, &missing, job_name, script);
}

bool replay_sweep_begin_task(const struct replay_options *options)
{
	static const struct option_row row = { 0, "out", "FILE", NULL, option_out, 0, 0 };
	size_t task = (size_t)options->task - 1;

	if (task >= options->candidates.count)
		refuse("--task: %zu, must be below %zu", task, options->candidates.count);
	if (has_result(options, task))
		return false;
	option_out(&row, NULL, task_path(options, task, "json"));
	return true;
}

/* ---- collecting ----------------------------------------------------------------------------- */

/* What is in front of the objects of candidates, and behind them, see print_replay_json(). */
#define BEGIN_POLICIES "\n\"policies\": [\n"	/* no text in JSON has a line break */
#define END_POLICIES "]}\n"

/* Loads the result of a task. Returns how many bytes are in front of the object of its only
 * candidate. Refuses a text that is not the whole result of one task. */
static size_t load_result(struct document *result, const char *path)
{
	size_t end = strlen(END_POLICIES);
	const char *begin;
	json_error_t error;
	json_t *document;
	bool is_one;

	document_open(result, path);
	document_load_rest(result);
	if (!result->length)
		refuse("%s: is empty", path);
	document = json_loadb(result->text, result->length, 0, &error);
	is_one = json_array_size(json_object_get(document, "policies")) == 1;
	begin = strstr(result->text, BEGIN_POLICIES);
	if (!document)
		refuse("%s:%d: %s; remove it, and submit again with --array", path, error.line,
		       error.text);
	json_decref(document);
	if (!is_one || !begin || result->length < end ||
	    strcmp(result->text + result->length - end, END_POLICIES))
		refuse("%s: must be the result of one replay; remove it, and submit again with "
		       "--array", path);
	return (size_t)(begin - result->text) + strlen(BEGIN_POLICIES);
}

/* Adds the result of a task to what is collected. *head: what is in front of the first result,
 * which all must have; "" before. */
static void collect_task(const struct replay_options *options, size_t task, FILE *collected,
			 const char **head)
{
	const char *path = task_path(options, task, "json");
	struct document result;
	size_t length = load_result(&result, path);
	const char *own = need_copy((struct piece){ result.text, length });

	if (**head && strcmp(own, *head))
		refuse("%s: is of another trace than the results before; remove it, and submit "
		       "again with --array", path);
	fputs(**head ? ",\n" : own, collected);
	*head = own;
	fwrite(result.text + length, 1, result.length - length - strlen(END_POLICIES), collected);
	document_clear(&result);
}

/* Prints all results as one, or nothing if one is wrong. */
static void collect_tasks(const struct replay_options *options)
{
	const char *head = "";
	FILE *collected = tmpfile();

	if (!collected)
		refuse("--collect: %s", strerror(errno));
	for (size_t task = 0; task < options->candidates.count; task++)
		collect_task(options, task, collected, &head);
	fputs(END_POLICIES, collected);
	copy_to_output(collected, "--collect");
}

/* Remarks the last line of a file. Returns false for a file that cannot be read or is empty. */
static bool show_last_line(const char *path)
{
	char line[1024], last[1024] = "";
	FILE *file = fopen(path, "r");

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file))
		strcpy(last, line);
	fclose(file);
	if (!*last)
		return false;
	last[strcspn(last, "\n")] = '\0';
	if (*last)
		remark("%s ends with: %s", path, last);
	return true;
}

/* Remarks why tasks have failed: the last line of the first log of a task without a result. */
static void show_log(const struct replay_options *options, const struct missing *missing)
{
	for (size_t task = missing->first; task <= missing->last; task++)
		if (!has_result(options, task) && show_last_line(task_path(options, task, "log")))
			return;
}

int replay_sweep_collect(const struct replay_options *options)
{
	const bool *not_asked = NULL;
	const struct missing missing = find_missing(options, not_asked);

	if (!has_record(record_of(options), options->out.folder))
		refuse("%s: has no sweep; --array NUMBER begins one", options->out.folder);
	if (!missing.count) {
		collect_tasks(options);
		return EXIT_DONE;
	}
	show_log(options, &missing);
	remark("%s: %zu of %zu results are missing: %s; --array submits them again",
	       options->out.folder, missing.count, options->candidates.count, missing.list);
	return EXIT_NO;
}
