/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds days to HistoryFile. The first pass of a day is recorded. A later pass of that day knows it
 * (history_file.recorded), or after a restart of slurmctld finds the day in the file, and adds
 * nothing.
 */
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
#define PATIENCE 200	/* milliseconds, while a reader holds the file; the next pass tries again */
#define SQLITE_SONAME "libsqlite3.so.0"

bool history_file_is_due(struct history_file *file, const char *folder,
			 const struct settings *settings, time_t now)
{
	const char *name = settings->conf.history_file;
	char path[sizeof(file->path)];

	if (!*name)
		return false;
	file_path_from(folder, name, path, sizeof(path));
	/* a new mode is set in this pass: the file may have more readers than it should */
	if (file->mode != settings->figures_mode)
		file->recorded = 0;
	/* of another file nothing is known */
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

/* Gives an open file its mode. If it is not known to be a history, only takes off what the mode
 * does not have, as it may be another program's. Returns NULL, or why the file must not be used:
 * its owner, if another user, could read it whatever its mode is. */
static const char *give_mode(int file, mode_t mode, bool is_history)
{
	struct stat status;
	mode_t wanted;

	if (fstat(file, &status))
		return strerror(errno);
	if (!S_ISREG(status.st_mode))
		return "is no regular file";
	if (status.st_uid != geteuid())
		return "belongs to another user";
	wanted = is_history ? mode : status.st_mode & mode;
	if ((status.st_mode & 0777) != wanted && fchmod(file, wanted))
		return strerror(errno);
	return NULL;
}

/* Makes the file with its mode, as SQLite would let everybody read it; if it exists, calls
 * give_mode(). Does not follow a link: if others may write the folder, a link could lead to any
 * file. Returns 0; or -1, and *error says why. */
static int set_mode(const struct history_file *file, bool is_history, struct fathom_error *error)
{
	int opened = open(file->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW,
			  file->mode);
	const char *problem;

	if (opened < 0)
		return fathom_error_set(error, errno, "%s", errno == ELOOP ? "is a symbolic link"
									  : strerror(errno));
	problem = give_mode(opened, file->mode, is_history);
	close(opened);
	return problem ? fathom_error_set(error, EACCES, "%s", problem) : 0;
}

/* Loads SQLite and makes the file. In a plugin that was built without SQLite does nothing:
 * history_open() fails there. Returns 0; or -1, and *error says why. */
static int prepare(const struct history_file *file, struct fathom_error *error)
{
#ifdef HAVE_SQLITE
	const bool is_history = false;

	if (library_open("SQLite", SQLITE_SONAME, "sqlite3_open_v2", error) ||
	    set_mode(file, is_history, error))
		return -1;
#endif
	return 0;
}

/* Adds the day of the evaluation, and removes days that are too old. names: of its associations,
 * without a tree. Returns 0; or -1, and *error says why. The caller commits. */
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

/* Adds the day unless the file has it, or the thread is abandoned. Returns 0; or -1, and
 * *error says why the file lacks the day. */
static int record_day(const struct history_file *file, const struct evaluation *evaluation,
		      const struct snapshot *names, struct background *background,
		      struct fathom_error *error)
{
	const bool may_write = true, is_history = true;
	int64_t first, last;		/* not used */
	size_t count;			/* days that the file has of this day: 0 or 1 */
	struct history *history;
	struct fathom_error unused;
	int status;

	if (prepare(file, error))
		return -1;
	history = history_open(file->path, may_write, PATIENCE, error);
	if (!history)
		return -1;
	status = history_begin(history, error);
	if (!status && evaluation->settings->cluster)
		status = history_claim(history, evaluation->settings->cluster, error);
	if (!status)
		status = history_span(history, history_midnight(evaluation->time, 0),
				      history_midnight(evaluation->time, 1), &first, &last, &count,
				      error);
	if (!status && !count)
		status = add_day(file, history, evaluation, names, error);
	if (!status && !count && !background_is_abandoned(background))
		status = history_commit(history, error);
	history_close(history);		/* takes back what has not been committed */
	/* not while it is open: close() takes SQLite's locks off. umask may have taken rights off a
	 * new file, and an old one may be of another FiguresMode. If that fails, the day is there
	 * all the same, and the next one tries again */
	if (!status)
		set_mode(file, is_history, &unused);
	return status;
}

/* ---- messages ---------------------------------------------------------------------------- */

/* Logs a problem once, until another problem or a success follows. problem: "": a success, which is
 * logged only after a problem. */
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
			 const struct snapshot *names, struct background *background)
{
	struct fathom_error problem = { .code = 0 };

	if (record_day(file, evaluation, names, background, &problem)) {
		log_problem(file, problem.text);
		return;
	}
	log_problem(file, "");
	file->recorded = history_midnight(evaluation->time, 0);
}
