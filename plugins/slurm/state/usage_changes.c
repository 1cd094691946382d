/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file of ImportUsage and that of a request: they are read, refused if they are wrong, and
 * noted when they have been applied. A file that cannot be read for a reason that may pass, such as
 * a file server that is away, is tried again by each pass.
 */
#include "state/usage_changes.h"

#include "base/files.h"
#include "base/log.h"
#include "base/shared.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IMPORT_SIZE_MAX ((size_t)1 << 28)	/* bytes; a larger file is some other file */

/* ---- what has been applied ----------------------------------------------------------- */

/* Returns the index of an import, by its number, among those that have been applied;
 * APPLIED_IMPORTS: it has not been applied. */
static size_t find_import(const struct applied_usage *applied, uint64_t import)
{
	size_t at = 0;

	while (at < APPLIED_IMPORTS && applied->import[at] != import)
		at++;
	return at;
}

/* Notes an import as the newest of those that have been applied. If there is no room, forgets the
 * oldest one. */
static void note_import(struct applied_usage *applied, uint64_t import)
{
	size_t at = MIN(find_import(applied, import), APPLIED_IMPORTS - 1);

	memmove(applied->import + 1, applied->import, at * sizeof(*applied->import));
	applied->import[0] = import;
}

/* ---- reading again ------------------------------------------------------------------- */

/* Returns whether a problem may pass, so that the file must be read again. Logs such a problem
 * once, and later that it has passed. problem: an errno; 0: the file has been read. *unread: the
 * caller's note whether the last problem was one that may pass, which the call keeps up to date.
 * what: the file's purpose, for the log. */
static bool must_read_again(bool *unread, const char *what, const char *path, int problem)
{
	bool passes = whole_file_problem_passes(problem);

	if (passes && !*unread)
		error(LOG_PREFIX "%s: cannot read %s: %s; each pass tries again", what, path,
		      strerror(problem));
	else if (!problem && *unread)
		info(LOG_PREFIX "%s: %s can be read again", what, path);
	*unread = passes;
	return passes;
}

/* ---- ImportUsage --------------------------------------------------------------------- */

/* Returns whether an import must not be applied, because it has been, or may have been. Then logs
 * that, and notes the import as applied. number: that of the file. */
static bool skip_import(const char *path, uint64_t number, struct applied_usage *applied)
{
	if (find_import(applied, number) < APPLIED_IMPORTS) {
		info(LOG_PREFIX "ImportUsage: usage of %s has been added before", path);
	} else if (applied->is_lost) {
		error(LOG_PREFIX "ImportUsage: not adding %s: the state files were damaged, so "
				 "that it is not known whether it has been added before; to add "
				 "it, change its content, by a blank for instance", path);
	} else {
		return false;
	}
	note_import(applied, number);
	return true;
}

/* Reads the file of ImportUsage. If it is to be applied, sets import, import_path and list of
 * `changes`; else they stay empty: the file is skipped (skip_import), or its text is wrong, which
 * is logged. The text stays in changes->import_text. Returns 0; or an errno if the file cannot be
 * read. */
static int read_import(struct usage_changes *changes, const char *path)
{
	struct fathom_error problem;
	struct whole_file file;
	uint64_t number;
	unsigned line;

	if (whole_file_read(&file, path, 0, IMPORT_SIZE_MAX))
		return errno;
	number = whole_file_hash(&file);
	changes->import_text = file.data;
	if (skip_import(path, number, changes->applied))
		return 0;
	if (!usage_list_read(&changes->list, file.data, file.length, &line, &problem)) {
		changes->import = number;
		changes->import_path = path;
		return 0;
	}
	if (problem.code == ENOMEM)
		return ENOMEM;
	error(LOG_PREFIX "ImportUsage: %s:%u: %s; no usage is added", path, line, problem.text);
	return 0;
}

/* Reads the import, or logs why it cannot be read. */
static void check_import(struct usage_changes *changes, const char *path)
{
	int problem = read_import(changes, path);

	if (!must_read_again(&changes->import_is_unread, "ImportUsage", path, problem) && problem)
		error(LOG_PREFIX "ImportUsage: cannot read %s: %s; no usage is added", path,
		      strerror(problem));
}

/* ---- requests ------------------------------------------------------------------------ */

/* Logs why a request is refused, and gives its file another name, so that this is logged once, and
 * the next request can come. */
