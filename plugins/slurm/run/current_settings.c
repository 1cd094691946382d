/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom.conf is read anew (renew) when somebody asks for it, when slurmctld has other TRES, and in
 * each turn as long as it could not be read. In a turn of the decay thread it is then checked
 * against the partitions (check), and kept as the last good text (keep). If it has an error, the
 * last good text stands in for it (stand_in). "Kept" is said of the last good text and of the file
 * that has it.
 */
#include "run/current_settings.h"

#include "base/files.h"
#include "base/log.h"
#include "base/slurm_locks.h"
#include "conf/conf_told.h"
#include "core/error.h"
#include "partitions/partition_check.h"
#include "partitions/partition_records.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the last good text: read ------------------------------------------------------------- */

/* Sets kept->text and its time from the file; leaves them if there is no file. Returns -1 and errno
 * if the file is there but cannot be read. */
static int read_kept(struct kept_conf *kept)
{
	struct whole_file file;

	if (settings_read_text(&file, kept->path))
		return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
	kept->text = file.data;
	kept->time = file.status.st_mtime;
	return 0;
}

/* Reads the file again if it could not be read before. Returns true if that succeeds now; false if
 * it fails, or if the file had been read before. */
static bool read_kept_again(struct kept_conf *kept)
{
	if (!kept->is_unread)
		return false;
	kept->is_unread = read_kept(kept);
	if (!kept->is_unread)
		info(LOG_PREFIX "%s can be read again", kept->path);
	return !kept->is_unread;
}

/* ---- the last good text: write ------------------------------------------------------------ */

/* Replaces kept->text by a copy of `text`; NULL: there is no good text. Returns whether the file
 * must be written: false if kept->text was that text already, or if out of memory, when it stays as
 * it was. */
static bool change_text(struct kept_conf *kept, const char *text)
{
	bool is_same = kept->text && text ? !strcmp(kept->text, text) : kept->text == text;
	char *copy;

	if (is_same && !kept->is_unread)	/* an unread file may have another text */
		return false;
	copy = text ? strdup(text) : NULL;
	if (text && !copy)
		return false;
	free(kept->text);
	kept->text = copy;
	kept->time = time(NULL);
	kept->is_unread = false;
	return true;
}

/* Writes the text to the file, or removes the file if there is no text. Sets kept->time to that of
 * the file, which commands show, too. Returns -1 and errno if the file cannot be written. */
static int write_kept(struct kept_conf *kept)
{
	struct iovec text = { kept->text, kept->text ? strlen(kept->text) : 0 };
	struct stat file;

	/* ENOTDIR: StateSaveLocation=/dev/null */
	if (!kept->text)
		return unlink(kept->path) && errno != ENOENT && errno != ENOTDIR ? -1 : 0;
	if (file_replace(&(struct file_replacement){ .path = kept->path, .piece = &text,
						     .count = 1 }))
		return errno == ENOTDIR ? 0 : -1;
	if (!stat(kept->path, &file))
		kept->time = file.st_mtime;
	return 0;
}

/* Makes `text` the last good text, in memory and in the file; NULL: there is none, and no file. If
 * out of memory, the text before stays. A failure to write is logged once; the next call tries
 * again. */
static void keep(struct kept_conf *kept, const char *text)
{
	bool was_unsaved = kept->is_unsaved;

	if (!change_text(kept, text) && !was_unsaved)
		return;
	kept->is_unsaved = write_kept(kept);
	if (kept->is_unsaved && !was_unsaved)
		error(LOG_PREFIX "cannot write %s: %m; after a restart, earlier settings would "
				 "stand in for a fathom.conf with an error", kept->path);
	else if (!kept->is_unsaved && was_unsaved)
		info(LOG_PREFIX "%s is written again", kept->path);
}

/* ---- read; the caller holds `reading` ---------------------------------------------------- */

/* Logs the problem of fathom.conf, and puts other settings into force: those made from the last
 * good text; or the defaults, if there is no such text, or if it has an error by now, as after an
 * upgrade. If out of memory, the present settings stay. */
