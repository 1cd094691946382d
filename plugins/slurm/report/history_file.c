/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds days to HistoryFile. The first pass of a day is recorded. A later pass of that day knows it
 * (history_file.recorded), or after a restart of slurmctld finds the day in the file, and adds
 * nothing.
 */
#include "config.h"

#include "report/history_file.h"

#include "base/files.h"
#include "base/library.h"
#include "base/log.h"
#include "core/error.h"
#include "days/local_day.h"
#include "history/history.h"

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
	return local_midnight(now, 0) != file->recorded;
}

/* ---- the file ---------------------------------------------------------------------------- */

/* Returns why an open file must not be used; NULL: it may be. Its owner, if another user, could
 * read it whatever its mode is. */
static const char *refusal_of(int file)
{
	struct stat status;

	if (fstat(file, &status))
		return strerror(errno);
	if (!S_ISREG(status.st_mode))
		return "is no regular file";
	return status.st_uid == geteuid() ? NULL : "belongs to another user";
}

/* Returns 0; or -1, and *error says why. */
static int load_sqlite(struct fathom_error *error)
{
#ifdef HAVE_SQLITE
	return library_open("SQLite", SQLITE_SONAME, "sqlite3_open_v2", error);
#else
	return fathom_error_set(error, ENOSYS, "needs SQLite, which this fathom is built without");
#endif
}

/* Opens the file, which may be another program's and stays as it is; makes it if there is none, as
 * SQLite would let everybody read it. Does not follow a link: if others may write the folder, a
 * link could lead to any file. Returns its number, which the caller closes after the history, as
 * close() takes SQLite's locks off; or -1, and *error says why. */
static int open_file(const struct history_file *file, struct fathom_error *error)
{
	int opened = open(file->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW,
			  file->mode);
	const char *problem;

	if (opened < 0)
		return fathom_error_set(error, errno, "%s", errno == ELOOP ? "is a symbolic link"
									  : strerror(errno));
	problem = refusal_of(opened);
	if (!problem)
		return opened;
	close(opened);
	return fathom_error_set(error, EACCES, "%s", problem);
}

/* Gives the open file its mode: umask may have taken rights off a new file, and an old one may be
 * of another FiguresMode. Returns 0; or -1 if the file keeps rights that it must not have, or has
 * lost its name, so that SQLite has opened another one; *error says why. */
static int give_mode(int opened, mode_t mode, struct fathom_error *error)
{
	struct stat status;

	if (fstat(opened, &status))
		return fathom_error_set(error, errno, "%s", strerror(errno));
	if (!status.st_nlink)
		return fathom_error_set(error, ENOENT, "has been removed meanwhile");
	if ((status.st_mode & 0777) == mode || !fchmod(opened, mode))
		return 0;
	if (!(status.st_mode & 0777 & ~mode))	/* it lacks rights, which does no harm */
		return 0;
	return fathom_error_set(error, errno, "%s", strerror(errno));
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

/* Looks whether the file is another cluster's. *count: gets the number of days that it has of the
 * evaluation's day, 0 or 1. Returns 0; or -1, and *error says why it must not be used. */
static int look_for_day(struct history *history, const struct evaluation *evaluation,
			size_t *count, struct fathom_error *error)
{
	const char *cluster = evaluation->settings->cluster;
	int64_t first, last;		/* not used */

	if (cluster && history_claim(history, cluster, error))
		return -1;
	return history_span(history, local_midnight(evaluation->time, 0),
			    local_midnight(evaluation->time, 1), &first, &last, count, error);
}

/* Adds the day unless the file has it, or the thread is abandoned. Returns 0; or -1, and
 * *error says why the file lacks the day. */
static int record_day(const struct history_file *file, const struct evaluation *evaluation,
		      const struct snapshot *names, struct background *background,
		      struct fathom_error *error)
{
	const bool may_write = true;
	size_t count = 0;
	struct history *history;
	int opened, status;

	if (load_sqlite(error))
		return -1;
	opened = open_file(file, error);
	if (opened < 0)
		return -1;
	history = history_open(file->path, may_write, PATIENCE, error);
	status = history ? look_for_day(history, evaluation, &count, error) : -1;
	if (!status)
		status = give_mode(opened, file->mode, error);
	if (!status && !count)
		status = add_day(file, history, evaluation, names, error);
	if (!status && !count && !background_is_abandoned(background))
		status = history_commit(history, error);
	history_close(history);		/* takes back what has not been committed */
	close(opened);
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
	file->recorded = local_midnight(evaluation->time, 0);
}
