/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first pass of a day is recorded. A later pass of that day finds the day in the file and adds
 * nothing. */
#include "config.h"

#include "report/history_file.h"

#include "base/library.h"
#include "base/log.h"
#include "core/error.h"
#include "history/history.h"
#include "state/files.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define AGE_MOST 0x1p60	/* seconds; more than any time, and within 64 bits */
#define SQLITE_SONAME "libsqlite3.so.0"

bool history_file_is_due(struct history_file *file, const char *folder,
			 const struct settings *settings, time_t now)
{
	const char *name = settings->conf.history_file;
	char path[sizeof(file->path)];

	if (!*name)
		return false;
	file_path_from(folder, name, path, sizeof(path));
	if (strcmp(path, file->path)) {
		strcpy(file->path, path);
		file->recorded = 0;
		*file->problem = '\0';
	}
	file->mode = settings->figures_mode;
	file->age = settings->conf.value[CONF_HISTORY_AGE];
	return history_midnight(now, 0) != file->recorded;
}

/* ---- the file ---------------------------------------------------------------------------- */

/* Takes those permissions off an open file that a mode lacks. Returns 0 or an errno; EEXIST: it is
 * no regular file. */
static int restrict_mode(int file, mode_t mode)
{
	struct stat status;

	if (fstat(file, &status))
		return errno;
	if (!S_ISREG(status.st_mode))
		return EEXIST;
	if ((status.st_mode & 0777 & ~mode) && fchmod(file, status.st_mode & mode))
		return errno;
	return 0;
}

/* Makes the file with its mode, as SQLite would let everybody read it; applies a stricter
 * FiguresMode to a file that exists. Does not follow a link: where others may write the folder, it
 * could lead to any file. Returns 0; or -1 and *error. */
static int set_mode(const struct history_file *file, struct fathom_error *error)
{
	int opened = open(file->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW,
			  file->mode);
	int problem = opened < 0 ? errno : restrict_mode(opened, file->mode);

	if (opened >= 0)
		close(opened);
	if (!problem)
		return 0;
	return fathom_error_set(error, problem, "%s", problem == EEXIST ? "is no regular file"
						      : problem == ELOOP ? "is a symbolic link"
									 : strerror(problem));
}

/* Loads SQLite and makes the file. Without SQLite this does nothing: then history_open() fails.
 * Returns 0; or -1 and *error. */
static int prepare(const struct history_file *file, struct fathom_error *error)
{
#ifdef HAVE_SQLITE
	if (library_open("SQLite", SQLITE_SONAME, "sqlite3_open_v2", error) ||
	    set_mode(file, error))
		return -1;
#endif
	return 0;
}

/* Adds the day of the evaluation, and removes days that are too old. Returns 0; or -1 and
 * *error. */
static int add_day(const struct history_file *file, struct history *history,
		   const struct evaluation *evaluation, const struct snapshot *names,
		   struct fathom_error *error)
{
	const struct scheme *scheme = evaluation->settings->scheme;
	const struct json_columns columns = json_columns_of(scheme->policy,
							    evaluation->scheme->result);
	struct snapshot snapshot = *names;
	const struct history_day day = { .time = evaluation->time,
					 .policy = fathom_policy_name(scheme->policy),
					 .snapshot = &snapshot, .columns = &columns };
	int64_t oldest = file->age > 0 ? day.time - (int64_t)fmin(file->age, AGE_MOST) : INT64_MIN;

	snapshot.tree = evaluation->scheme->tree;
	if (history_remove(history, INT64_MIN, oldest, error))
		return -1;
	return history_add(history, &day, error);
}

/* Adds the day unless the file has it. Returns 0; or -1, and *error says why the file lacks the
 * day. */
static int record(const struct history_file *file, const struct evaluation *evaluation,
		  const struct snapshot *names, bool (*is_abandoned)(void *), void *context,
		  struct fathom_error *error)
{
	int64_t first, last;
	size_t count;
	struct history *history;
	int status;

	if (prepare(file, error))
		return -1;
	history = history_open(file->path, true, error);
	if (!history)
		return -1;
	status = history_begin(history, error);
	if (!status)
		status = history_span(history, history_midnight(evaluation->time, 0),
				      history_midnight(evaluation->time, 1), &first, &last, &count,
				      error);
	if (!status && !count)
		status = add_day(file, history, evaluation, names, error);
	if (!status && !count && !is_abandoned(context))
		status = history_commit(history, error);
	history_close(history);
	return status;
}

/* ---- messages ---------------------------------------------------------------------------- */

/* Logs a problem once, until another problem or a success follows. problem: "" for a success, which
 * is logged after a problem only. */
static void log_problem(struct history_file *file, const char *problem)
{
	if (*problem && strcmp(problem, file->problem))
		error(LOG_PREFIX "cannot add the day to HistoryFile %s: %s; it stays as it was",
		      file->path, problem);
	else if (!*problem && *file->problem)
		info(LOG_PREFIX "HistoryFile %s is written again", file->path);
	snprintf(file->problem, sizeof(file->problem), "%s", problem);
}

void history_file_record(struct history_file *file, const struct evaluation *evaluation,
			 const struct snapshot *names, bool (*is_abandoned)(void *context),
			 void *context)
{
	struct fathom_error problem = { .code = 0 };

	if (record(file, evaluation, names, is_abandoned, context, &problem)) {
		log_problem(file, problem.text);
		return;
	}
	log_problem(file, "");
	file->recorded = history_midnight(evaluation->time, 0);
}
