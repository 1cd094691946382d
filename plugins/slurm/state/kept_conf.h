/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of the last good fathom.conf, kept in StateSaveLocation: if the next one has an error,
 * this one stays in force over a restart. The file is the text as it was, so that diff shows what
 * has changed since.
 */
#ifndef SLURM_KEPT_CONF_H
#define SLURM_KEPT_CONF_H

#include <stdbool.h>
#include <time.h>

struct kept_conf {
	char *path;
	char *text;		/* NULL: none has been good yet, or the site has no fathom.conf */
	time_t time;		/* when the text came into force: that of the file */
	bool is_unread;		/* the file could not be read; it may have a text */
	bool is_unsaved;	/* the file has another text, as the last save failed */
};

/* Reads the file in this folder; what is wrong with it is logged. -1: out of memory. */
int kept_conf_init(struct kept_conf *kept, const char *folder);
void kept_conf_clear(struct kept_conf *kept);
/* Reads the file again if it could not be read. Returns whether it could be now. */
bool kept_conf_find(struct kept_conf *kept);
/* Keeps another text from now on, in the file, too; NULL: none, and no file. Without memory the
 * text before stays. A failure to write is logged once; the next call tries again. */
void kept_conf_set(struct kept_conf *kept, const char *text);

#endif