static void stand_in(struct current_settings *current, const struct slurm_values *slurm,
		     const struct fathom_error *problem)
{
	const struct kept_conf *good = &current->good;
	const char *no_text = NULL;	/* which means the defaults */
	char fault[sizeof(problem->text) + 128], date[LOG_TIME_SIZE];
	struct fathom_error why;
	struct settings *settings;

	if (good->text)
		snprintf(fault, sizeof(fault), "%s; the last good settings, of %s, stay in force",
			 problem->text, log_time(good->time, date));
	else
		snprintf(fault, sizeof(fault), "%s; the defaults apply%s", problem->text,
			 good->is_unread ? " until the last good settings can be read" : "");
	error(LOG_PREFIX "%s", fault);
	settings = settings_create(slurm, good->path, good->text, fault, &why);
	if (!settings && good->text) {
		snprintf(fault, sizeof(fault), "%s; the defaults apply", problem->text);
		error(LOG_PREFIX "%s; the defaults apply", why.text);
		settings = settings_create(slurm, slurm->fathom_path, no_text, fault, &why);
	}
	if (settings)
		published_set(&current->settings, settings);
}

/* Returns settings made from the present fathom.conf, or the defaults if there is no such file.
 * NULL: *problem says why. */
static struct settings *read_fathom_conf(const struct slurm_values *slurm,
					 struct fathom_error *problem)
{
	struct whole_file file;
	const char *no_fault = NULL;
	struct settings *settings = NULL;

	if (!settings_read_text(&file, slurm->fathom_path) || errno == ENOENT)
		settings = settings_create(slurm, slurm->fathom_path, file.data, no_fault, problem);
	else
		fathom_error_set(problem, errno, "%s: %s", slurm->fathom_path, strerror(errno));
	free(file.data);
	return settings;
}

/* Reads fathom.conf again, and puts its settings or those that stand in for them into force. If the
 * file cannot be read for now, and nobody has asked, the present settings stay. Without slurmdbd
 * settings name no partitions, so their text is a good one without check(). */
static void read_again(struct current_settings *current, const struct slurm_values *slurm,
		       bool asked)
{
	struct fathom_error problem;
	struct settings *fresh = read_fathom_conf(slurm, &problem);
	bool is_unread = !fresh && whole_file_problem_passes(problem.code);

	if (is_unread && !asked)
		return;
	if (current->is_unread && !is_unread)
		info(LOG_PREFIX "%s can be read again", slurm->fathom_path);
	current->is_unread = is_unread;
	if (fresh && !fresh->with_database)
		keep(&current->good, fresh->conf_text);
	if (fresh)
		published_set(&current->settings, fresh);
	else
		stand_in(current, slurm, &problem);
}

/* ---- other settings come into force ------------------------------------------------------- */

static const slurmctld_lock_t conf_locks = { .conf = READ_LOCK };

/* Returns the values of slurm.conf, copied under these locks, and takes `reading`. The locks are
 * released before that, as callers of current_settings_renew() may hold conf when they take
 * `reading`. */
static struct slurm_values begin_reading(struct current_settings *current,
					 const slurmctld_lock_t *locks)
{
	struct slurm_values slurm;

	locks_take(locks, NULL);
	slurm = slurm_values_copy();
	locks_release(locks, NULL);
	ordered_lock_take(&current->reading);
	return slurm;
}

/* Releases `reading`, and frees the values. */
static void end_reading(struct current_settings *current, struct slurm_values *slurm)
{
	ordered_lock_release(&current->reading);
	slurm_values_clear(slurm);
}

/* Reads fathom.conf again. asked: somebody has requested it; false: it is only tried because the
 * file could not be read before, and nothing changes if it still cannot. */
static void renew(struct current_settings *current, const slurmctld_lock_t *locks, bool asked)
{
	struct slurm_values slurm = begin_reading(current, locks);

	read_again(current, &slurm, asked);
	end_reading(current, &slurm);
}

/* Replaces the settings in force, which do not fit the partitions, by those that stand in for
 * them. problem: what partitions_check() has found. */
static void replace_unfit(struct current_settings *current, const struct fathom_error *problem)
{
	struct slurm_values slurm = begin_reading(current, &conf_locks);

	stand_in(current, &slurm, problem);
	end_reading(current, &slurm);
}

void current_settings_renew(struct current_settings *current)
{
	const slurmctld_lock_t *no_locks = NULL;
	const bool asked = true;

	renew(current, no_locks, asked);
}

