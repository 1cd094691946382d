/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/sweep_record.h"

#include "cli/complain.h"
#include "cli/out_file.h"
#include "cli/replay/replay_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORD "sweep.txt"

/* ---- making it ----------------------------------------------------------------------------- */

/* Puts a line for a file. Another one of the same name has another size or time. */
static int put_file(FILE *out, const char *key, const char *name)
{
	char path[PATH_MAX];
	struct stat status;

	if (!realpath(name, path) || stat(path, &status))
		return complain("%s: %s", name, strerror(errno));
	fprintf(out, "%s: %s, %lld bytes, changed %lld.%09ld\n", key, path,
		(long long)status.st_size, (long long)status.st_mtim.tv_sec,
		status.st_mtim.tv_nsec);
	return 0;
}

static void put_given(FILE *out, const char *key, double value)
{
	if (value > 0)
		fprintf(out, "%s: %.17g\n", key, value);
}

static void put_task(FILE *out, const struct sweep_inputs *inputs, size_t task)
{
	const struct candidate *candidate = &inputs->candidates->item[task];

	fprintf(out, "task %zu:", task);
	if (candidate->policy)
		fprintf(out, " %s", fathom_policy_name(candidate->policy));
	if (inputs->sets->half_life_count)
		fprintf(out, " half_life=%.17g", inputs->sets->half_life[candidate->half_life]);
	for (size_t i = 0; i < candidate->sets.count; i++)
		fprintf(out, " %s", candidate->sets.set[i]->text);
	putc('\n', out);
}

static int put_inputs(FILE *out, const struct sweep_inputs *inputs)
{
	if (put_file(out, "trace", inputs->trace))
		return EXIT_WRONG;
	if (inputs->files->format)
		fprintf(out, "format: %s\n", inputs->files->format->name);
	for (size_t i = 0; i < inputs->files->from_count; i++)
		if (put_file(out, "from", inputs->files->from[i]))
			return EXIT_WRONG;
	fprintf(out, "scheduler: %s\n", inputs->scheduler);
	put_given(out, "cpus", inputs->cpus);
	put_given(out, "nodes", inputs->nodes);
	put_given(out, "calc-period", inputs->calc_period);
	put_given(out, "warm-up", inputs->warm_up);
	put_given(out, "initial", inputs->with_usage);
	put_given(out, "strict", inputs->strict);
	for (size_t i = 0; i < inputs->candidates->count; i++)
		put_task(out, inputs, i);
	return 0;
}

char *sweep_record_create(const struct sweep_inputs *inputs)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int status = out ? put_inputs(out, inputs) : complain("out of memory");

	if (out && fclose(out) && !status)
		status = complain("out of memory");
	if (!status)
		return text;
	free(text);
	return NULL;
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Names the first line that differs. */
static int complain_of_line(const char *folder, const char *path, const char *record,
			    const char *old)
{
	size_t same = 0;

	while (old[same] && old[same] == record[same])
		same++;
	while (same && old[same - 1] != '\n')
		same--;
	return complain("%s: has another sweep, with '%.*s' in %s; give another folder, or the "
			"same options", folder, (int)strcspn(old + same, "\n"), old + same, path);
}

static int compare_with(FILE *file, const char *record, const char *folder, const char *path)
{
	char *old = NULL;
	size_t room = 0;
	ssize_t length = getdelim(&old, &room, '\0', file);
	int status = 0;

	if (ferror(file))
		status = complain("%s: %s", path, strerror(errno));
	else if (length < 0 || strcmp(old, record))
		status = complain_of_line(folder, path, record, length < 0 ? "" : old);
	free(old);
	return status;
}

int sweep_record_compare(const char *record, const char *folder, bool *exists)
{
	char path[PATH_MAX];
	FILE *file;
	int status;

	*exists = false;
	if (folder_path(path, folder, RECORD))
		return EXIT_WRONG;
	file = fopen(path, "r");
	if (!file)
		return errno == ENOENT ? 0 : complain("%s: %s", path, strerror(errno));
	*exists = true;
	status = compare_with(file, record, folder, path);
	fclose(file);
	return status;
}

int sweep_record_check_owner(const char *folder)
{
	char path[PATH_MAX];
	struct stat status;

	if (folder_path(path, folder, RECORD))
		return EXIT_WRONG;
	if (stat(path, &status))
		return complain("%s: %s", path, strerror(errno));
	return !geteuid() || status.st_uid == geteuid()
		       ? 0
		       : complain("%s: is of another user, whose tasks squeue may hide; let that "
				  "user submit, or give another folder", path);
}

int sweep_record_write(const char *record, const char *folder)
{
	char path[PATH_MAX];
	struct out_file output;

	if (folder_path(path, folder, RECORD) || out_file_begin(&output, path))
		return EXIT_WRONG;
	fputs(record, output.stream);
	return out_file_publish(&output);
}
