/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "state/kept_conf.h"

#include "base/log.h"
#include "state/files.h"

#include "conf/conf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- read --------------------------------------------------------------------------- */

static int read_file(struct kept_conf *kept)
{
	struct whole_file file;

	if (whole_file_read(&file, kept->path, 0, CONF_SIZE_MAX))
		return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
	if (!S_ISREG(file.status.st_mode)) {
		free(file.data);
		errno = EISDIR;		/* most likely */
		return -1;
	}
	kept->text = file.data;
	kept->time = file.status.st_mtime;
	return 0;
}

int kept_conf_init(struct kept_conf *kept, const char *folder)
{
	*kept = (struct kept_conf){ NULL };
	if (asprintf(&kept->path, "%s/" CONF_KEPT_NAME, folder) < 0) {
		kept->path = NULL;
		return -1;
	}
	kept->is_unread = read_file(kept);
	if (kept->is_unread)
		error(LOG_PREFIX "cannot read %s: %m; it has the last good settings, which are "
				 "needed only if fathom.conf has an error", kept->path);
	return 0;
}

void kept_conf_clear(struct kept_conf *kept)
{
	free(kept->path);
	free(kept->text);
}

bool kept_conf_find(struct kept_conf *kept)
{
	if (!kept->is_unread)
		return false;
	kept->is_unread = read_file(kept);
	if (!kept->is_unread)
		info(LOG_PREFIX "%s can be read again", kept->path);
	return !kept->is_unread;
}

/* ---- write -------------------------------------------------------------------------- */

/* Returns whether the text is another one. Without memory for it the text before stays. */
static bool change_text(struct kept_conf *kept, const char *text)
{
	bool is_same = kept->text && text ? !strcmp(kept->text, text) : kept->text == text;
	char *copy = text ? strdup(text) : NULL;

	if ((is_same && !kept->is_unread) || (text && !copy)) {
		free(copy);
		return false;
	}
	free(kept->text);
	kept->text = copy;
	kept->time = time(NULL);
	kept->is_unread = false;
	return true;
}

/* The commands tell the time of the file, so it counts. */
static int write_file(struct kept_conf *kept)
{
	struct iovec text = { kept->text, kept->text ? strlen(kept->text) : 0 };
	struct stat file;

	if (!kept->text)
		return unlink(kept->path) && errno != ENOENT ? -1 : 0;
	if (file_end(kept->path, file_write(kept->path, 0, &text, 1), NULL))
		return errno == ENOTDIR ? 0 : -1;	/* StateSaveLocation=/dev/null */
	if (!stat(kept->path, &file))
		kept->time = file.st_mtime;
	return 0;
}

void kept_conf_set(struct kept_conf *kept, const char *text)
{
	bool was_unsaved = kept->is_unsaved;

	if (!change_text(kept, text) && !was_unsaved)
		return;
	kept->is_unsaved = write_file(kept);
	if (kept->is_unsaved && !was_unsaved)
		error(LOG_PREFIX "cannot write %s: %m; after a restart, earlier settings would "
				 "stand in for a fathom.conf with an error", kept->path);
	else if (!kept->is_unsaved && was_unsaved)
		info(LOG_PREFIX "%s is written again", kept->path);
}