/* ---- begin and end ------------------------------------------------------------------------ */

int current_settings_init(struct current_settings *current)
{
	const char *folder = slurm_conf.state_save_location ? slurm_conf.state_save_location : "";
	struct kept_conf *good = &current->good;

	memset(current, 0, sizeof(*current));
	ordered_lock_init(&current->reading, LOCK_READING);
	snprintf(good->path, sizeof(good->path), "%s/" CONF_KEPT_NAME, folder);
	good->is_unread = read_kept(good);
	if (good->is_unread)
		error(LOG_PREFIX "cannot read %s: %m; it has the last good settings, which are "
				 "needed only if fathom.conf has an error", good->path);
	current_settings_renew(current);
	return current->settings.object ? 0 : -1;
}

void current_settings_clear(struct current_settings *current)
{
	published_set(&current->settings, NULL);
	shared_release(current->checked);
	free(current->good.text);
	ordered_lock_destroy(&current->reading);
}

/* ---- before a turn; in the decay thread ------------------------------------------------- */

/* Returns whether settings must be made anew although nobody has asked: slurmctld has other TRES,
 * which may have weights; or the last good text is needed, could not be read before, and can be
 * read now. */
static bool must_renew(struct current_settings *current)
{
	struct settings *settings = published_get(&current->settings);
	bool must;

	ordered_lock_take(&current->reading);
	must = settings->priority.tres_count != (size_t)slurmctld_tres_cnt ||
	       (settings->fault && read_kept_again(&current->good));
	ordered_lock_release(&current->reading);
	shared_release(settings);
	return must;
}

/* Checks whether the partitions fit the settings in force: if they do, sets current->checked; if
 * not, replaces the settings. Does neither as long as slurmctld has no partitions, or if memory
 * runs out: the next turn checks again. */
static void check(struct current_settings *current, struct settings *settings)
{
	slurmctld_lock_t locks = { .node = READ_LOCK, .part = READ_LOCK };
	struct fathom_error problem;
	bool has_partitions, fits;

	locks_take(&locks, NULL);
	has_partitions = partitions_exist();
	fits = has_partitions && !partitions_check(settings, &problem);
	locks_release(&locks, NULL);
	if (fits) {
		shared_release(current->checked);
		current->checked = shared_reference(settings);
	} else if (has_partitions && problem.code != ENOMEM) {
		replace_unfit(current, &problem);
	}
}

/* ---- what clients are told; in the decay thread ------------------------------------------ */

/* Tells clients which fathom.conf is in force, by PriorityParameters: slurmctld sends it to each
 * client that asks for slurm.conf, and nothing else reads it. If the site itself has set it, it
 * stays. Clients are told nothing of a file that not everybody may read, or of which that is not
 * known; if there is no file, there is nothing to hide. */
static void tell_clients(const struct settings *settings)
{
	slurmctld_lock_t locks = { .conf = WRITE_LOCK };
	struct stat file;
	bool is_hidden = stat(settings->conf_path, &file) ? errno != ENOENT
							  : !(file.st_mode & S_IROTH);
	char *told = is_hidden ? NULL : conf_told_write(settings->conf_text);

	locks_take(&locks, NULL);
	if (!slurm_conf.priority_params || conf_told_is(slurm_conf.priority_params)) {
		xfree(slurm_conf.priority_params);
		slurm_conf.priority_params = xstrdup(told);
	}
	locks_release(&locks, NULL);
	free(told);
}

/* Settings with a fault are made from a text that was checked before, or are the defaults, so they
 * are not checked. keep() is called in each turn, so that a text that could not be saved is saved
 * later. */
struct settings *current_settings_check(struct current_settings *current, bool asked)
{
	struct settings *settings;

	asked = asked || must_renew(current);
	if (asked || current->is_unread)
		renew(current, &conf_locks, asked);
	settings = published_get(&current->settings);
	if (settings != current->checked && !settings->fault)
		check(current, settings);
	if (settings == current->checked) {
		ordered_lock_take(&current->reading);
		keep(&current->good, settings->conf_text);
		ordered_lock_release(&current->reading);
	}
	shared_release(settings);
	settings = published_get(&current->settings);	/* check() may have replaced them */
	if (asked || settings != current->told)
		tell_clients(settings);
	current->told = settings;
	return settings;
}
