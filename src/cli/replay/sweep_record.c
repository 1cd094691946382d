/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/sweep_record.h"

#include "cli/complain.h"
#include "cli/out_file.h"
#include "cli/replay/replay_files.h"
#include "memory/need_memory.h"

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

static void put_given(FILE *out, const char *key, double value)
{
	if (value > 0)
		fprintf(out, "%s: %.17g\n", key, value);
}

static void put_task(FILE *out, const struct replay_options *options, size_t task)
{
	const struct candidate *candidate = &options->candidates.item[task];

	fprintf(out, "task %zu:", task);
	if (candidate->policy)
		fprintf(out, " %s", fathom_policy_name(candidate->policy));
	if (options->sets.half_life_count)
		fprintf(out, " half_life=%.17g", options->sets.half_life[candidate->half_life]);
	for (size_t i = 0; i < candidate->sets.count; i++)
		fprintf(out, " %s", candidate->sets.set[i]->text);
	putc('\n', out);
}

char *sweep_record_create(const struct replay_options *options)
{
	char *text = NULL;
	size_t length;
	FILE *out = need_made(open_memstream(&text, &length));

	put_file(out, "trace", options->trace);
	if (options->files.format)
		fprintf(out, "format: %s\n", options->files.format->name);
	for (size_t i = 0; i < options->files.from_count; i++)
		put_file(out, "from", options->files.from[i]);
	fprintf(out, "scheduler: %s\n", replay_scheduler_at((size_t)options->scheduler)->name);
	put_given(out, "cpus", options->cpus);
	put_given(out, "nodes", options->nodes);
	put_given(out, "calc-period", options->calc_period);
	put_given(out, "warm-up", options->warm_up);
	put_given(out, "initial", options->with_usage);
	put_given(out, "strict", options->strict);
	for (size_t i = 0; i < options->candidates.count; i++)
		put_task(out, options, i);
	need_done(fclose(out));
	return text;
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Names the first line that differs. */
static _Noreturn void refuse_line(const char *folder, const char *path, const char *record,
				  const char *old)
{
	size_t same = 0;

	while (old[same] && old[same] == record[same])
		same++;
	while (same && old[same - 1] != '\n')
		same--;
	refuse("%s: has another sweep, with '%.*s' in %s; give another folder, or the same options",
	       folder, (int)strcspn(old + same, "\n"), old + same, path);
}

bool sweep_record_compare(const char *record, const char *folder)
{
	char path[PATH_MAX], *old = NULL;
	size_t room = 0;
	ssize_t length;
	FILE *file;

	folder_path(path, folder, RECORD);
	file = fopen(path, "r");
	if (!file && errno == ENOENT)
		return false;
	length = file ? getdelim(&old, &room, '\0', file) : -1;
	if (!file || ferror(file))
		refuse("%s: %s", path, strerror(errno));
	if (length < 0 || strcmp(old, record))
		refuse_line(folder, path, record, length < 0 ? "" : old);
	fclose(file);
	free(old);
	return true;
}

void sweep_record_check_owner(const char *folder)
{
	char path[PATH_MAX];
	struct stat status;

	folder_path(path, folder, RECORD);
	if (stat(path, &status))
		refuse("%s: %s", path, strerror(errno));
	if (geteuid() && status.st_uid != geteuid())
		refuse("%s: is of another user, whose tasks squeue may hide; let that user submit, "
		       "or give another folder", path);
}

void sweep_record_write(const char *record, const char *folder)
{
	char path[PATH_MAX];
	struct out_file output;

	folder_path(path, folder, RECORD);
	out_file_begin(&output, path);
	fputs(record, output.stream);
	out_file_publish(&output);
}
