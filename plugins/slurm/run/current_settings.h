/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings in force. After `scontrol reconfigure` the decay thread reads the files again,
 * before its next pass, and without a lock of Slurm's, as a file system may be slow. Then it checks
 * whether the partitions fit fathom.conf. The text of a fathom.conf without an error that fits is
 * the last good text. If a later fathom.conf has an error, settings made from the last good text
 * stand in for it, or the defaults if there is none. The last good text survives a restart, as a
 * file of its own in StateSaveLocation. It is kept word for word, so that diff shows what has
 * changed since.
 */
#pragma once

#include "base/compat.h"
#include "base/lock_order.h"
#include "settings/settings.h"

/* The last good text of fathom.conf. */
struct kept_conf {
	char path[PATH_MAX];	/* the file in StateSaveLocation that has the text */
	char *text;		/* NULL: none has been good yet, or the site has no fathom.conf */
	time_t time;		/* when the text came into force: the time of the file */
	bool is_unread;		/* the file could not be read: it may have a text, `text` is NULL */
	bool is_unsaved;	/* the last save failed, so the file may have another text */
};

/* The settings in force, and what is known of fathom.conf. */
struct current_settings {
	struct published settings;	/* the settings in force; a thread that replaces them holds
					 * `reading` */
	struct ordered_lock reading;	/* guards what follows; held while files are read */
	struct kept_conf good;
	bool is_unread;			/* fathom.conf could not be read; each turn tries again */
	/* The next two are for the decay thread alone. */
	struct settings *checked;	/* the last settings that the partitions fit; NULL: none
					 * yet */
	const void *told;		/* the last settings that clients were told of, only to be
					 * compared: it holds no reference */
};

/* Reads slurm.conf and fathom.conf for the first time. Returns -1 if out of memory. The caller
 * calls current_settings_clear() in each case. */
int current_settings_init(struct current_settings *current);
/* Frees all that it holds; no other thread runs any more. */
void current_settings_clear(struct current_settings *current);

/* Reads the files again; for other threads, when there is no decay thread. Takes no lock of
 * slurmctld's, as the caller may hold some. */
void current_settings_renew(struct current_settings *current);

/*
 * Returns the settings for a turn, a reference that the caller releases. First it reads the files
 * again if that is asked for, if there are new TRES, or if a file could not be read before; and
 * checks the partitions, unless slurmctld has none yet. For the decay thread alone; takes conf
 * read, then node and part read, then conf write.
 */
struct settings *current_settings_check(struct current_settings *current, bool asked);
