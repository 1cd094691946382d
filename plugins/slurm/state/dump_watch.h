/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Knows which pass is in slurmctld's last dump of usage, for priority/multifactor. slurmctld dumps
 * its records of associations (to the file assoc_usage) every five minutes, at a reconfigure, and
 * at its end, before fini; no plugin is told. multifactor goes on from the dump and from the time
 * in priority_last_decay_ran, so that must be the time of the last pass in the dump: the seconds
 * between the two are lost if the time is later, and charged twice if it is earlier.
 *
 *	pass at 100, pass at 400, dump, pass at 700, kill -9: the time is 400
 *
 * A dump in the middle of a pass has a part of that pass, and counts as if it had nothing of it.
 *
 * fathom has a state file of its own. A start compares the times in both files: if multifactor's is
 * later, multifactor ran last. So fathom never writes multifactor's file ahead of its own.
 */
#pragma once

#include "base/lock_order.h"
#include "state/state.h"

#include <pthread.h>
#include <stdbool.h>
#include <sys/stat.h>

/* Which pass the last dump contains, and the thread that waits for the next dump. */
struct dump_watch {
	const char *folder;		/* StateSaveLocation; the caller's */
	struct ordered_lock lock;	/* guards the members up to save_failed */
	struct stat seen;		/* the status of the last dump; st_ino 0: there was none */
	struct state_times in_records;	/* the last pass that the records contain; 0: none */
	struct state_times in_dump;	/* the last pass that the dump contains; 0: none */
	int64_t own_time;		/* the time of the pass in fathom's own state file; 0: there
					 * is none */
	bool save_failed;		/* multifactor's file could not be written the last time */
	int events, folder_watch;	/* file and watch descriptor of inotify, while `running` */
	pthread_t thread;		/* while `running` */
	bool running;			/* the thread exists */
};

/* Fills a watch that has no thread yet. folder: StateSaveLocation, which must live as long. */
void dump_watch_create(struct dump_watch *watch, const char *folder);
/* Ends the thread, if there is one, and clears the watch. */
void dump_watch_destroy(struct dump_watch *watch);
/* Call it at the start, when the records are as slurmctld has loaded them from the dump. in_dump:
 * the times of the last pass in both. own_time: the time of the pass in fathom's own state file; 0:
 * there is none. */
void dump_watch_begin(struct dump_watch *watch, const struct state_times *in_dump,
		      int64_t own_time);
/* Starts a thread that notices a dump at once. If it cannot be started, which is logged, the next
 * pass notices the dump. */
void dump_watch_start(struct dump_watch *watch);
/* Call it when all records contain the pass of these times. */
void dump_watch_pass(struct dump_watch *watch, const struct state_times *times);
/* Call it when fathom's own state file of the pass at `own_time` is on disk. Writes multifactor's
 * file, with the times of the pass in the dump. */
void dump_watch_save(struct dump_watch *watch, int64_t own_time);
