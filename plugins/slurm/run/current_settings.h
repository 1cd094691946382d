/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The settings in force. After `scontrol reconfigure` the decay thread reads the files again,
 * before its next pass and without a lock, as a file system may be slow. Then it checks whether the
 * partitions fit fathom.conf. The text of a fathom.conf that is read without an error and fits is
 * the last good one. If the next has an error, settings made from the last good text stand in for
 * it, or the defaults if there is none. The text is kept over a restart, as a file of its own in
 * StateSaveLocation: as it was, so that diff shows what has changed since.
 */
#pragma once

#include "base/compat.h"
#include "base/lock_order.h"
#include "settings/settings.h"

/* The last good text. */
struct kept_conf {
	char *path;
	char *text;		/* NULL: none has been good yet, or the site has no fathom.conf */
	time_t time;		/* when the text came into force: that of the file */
	bool is_unread;		/* the file could not be read; it may have a text */
	bool is_unsaved;	/* the file has another text, as the last save failed */
};

struct current_settings {
	struct published settings;	/* in force; replaced by who holds `reading` */
	struct ordered_lock reading;	/* guards what follows; held while files are read */
	struct kept_conf good;
	bool is_unread;			/* fathom.conf could not be read; each turn tries again */
	/* the last settings that the partitions fit, for the decay thread; NULL: none yet */
	struct settings *checked;
	const void *told;		/* the last settings that clients were told of */
};

/* Reads slurm.conf and fathom.conf. -1: out of memory. */
int current_settings_init(struct current_settings *current);
void current_settings_clear(struct current_settings *current);

/* Reads the files again, where there is no decay thread. Takes no lock of slurmctld's, as the
 * caller may hold some. */
void current_settings_renew(struct current_settings *current);

/*
 * Returns the settings for a turn, after the files have been read if that is asked for, or if
 * there are new TRES; and after the partitions have been checked, unless slurmctld has read none
 * yet. The caller gives them back with shared_release(). For the decay thread alone; takes conf
 * read, then node and part read.
 */
struct settings *current_settings_check(struct current_settings *current, bool asked);
