/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A new dump is noticed at once by a thread that waits for events of the folder (inotify), or else
 * by the next pass. The dump then contains the pass that the records contain. See
 * state/dump_watch.h.
 */
#include "state/dump_watch.h"

#include "base/log.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#define DUMP_NAME "assoc_usage"	/* slurmctld's name for the dump */

/* ---- the dump ------------------------------------------------------------------ */

/* Returns whether there is a dump that was not seen before. If so, notes which pass it contains:
 * the one that the records contain, since slurmctld holds assoc read while it writes a dump. Each
 * dump is a new file. Its time is compared with that of the dump before, not with the clock,
 * because a file server may have set it. The caller holds the lock. */
static bool notice_dump(struct dump_watch *watch)
{
	const struct stat *seen = &watch->seen;
	struct stat dump;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", watch->folder, DUMP_NAME);
	if (stat(path, &dump))	/* there is none, or slurmctld is replacing it */
		return false;
	if (dump.st_ino == seen->st_ino && dump.st_mtim.tv_sec == seen->st_mtim.tv_sec &&
	    dump.st_mtim.tv_nsec == seen->st_mtim.tv_nsec)
		return false;
	watch->seen = dump;
	watch->in_dump = watch->in_records;
	return true;
}

void dump_watch_pass(struct dump_watch *watch, const struct state_times *times)
{
	ordered_lock_take(&watch->lock);
	notice_dump(watch);	/* before in_records changes: a dump that is new lacks this pass */
	watch->in_records = *times;
	ordered_lock_release(&watch->lock);
}

void dump_watch_begin(struct dump_watch *watch, const struct state_times *in_dump, int64_t own_time)
{
	ordered_lock_take(&watch->lock);
	notice_dump(watch);	/* so that it does not count as new later */
	watch->in_records = watch->in_dump = *in_dump;
	watch->own_time = own_time;
	ordered_lock_release(&watch->lock);
}

void dump_watch_save(struct dump_watch *watch, int64_t own_time)
{
	ordered_lock_take(&watch->lock);
	watch->own_time = own_time;
	state_save_times(watch->folder, &watch->in_dump, &watch->save_failed);
	ordered_lock_release(&watch->lock);
}

/* ---- the thread ---------------------------------------------------------------- */

/* If there is a new dump, writes the times of its pass to multifactor's file. If fathom's own file
 * does not have that pass yet, leaves that to dump_watch_save(): fathom's must be written first. */
static void save_if_dumped(struct dump_watch *watch)
{
	ordered_lock_take(&watch->lock);
	if (notice_dump(watch) && watch->own_time && watch->in_dump.time <= watch->own_time)
		state_save_times(watch->folder, &watch->in_dump, &watch->save_failed);
	ordered_lock_release(&watch->lock);
}

/* Handles `length` bytes of events of the folder: notices a dump. If events were lost, there may be
 * a dump among them. Returns false if the watch or the folder has been removed. */
static bool handle_events(struct dump_watch *watch, const char *events, size_t length)
{
	const struct inotify_event *event;

	for (size_t at = 0; at < length; at += sizeof(*event) + event->len) {
		/* the buffer is aligned for an event, and the length of each keeps it so */
		event = (const struct inotify_event *)(const void *)(events + at);
		if (event->mask & IN_IGNORED)
			return false;
		if ((event->mask & IN_Q_OVERFLOW) ||
		    (event->len && !strcmp(event->name, DUMP_NAME)))
			save_if_dumped(watch);
	}
	return true;
}

/* Logs that there is no thread to notice dumps at once, as the folder cannot be watched. problem:
 * an errno. */
static void warn_of_late_dumps(const struct dump_watch *watch, int problem)
{
	info(LOG_PREFIX "warning: cannot watch %s: %s; after a crash, priority/multifactor may "
			"charge up to a CalcPeriod twice", watch->folder, strerror(problem));
}

/* The thread: reads events of the folder until the watch is removed. */
static void *follow_folder(void *argument)
{
	_Alignas(struct inotify_event) char events[4096];
	struct dump_watch *watch = argument;
	ssize_t length;

	pthread_setname_np(pthread_self(), "dump_watch");
	do
		length = read(watch->events, events, sizeof(events));
	while ((length < 0 && errno == EINTR) ||
	       (length > 0 && handle_events(watch, events, (size_t)length)));
	if (length < 0)
		warn_of_late_dumps(watch, errno);
	return NULL;
}

void dump_watch_start(struct dump_watch *watch)
{
	if (!state_has_folder(watch->folder))
		return;
	watch->events = inotify_init1(IN_CLOEXEC);
	/* slurmctld gives a dump its name by a link or a rename */
	watch->folder_watch = watch->events < 0 ? -1
		: inotify_add_watch(watch->events, watch->folder, IN_CREATE | IN_MOVED_TO);
	if (watch->folder_watch >= 0)	/* returns the problem; the other calls set errno */
		errno = pthread_create(&watch->thread, NULL, follow_folder, watch);
	watch->running = watch->folder_watch >= 0 && !errno;
	if (watch->running)
		return;
	warn_of_late_dumps(watch, errno);
	if (watch->events >= 0)
		close(watch->events);
}

/* ---- life ---------------------------------------------------------------------- */

void dump_watch_create(struct dump_watch *watch, const char *folder)
{
	*watch = (struct dump_watch){ .folder = folder };
	ordered_lock_init(&watch->lock, LOCK_DUMP_WATCH);
}

void dump_watch_destroy(struct dump_watch *watch)
{
	if (watch->running) {
		inotify_rm_watch(watch->events, watch->folder_watch);	/* wakes the thread */
		pthread_join(watch->thread, NULL);
		close(watch->events);
	}
	ordered_lock_destroy(&watch->lock);
}
