/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files in StateSaveLocation that a start goes on from:
 *
 *	fathom_usage		the image of the last pass, written as a whole after each pass
 *	fathom_usage.old	the previous image, used if the newest is damaged
 *	priority_last_decay_ran	multifactor's: the pass that slurmctld's dump of usage contains
 *
 * If the time in multifactor's file is later than that of the image, and the file has not the mark
 * that fathom writes behind it, multifactor ran last.
 */
#pragma once

#include "state/usage_image.h"

enum state_found {
	STATE_NONE,		/* there are no files, or none that can be used */
	STATE_OWN,		/* the image of fathom, which ran last */
	STATE_MULTIFACTOR,	/* times of multifactor, which ran last; maybe an older image */
	STATE_UNREADABLE,	/* a file may be good, but cannot be read now */
};

/* Seconds since 1970; 0: never. */
struct state_times {
	int64_t time;		/* the time of a pass */
	int64_t last_reset;	/* the last reset up to that pass (PriorityUsageResetPeriod) */
};

/* What a start goes on from. */
struct found_state {
	enum state_found found;
	struct usage_image image;	/* the image of fathom's last pass; time 0: there is none */
	struct state_times times;	/* of the pass to go on from: fathom's or multifactor's */
	struct state_times dumped;	/* of the pass in slurmctld's last dump of usage */
};

/* In all calls, folder is StateSaveLocation. */

/* Returns whether files can be saved in the folder; it may be "" or /dev/null. */
bool state_has_folder(const char *folder);
/* Reads the files. Keeps a damaged file as fathom_usage.damaged, or fathom_usage.old.damaged. Logs
 * what is wrong with the files; was_logged: except that a file cannot be read. The caller clears
 * the image. */
struct found_state state_load(const char *folder, bool was_logged);
/* Writes the image. Returns 0; or -1 if it is not on disk. Each failure is logged, and the first
 * success after failures. For that the caller keeps two booleans, false at first: *failed: the last
 * write failed; *lacks_previous: the image before could not be kept. */
int state_save(const char *folder, struct usage_image *image, bool *failed, bool *lacks_previous);
/* Writes multifactor's file. Returns 0; or -1 if it is not on disk. Logs each failure, and the
 * first success after failures; for that the caller keeps *failed, false at first. */
int state_save_times(const char *folder, const struct state_times *times, bool *failed);