static void refuse(const char *folder, const char *path, const char *why)
{
	char aside[PATH_MAX];

	file_path(folder, USAGE_REQUEST_REFUSED, aside);
	if (rename(path, aside))
		error(LOG_PREFIX "refusing the request %s: %s", path, why);
	else
		error(LOG_PREFIX "refusing the request %s: %s; keeping it as %s", path, why, aside);
}

/* Returns why a file of this status is refused: others than SlurmUser and root may have written it,
 * or may read it. NULL: it is not refused. */
static const char *wrong_rights(const struct stat *status)
{
	if (!S_ISREG(status->st_mode))
		return "is no regular file";
	if (status->st_uid != geteuid() && status->st_uid)
		return "belongs to another user, must belong to SlurmUser or root";
	return status->st_mode & 077 ? "others than its owner have rights to it, must be of mode "
				       "0600" : NULL;
}

/* Sets request_text, request and requested of `changes` from the file of a request; a request that
 * has been made is not read into `requested`. Returns 0; or -1, and *problem says what is wrong. */
static int read_request(struct usage_changes *changes, const char *path,
			struct fathom_error *problem)
{
	struct fathom_error wrong;
	struct whole_file file;
	const char *why;
	unsigned line;

	if (whole_file_read(&file, path, O_NOFOLLOW, USAGE_REQUEST_SIZE_MAX))
		return fathom_error_set(problem, errno, "%s", strerror(errno));
	changes->request_text = file.data;
	changes->request = whole_file_hash(&file);
	if (changes->request == changes->applied->request)
		return 0;
	why = wrong_rights(&file.status);
	if (!why && usage_request_read(&changes->requested, file.data, file.length, &line, &wrong))
		return fathom_error_set(problem, wrong.code, "line %u: %s", line, wrong.text);
	if (!why && changes->applied->is_lost)
		why = "it is not known whether it has been made, as the state files were damaged";
	return why ? fathom_error_set(problem, EPERM, "%s", why) : 0;
}

/* Reads the request, if there is one; refuses it if it is wrong. Afterwards changes->request is its
 * number if it is to be made, else 0. If it has been made already, sets request_is_made, so that
 * its file is removed. */
static void check_request(struct usage_changes *changes)
{
	struct fathom_error problem = { .code = 0 };
	char path[PATH_MAX];

	file_path(changes->folder, USAGE_REQUEST_NAME, path);
	read_request(changes, path, &problem);
	if (!must_read_again(&changes->request_is_unread, "request", path, problem.code) &&
	    problem.code && problem.code != ENOENT)
		refuse(changes->folder, path, problem.text);
	changes->request_is_made = !problem.code && changes->request == changes->applied->request;
	if (problem.code || changes->request_is_made)
		changes->request = 0;
}

/* ---- a pass -------------------------------------------------------------------------- */

/* Notes the settings whose ImportUsage has been read; NULL: the next pass reads the file again. */
static void set_settings(struct usage_changes *changes, const void *settings)
{
	shared_release((void *)changes->settings);
	changes->settings = shared_reference(settings);
}

void usage_changes_read(struct usage_changes *changes, const void *settings, const char *import)
{
	if (changes->settings != settings) {
		set_settings(changes, settings);
		if (*import)
			check_import(changes, import);
		else
			changes->import_is_unread = false;	/* no file is wanted now */
	}
	check_request(changes);
	/* all files that may have been applied before the damage have been seen now */
	if (!changes->import_is_unread && !changes->request_is_unread)
		changes->applied->is_lost = false;
}

void usage_changes_end(struct usage_changes *changes)
{
	if (changes->is_applied && changes->import)
		note_import(changes->applied, changes->import);
	if (changes->is_applied && changes->request) {
		changes->applied->request = changes->request;
		changes->request_is_made = true;
	}
	/* without settings, the next pass reads the import again */
	if (changes->import_is_unread || (changes->import && !changes->is_applied))
		set_settings(changes, NULL);
	usage_list_clear(&changes->list);
	usage_request_clear(&changes->requested);
	free(changes->import_text);
	free(changes->request_text);
	changes->import_text = changes->request_text = NULL;
	changes->import = changes->request = 0;
	changes->is_applied = false;
}

void usage_changes_saved(struct usage_changes *changes)
{
	char path[PATH_MAX];

	if (!changes->request_is_made)
		return;
	file_path(changes->folder, USAGE_REQUEST_NAME, path);
	if (unlink(path) && errno != ENOENT)
		error(LOG_PREFIX "cannot remove %s: %m; the request has been made, and is not made "
				 "again", path);
	changes->request_is_made = false;
}

void usage_changes_clear(struct usage_changes *changes)
{
	set_settings(changes, NULL);
}
